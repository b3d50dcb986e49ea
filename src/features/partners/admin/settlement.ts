// Settlement: records a partner's payment, which reduces what it owes. Never below zero, and once per request.
import type { Actor, AuditLog } from '../../../audit/log.ts';
import type { Database } from '../../../db/database.ts';
import type { OutboxRow } from '../../../db/outbox-table.ts';
import { iso } from '../../../kernel/clock.ts';
import { CURRENCY, formatMoney } from '../../../kernel/money.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { Shortfall } from '../../../ledger/types.ts';
import { noSuchPartner, outstandingOf } from '../../../parties/partner.ts';
import type { Payments } from '../../../payments/execute.ts';
import { type ApprovalTerms, type Executed, OPERATOR, type Receipt } from '../../../payments/plan.ts';
import { nobody, runPayment } from '../../../payments/run-payment.ts';
import type { PaymentOperation } from '../../approvals/service.ts';
import { bookItem } from '../../finance/reconciliation/service.ts';
import { auditResource } from './context.ts';
import type { Settlement } from './schemas.ts';
import { findPartner } from './store.ts';

export interface SettlementContext {
  database: Database;
  audit: AuditLog;
  payments: Payments;
  /** The treasury account of this process, where the partner's payment arrives. */
  treasuryAccount: string;
}

export interface SettlementRequest {
  partnerId: string;
  body: Settlement;
  /** From the body or the header; null: a retry is a new settlement. */
  requestId: string | null;
  approval?: ApprovalTerms | undefined;
}

const TYPE = 'partner_settlement';

export function createSettle(context: SettlementContext): PaymentOperation<{ id: string }, Settlement> {
  const settle = createSettlement(context);
  return {
    kind: 'payment',
    name: 'partners.settle',
    action: 'partners.settle',
    movementType: TYPE,
    party: () => OPERATOR,
    describe: ({ params }, amount) => `Record a settlement of ${formatMoney(amount)} by partner ${params.id}.`,
    execute: (actor, { params, body }, { requestId, approval }) =>
      settle(actor, { partnerId: params.id, body, requestId, approval }),
  };
}

function createSettlement({ database, audit, payments, treasuryAccount }: SettlementContext) {
  function auditRow(actor: Actor, partnerId: string, reference: string | null, receipt: Receipt): OutboxRow {
    const partner_outstanding = outstandingOf(receipt.payeeBalance);
    const details = { transaction_id: receipt.transactionId, amount: receipt.amount, reference, partner_outstanding };
    return audit.outboxRow(actor, { action: 'partner.settle', ...auditResource(partnerId), details });
  }

  return function settle(actor: Actor, request: SettlementRequest): Promise<Executed | Refusal> {
    const { partnerId, body, requestId, approval } = request;
    const { reference = null, amount, description } = body;
    return runPayment(payments, {
      type: TYPE,
      actor,
      options: { amount, requestId, approval },
      request: { party: OPERATOR, details: [partnerId, reference] },
      description,
      mayAct: () => null,
      find: async () => (await findPartner(database.queries, partnerId)) ?? noSuchPartner(),
      about: nobody,
      plan: () => ({
        payer: { accountId: treasuryAccount, kind: 'treasury', party: 'sender' },
        // A suspended partner can still pay its debt.
        payee: {
          accountId: partnerId,
          kind: 'partner_clearing',
          party: 'recipient',
          refusals: REFUSALS,
          exempt: { frozen: true },
        },
        reference,
        reply: (receipt) => ({
          success: true,
          message: 'The settlement was recorded.',
          transaction_id: receipt.transactionId,
          request_id: requestId,
          partner_id: partnerId,
          reference,
          amount: receipt.amount,
          currency: CURRENCY,
          partner_outstanding: outstandingOf(receipt.payeeBalance),
          created_at: iso(receipt.at),
        }),
        rows: (receipt) => [auditRow(actor, partnerId, reference, receipt), bookItem(TYPE, receipt)],
      }),
    });
  };
}

/** The clearing account's ceiling of zero is checked under lock, so concurrent settlements cannot exceed it together. */
const REFUSALS = {
  account_missing: noSuchPartner,
  ceiling: ({ available }: Shortfall) =>
    refuse('SETTLEMENT_EXCEEDS_OUTSTANDING', 'The settlement is more than the partner owes.', {
      details: { partner_outstanding: available },
    }),
};
