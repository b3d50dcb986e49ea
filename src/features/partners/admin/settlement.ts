// A partner paid: what it owes goes down by as much, once however often the request is sent, and never below nothing.
import { type Actor, inboxRow } from '../../../audit/log.ts';
import type { Database } from '../../../db/database.ts';
import { type Clock, iso } from '../../../kernel/clock.ts';
import { CURRENCY } from '../../../kernel/money.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { Shortfall } from '../../../ledger/types.ts';
import { noSuchPartner, outstandingOf } from '../../../parties/partner.ts';
import type { Done, Executed, Payments } from '../../../payments/execute.ts';
import { carryOut, type IntendedPayment, sameAmount } from '../../../payments/pay.ts';
import { narrationOf, requestOf } from '../../../payments/reply.ts';
import { about } from './context.ts';
import type { Settlement } from './schemas.ts';
import { findPartner } from './store.ts';

export interface SettlementContext {
  database: Database;
  payments: Payments;
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

export function settling({ database, payments, treasuryAccount, clock }: SettlementContext) {
  function payment(actor: Actor, { partnerId, given, requestId }: SettlementRequest, amount: number): IntendedPayment {
    const { reference = null, description } = given;
    return {
      type: TYPE,
      payer: { accountId: treasuryAccount, party: 'sender' },
      // A partner that is suspended pays its debts all the same.
      payee: { accountId: partnerId, party: 'recipient', refusals: REFUSALS, mayPass: { frozen: true } },
      amount,
      countsDaily: false,
      reference,
      narration: narrationOf(description),
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
  return function settle(actor: Actor, asked: SettlementRequest): Promise<Executed | Refusal> {
    const { partnerId, given } = asked;
    return carryOut(payments, {
      type: TYPE,
      request: request(actor, asked),
      amount: given.amount,
      find: async () => (await findPartner(database.queries, partnerId)) ?? noSuchPartner(),
      statusRefusal: () => null,
      payment: (_partner, amount) => payment(actor, asked, amount),
    });
  };
}

function request(actor: Actor, { partnerId, given, requestId }: SettlementRequest) {
  const { amount, reference = null, description } = given;
  return requestOf(actor, { requestId }, [partnerId, sameAmount(amount), reference, narrationOf(description)]);
}

/** The clearing account's ceiling is zero, looked at while it is locked: settlements that race cannot pass it together. */
const REFUSALS = {
  account_missing: noSuchPartner,
  ceiling: ({ available }: Shortfall) =>
    refuse('SETTLEMENT_EXCEEDS_OUTSTANDING', 'The settlement is more than the partner owes.', {
      details: { partner_outstanding: available },
    }),
};
