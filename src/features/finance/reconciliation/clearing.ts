// Posts the movements of matched pay-outs: from transit to the treasury, and back when the match is undone. Exactly once each.
//
// The match is committed first. Its id is the request id of the movement, so that the ledger posts it once if both the request
// that made the match and the background task, after a gateway stopped, complete it.
import { type AuditEvent, type Author, SYSTEM } from '../../../audit/log.ts';
import { boundedConcurrency } from '../../../kernel/bounded-concurrency.ts';
import { SECOND_MS } from '../../../kernel/clock.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { runEach } from '../../../kernel/run-each.ts';
import { PAYOUTS_IN_TRANSIT } from '../../../ledger/system-accounts.ts';
import type { MovementActor } from '../../../ledger/types.ts';
import { idempotencyKey, type Side } from '../../../payments/plan.ts';
import { auditResource, type ReconciliationContext } from './context.ts';
import { enterMovements, findMatch, lockMatches, type MatchRow, unpostedMatches } from './store.ts';

/** The scope of the movements' request ids. */
export const SCOPE = 'reconciliation';
/** Ends the request id of the movement that takes a clearing back. */
export const UNDO_SUFFIX = ':undo';

// The gateway that made the match has given up by then.
const UNFINISHED_AFTER_MS = 30 * SECOND_MS;
const BATCH = 100;
/** Posted at the same time, so that the ledger writes them in few batches, and payments do not wait behind many of them. */
const AT_ONCE = 16;
/** The operator's own bookkeeping: it has no fees, and compliance rules do not apply. */
const NO_POLICY = { fees: [], tiers: null, rules: null };

type Step = 'cleared_transaction_id' | 'uncleared_transaction_id';

/** A movement that was posted for the match with this id. */
interface Posted {
  id: string;
  transactionId: string;
  author: Author;
}

export function createClearing({ database, audit, payments, treasuryAccount, clock }: ReconciliationContext) {
  /** Posts what is due. Safe to repeat, at the same time or after a crash. */
  async function complete(match: MatchRow): Promise<MatchRow> {
    if (match.clears === 0) return match;
    const cleared = match.cleared_transaction_id === null ? await post(match, 'cleared_transaction_id') : match;
    const isDue = cleared.status === 'undone' && cleared.uncleared_transaction_id === null;
    return isDue ? post(cleared, 'uncleared_transaction_id') : cleared;
  }

  async function post(match: MatchRow, step: Step): Promise<MatchRow> {
    const posted = { id: match.id, ...(await movementOf(match, step)) };
    const [entered] = await enter([posted], step, auditResource(match.id));
    if (!entered) throw new Error(`the match ${match.id} does not exist`);
    return entered;
  }

  /** Clears the pay-outs of a run's new matches. Each movement is posted by itself; they are entered in one transaction. */
  async function completeAll(matches: readonly MatchRow[]): Promise<void> {
    const due = matches.filter(({ clears }) => clears !== 0);
    if (due.length === 0) return;
    const oneOfFew = boundedConcurrency({ maxRunning: AT_ONCE, maxWaiting: due.length });
    const posted: Posted[] = [];
    const postOne = async (match: MatchRow) => {
      posted.push({ id: match.id, ...(await movementOf(match, 'cleared_transaction_id')) });
    };
    const results = await Promise.allSettled(due.map((match) => oneOfFew(() => postOne(match))));
    const ofRun = { resourceType: 'reconciliation_run', resourceId: String(due[0]?.run_id) };
    if (posted.length > 0) await enter(posted, 'cleared_transaction_id', ofRun);
    const failed = results.find(({ status }) => status === 'rejected');
    // The background task completes the others.
    if (failed) throw (failed as PromiseRejectedResult).reason;
  }

  async function movementOf(match: MatchRow, step: Step): Promise<Omit<Posted, 'id'>> {
    const isUndo = step === 'uncleared_transaction_id';
    const amount = isUndo ? -match.clears : match.clears;
    const type = amount > 0 ? 'payout_cleared' : 'payout_uncleared';
    const inTransit: Side = { accountId: PAYOUTS_IN_TRANSIT, kind: 'payouts_in_transit', party: 'sender' };
    const treasury: Side = { accountId: treasuryAccount, kind: 'treasury', party: 'recipient' };
    const requestId = isUndo ? `${match.id}${UNDO_SUFFIX}` : match.id;
    const { actor, author } = authorOf(isUndo ? match.undone_by : match.created_by);
    const posted = await payments.execute(
      {
        type,
        actor,
        payer: amount > 0 ? inTransit : treasury,
        payee: amount > 0 ? treasury : inTransit,
        amount: Math.abs(amount),
        key: idempotencyKey(type, SCOPE, requestId, [amount]),
        details: { match_id: match.id },
        onPosted: ({ transactionId }) => ({
          reply: { transaction_id: transactionId },
          rows: [
            audit.outboxRow(author, {
              action: isUndo ? 'reconciliation.post_undo' : 'reconciliation.post_clearing',
              resourceType: 'transaction',
              resourceId: transactionId,
              details: { match_id: match.id, amount },
            }),
          ],
        }),
      },
      NO_POLICY,
    );
    if (posted instanceof Refusal) throw new Error(`the movement of ${requestId} was refused: ${posted.code}`);
    const { transaction_id } = JSON.parse(posted.json) as { transaction_id: string };
    return { transactionId: transaction_id, author };
  }

  /** Returns the matches that exist. Those that another gateway has completed stay as they are. */
  async function enter(
    posted: readonly Posted[],
    step: Step,
    audited: Pick<AuditEvent, 'resourceType' | 'resourceId'>,
  ): Promise<MatchRow[]> {
    return database.transact(async (trx) => {
      const ids = posted.map(({ id }) => id);
      const current = await lockMatches(trx, ids);
      const missing = new Set(current.filter((match) => match[step] === null).map(({ id }) => id));
      const due = posted.filter(({ id }) => missing.has(id));
      const [first] = due;
      if (!first) return current;
      const changed = await enterMovements(trx, step, due);
      const details = due.length === 1 ? { transaction_id: first.transactionId } : { movements: due.length };
      const also = due.map(({ id }) => ({ kind: 'reconciliation_match', id }) as const);
      await audit.record(trx, first.author, { action: 'reconciliation.enter_movement', ...audited, details, also });
      return [...current.filter(({ id }) => !missing.has(id)), ...changed];
    });
  }

  return {
    complete,
    completeAll,
    /** Completes the matches that a stopped gateway left. */
    async completeDue(): Promise<void> {
      const until = new Date(clock.now() - UNFINISHED_AFTER_MS);
      await runEach(await unpostedMatches(database.queries, until, BATCH), async (id) => {
        const match = await findMatch(database.queries, id);
        if (match) await complete(match);
      });
    },
  };
}

/** Null: the service itself. */
function authorOf(userId: string | null): { actor: MovementActor; author: Author } {
  if (userId === null) return { actor: { type: 'system', id: SCOPE }, author: SYSTEM };
  const caller = { kind: 'user', id: userId } as const;
  return { actor: { type: 'user', id: userId }, author: { caller, ip: null, requestId: null } };
}
