// Pays one row: decided once under its request id, whichever gateway tries and however often. Refusals are stored as well.
import type { OutboxRow } from '../../../db/outbox-table.ts';
import { DAY_MS } from '../../../kernel/clock.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import type { Hold } from '../../../ledger/holds/lookup.ts';
import { ANY_AGENT } from '../../../parties/agent.ts';
import { type Holder, holderStatusRefusal, walletSide } from '../../../parties/subscriber.ts';
import type { Policy } from '../../../payments/execute.ts';
import { policyOfDraw } from '../../../payments/holds.ts';
import { type Executed, idempotencyKey, narrationOf, type PaymentPlan, type Receipt } from '../../../payments/plan.ts';
import { bookItem } from '../../finance/reconciliation/service.ts';
import { MAX_CODE_AMOUNT, wordsOf } from '../reasons.ts';
import { type BulkPayment, type BulkRow, rowRequestId } from '../types.ts';
import type { ExecutionContext } from './context.ts';
import { holdExpired, type ReadyPayer } from './payers.ts';

/** How long a code for a number without a wallet can be redeemed. */
export const UNCLAIMED_MS = 7 * DAY_MS;

/** A bulk payment that is being paid. */
export interface Paying {
  payment: BulkPayment;
  hold: Hold;
  payer: ReadyPayer;
  /** Of its rows' type, and of codes. */
  policies: { row: Policy; code: Policy };
}

/** What became of a row; its reply, as the ledger stores it. */
export interface RowOutcome {
  status: 'paid' | 'unclaimed' | 'failed' | 'cancelled';
  reason: string | null;
  reason_text: string | null;
  fee: number;
  transaction_id: string | null;
  at: number;
}

type Context = Pick<ExecutionContext, 'payments' | 'holders' | 'audit' | 'sendCode' | 'clock'>;

/** A refusal: of the payer, who can be paid for again once what it says has ended. Nothing is stored then. */
export function createRowPayment({ payments, holders, audit, sendCode, clock }: Context) {
  return async function payRow(paying: Paying, row: BulkRow): Promise<RowOutcome | Refusal> {
    const holder = await recipient(row);
    // Only what was approved as a code: who has the number of a checked wallet by now is not known.
    const isApproved = paying.payment.unclaimed === 'code' && row.recipient_id === null;
    const isCode = isApproved && holder === null && row.phone_number !== null;
    const outcome = await (isCode ? holdForCode(paying, row) : transfer(paying, row, holder));
    if (outcome instanceof Refusal || outcome.status !== 'unclaimed') return outcome;
    await sendCode(paying.payment, row, outcome.transaction_id ?? '');
    return outcome;
  };

  function recipient({ phone_number: phone, account_number: account }: BulkRow): Promise<Holder | null> {
    return account === null ? holders.byPhone(phone ?? '') : holders.byAccountNumber(account);
  }

  async function transfer(paying: Paying, row: BulkRow, holder: Holder | null): Promise<RowOutcome | Refusal> {
    const { payer, hold, policies } = paying;
    const refusal = recipientRefusal(paying, row, holder) ?? payer.amountRefusal(row.amount);
    if (refusal || !holder) return failed(paying, row, refusal ?? unavailable());
    const plan: PaymentPlan = {
      ...terms(paying, row),
      payee: { ...walletSide(holder.id, 'recipient'), refusals: RECIPIENT_REFUSALS },
      onPosted: (receipt) => ({
        reply: outcomeOf('paid', receipt),
        rows: payer.side.kind === 'processor' ? [] : ofOperator(paying, row, holder, receipt),
      }),
    };
    return settled(await payments.execute(plan, policyOfDraw(hold, policies.row)));
  }

  /** Movements on the accounts of partners and of the treasury are audited. */
  function ofOperator(
    { payment, payer }: Paying,
    { reference }: BulkRow,
    holder: Holder,
    receipt: Receipt,
  ): OutboxRow[] {
    const { accountId, kind } = payer.side;
    const actor = { caller: { kind: 'user', id: payment.approved_by ?? '' }, ip: null, requestId: null } as const;
    const audited = { actor, action: 'bulk_payment.pay', payer: accountId, payee: holder.id, reference };
    // The treasury issues e-money, which stands for money at a bank.
    const booked = kind === 'treasury' ? [bookItem('processor_transfer', receipt)] : [];
    return [audit.paymentRow(audited, receipt), ...booked];
  }

  /** The money moves from the bulk payment's hold into one of its own, which an agent's redemption captures. */
  async function holdForCode(paying: Paying, row: BulkRow): Promise<RowOutcome | Refusal> {
    const { hold, policies } = paying;
    if (row.amount > MAX_CODE_AMOUNT) return failed(paying, row, codeTooLarge());
    const plan: PaymentPlan = {
      ...terms(paying, row),
      type: 'unclaimed_payment',
      pricedAs: 'wallet_withdraw',
      payer: { ...paying.payer.side, party: 'sender' },
      payee: ANY_AGENT,
      hold: { purpose: 'unclaimed', expiresAt: clock.now() + UNCLAIMED_MS, priced: ['wallet_withdraw'] },
      onPosted: (receipt) => ({ reply: outcomeOf('unclaimed', receipt) }),
    };
    return settled(await payments.execute(plan, policyOfDraw(hold, policies.code)));
  }

  /** Decided without the ledger, which stores it: another gateway may have paid the row before. */
  async function failed(paying: Paying, row: BulkRow, refusal: Refusal): Promise<RowOutcome | Refusal> {
    const { type, actor, amount, key } = terms(paying, row);
    const record = (at: number) => ({ reply: refused(refusal, at) });
    return settled(await payments.storeRefusal({ type, actor, amount, key, record }));
  }
}

function terms({ payment, hold, payer }: Paying, row: BulkRow) {
  const { id, approved_by } = payment;
  return {
    type: payer.type,
    actor: { type: 'user', id: approved_by ?? '' } as const,
    payer: payer.side,
    amount: row.amount,
    key: idempotencyKey(payer.type, payer.scope, rowRequestId(id, row.line), [
      'bulk_payment',
      ...[row.reference, row.phone_number, row.account_number, row.amount],
    ]),
    reference: row.reference,
    narration: narrationOf(row.description ?? undefined),
    details: { bulk_payment_id: id, line: row.line },
    allowances: payer.allowances,
    draws: hold,
    validUntil: { at: hold.expires_at.getTime(), refusal: holdExpired },
    onRefused: (refusal: Refusal, at: number) => ({ reply: refused(refusal, at) }),
  };
}

/** Null: the wallet that was checked can be paid. The number may have another holder since. */
function recipientRefusal({ payer, payment }: Paying, row: BulkRow, holder: Holder | null): Refusal | null {
  if (!holder) return unavailable();
  if (row.recipient_id !== null && row.recipient_id !== holder.id) return unavailable();
  if (row.recipient_id === null && payment.unclaimed === null) return unavailable();
  return holderStatusRefusal(holder, payer.type, 'recipient') && unavailable();
}

/** One reason for all: a bulk payment does not tell who has a wallet, or what became of it. */
function unavailable(): Refusal {
  return refuse('SUBSCRIBER_NOT_FOUND', wordsOf(UNAVAILABLE));
}

const UNAVAILABLE = 'RECIPIENT_UNAVAILABLE';
const CODE_AMOUNT = 'CODE_AMOUNT_EXCEEDED';
const RECIPIENT_REFUSALS = { account_missing: unavailable, account_frozen: unavailable, type_disabled: unavailable };

function codeTooLarge(): Refusal {
  return refuse('AMOUNT_OUT_OF_RANGE', wordsOf(CODE_AMOUNT));
}

function settled(executed: Executed | Refusal): RowOutcome | Refusal {
  if (!(executed instanceof Refusal)) return JSON.parse(executed.json) as RowOutcome;
  // Somebody used the row's id for a payment of their own: it can never be paid under it.
  if (executed.code === 'REQUEST_CONFLICT') return refused(executed, 0);
  return executed;
}

function outcomeOf(status: 'paid' | 'unclaimed', { transactionId, payerFee, at }: Receipt): RowOutcome {
  return { status, reason: null, reason_text: null, fee: payerFee, transaction_id: transactionId, at };
}

/** What a refused row's outcome is. */
export function refused({ code, message }: Refusal, at: number): RowOutcome {
  // The hold was released: the bulk payment was stopped before the row's turn.
  const status = code === 'ALREADY_CAPTURED' || code === 'EXPIRED' ? 'cancelled' : 'failed';
  const reason = code === 'SUBSCRIBER_NOT_FOUND' ? UNAVAILABLE : code;
  return { status, reason, reason_text: message, fee: 0, transaction_id: null, at };
}
