// An account statement as it is read, and how it names its holder.
import { lastFour } from '../../kernel/text.ts';
import type { HistoryEntry } from '../../ledger/queries/account-history.ts';
import type { Holder } from '../../parties/subscriber.ts';

export interface Statement {
  holder: Holder;
  /** Inclusive instants in milliseconds. */
  from: number;
  to: number;
  generatedAt: number;
  /** Balances and sums are null where they would reveal a payment that the reader may not see. */
  opening: number | null;
  closing: number | null;
  /** What authorised payments reserved at the end. */
  held: number | null;
  credits: number | null;
  debits: number | null;
  count: number;
  /** Entries before this instant are archived: the opening balance is the one at this instant. Null: there are none. */
  archivedBefore: number | null;
  /** Oldest first, page by page. */
  pages(): AsyncGenerator<StatementEntry[]>;
}

export interface StatementEntry {
  entry: HistoryEntry;
  /** The id of a person on the other side, which the statement must not show. */
  hiddenParty: string | null;
  description: string;
  debit: number;
  credit: number;
  balance: number | null;
}

export function maskedAccount({ account_number }: Holder): string {
  return lastFour(account_number);
}

export function fullName({ first_name, last_name }: Holder): string {
  return `${first_name} ${last_name}`;
}
