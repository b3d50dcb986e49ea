// The trust accounts as their banks keep them: what each bank books on each day, and its statements.
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { SLE } from '../money.ts';
import { dayStart } from '../plan/calendar.ts';
import {
  type BankEntry,
  closingOf,
  type StatementFile,
  type StatementFormat,
  statementFile,
} from './statement-files.ts';

export interface TrustPlan {
  name: string;
  bank: string;
  accountNumber: string;
  /** The operator's own money in the account, which covers what partner banks owe until they settle. */
  opening: number;
  format(day: number): StatementFormat;
}

/** One bank changes from MT940 to CSV after the first week. */
export const TRUST_ACCOUNTS: readonly TrustPlan[] = [
  {
    name: 'Customers 1',
    bank: 'Rokel Union Bank',
    accountNumber: '003-0012345678',
    opening: 800_000 * SLE,
    format: () => 'camt.053',
  },
  {
    name: 'Customers 2',
    bank: 'Lion Mountain Bank',
    accountNumber: '017-4400556677',
    opening: 400_000 * SLE,
    format: (day) => (day < 7 ? 'mt940' : 'csv'),
  },
];

export const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length);

/** Agents, merchants and partner banks use one of the two accounts. */
export const accountOf = (index: number) => index % TRUST_ACCOUNTS.length;

export interface DatedFile extends StatementFile {
  name: string;
}

export class BankBook {
  private readonly booked = new Map<string, BankEntry[]>();
  private readonly balances = TRUST_ACCOUNTS.map(({ opening }) => opening);
  private firstDay: number | null = null;

  book(account: number, at: number, entry: BankEntry): void {
    const key = `${account} ${dayStart(at)}`;
    this.booked.set(key, [...(this.booked.get(key) ?? []), entry]);
  }

  has(day: number, text: string): boolean {
    return TRUST_ACCOUNTS.some((_, account) => this.entriesOf(account, day).some((entry) => entry.text === text));
  }

  /** The statements of a day, which are asked for once and in order. Null: the account has none. */
  statementsOf(day: number): (DatedFile | null)[] {
    this.firstDay ??= day;
    const number = (day - this.firstDay) / DAY_MS;
    return TRUST_ACCOUNTS.map(({ bank, accountNumber, format }, account) => {
      const [opening, entries] = [this.balances[account] ?? 0, this.entriesOf(account, day)];
      this.balances[account] = closingOf({ opening, entries });
      const dates = { day: isoDay(day), dayBefore: isoDay(day - DAY_MS) };
      const file = statementFile(format(number), { accountNumber, ...dates, opening, entries });
      const name = `${bank.toLowerCase().replaceAll(' ', '-')}-${isoDay(day)}.${file?.extension}`;
      return file && { ...file, name };
    });
  }

  private entriesOf(account: number, day: number): BankEntry[] {
    return this.booked.get(`${account} ${day}`) ?? [];
  }
}
