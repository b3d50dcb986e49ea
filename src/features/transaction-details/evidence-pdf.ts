// The evidence of a transaction as a PDF: what moved, when, from whom to whom, and how the record can be verified.
import { amountInWords } from '../../kernel/amount-words.ts';
import { formatMoney } from '../../kernel/money.ts';
import { isMovementType, MOVEMENT_TYPES } from '../../ledger/movement-types.ts';
import { newPdf } from '../../pdf/document.ts';
import { Sheet } from '../../pdf/sheet.ts';
import type { TransactionDetails, VisibleParty } from './details.ts';

export interface EvidenceOptions {
  /** The legal name of the operator. */
  operator: string;
  /** The request that produced the document; the audit log has it. */
  documentId: string;
  generatedAt: number;
  /** Who asked for it, for example "user usr_… (support_user)". */
  generatedBy: string;
  /** The account of an owner who asked for it; null for staff, who may hand the document to one of the parties. */
  ownAccount: string | null;
  /** IANA name of the local time zone. */
  timeZone: string;
}

export async function evidencePdf(transaction: TransactionDetails, options: EvidenceOptions): Promise<Buffer> {
  const { operator, documentId, generatedAt, generatedBy } = options;
  const title = `Evidence of transaction ${transaction.transaction_id}`;
  const doc = await newPdf({ title, author: operator, createdAt: generatedAt, bufferPages: true });
  const generated = `Generated ${fullTime(new Date(generatedAt), 'UTC')} UTC by ${generatedBy}`;
  const sheet = new Sheet(doc, { operator, kind: 'Transaction evidence', documentId, generated });
  drawSummary(sheet, transaction);
  drawFacts(sheet, transaction, options);
  drawPostings(sheet, transaction, options);
  drawRelated(sheet, transaction);
  drawSeal(sheet, transaction, options);
  sheet.end();
  doc.end();
  const chunks: Buffer[] = [];
  for await (const chunk of doc) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function drawSummary(sheet: Sheet, transaction: TransactionDetails): void {
  const { amount, status, payer, payee } = transaction;
  sheet.amount(formatMoney(amount), amountInWords(amount), status);
  sheet.boxes([
    { label: 'FROM', lines: partyLines(payer) },
    { label: 'TO', lines: partyLines(payee) },
  ]);
}

const KINDS: Record<string, string> = {
  wallet: 'Wallet',
  agent_float: 'Agent float',
  agent_commission: 'Agent commission',
  processor: 'Merchant account',
  partner_clearing: 'Partner clearing account',
  fee_income: 'Operator: fee income',
  treasury: 'Operator: treasury',
  suspense: 'Operator: suspense',
  payouts_in_transit: 'Operator: pay-outs in transit',
};

function partyLines({ id, kind, name, owner, location, phone_number, account_number }: VisibleParty): string[] {
  const account = account_number && `${kind === 'processor' ? 'Merchant id' : 'Account'}: ${account_number}`;
  return [
    name ?? 'Name withheld',
    joined(kindText(kind), owner && `Owner: ${owner}`, location),
    joined(phone_number && `Phone: ${phone_number}`, account),
    id ?? '',
  ].filter((line) => line !== '');
}

const joined = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join(', ');

function kindText(kind: string | null): string {
  return KINDS[kind ?? ''] ?? 'Account';
}

function drawFacts(sheet: Sheet, transaction: TransactionDetails, options: EvidenceOptions): void {
  const at = new Date(transaction.created_at);
  sheet.heading('Transaction');
  sheet.fact('Transaction id', transaction.transaction_id);
  sheet.fact('Type', `${typeText(transaction.type)} (${transaction.type})`);
  sheet.fact('Date and time', `${fullTime(at, 'UTC')} UTC`);
  sheet.fact(
    'Local time',
    `${fullTime(at, options.timeZone)}, ${options.timeZone} (${offsetOf(at, options.timeZone)})`,
  );
  sheet.fact('Amount', `${formatMoney(transaction.amount)}, without fees`);
  sheet.fact('Fees', transaction.fees.map(feeText).join('; '));
  optionalFact(sheet, 'Reference', transaction.reference);
  optionalFact(sheet, 'Request id', transaction.request_id);
  optionalFact(sheet, 'Authorization code', transaction.authorization_code);
  optionalFact(sheet, 'Card', transaction.card);
  optionalFact(sheet, 'Terminal', transaction.terminal_id);
  optionalFact(sheet, 'Narration', transaction.narration);
  const { actor_type, actor_id } = transaction;
  if (actor_id) sheet.fact('Initiated by', `${ACTORS[actor_type ?? ''] ?? actor_type} ${actor_id}`);
  sheet.gap();
}

function feeText({ party, charged, earned }: TransactionDetails['fees'][number]): string {
  const commission = earned > 0 ? ` and earned a commission of ${formatMoney(earned)}` : '';
  return `the ${party} paid ${formatMoney(charged)}${commission}`;
}

const ACTORS: Record<string, string> = { user: 'User', key: 'API key', service: 'Service', system: 'System' };

function optionalFact(sheet: Sheet, label: string, value: string | null): void {
  if (value !== null) sheet.fact(label, value);
}

const LABELS: Record<string, string> = { payer: 'Payer', payee: 'Payee', operator: 'Operator' };

/** Without balances, except for the account's owner: a party must not learn what another holds. */
function drawPostings(sheet: Sheet, { postings }: TransactionDetails, { ownAccount }: EvidenceOptions): void {
  sheet.heading('Postings in the ledger');
  const own = postings.every(({ account_id }) => account_id === ownAccount);
  const columns = [
    { label: 'Account', width: own ? 205 : 295 },
    { label: 'Party', width: 62 },
    { label: 'Change', width: 84, align: 'right' },
    { label: 'Of which fee', width: 74, align: 'right' },
    ...(own ? [{ label: 'Balance after', width: 90, align: 'right' } as const] : []),
  ] as const;
  const rows = postings.map(({ account_id, party, amount, fee, balance_after }) => [
    ...[account_id, LABELS[party] ?? party, plain(amount), plain(fee)],
    ...(own && balance_after !== null ? [plain(balance_after)] : []),
  ]);
  sheet.table(columns, rows);
  const sum = postings.reduce((total, { amount }) => total + amount, 0);
  const isWhole = postings.length > 1 && sum === 0;
  sheet.note(
    isWhole
      ? `Amounts in SLE. The ${postings.length} postings sum to zero: nothing was created or lost.`
      : 'Amounts in SLE. The document shows the posting of the account whose owner requested it.',
  );
}

const RELATIONS: Record<string, string> = {
  original: 'Original payment',
  refund: 'Refund',
  reversal: 'Reversal',
  resolution: 'Identified payer',
};

function drawRelated(sheet: Sheet, { related }: TransactionDetails): void {
  if (related.length === 0) return;
  sheet.heading('Related transactions');
  const columns = [
    { label: 'Relation', width: 90 },
    { label: 'Transaction', width: 205 },
    { label: 'Date and time (UTC)', width: 130 },
    { label: 'Amount', width: 90, align: 'right' },
  ] as const;
  const rows = related.map(({ relation, transaction_id, created_at, amount }) => [
    ...[RELATIONS[relation] ?? relation, transaction_id, fullTime(new Date(created_at), 'UTC'), plain(amount)],
  ]);
  sheet.table(columns, rows);
}

function drawSeal(sheet: Sheet, { seal }: TransactionDetails, options: EvidenceOptions): void {
  sheet.heading('Seal and verification');
  if (seal) {
    sheet.fact('Seal', `Batch ${seal.batch}: number ${seal.number} of chain ${seal.chain}, format ${seal.format}`);
    sheet.fact('Sealed at', `${fullTime(new Date(seal.sealed_at), 'UTC')} UTC`);
    sheet.fact('MAC (HMAC-SHA-256)', seal.mac.replace(/(.{8})(?=.)/g, '$1 '));
    sheet.gap();
    sheet.note(
      'The ledger seals every batch of transactions as it writes them. The seal is an HMAC-SHA-256 over the previous ' +
        'seal of the chain and over every movement, posting and reply of the batch. No entry can be changed, removed or ' +
        'inserted afterwards without breaking the seals that follow it.',
    );
  } else {
    sheet.note('This transaction is not sealed.');
  }
  sheet.note(
    `To verify the record, ask ${options.operator} for this transaction by its id: the facts above and the MAC must be ` +
      'the same. An auditor with access to the database runs "npm run ledger:verify", which recomputes every seal, with ' +
      'an anchor kept outside the database (--anchor FILE).',
  );
  sheet.note(
    `To verify this file, compare its SHA-256 with the one in the audit log of ${options.operator} under the transaction id ` +
      '(action transaction.evidence). The audit log is chained and keyed like the ledger.',
  );
}

function typeText(type: string): string {
  const words = isMovementType(type) ? TYPE_TEXTS[type] : undefined;
  return words ?? sentence(isMovementType(type) ? MOVEMENT_TYPES[type].labels[0].replace(/ (?:to|for)$/, '') : type);
}

const TYPE_TEXTS: Partial<Record<string, string>> = {
  transfer_p2p: 'Transfer between wallets',
  agent_cashin: 'Cash deposit at an agent',
  wallet_withdraw: 'Cash withdrawal at an agent',
  pos_payment: 'Card payment to a merchant',
  pos_refund: 'Card payment refund',
  vult_fund: 'Wallet funding by a partner',
  inbound_credit: 'Credit from a partner bank',
  inbound_reversal: 'Reversal of a credit from a partner bank',
  partner_cashin: 'Cash deposit through a partner',
  suspense_resolution: 'Deposit charged to the identified partner',
  suspense_refund: 'Unidentified deposit taken back',
  processor_transfer: 'Payment by a merchant',
  processor_payout: 'Pay-out to a bank account',
  payout_returned: 'Pay-out that the bank returned',
  payout_cleared: 'Pay-out that the bank executed',
  payout_uncleared: 'Undone clearing of a pay-out',
};

function sentence(text: string): string {
  const words = text.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** 16 November 2026, 12:20:31.123 */
function fullTime(at: Date, timeZone: string): string {
  const day = at.toLocaleDateString('en-GB', { timeZone, day: 'numeric', month: 'long', year: 'numeric' });
  const time = at.toLocaleTimeString('en-GB', { timeZone, hour12: false });
  return `${day}, ${time}.${String(at.getUTCMilliseconds()).padStart(3, '0')}`;
}

/** GMT+0 */
function offsetOf(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
}

/** Without the currency, which the note below the table names. */
function plain(minorUnits: number): string {
  return formatMoney(minorUnits).replace(/ \w+$/, '');
}
