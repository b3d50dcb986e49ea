// Returns of pay-outs that the bank sent back: which items a return needs, held from before it is posted until it is matched.
//
// The ledger posts a return by itself, so the items are claimed first and matched afterwards. A claim is never given up while
// its return may still be posted; what a stopped gateway left, the background task finishes.
import { areIndependentOf } from '../../../audit/independence.ts';
import type { Actor, Author } from '../../../audit/log.ts';
import type { Caller } from '../../../auth/caller.ts';
import type { DatabaseTransaction, Queries } from '../../../db/database.ts';
import { MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { runEach } from '../../../kernel/run-each.ts';
import * as store from './claim-store.ts';
import type { createClearing } from './clearing.ts';
import type { ReconciliationContext } from './context.ts';
import { creditRefusal } from './entry-sources.ts';
import type { createListing } from './listing.ts';
import { alreadyMatched, type createMatches, doesNotBalance, noSuchEntry } from './matches.ts';
import { firstDayAtBank, isAtBank, type PaidOut } from './payout-evidence.ts';
import { lockItems, type MatchRow, type OpenItem, readItems } from './store.ts';
import { correctors } from './undone-matches.ts';

/** The gateway that claimed has answered or given up by then. */
const UNFINISHED_AFTER_MS = 30 * SECOND_MS;
/** Far longer than any request: no return is posted under the claim after it. */
const GIVEN_UP_AFTER_MS = 10 * MINUTE_MS;
const BATCH = 100;

export interface PayoutReturn extends PaidOut {
  payoutId: string;
  /** The bank's credit. Null: none is named. */
  bankEntryId: string | null;
  /** The policy of pay-outs is enabled. */
  isUnderPolicy: boolean;
}

interface Dependencies extends Pick<ReconciliationContext, 'database' | 'clock'> {
  listNewItems: ReturnType<typeof createListing>;
  matches: Pick<ReturnType<typeof createMatches>, 'matchIn'>;
  clearing: Pick<ReturnType<typeof createClearing>, 'complete'>;
}

/** What a request holds. Null: another request of the same return held it before, and may still post it. */
export interface HeldReturn {
  claimId: string | null;
}

export function createReturnClaims({ database, clock, listNewItems, matches, clearing }: Dependencies) {
  async function claim(trx: DatabaseTransaction, actor: Actor, request: PayoutReturn): Promise<HeldReturn | Refusal> {
    const { payoutId, bankEntryId } = request;
    await lockItems(trx);
    if (await store.findReturn(trx, payoutId)) return alreadyReturned();
    const held = claimOf(request);
    const isOwn = (await store.findClaim(trx, held))?.payout_id === payoutId;
    const ids = { bankIds: bankEntryId === null ? [] : [bankEntryId], bookIds: [payoutId] };
    const items = await readItems(trx, ids);
    const refusal =
      bankEntryId === null
        ? await bankRefusal(trx, actor, request, items)
        : (entryRefusal({ ...request, bankEntryId }, items, isOwn) ??
          (request.isUnderPolicy ? await creditRefusal(trx, participants(actor), bankEntryId, clock.now()) : null));
    if (refusal) return refusal;
    const id = newId('claim', clock);
    await store.claimItem(trx, { ...held, id, claimed_by: String(actor.caller.id), created_at: new Date(clock.now()) });
    return { claimId: isOwn ? null : id };
  }

  /** Without the bank's credit: only while nothing shows that the bank has executed the pay-out, now or before. */
  async function bankRefusal(
    trx: DatabaseTransaction,
    actor: Actor,
    request: PayoutReturn,
    items: readonly OpenItem[],
  ): Promise<Refusal | null> {
    const payout = items.find(({ side, id }) => side === 'books' && id === request.payoutId);
    if (payout && payout.matchId !== null) return needsCredit('The bank has executed this pay-out.');
    if (payout?.wasUndone && !(await isCorrected(trx, actor, request.payoutId))) return notCorrected();
    if (await isAtBank(trx, request)) return needsCredit("One of the bank's debits has this pay-out's reference.");
    return null;
  }

  /** By somebody else: one user could match the debit with anything, and return the pay-out. */
  async function isCorrected(trx: DatabaseTransaction, actor: Actor, payoutId: string): Promise<boolean> {
    const users = await correctors(trx, payoutId);
    return users !== null && areIndependentOf(trx, participants(actor), users, clock.now());
  }

  /** Matches the posted return with the claimed bank entry, once. */
  async function finish(author: Author, held: store.Claim, returnId: string, note: string | null): Promise<void> {
    if (held.side === 'books') {
      await store.endClaim(database.queries, held);
      return;
    }
    const match = await database.transact<MatchRow | null>(async (trx) => {
      await lockItems(trx);
      if (!(await store.endClaim(trx, held))) return null;
      const request = { bankIds: [held.item_id], bookIds: [returnId], note };
      const made = await matches.matchIn(trx, author, request);
      if (made instanceof Refusal) throw new Error(`the return ${returnId} was not matched: ${made.code}`);
      return made;
    });
    if (match) await clearing.complete(match);
  }

  async function finishLeft(held: store.ClaimRow): Promise<void> {
    const posted = await store.findReturn(database.queries, held.payout_id);
    const author: Author = { caller: { kind: 'user', id: held.claimed_by }, ip: null, requestId: null };
    // Another request may have returned the pay-out, without this entry.
    const isUsed = held.side === 'books' || posted?.bank_entry_id === held.item_id;
    if (posted && isUsed) return finish(author, held, posted.id, posted.narration);
    const isGivenUp = posted !== undefined || held.created_at.getTime() <= clock.now() - GIVEN_UP_AFTER_MS;
    if (isGivenUp) await store.giveUpClaim(database.queries, held.id);
  }

  return {
    /** Holds what the return needs. A refusal if the bank has executed the pay-out and its credit is not named. */
    async claim(actor: Actor, request: PayoutReturn): Promise<HeldReturn | Refusal> {
      await listNewItems();
      return database.transact((trx) => claim(trx, actor, request));
    },

    /** Why this user may not approve the return. */
    async approverRefusal(
      queries: Queries,
      { id }: Caller,
      { payoutId, bankEntryId }: Pick<PayoutReturn, 'payoutId' | 'bankEntryId'>,
    ): Promise<Refusal | null> {
      const approver = [String(id)];
      if (bankEntryId !== null) return creditRefusal(queries, approver, bankEntryId, clock.now());
      const users = (await correctors(queries, payoutId)) ?? [];
      return (await areIndependentOf(queries, approver, users, clock.now())) ? null : corrector();
    },

    /** A return that will not be posted. What another request of it holds stays. */
    async release({ claimId }: HeldReturn): Promise<void> {
      if (claimId !== null) await store.giveUpClaim(database.queries, claimId);
    },

    /** After the return was posted. */
    settle: (actor: Actor, request: PayoutReturn, returnId: string, note: string): Promise<void> =>
      finish(actor, claimOf(request), returnId, note),

    /** Finishes the returns that a stopped gateway left. */
    async finishDue(): Promise<void> {
      const until = new Date(clock.now() - UNFINISHED_AFTER_MS);
      await runEach(await store.dueClaims(database.queries, until, BATCH), finishLeft);
    },
  };
}

function claimOf({ payoutId, bankEntryId }: PayoutReturn): store.Claim {
  return bankEntryId === null
    ? { side: 'books', item_id: payoutId, payout_id: payoutId }
    : { side: 'bank', item_id: bankEntryId, payout_id: payoutId };
}

/** The requester and, if the return was approved, the approver. */
function participants({ caller, approval }: Actor): string[] {
  return [caller, ...(approval ? [approval.approvedBy] : [])].map(({ id }) => String(id));
}

function entryRefusal(
  { bankEntryId, ...payout }: PayoutReturn & { bankEntryId: string },
  items: readonly OpenItem[],
  isOwn: boolean,
): Refusal | null {
  const entry = items.find(({ side, id }) => side === 'bank' && id === bankEntryId);
  if (!entry) return noSuchEntry(bankEntryId);
  const isTaken = entry.matchId !== null || (entry.takenBy !== null && !isOwn);
  if (isTaken) return alreadyMatched([entry]);
  if (entry.amount !== payout.amount) return doesNotBalance(BigInt(entry.amount), BigInt(payout.amount));
  if (entry.date >= firstDayAtBank(payout)) return null;
  return refuse('CREDIT_BEFORE_PAYOUT', `The bank entry is of ${entry.date}, before the pay-out.`);
}

export function alreadyReturned(): Refusal {
  return refuse('ALREADY_RETURNED', 'The pay-out has already been returned.');
}

function needsCredit(why: string): Refusal {
  return refuse('PAYOUT_CLEARED', `${why} Name the bank's credit that sent it back in bank_entry_id.`);
}

function corrector(): Refusal {
  const why =
    'You matched the bank entry of this pay-out with something else, or are not independent of the user who did.';
  return refuse('NOT_INDEPENDENT', `${why} Another user must approve this return.`);
}

function notCorrected(): Refusal {
  const why = 'A bank entry was matched with this pay-out, and the match was undone.';
  const correction =
    'if another user has matched that entry with something else, or written it off, no credit is needed.';
  return refuse('PAYOUT_CLEARED', `${why} Name the bank's credit that sent it back in bank_entry_id; ${correction}`);
}
