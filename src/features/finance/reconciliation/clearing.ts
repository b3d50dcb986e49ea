// Posts the movements of matched pay-outs: from transit to the treasury, and back when the match is undone. Exactly once each.
//
// The match is committed first. Its id is the request id of the movement, so that the ledger posts it once if both the request
// that made the match and the background task, after a gateway stopped, complete it.
import { type Author, SYSTEM } from '../../../audit/log.ts';
import { SECOND_MS } from '../../../kernel/clock.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { runEach } from '../../../kernel/run-each.ts';
import { PAYOUTS_IN_TRANSIT } from '../../../ledger/system-accounts.ts';
import type { MovementActor } from '../../../ledger/types.ts';
import { idempotencyKey, type Side } from '../../../payments/payment.ts';
import { auditResource, type ReconciliationContext } from './context.ts';
import { findMatch, lockMatch, type MatchRow, unpostedMatches, updateMatch } from './store.ts';

/** The scope of the movements' request ids. */
export const SCOPE = 'reconciliation';
/** Ends the request id of the movement that takes a clearing back. */
export const UNDO_SUFFIX = ':undo';

// The gateway that made the match has given up by then.
const UNFINISHED_AFTER_MS = 30 * SECOND_MS;
const BATCH = 100;
/** The operator's own bookkeeping: it has no fees, and compliance rules do not apply. */
const NO_POLICY = { fees: [], tiers: null, rules: null };

type Step = 'cleared_transaction_id' | 'uncleared_transaction_id';

export function createClearing({ database, audit, payments, treasuryAccount, clock }: ReconciliationContext) {
  /** Posts what is due. Safe to repeat, at the same time or after a crash. */
  async function complete(match: MatchRow): Promise<MatchRow> {
    if (match.clears === 0) return match;
    const cleared = match.cleared_transaction_id === null ? await post(match, 'cleared_transaction_id') : match;
    const isDue = cleared.status === 'undone' && cleared.uncleared_transaction_id === null;
    return isDue ? post(cleared, 'uncleared_transaction_id') : cleared;
  }

  async function post(match: MatchRow, step: Step): Promise<MatchRow> {
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
    return enter(match.id, step, transaction_id, author);
  }

  async function enter(id: string, step: Step, transactionId: string, author: Author): Promise<MatchRow> {
    return database.transact(async (trx) => {
      const current = await lockMatch(trx, id);
      if (!current) throw new Error(`the match ${id} does not exist`);
      if (current[step] !== null) return current;
      const changed = await updateMatch(trx, id, { [step]: transactionId });
      const details = { transaction_id: transactionId };
      await audit.record(trx, author, { action: 'reconciliation.enter_movement', ...auditResource(id), details });
      return changed;
    });
  }

  return {
    complete,
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
