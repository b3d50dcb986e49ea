// Turns a camt.053 entry and the details of its payments into one entry of the statement.
import { CURRENCY, parseDecimal } from '../../../../kernel/money.ts';
import { dateOf, type Fields } from './camt053-fields.ts';
import { StatementFault } from './fault.ts';
import type { FileEntry } from './statement-builder.ts';

const AMOUNT = { separator: '.', maxDecimals: 5 } as const;
const MAX_BATCH_TEXT_CHARACTERS = 1_000;

/** An entry's payments. A batch can have any number of them: only their sum and the first references are kept. */
export interface EntryDetails {
  add(payment: Fields): void;
  readonly count: number;
  /** The details of the first payment. */
  readonly first: Fields | null;
  /** Null if a payment has no amount, another currency or charges: then the sum may differ from the entry. */
  readonly sum: bigint | null;
  readonly references: string;
}

export function entryDetails(): EntryDetails {
  let count = 0;
  let first: Fields | null = null;
  let sum: bigint | null = 0n;
  let references = '';
  return {
    add(payment) {
      count += 1;
      first ??= payment;
      const amount = amountOf(payment);
      sum = sum === null || amount === null ? null : sum + amount;
      const reference = referenceOf(payment);
      if (reference && references.length < MAX_BATCH_TEXT_CHARACTERS) references += `${references && ', '}${reference}`;
    },
    get count() {
      return count;
    },
    get first() {
      return first;
    },
    get sum() {
      return sum;
    },
    get references() {
      return references;
    },
  };
}

/** Credits are positive. */
function amountOf(payment: Fields): bigint | null {
  const name = payment.has('Amt') ? 'Amt' : 'AmtDtls/TxAmt/Amt';
  if (payment.has('Chrgs') || payment.text(`${name}@Ccy`) !== CURRENCY) return null;
  const amount = parseDecimal(payment.text(name) ?? '', AMOUNT);
  if (amount === null) return null;
  return payment.text('CdtDbtInd') === 'DBIT' ? -BigInt(amount) : BigInt(amount);
}

function referenceOf(payment: Fields): string | null {
  const names = ['Refs/EndToEndId', 'RmtInf/Strd/CdtrRefInf/Ref', 'Refs/InstrId', 'Refs/TxId', 'Refs/PmtInfId'];
  const found = names.map((name) => payment.text(name)).find((text) => text !== null && text !== 'NOTPROVIDED');
  return found ?? null;
}

export function entryOf(entry: Fields, details: EntryDetails, amount: number, where: string): FileEntry {
  const isBatch = details.count > 1;
  if (isBatch) checkBatch(details, amount, where);
  const isReversal = entry.text('RvslInd') === 'true' || entry.text('RvslInd') === '1';
  const serviceReference = entry.text('AcctSvcrRef');
  const batch = entry.text('NtryDtls/Btch/PmtInfId') ?? entry.text('NtryDtls/Btch/MsgId');
  const payment = isBatch ? null : details.first;
  const description = isBatch
    ? `Batch of ${details.count} payments: ${details.references}`
    : (payment?.text('RmtInf/Ustrd') ?? payment?.text('AddtlTxInf') ?? entry.text('AddtlNtryInf'));
  return {
    bookedOn: dateOf(entry, 'BookgDt', where),
    valueOn: dateOf(entry, 'ValDt', where),
    amount,
    // NtryRef is often the number of the entry in its file, which would match a movement by chance.
    reference: (payment && referenceOf(payment)) ?? batch ?? serviceReference,
    counterparty: payment && counterpartyOf(payment, amount > 0 !== isReversal),
    description: isReversal ? `Reversal: ${description ?? ''}` : description,
    bankReference: serviceReference ?? entry.text('NtryRef'),
  };
}

/** The payments have the sides on which they are booked, or none of them states its side. */
function checkBatch({ sum, count }: EntryDetails, amount: number, where: string): void {
  if (sum === null || sum === BigInt(amount) || sum === -BigInt(amount)) return;
  throw new StatementFault(`${where}: the ${count} payments of the batch do not add up to the entry's amount.`);
}

/** The debtor of a payment that the account received, the creditor of one that it made. */
function counterpartyOf(payment: Fields, isReceived: boolean): string | null {
  const role = isReceived ? 'Dbtr' : 'Cdtr';
  return payment.text(`RltdPties/${role}/Nm`) ?? payment.text(`RltdPties/${role}/Pty/Nm`);
}
