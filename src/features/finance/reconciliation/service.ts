// Reconciliation: matches bank entries with the movements that represent money at a bank.
import type { Static } from 'typebox';
import type { Actor } from '../../../audit/log.ts';
import { created } from '../../../http/endpoint.ts';
import type { Page } from '../../../http/paging.ts';
import { iso } from '../../../kernel/clock.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { runEach } from '../../../kernel/run-each.ts';
import type { ChangeOperation } from '../../approvals/service.ts';
import { dayBefore, daysSince } from './ages.ts';
import { type Booking, findBookingEvidence } from './booking-evidence.ts';
import { createClearing } from './clearing.ts';
import type { ReconciliationContext } from './context.ts';
import { itemsOfMatch, type ListedItem, listItems } from './item-list.ts';
import { createListing } from './listing.ts';
import { createMatches, type MatchRequest } from './matches.ts';
import { createOwners } from './owners.ts';
import { type EvidenceRequest, findCredits, findEvidence, findNamed, type PaidOut } from './payout-evidence.ts';
import { createReturnClaims } from './return-claims.ts';
import { findReturnStates, NOT_RETURNED } from './return-state.ts';
import { createRun } from './run.ts';
import type { writeOffBody } from './schemas.ts';
import { findMatch, listMatches, listSuggestions, type MatchRow, type Side } from './store.ts';

export { lastChange, openItemAges, openItemsByAge } from './ages.ts';
export { bookItem, IS_BOOK_ITEM } from './book-items.ts';
export type { ReconciliationContext } from './context.ts';
export { createListing, listBankEntries } from './listing.ts';
export type { BankEvidence } from './payout-evidence.ts';
export { alreadyReturned } from './return-claims.ts';

export type Reconciliation = ReturnType<typeof createReconciliation>;

type WriteOff = Static<typeof writeOffBody>;

export interface ItemsQuery extends Page {
  status?: string | undefined;
  side?: Side | undefined;
  olderThanDays?: number | undefined;
  owner?: 'me' | 'none' | undefined;
  statementId?: string | undefined;
}

export function createReconciliation(context: ReconciliationContext) {
  const { database, clock } = context;
  const { queries } = database;
  const listNewItems = createListing(context);
  const matches = createMatches({ ...context, listNewItems });
  const clearing = createClearing(context);
  const payoutReturns = {
    ...createReturnClaims({ ...context, listNewItems, matches, clearing }),
    /** What the bank says about a pay-out. */
    evidence: (request: EvidenceRequest) => findEvidence(queries, request),
    /** The credits with which it can be returned. */
    credits: (payout: PaidOut) => findCredits(queries, payout),
  };

  async function completed(match: MatchRow | Refusal): Promise<MatchRow | Refusal> {
    return match instanceof Refusal ? match : clearing.complete(match);
  }

  async function itemViews(items: readonly ListedItem[]) {
    const states = await findReturnStates(queries, items);
    return items.map((item) => ({ ...itemView(item, clock.now()), ...(states.get(item.id) ?? NOT_RETURNED) }));
  }

  const writeOff: ChangeOperation<unknown, WriteOff, MatchRow> = {
    kind: 'change',
    name: 'reconciliation.write_off',
    action: 'reconciliation.write_off',
    describe: ({ body }) => {
      const { bankIds, bookIds, note } = requestOf(body);
      const counts = [counted(bankIds, 'bank entry', 'bank entries'), counted(bookIds, 'transaction', 'transactions')];
      return `Write off ${counts.filter((text) => text !== null).join(' and ')}: ${note}`;
    },
    bankEntries: async ({ body }) => {
      const { bankIds } = requestOf(body);
      return bankIds.length === 0 ? null : findNamed(queries, bankIds);
    },
    before: async () => null,
    after: matchView,
    async plan(actor, { body }) {
      await listNewItems();
      return (trx) => matches.writeOff(trx, actor, requestOf(body));
    },
    reply: (match) => created({ success: true, message: WRITTEN_OFF, match: matchView(match) }),
  };

  return {
    /** What the bank says about a request that books money at a bank. */
    bookingEvidence: (booking: Booking) => findBookingEvidence(queries, booking),
    ...createOwners({ ...context, listNewItems, matches }),
    run: createRun({ ...context, listNewItems, matches, clearing }),
    writeOff,
    payoutReturns,
    async match(actor: Actor, request: MatchRequest) {
      return completed(await matches.match(actor, request));
    },
    async accept(actor: Actor, id: string, note: string | null) {
      return completed(await matches.accept(actor, id, note));
    },
    /** Stays in the history. */
    async undo(actor: Actor, id: string) {
      return completed(await matches.undo(actor, id));
    },
    async get(id: string) {
      const match = await findMatch(queries, id);
      if (!match) return refuse('NOT_FOUND', 'There is no such match.');
      return { match: matchView(match), items: await itemViews(await itemsOfMatch(queries, match)) };
    },
    async items({ caller }: Actor, { status, side, olderThanDays, owner, statementId, ...page }: ItemsQuery) {
      const before = olderThanDays === undefined ? undefined : dayBefore(clock.now(), olderThanDays);
      const filter = { status, side, before, ownerId: ownerOf(owner, caller), statementId };
      const { items, total } = await listItems(queries, filter, page);
      return { items: await itemViews(items), total };
    },
    matches: (status: MatchRow['status'] | undefined, page: Page) => listMatches(queries, status, page),
    suggestions: (page: Page) => listSuggestions(queries, page),
    /** Completes the matches that a stopped gateway left, and lists new items while the clock is the one that dated them. */
    async maintain(): Promise<void> {
      await runEach([clearing.completeDue, payoutReturns.finishDue, listNewItems], (task) => task());
    },
  };
}

const counted = ({ length }: readonly string[], one: string, several: string) =>
  length === 0 ? null : `${length} ${length === 1 ? one : several}`;

const WRITTEN_OFF = 'The items were written off. No money was moved.';

function requestOf({ bank_entry_ids = [], transaction_ids = [], reason }: WriteOff): MatchRequest {
  return { bankIds: bank_entry_ids, bookIds: transaction_ids, note: reason };
}

/** Null: items without an owner. */
function ownerOf(owner: ItemsQuery['owner'], { id }: Actor['caller']): string | null | undefined {
  return owner === undefined ? undefined : owner === 'me' ? String(id) : null;
}

function itemView({ owned_since, ...item }: ListedItem, now: number) {
  return { ...item, owned_since: owned_since && iso(owned_since), age_days: daysSince(item.date, now) };
}

export function matchView(match: MatchRow) {
  const { run_id: _run, clears: _clears, made_change: _made, undone_change: _undone, ...shown } = match;
  const { created_at, undone_at, ...rest } = shown;
  return { ...rest, created_at: iso(created_at), undone_at: undone_at && iso(undone_at) };
}
