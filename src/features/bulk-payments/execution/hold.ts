// The hold that pays a bulk payment: the total and the fees of its valid rows, at the prices of its approval.
import { DAY_MS } from '../../../kernel/clock.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { ANY_AGENT } from '../../../parties/agent.ts';
import type { Policy } from '../../../payments/execute.ts';
import { paymentFees } from '../../../payments/fees.ts';
import { idempotencyKey } from '../../../payments/plan.ts';
import type { BulkPayment } from '../types.ts';
import type { ExecutionContext } from './context.ts';
import type { ReadyPayer } from './payers.ts';

/** After its start. What is not paid until then is available to the payer again. */
const HELD_MS = 7 * DAY_MS;

/** What a row's payer pays on top; rows for numbers without a wallet are priced as withdrawals. */
export function rowFee(policies: { row: Policy; code: Policy }, payer: ReadyPayer, row: PricedRow): number {
  const { amount, isCode } = row;
  const sides = { payer: isCode ? 'sender' : payer.side.party, payee: isCode ? 'agent' : 'recipient' } as const;
  const { fees } = isCode ? policies.code : policies.row;
  return paymentFees(fees, { type: isCode ? 'wallet_withdraw' : payer.type, ...sides, amount }).payer.charged;
}

export interface PricedRow {
  amount: number;
  isCode: boolean;
}

export function createHolding({ payments, clock }: Pick<ExecutionContext, 'payments' | 'clock'>) {
  /** A code costs what a withdrawal costs, and has compliance rules of its own. */
  async function policies({ type }: ReadyPayer): Promise<{ row: Policy; code: Policy }> {
    const [row, withdrawal, { rules }] = await Promise.all([
      payments.policy(type),
      payments.policy('wallet_withdraw'),
      payments.policy('unclaimed_payment'),
    ]);
    return { row, code: { ...withdrawal, rules } };
  }

  /** Once, however often it is tried. Returns the id of the hold. */
  async function open(payment: BulkPayment, payer: ReadyPayer): Promise<string | Refusal> {
    const { id, approved_by, valid_amount: amount, valid_fees, starts_at, approved_at } = payment;
    const { code } = await policies(payer);
    const startsAt = Math.max(clock.now(), starts_at?.getTime() ?? 0);
    const held = await payments.execute(
      {
        type: payer.type,
        actor: { type: 'user', id: approved_by ?? '' },
        payer: payer.side,
        payee: ANY_AGENT,
        amount,
        key: idempotencyKey(payer.type, payer.scope, `bulk:${id}:hold`, [id, approved_at?.getTime() ?? 0]),
        narration: payment.name,
        details: { bulk_payment_id: id, rows_digest: payment.rows_digest?.toString('hex') ?? null },
        hold: {
          ...{ purpose: 'bulk', expiresAt: startsAt + HELD_MS, reserved: amount + valid_fees },
          priced: ['vult_fund', 'wallet_withdraw'],
        },
        onPosted: ({ transactionId }) => ({ reply: { hold_id: transactionId } }),
      },
      // Rules and limits are those of each row. The settings of withdrawals are those of all types.
      { fees: code.fees, tiers: code.tiers, rules: null },
    );
    return held instanceof Refusal ? held : (JSON.parse(held.json) as { hold_id: string }).hold_id;
  }

  return { policies, open };
}
