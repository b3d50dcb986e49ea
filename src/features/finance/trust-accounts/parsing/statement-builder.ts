// Assembles a statement from the pages of a file, and checks that each page adds up and continues the one before it.
import { formatMoney } from '../../../../kernel/money.ts';
import { oneLine } from '../../../../kernel/text.ts';
import { addDays } from './amounts.ts';
import { StatementFault } from './fault.ts';

export interface ParsedEntry {
  bookedOn: string;
  /** Minor units; credits are positive. */
  amount: number;
  reference: string | null;
  counterparty: string | null;
  description: string | null;
}

export interface ParsedStatement {
  from: string;
  to: string;
  openingBalance: number;
  closingBalance: number;
  entries: ParsedEntry[];
}

/** What the file must be about. */
export interface ExpectedAccount {
  /** Normalized, see accountNumberOf. */
  accountNumber: string;
  currency: string;
}

export interface StatementParser {
  push(text: string): void | Promise<void>;
  end(): ParsedStatement | Promise<ParsedStatement>;
}

export interface Balance {
  amount: number;
  date: string;
}

/** An entry as it is in the file. Texts are not yet cleaned. */
export interface FileEntry {
  /** Null: the bank states only the value date. */
  bookedOn: string | null;
  valueOn: string | null;
  amount: number;
  reference?: string | null | undefined;
  counterparty?: string | null | undefined;
  description?: string | null | undefined;
  /** The bank's own identifier of the entry: two entries of one day and amount cannot share it. */
  bankReference?: string | null | undefined;
}

export const MAX_ENTRIES = 200_000;
/**
 * A trillion SLE, several times the country's yearly product. A daily close adds up the balances and the open entries of all
 * statements: larger ones could exceed what it can state exactly, and would prevent every close.
 */
export const MAX_SUM = 100_000_000_000_000;
const MAX_REFERENCE_CHARACTERS = 140;
const MAX_DESCRIPTION_CHARACTERS = 500;

/** Account numbers are compared without spaces, separators and case. */
export function accountNumberOf(text: string): string {
  return text.replaceAll(/[\s./-]/g, '').toUpperCase();
}

export class StatementBuilder {
  private readonly expected: ExpectedAccount;
  private readonly entries: ParsedEntry[] = [];
  /** Positions of entries that have only a value date, which may be outside the statement's days. */
  private readonly valueDated: number[] = [];
  private readonly bankReferences = new Set<string>();
  private first: Balance | null = null;
  /** The opening balance of the current page. */
  private opened: Balance | null = null;
  /** The closing balance of the last complete page. */
  private last: Balance | null = null;
  /** The balance after the entries so far. */
  private running = 0;
  /** The sum of all amounts, without their signs. */
  private turnover = 0;
  private statedFrom: string | null = null;
  private earliest: string | null = null;
  private latest: { bookedOn: string; where: string } | null = null;

  constructor(expected: ExpectedAccount) {
    this.expected = expected;
  }

  /** The parts of an identifier such as BANKSLFR/001234 are compared too. */
  checkAccount(found: string, where: string): void {
    const { accountNumber } = this.expected;
    const forms = [found, found.slice(found.lastIndexOf('/') + 1)].map(accountNumberOf);
    if (forms.includes(accountNumber)) return;
    throw new StatementFault(
      `${where}: the account number is ${shown(found)}, not ${accountNumber}. Upload one file per account.`,
    );
  }

  checkCurrency(found: string | undefined, where: string): void {
    const { currency } = this.expected;
    if (found !== currency) {
      throw new StatementFault(`${where}: the currency is ${shown(found ?? 'missing')}, not ${currency}.`);
    }
  }

  /** `from`: the statement's first day, if the file states it. */
  open(balance: Balance, where: string, from: string | null = null): void {
    const { last } = this;
    if (last && last.amount !== balance.amount) {
      const sums = `${formatMoney(balance.amount)} is not the closing balance ${formatMoney(last.amount)}`;
      throw new StatementFault(`${where}: the opening balance ${sums} of the page or statement before it.`);
    }
    if (last && balance.date < last.date) {
      throw new StatementFault(`${where}: it begins on ${balance.date}, before the end of the page before it.`);
    }
    if (!this.first) [this.first, this.statedFrom] = [balance, from];
    this.opened = balance;
    this.running = 0;
    this.add(balance.amount, where);
  }

  entry(entry: FileEntry, where: string): void {
    const { amount } = entry;
    const bookedOn = entry.bookedOn ?? entry.valueOn;
    if (bookedOn === null) throw new StatementFault(`${where}: it has neither a booking date nor a value date.`);
    this.add(amount, where);
    this.turnover += Math.abs(amount);
    if (this.turnover > MAX_SUM) throw new StatementFault(`${where}: the sum of the amounts becomes too large.`);
    // Information of the bank that moves no money.
    if (amount === 0) return;
    this.refuseDuplicate(entry, bookedOn, where);
    if (this.entries.length >= MAX_ENTRIES) {
      throw new StatementFault(`${where}: the file has more than ${MAX_ENTRIES} entries. Upload shorter periods.`);
    }
    if (entry.bookedOn === null) this.valueDated.push(this.entries.length);
    else this.noteDate(entry.bookedOn, where);
    this.entries.push({
      bookedOn,
      amount,
      reference: cleaned(entry.reference, MAX_REFERENCE_CHARACTERS),
      counterparty: cleaned(entry.counterparty, MAX_REFERENCE_CHARACTERS),
      description: cleaned(entry.description, MAX_DESCRIPTION_CHARACTERS),
    });
  }

  close(balance: Balance, where: string): void {
    const { running, opened } = this;
    if (!opened) throw new StatementFault(`${where}: it has no opening balance.`);
    if (running !== balance.amount) {
      const sums = `${formatMoney(balance.amount)}, but the opening balance and the entries make ${formatMoney(running)}`;
      throw new StatementFault(`${where}: the closing balance is ${sums}.`);
    }
    if (balance.date < opened.date) {
      throw new StatementFault(`${where}: it ends on ${balance.date}, before it begins on ${opened.date}.`);
    }
    [this.last, this.opened] = [balance, null];
  }

  finish(): ParsedStatement {
    const { first, last, entries } = this;
    if (this.opened) throw new StatementFault('The file ends before the closing balance: it is incomplete.');
    if (!first || !last) throw new StatementFault('The file contains no statement.');
    const [from, to] = [this.firstDay(first, last), last.date];
    if (from > to) throw new StatementFault(`The statement begins on ${from}, after its end on ${to}.`);
    this.refuseDatesOutside(from, to);
    for (const index of this.valueDated) {
      const entry = entries[index] as ParsedEntry;
      entry.bookedOn = [from, entry.bookedOn, to].sort()[1] as string;
    }
    return { from, to, openingBalance: first.amount, closingBalance: last.amount, entries };
  }

  private add(amount: number, where: string): void {
    this.running += amount;
    if (Math.abs(this.running) > MAX_SUM) throw new StatementFault(`${where}: the balance becomes too large.`);
  }

  private refuseDuplicate({ amount, bankReference }: FileEntry, bookedOn: string, where: string): void {
    if (!bankReference) return;
    const key = copied(`${bookedOn} ${amount} ${bankReference}`);
    if (this.bankReferences.has(key)) {
      const what = `the reference ${shown(bankReference)}, the date and another entry's amount`;
      throw new StatementFault(`${where}: the entry has ${what}: it is a duplicate.`);
    }
    this.bankReferences.add(key);
  }

  private noteDate(bookedOn: string, where: string): void {
    if (this.earliest === null || bookedOn < this.earliest) this.earliest = bookedOn;
    if (this.latest === null || bookedOn > this.latest.bookedOn) this.latest = { bookedOn, where };
  }

  /**
   * The date of an opening balance is the first day of the statement with some banks, and the last day of the previous
   * statement with others. If entries were booked on it, it belongs to this statement.
   */
  private firstDay(opening: Balance, closing: Balance): string {
    if (this.statedFrom !== null) return this.statedFrom;
    const { earliest } = this;
    if (opening.date === closing.date || (earliest !== null && earliest <= opening.date)) return opening.date;
    return addDays(opening.date, 1);
  }

  private refuseDatesOutside(from: string, to: string): void {
    const { earliest, latest } = this;
    if (earliest !== null && earliest < from) {
      throw new StatementFault(`An entry was booked on ${earliest}, before the statement begins on ${from}.`);
    }
    if (latest !== null && latest.bookedOn > to) {
      const days = `booked on ${latest.bookedOn}, after the statement ends on ${to}`;
      throw new StatementFault(`${latest.where}: the entry was ${days}.`);
    }
  }
}

const MAX_SHOWN_CHARACTERS = 40;

/** The file's text in a sentence. */
export function shown(text: string): string {
  return `"${(oneLine(text) ?? '').slice(0, MAX_SHOWN_CHARACTERS)}"`;
}

/** One line, cut to its maximum: the stored file has the whole text. */
function cleaned(text: string | null | undefined, maxCharacters: number): string | null {
  if (!text) return null;
  const line = oneLine(text.slice(0, 4 * maxCharacters));
  if (line === null || line.length <= maxCharacters) return line === null ? null : copied(line);
  return [...line].slice(0, maxCharacters).join('').trimEnd();
}

/** A substring would keep the whole chunk of the file in memory. */
function copied(text: string): string {
  return Buffer.from(text).toString();
}
