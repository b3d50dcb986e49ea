// A partner paid: what it owes goes down by as much, once however often the request is sent, and never below nothing.
import { type Actor, inboxRow } from '../../audit/log.ts';
import type { Database } from '../../db/database.ts';
import { type Clock, iso } from '../../kernel/clock.ts';
import { CURRENCY, parseAmount } from '../../kernel/money.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Done, Executed, Figures, Movements, Payment, PaymentRequest } from '../../movements/execute.ts';
import { about, noSuchPartner, outstandingOf } from './parts.ts';
import type { Settlement } from './schemas.ts';
import { findPartner } from './store.ts';

export interface SettlementParts {
  database: Database;
  movements: Movements;
  /** Where a partner's payment arrived: the house's own account that this process uses. */
  treasuryAccount: string;
  clock: Clock;
}

export interface SettlementRequest {
  partnerId: string;
  given: Settlement;
  /** Of the body or the header; null: nothing is deduplicated. */
  requestId: string | null;
}

const TYPE = 'partner_settlement';

export function settling({ database, movements, treasuryAccount, clock }: SettlementParts) {
  function payment(actor: Actor, { partnerId, given, requestId }: SettlementRequest, amount: number): Payment {
    const { reference = null, description = null } = given;
    return {
      type: TYPE,
      payer: { accountId: treasuryAccount, party: 'sender' },
      // A partner that is suspended pays its debts all the same.
      payee: { accountId: partnerId, party: 'recipient', refusals: REFUSALS, mayPass: { frozen: true } },
      amount,
      countsDaily: false,
      request: requestOf(actor, { partnerId, given, requestId }, amount),
      reference,
      narration: description,
      reply: (done) => ({
        success: true,
        message: 'The settlement was recorded.',
        transaction_id: done.transactionId,
        request_id: requestId,
        partner_id: partnerId,
        reference,
        amount,
        currency: CURRENCY,
        partner_outstanding: outstandingOf(done.payeeBalance),
        created_at: iso(done.at),
      }),
      beside: (done) => [{ table: 'audit_inbox', row: auditRow(actor, partnerId, reference, done) }],
    };
  }

  function auditRow(actor: Actor, partnerId: string, reference: string | null, done: Done): object {
    const partner_outstanding = outstandingOf(done.payeeBalance);
    const details = { transaction_id: done.transactionId, amount: done.amount, reference, partner_outstanding };
    return inboxRow(actor, { action: 'partner.settle', ...about(partnerId), details }, clock);
  }

  /** What it owes goes down by what it paid; a suspended partner may pay too. */
  return async function settle(actor: Actor, asked: SettlementRequest): Promise<Executed | Refusal> {
    const amount = parseAmount(asked.given.amount);
    const request = requestOf(actor, asked, amount);
    const before = request && (await movements.replay(TYPE, request));
    if (before) return before;
    if (!(await findPartner(database.queries, asked.partnerId))) return noSuchPartner();
    if (amount === null) {
      return refuse('INVALID_AMOUNT', 'amount must be a positive whole number of minor units below 2^53.');
    }
    return movements.execute(payment(actor, asked, amount));
  };
}

function requestOf(
  { caller }: Actor,
  { partnerId, given, requestId }: SettlementRequest,
  amount: number | null,
): PaymentRequest | null {
  if (requestId === null) return null;
  const { reference = null, description = null } = given;
  return { scope: String(caller.id), id: requestId, same: [partnerId, amount, reference, description] };
}

/** The clearing account's ceiling is zero, looked at while it is locked: settlements that race cannot pass it together. */
const REFUSALS = {
  account_missing: noSuchPartner,
  ceiling: ({ available }: Figures) =>
    refuse('SETTLEMENT_EXCEEDS_OUTSTANDING', 'The settlement is more than the partner owes.', {
      details: { partner_outstanding: available },
    }),
};
