// Returns of pay-outs that the bank sent back: which items a return needs, held from before it is posted until it is matched.
//
// The ledger posts a return by itself, so the items are claimed first and matched afterwards. A claim is never given up while
// its return may still be posted; what a stopped gateway left, the background task finishes.
import type { Actor, Author } from '../../../audit/log.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import { MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { runEach } from '../../../kernel/run-each.ts';
import {
  type Claim,
  type ClaimRow,
  claimItem,
  closeClaim,
  deleteClaim,
  deleteGivenUp,
  dueClaims,
  findClaim,
  findReturn,
} from './claim-store.ts';
import type { createClearing } from './clearing.ts';
import type { ReconciliationContext } from './context.ts';
import type { createListing } from './listing.ts';
import { alreadyMatched, type createMatches, doesNotBalance, noSuchEntry } from './matches.ts';
import { lockItems, type MatchRow, type OpenItem, readItems } from './store.ts';

/** The gateway that claimed has answered or given up by then. */
const UNFINISHED_AFTER_MS = 30 * SECOND_MS;
/** Far longer than any request: no return is posted under the claim any more. */
const GIVEN_UP_AFTER_MS = 10 * MINUTE_MS;
const BATCH = 100;

export interface PayoutReturn {
  payoutId: string;
  amount: number;
  /** The bank's credit. Null: none is named. */
  bankEntryId: string | null;
}

interface Dependencies extends Pick<ReconciliationContext, 'database' | 'clock'> {
  listNewItems: ReturnType<typeof createListing>;
  matches: Pick<ReturnType<typeof createMatches>, 'matchIn'>;
  clearing: Pick<ReturnType<typeof createClearing>, 'complete'>;
}

export function createReturnClaims({ database, clock, listNewItems, matches, clearing }: Dependencies) {
  async function claim(trx: DatabaseTransaction, { caller }: Actor, request: PayoutReturn): Promise<Date | Refusal> {
    const { payoutId, bankEntryId } = request;
    await lockItems(trx);
    if (await findReturn(trx, payoutId)) return alreadyReturned();
    const held = claimOf(request);
    const isOwn = (await findClaim(trx, held))?.payout_id === payoutId;
    const ids = { bankIds: bankEntryId === null ? [] : [bankEntryId], bookIds: [payoutId] };
    const items = await readItems(trx, ids);
    const refusal = refusalOf(request, items, isOwn);
    if (refusal) return refusal;
    const created_at = new Date(clock.now());
    await claimItem(trx, { ...held, claimed_by: String(caller.id), created_at });
    return created_at;
  }

  /** Matches the posted return with the claimed bank entry, once. */
  async function finish(author: Author, held: Claim, returnId: string, note: string | null): Promise<void> {
    if (held.side === 'books') return deleteClaim(database.queries, held);
    const match = await database.transact<MatchRow | null>(async (trx) => {
      await lockItems(trx);
      if (!(await closeClaim(trx, held))) return null;
      const request = { bankIds: [held.item_id], bookIds: [returnId], note };
      const made = await matches.matchIn(trx, author, request);
      if (made instanceof Refusal) throw new Error(`the return ${returnId} was not matched: ${made.code}`);
      return made;
    });
    if (match) await clearing.complete(match);
  }

  async function finishLeft(held: ClaimRow): Promise<void> {
    const posted = await findReturn(database.queries, held.payout_id);
    const author: Author = { caller: { kind: 'user', id: held.claimed_by }, ip: null, requestId: null };
    // Another request may have returned the pay-out, without this entry.
    const isUsed = held.side === 'books' || posted?.bank_entry_id === held.item_id;
    if (posted && isUsed) return finish(author, held, posted.id, posted.narration);
    if (posted) return deleteGivenUp(database.queries, held);
    if (held.created_at.getTime() <= clock.now() - GIVEN_UP_AFTER_MS) await deleteGivenUp(database.queries, held);
  }

  return {
    /** Holds what the return needs. A refusal if the bank has cleared the pay-out and its credit is not named. */
    async claim(actor: Actor, request: PayoutReturn): Promise<Date | Refusal> {
      await listNewItems();
      return database.transact((trx) => claim(trx, actor, request));
    },

    /** A return that will not be posted. A claim that another request made since stays. */
    release: (request: PayoutReturn, created_at: Date): Promise<void> =>
      deleteGivenUp(database.queries, { ...claimOf(request), created_at }),

    /** After the return was posted. */
    settle: (actor: Actor, request: PayoutReturn, returnId: string, note: string): Promise<void> =>
      finish(actor, claimOf(request), returnId, note),

    /** Finishes the returns that a stopped gateway left. */
    async finishDue(): Promise<void> {
      const until = new Date(clock.now() - UNFINISHED_AFTER_MS);
      await runEach(await dueClaims(database.queries, until, BATCH), finishLeft);
    },
  };
}

function claimOf({ payoutId, bankEntryId }: PayoutReturn): Claim {
  return bankEntryId === null
    ? { side: 'books', item_id: payoutId, payout_id: payoutId }
    : { side: 'bank', item_id: bankEntryId, payout_id: payoutId };
}

function refusalOf({ payoutId, amount, bankEntryId }: PayoutReturn, items: OpenItem[], isOwn: boolean): Refusal | null {
  const payout = items.find(({ side, id }) => side === 'books' && id === payoutId);
  if (bankEntryId === null) {
    return payout && payout.matchId !== null && !isOwn ? needsCredit() : null;
  }
  const entry = items.find(({ side, id }) => side === 'bank' && id === bankEntryId);
  if (!entry) return noSuchEntry(bankEntryId);
  if (entry.matchId !== null && !isOwn) return alreadyMatched([entry]);
  return entry.amount === amount ? null : doesNotBalance(BigInt(entry.amount), BigInt(amount));
}

export function alreadyReturned(): Refusal {
  return refuse('ALREADY_RETURNED', 'The pay-out has already been returned.');
}

function needsCredit(): Refusal {
  return refuse(
    'PAYOUT_CLEARED',
    "The bank has executed this pay-out. Name the bank's credit that sent it back in bank_entry_id.",
  );
}
