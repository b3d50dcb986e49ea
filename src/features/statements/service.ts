// Account statements: the entries of one wallet in a period, with the opening and closing balance.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { isOwnChannel } from '../../auth/caller.ts';
import type { Load } from '../../db/batch-loader.ts';
import { readRange } from '../../http/date-range.ts';
import { isCalendarDay } from '../../http/fields.ts';
import type { Clock } from '../../kernel/clock.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { shortName } from '../../kernel/text.ts';
import type { AccountKind } from '../../ledger/account-kinds.ts';
import type { HistoryEntry } from '../../ledger/queries/account-history.ts';
import { archivedRefusal } from '../../ledger/queries/archives.ts';
import type { Period, Statements } from '../../ledger/queries/statement.ts';
import type { AgentRow } from '../../parties/agent.ts';
import type { FundingPartner } from '../../parties/partner.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import type { PepPayments } from '../../parties/pep-payments.ts';
import type { PaidProcessor } from '../../parties/processor.ts';
import { type Holders, noSuchSubscriber } from '../../parties/subscriber.ts';
import { isCustomer, withoutOthersRequest } from '../transactions/service.ts';
import { describeEntry } from './entry-description.ts';
import type { Format, statementBody } from './schemas.ts';
import type { Statement, StatementEntry } from './statement.ts';

export { FORMATS, statementReply as statementSchema } from './schemas.ts';
export { statementReply } from './statement-reply.ts';

export interface StatementDependencies {
  holders: Holders;
  findPartner: Load<string, FundingPartner | null>;
  findProcessor: Load<string, PaidProcessor | null>;
  findAgent: Load<string, AgentRow | null>;
  kindOf: Load<string, AccountKind | null>;
  statements: Statements;
  pep: PepGuard;
  pepPayments: PepPayments;
  clock: Clock;
}

export type StatementRequest = Static<typeof statementBody>;

/** What the reader may not see of the entries. */
interface StatementReader {
  hidesBalances: boolean;
  /** The holder of the wallet. */
  isOwn: boolean;
}

const NO_AMOUNTS = { opening: null, closing: null, held: null, credits: null, debits: null };
const MAX_DAYS = 366;
const PAGE_SIZE = 500;
/** About 400 pages. */
const MAX_PDF_ENTRIES = 10_000;

export type AccountStatements = ReturnType<typeof createAccountStatements>;

export function createAccountStatements(dependencies: StatementDependencies) {
  const { holders, statements: books, pep, pepPayments, clock } = dependencies;
  const nameOf = counterpartyNames(dependencies);

  return {
    async statement(actor: Actor, request: StatementRequest): Promise<Statement | Refusal> {
      const range = readPeriod(request);
      if (range instanceof Refusal) return range;
      const holder = await holders.byId(request.subscriber_id);
      if (!holder) return noSuchSubscriber();
      const pepRefusal = await pep.refusalOf(actor, holder.id, 'statement');
      if (pepRefusal) return pepRefusal;
      const period = await books.period({ accountId: holder.id, ...range });
      const { archivedBefore } = period;
      if (archivedBefore !== null && range.to < archivedBefore) return archivedRefusal(archivedBefore);
      const { count, credits, debits } = await books.totals(period);
      // Customers see all of their own payments.
      const isOwn = isOwnChannel(actor.caller, holder.id);
      const hidesBalances = !isOwn && (await pepPayments.hidesBalances(actor.caller, holder.id));
      const { opening, closing, held } = period;
      const amounts = { opening, closing, held, credits, debits };
      return (
        tooLong(request.format ?? 'json', count) ?? {
          holder,
          ...range,
          generatedAt: clock.now(),
          ...(hidesBalances ? NO_AMOUNTS : amounts),
          count,
          archivedBefore,
          pages: () => pages(actor, period, { hidesBalances, isOwn }),
        }
      );
    },
  };

  /** Without payments that the reader may not see. */
  async function* pages(actor: Actor, period: Period, reader: StatementReader): AsyncGenerator<StatementEntry[]> {
    for await (const page of books.pages(period, PAGE_SIZE)) {
      const hidden = reader.hidesBalances
        ? await pepPayments.hidden(
            actor,
            page.map((entry) => ({ ...entry, id: entry.movementId })),
          )
        : new Set<string>();
      const seen = page.filter(({ movementId }) => !hidden.has(movementId));
      yield await Promise.all(seen.map((entry) => entryOf(period.accountId, entry, reader)));
    }
  }

  async function entryOf(accountId: string, entry: HistoryEntry, reader: StatementReader): Promise<StatementEntry> {
    const paid = entry.fromAccount === accountId;
    const other = paid ? entry.toAccount : entry.fromAccount;
    const [name, isPep] = await Promise.all([nameOf(other), pep.isPep(other)]);
    const description = describeEntry(entry.type, paid, isPep && !reader.isOwn ? null : name);
    const [debit, credit] = [Math.max(0, -entry.change), Math.max(0, entry.change)];
    const balance = reader.hidesBalances ? null : entry.balanceAfter;
    // The holder sees no customer's id, because null for some of them would mark the person.
    const isHidden = reader.isOwn ? isCustomer(other) : isPep;
    const seen = reader.isOwn ? withoutOthersRequest(accountId, entry) : entry;
    return { entry: seen, hiddenParty: isHidden ? other : null, description, debit, credit, balance };
  }
}

function readPeriod(request: StatementRequest): { from: number; to: number } | Refusal {
  const range = readRange(request);
  if (range instanceof Refusal) return range;
  const { from = 0, to = 0 } = range;
  // A day includes its last millisecond, which does not count here: 1 January and 2 January are one day apart.
  const last = isCalendarDay(request.to) ? to - DAY_MS + 1 : to;
  if (last - from <= MAX_DAYS * DAY_MS) return { from, to };
  return refuse('INVALID_REQUEST', `to must be at most ${MAX_DAYS} days after from.`);
}

function tooLong(format: Format, count: number): Refusal | null {
  if (format !== 'pdf' || count <= MAX_PDF_ENTRIES) return null;
  const most = MAX_PDF_ENTRIES.toLocaleString('en');
  return refuse(
    'INVALID_REQUEST',
    `A PDF statement has at most ${most} entries. Choose a shorter period or format csv.`,
  );
}

/** Subscribers are named by first name and initial: enough for the holder to recognise them. */
function counterpartyNames({
  holders,
  findPartner,
  findProcessor,
  findAgent,
  kindOf,
}: StatementDependencies): Load<string, string | null> {
  const holderName = async (id: string) => {
    const holder = await holders.byId(id);
    return holder && shortName(holder);
  };
  return async (accountId) => {
    switch (await kindOf(accountId)) {
      case 'wallet':
        return holderName(accountId);
      case 'partner_clearing':
        return (await findPartner(accountId))?.name ?? null;
      case 'processor':
        return (await findProcessor(accountId))?.business_name ?? null;
      case 'agent_float':
        return (await findAgent(accountId))?.business_name ?? null;
      default:
        return null;
    }
  };
}
