// The holds of recalls: what is left of the transfer in the recipient's wallet is held, and a longer hold can replace it.
import { HOUR_MS, iso } from '../../../kernel/clock.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import type { Hold } from '../../../ledger/holds/lookup.ts';
import type { MovementActor } from '../../../ledger/types.ts';
import { walletSide } from '../../../parties/subscriber.ts';
import { policyOfCapture } from '../../../payments/holds.ts';
import { idempotencyKey } from '../../../payments/plan.ts';
import type { CasesContext } from '../context.ts';
import type { Recall } from '../store.ts';

export const RECALL = 'recall';
/** How long the recipient can answer. */
export const ANSWER_MS = 72 * HOUR_MS;
/** The recipient may pay between the reading of the balance and the hold. */
const MOST_TRIES = 20;

export interface Held {
  hold_id: string;
  held: number;
  expires_at: string;
}

/** What is stored under the key of a hold: nothing was left to hold. */
const NOTHING = { hold_id: null };

interface Wanted {
  amount: number;
  expiresAt: number;
  replaces?: Hold;
}

type HoldsContext = Pick<CasesContext, 'payments' | 'books' | 'holdExpiry' | 'clock'>;

export function createRecallHolds({ payments, books, holdExpiry, clock }: HoldsContext) {
  /** Once for each number of a hold: a repeated order gets the outcome of the first one. Null: nothing was left. */
  async function hold(
    recall: Recall,
    number: number,
    { amount, expiresAt, replaces }: Wanted,
  ): Promise<Held | null | Refusal> {
    const { case_id, transfer_id, sender_id, recipient_id } = recall;
    const policy = await payments.policy(RECALL);
    const held = await payments.execute(
      {
        ...{ type: RECALL, amount, actor: actorOf(recall), hold: { purpose: RECALL, expiresAt } },
        key: keyOf(recall, number),
        // Neither a block nor a limit of the recipient keeps the money from being held.
        payer: { ...walletSide(recipient_id, 'sender'), exempt: { frozen: true } },
        payee: { ...walletSide(sender_id, 'recipient'), exempt: { frozen: true, ceiling: true } },
        details: { case_id, transaction_id: transfer_id },
        ...(replaces ? { replaces, validUntil: { at: replaces.expires_at.getTime(), refusal: tooLate } } : {}),
        onPosted: ({ transactionId }) => ({
          reply: { hold_id: transactionId, held: amount, expires_at: iso(expiresAt) },
        }),
      },
      // Compliance rules are about payments, which this is not: a blocked payment is no reason to leave the money.
      policyOfCapture({ prices: policy }, policy),
    );
    return held instanceof Refusal ? held : outcomeOf(held.json);
  }

  /** Unless something was held before. */
  async function nothing(recall: Recall): Promise<Held | null> {
    const actor = actorOf(recall);
    const key = keyOf(recall, FIRST);
    const stored = await payments.storeRefusal({
      ...{ type: RECALL, actor, amount: recall.amount, key, record: () => ({ reply: NOTHING }) },
    });
    if (stored instanceof Refusal) throw new Error(`the hold of ${recall.case_id} is in conflict with another`);
    return outcomeOf(stored.json);
  }

  async function left(walletId: string): Promise<number> {
    await holdExpiry.ofAccount(walletId);
    const account = await books.balance(walletId);
    return account ? Math.max(0, account.balance - account.held) : 0;
  }

  return {
    left,

    /** What is left, at most the amount of the transfer. Null: nothing. */
    async place(recall: Recall): Promise<Held | null> {
      const expiresAt = clock.now() + ANSWER_MS;
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const amount = Math.min(recall.amount, await left(recall.recipient_id));
        if (amount === 0) return nothing(recall);
        const held = await hold(recall, FIRST, { amount, expiresAt });
        if (!(held instanceof Refusal)) return held;
        if (held.code !== 'INSUFFICIENT_BALANCE') throw new Error(`${recall.case_id}: ${held.code} ${held.message}`);
      }
      throw new Error(`the balance changed whenever ${recall.case_id} read it`);
    },

    /** The same amount for longer, in one commit. */
    extend: (recall: Recall, replaces: Hold, until: number): Promise<Held | null | Refusal> =>
      hold(recall, EXTENDED, { amount: replaces.amount, expiresAt: until, replaces }),
  };
}

export type RecallHolds = ReturnType<typeof createRecallHolds>;

const FIRST = 1;
const EXTENDED = 2;

function keyOf({ case_id, transfer_id }: Recall, number: number) {
  return idempotencyKey(RECALL, `${RECALL}:${case_id}`, String(number), [transfer_id]);
}

function outcomeOf(json: string): Held | null {
  const stored = JSON.parse(json) as Held | typeof NOTHING;
  return stored.hold_id === null ? null : stored;
}

/** On whose word the money is held. */
function actorOf({ decided_by, sender_id }: Recall): MovementActor {
  return decided_by === null ? { type: 'subscriber', id: sender_id } : { type: 'user', id: decided_by };
}

function tooLate(): Refusal {
  return refuse('EXPIRED', 'The hold has expired.');
}
