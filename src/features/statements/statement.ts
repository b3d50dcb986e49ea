// A statement: one wallet, one period, and everything between its two balances.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import type { Load } from '../../db/batch-loader.ts';
import { readRange } from '../../http/date-range.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { lastFour, shortName } from '../../kernel/masking.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { HistoryEntry } from '../../ledger/queries/account-history.ts';
import type { Period } from '../../ledger/queries/statement.ts';
import { type Holder, noSuchSubscriber } from '../../parties/subscriber.ts';
import type { WalletContext } from '../wallet/context.ts';
import type { Format, statementBody } from '../wallet/schemas.ts';
import { describeEntry } from './entry-description.ts';

export type StatementRequest = Static<typeof statementBody>;

export interface Statement {
  holder: Holder;
  /** Inclusive instants in milliseconds. */
  from: number;
  to: number;
  generatedAt: number;
  opening: number;
  closing: number;
  credits: number;
  debits: number;
  count: number;
  /** Oldest first, page by page. */
  pages(): AsyncGenerator<StatementEntry[]>;
}

export interface StatementEntry {
  entry: HistoryEntry;
  /** The other side, whom only its own history names; null: anybody else. */
  hiddenParty: string | null;
  description: string;
  debit: number;
  credit: number;
}

const MAX_DAYS = 366;
const PAGE_SIZE = 500;
/** Some 400 sheets: beyond that it is data, not a document. */
const MAX_PDF_ENTRIES = 10_000;

export function statements(context: WalletContext) {
  const { holders, statements: books, pep, clock } = context;
  const nameOf = counterpartyNames(context);

  return {
    async statement(actor: Actor, given: StatementRequest): Promise<Statement | Refusal> {
      const range = readPeriod(given);
      if (range instanceof Refusal) return range;
      const holder = await holders.byId(given.subscriber_id);
      if (!holder) return noSuchSubscriber();
      const withheld = await pep.refusalOf(actor, holder.id, 'statement');
      if (withheld) return withheld;
      const period = await books.period({ accountId: holder.id, ...range });
      const { count, credits, debits } = await books.totals(period);
      return (
        tooLong(given.format ?? 'json', count) ?? {
          holder,
          ...range,
          generatedAt: clock.now(),
          opening: period.opening,
          closing: period.closing,
          credits,
          debits,
          count,
          pages: () => pages(period),
        }
      );
    },
  };

  async function* pages(period: Period): AsyncGenerator<StatementEntry[]> {
    for await (const page of books.pages(period, PAGE_SIZE)) {
      yield await Promise.all(page.map((entry) => seenBy(period.accountId, entry)));
    }
  }

  async function seenBy(accountId: string, entry: HistoryEntry): Promise<StatementEntry> {
    const paid = entry.fromAccount === accountId;
    const other = paid ? entry.toAccount : entry.fromAccount;
    const [name, isPep] = await Promise.all([nameOf(other), other.startsWith('sub_') && pep.isPep(other)]);
    const description = describeEntry(entry.type, paid, isPep ? null : name);
    const [debit, credit] = [Math.max(0, -entry.change), Math.max(0, entry.change)];
    return { entry, hiddenParty: isPep ? other : null, description, debit, credit };
  }
}

function readPeriod(given: StatementRequest): { from: number; to: number } | Refusal {
  const range = readRange(given);
  if (range instanceof Refusal) return range;
  const { from = 0, to = 0 } = range;
  if (to - from < MAX_DAYS * DAY_MS) return { from, to };
  return refuse('INVALID_REQUEST', `from and to may be at most ${MAX_DAYS} days apart.`);
}

function tooLong(format: Format, count: number): Refusal | null {
  if (format !== 'pdf' || count <= MAX_PDF_ENTRIES) return null;
  const most = MAX_PDF_ENTRIES.toLocaleString('en');
  return refuse('INVALID_REQUEST', `format pdf takes at most ${most} entries; choose a shorter period, or csv.`);
}

/** A first name and an initial tell the holder who it was, and nobody else too much. */
function counterpartyNames({
  holders,
  findPartner,
  findProcessor,
  findAgent,
}: WalletContext): Load<string, string | null> {
  return async (accountId) => {
    if (accountId.startsWith('ptn_')) return (await findPartner(accountId))?.name ?? null;
    if (accountId.startsWith('proc_')) return (await findProcessor(accountId))?.business_name ?? null;
    if (accountId.startsWith('agent_')) return (await findAgent(accountId))?.business_name ?? null;
    if (!accountId.startsWith('sub_')) return null;
    const holder = await holders.byId(accountId);
    return holder && shortName(holder);
  };
}

export function maskedAccount({ account_number }: Holder): string {
  return lastFour(account_number);
}

export function fullName({ first_name, last_name }: Holder): string {
  return `${first_name} ${last_name}`;
}
