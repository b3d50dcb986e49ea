// The certificate of a daily close as a PDF: for the trustee bank and the regulator, with the signed document attached.
import { formatMoney } from '../../../kernel/money.ts';
import { newPdf } from '../../../pdf/document.ts';
import { CertificateSheet, type CoverPanel } from './certificate-sheet.ts';
import { AGES, type AgedItems, type CloseDocument } from './document.ts';
import { closeView } from './schemas.ts';
import type { CloseRow } from './store.ts';

export async function certificatePdf(row: CloseRow): Promise<Buffer> {
  const document = JSON.parse(row.document) as CloseDocument;
  const { operator, closed_by } = document;
  const closedAt = new Date(document.closed_at);
  const title = `Daily close of ${document.date}`;
  const doc = await newPdf({ title, author: operator, createdAt: closedAt.getTime(), bufferPages: true });
  const by = closed_by.type === 'system' ? 'the service' : `user ${closed_by.id}`;
  const generated = `Closed ${instant(closedAt)} by ${by}`;
  const sheet = new CertificateSheet(doc, { operator, kind: 'Daily close', documentId: row.id, generated });
  drawTitle(sheet, document);
  drawCover(sheet, document);
  drawEMoney(sheet, document);
  drawTrust(sheet, document);
  drawPartners(sheet, document);
  drawOpenItems(sheet, document);
  drawMovements(sheet, document);
  drawProof(sheet, row, document);
  sheet.end();
  // The same bytes each time: all dates are the close's.
  doc.file(Buffer.from(`${JSON.stringify({ close: closeView(row) }, null, 2)}\n`), {
    name: `kissi-close-${row.date}-${row.number}.json`,
    type: 'application/json',
    description: "This close's signed document",
    ...{ creationDate: closedAt, modifiedDate: closedAt },
  });
  doc.end();
  const chunks: Buffer[] = [];
  for await (const chunk of doc) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function drawTitle(sheet: CertificateSheet, { date, instant: end, corrects, number }: CloseDocument): void {
  const below = `E-money and the trust money behind it at ${instant(new Date(end))}, the end of the day. Close number ${number}.`;
  sheet.heading1(dayText(date), below);
  if (!corrects) return;
  const { id, sha256, reason } = corrects;
  sheet.remark('CORRECTION', `${reason} This document replaces close ${id} (SHA-256 ${sha256}).`);
}

function drawCover(sheet: CertificateSheet, { e_money, trust, cover_ratio, cover_difference }: CloseDocument): void {
  const difference = cover_difference ?? 0;
  sheet.cover({
    ratio: cover_ratio ?? '–',
    ...verdictOf(cover_ratio, cover_difference),
    figures: [
      { label: 'Trust balances', value: formatMoney(trust.total) },
      { label: 'E-money outstanding', value: formatMoney(e_money.total) },
      {
        label: difference < 0 ? 'Shortfall' : 'Surplus',
        value: cover_difference === null ? '–' : formatMoney(difference),
      },
    ],
  });
}

function verdictOf(ratio: string | null, difference: number | null): Pick<CoverPanel, 'state' | 'verdict'> {
  if (difference === null) return { state: 'unknown', verdict: 'No statement of a trust account yet' };
  if (difference < 0) return { state: 'short', verdict: 'E-money is NOT fully covered' };
  return { state: 'covered', verdict: ratio === null ? 'No e-money outstanding' : 'E-money is fully covered' };
}

const KINDS: Record<string, string> = {
  wallet: "Subscribers' wallets",
  agent_float: "Agents' floats",
  agent_commission: 'Commission that agents have earned',
  processor: "Merchants' balances",
  payouts_in_transit: 'Pay-outs to merchants in transit',
  fee_income: "The operator's fee income",
};

function drawEMoney(sheet: CertificateSheet, { e_money }: CloseDocument): void {
  sheet.heading('E-money outstanding');
  const rows = e_money.by_kind.map(({ kind, balance }) => [KINDS[kind] ?? sentence(kind), plain(balance)]);
  sheet.table(
    [
      { label: 'Held as', width: 365 },
      { ...AMOUNT, width: 150 },
    ],
    rows,
    ['Total', plain(e_money.total)],
  );
}

const AMOUNT = { label: 'Amount (SLE)', width: 110, align: 'right' } as const;

function drawTrust(sheet: CertificateSheet, { trust, date }: CloseDocument): void {
  sheet.heading('Trust accounts');
  if (trust.accounts.length === 0) {
    sheet.note('No trust account is registered.');
    return;
  }
  const columns = [
    { label: 'Bank', width: 120 },
    { label: 'Account', width: 200 },
    { label: 'Balance of', width: 85 },
    AMOUNT,
  ];
  const rows = trust.accounts.map(({ bank, name, account_number, balance_date, balance }) => [
    ...[bank, `${name}, ${account_number}`, balanceDay(balance_date, date)],
    balance === null ? '–' : plain(balance),
  ]);
  sheet.table(columns, rows, ['Total', '', '', plain(trust.total)]);
  const isOlder = trust.accounts.some(({ balance_date }) => balance_date !== date);
  sheet.note(
    isOlder
      ? "Each balance is from the bank's last statement up to the day. Not every statement covers the day itself: a correction " +
          'of this close follows when it does.'
      : "Balances according to the bank's statements for the day.",
  );
}

function balanceDay(balanceDate: string | null, date: string): string {
  if (balanceDate === null) return 'no statement';
  return balanceDate === date ? date : `${balanceDate} (older)`;
}

function drawPartners(sheet: CertificateSheet, { partners }: CloseDocument): void {
  sheet.heading('Owed by partners');
  if (partners.partners.length === 0) {
    sheet.note('No partner owed the operator money, and the operator owed none.');
    return;
  }
  const columns = [{ label: 'Partner', width: 235 }, { label: 'Id', width: 170 }, AMOUNT];
  const rows = partners.partners.map(({ name, id, outstanding }) => [name, id, plain(outstanding)]);
  sheet.table(columns, rows, ['Total', '', plain(partners.owed)]);
  sheet.note(
    'Partners owe for credits that wallets have received and that they have not settled: e-money without trust money yet.',
  );
}

const AGE_TEXTS: Record<(typeof AGES)[number], string> = {
  under_1_day: 'under 1 day',
  under_3_days: '1 to 2 days',
  under_7_days: '3 to 6 days',
  older: '7 days and more',
};

function drawOpenItems(sheet: CertificateSheet, { suspense, unmatched }: CloseDocument): void {
  sheet.keepTogether(110);
  sheet.heading('Open items by age');
  const ages = AGES.map((age) => ({ label: AGE_TEXTS[age], width: 74, align: 'right' as const }));
  const columns = [{ label: 'Number / amount (SLE)', width: 137 }, ...ages, { ...AMOUNT, label: 'All', width: 82 }];
  const cells = ({ count, amount }: { count: number; amount: number }) =>
    `${count.toLocaleString('en')} / ${plain(amount)}`;
  const rowOf = (name: string, items: AgedItems) => [
    name,
    ...AGES.map((age) => cells(items.by_age[age])),
    cells(items),
  ];
  sheet.table(columns, [
    rowOf('Suspense: payer unknown', suspense),
    rowOf('Unmatched bank entries', unmatched.bank),
    rowOf('Unmatched movements', unmatched.books),
  ]);
}

function drawMovements(sheet: CertificateSheet, { movements, fees }: CloseDocument): void {
  sheet.heading("The day's movements");
  if (movements.length === 0) {
    sheet.note('No money moved on this day.');
    return;
  }
  const columns = [
    { label: 'Type', width: 175 },
    { label: 'Number', width: 70, align: 'right' },
    { ...AMOUNT, width: 110 },
    { ...AMOUNT, label: 'Fees (SLE)', width: 80 },
    { ...AMOUNT, label: 'Commission (SLE)', width: 80 },
  ] as const;
  const rows = movements.map(({ type, count, amount, fee, commission }) => [
    ...[TYPES[type] ?? sentence(type), count.toLocaleString('en'), plain(amount), plain(fee), plain(commission)],
  ]);
  const sum = (of: (each: (typeof movements)[number]) => number) =>
    movements.reduce((total, each) => total + of(each), 0);
  const count = sum((each) => each.count).toLocaleString('en');
  const total = [
    'Total',
    count,
    plain(sum(({ amount }) => amount)),
    plain(fees),
    plain(sum(({ commission }) => commission)),
  ];
  sheet.table(columns, rows, total);
}

const TYPES: Record<string, string> = {
  transfer_p2p: 'Transfers between wallets',
  agent_cashin: 'Cash deposits at agents',
  wallet_withdraw: 'Cash withdrawals at agents',
  pos_payment: 'Card payments',
  pos_refund: 'Refunds of card payments',
  vult_fund: 'Fundings by partners',
  inbound_credit: 'Credits from partner banks',
  inbound_reversal: 'Reversals of these credits',
  partner_cashin: 'Cash deposits through partners',
  partner_settlement: 'Settlements by partners',
  agent_fund: 'Floats issued to agents',
  agent_return: 'Floats returned by agents',
  agent_transfer: 'Transfers between agents',
  processor_transfer: 'Payments by merchants',
  processor_payout: 'Pay-outs to merchants',
  suspense_resolution: 'Deposits charged to identified partners',
  suspense_refund: 'Unidentified deposits taken back',
};

function drawProof(sheet: CertificateSheet, row: CloseRow, { seals, previous_sha256 }: CloseDocument): void {
  sheet.heading('Proof');
  sheet.fact('SHA-256', spaced(row.sha256));
  sheet.fact(
    'SHA-256 of the previous close',
    previous_sha256 === null ? 'none: this is the first close' : spaced(previous_sha256),
  );
  sheet.fact('Signature (Ed25519)', spaced(row.signature));
  sheet.fact('Key', `${row.key_id}, published at /.well-known/kissi-keys.json of the operator's API`);
  const { chain, heads, audit } = seals;
  sheet.fact(
    "The ledger's seals",
    chain ? `chain ${chain.id}, ${heads.length} open end(s): ${headsText(heads)}` : 'none yet',
  );
  sheet.fact('Audit log', `entry ${audit.seq}, ${spaced(audit.hash)}`);
  sheet.gap();
  sheet.note(
    'The document behind this certificate is attached to this PDF. Hash and signature are over its exact text. The hash of the ' +
      'close before is part of it, so that no close can be replaced or left out later. A line after the end of this file ' +
      'signs every byte of it. "npm run close:verify FILE" checks all of this with the public key alone.',
  );
  sheet.note(
    'E-money is the sum of all accounts on which holders have a claim, at the end of the UTC day, computed from every movement ' +
      'before that instant. The cover ratio is the trust balances divided by e-money, rounded down.',
  );
  sheet.signatures(['For the operator', 'For the trustee bank']);
}

const SHOWN_HEADS = 3;

function headsText(heads: CloseDocument['seals']['heads']): string {
  const shown = heads.slice(0, SHOWN_HEADS).map(({ batch, mac }) => `batch ${batch} ${mac.slice(0, 16)}…`);
  const rest = heads.length - shown.length;
  return `${shown.join('; ')}${rest > 0 ? ` and ${rest} more in the attached document` : ''}`;
}

/** Groups of eight, so that people can compare it and it wraps. */
function spaced(digits: string): string {
  return digits.replace(/(.{8})(?=.)/g, '$1 ');
}

function plain(minorUnits: number): string {
  return formatMoney(minorUnits).replace(/ \w+$/, '');
}

function sentence(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Sunday, 15 November 2026 */
function dayText(date: string): string {
  const form = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Date(`${date}T00:00:00Z`).toLocaleDateString('en-GB', form);
}

/** 16 November 2026, 00:10:00 UTC */
function instant(at: Date): string {
  const day = at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return `${day}, ${at.toISOString().slice(11, 19)} UTC`;
}
