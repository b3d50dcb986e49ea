// The endpoint with which an agent redeems a customer's cash-out code.
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { executedReply } from '../../http/payment-endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import * as schemas from './schemas.ts';
import type { CustomerPayments } from './service.ts';

export function redeemRoutes({ redeem }: CustomerPayments): Endpoint[] {
  return [
    endpoint({
      id: 'redeemCashOutCode',
      clientMethod: 'agents.redeemCode',
      method: 'POST',
      path: '/agents/cashout-code',
      permission: 'agents:cashin',
      summary: "Redeem a customer's cash-out code: the agent pays out the amount in cash",
      description:
        "The amount moves from the wallet to the agent's float, as for a withdrawal. Only the agent's PIN is entered. Three wrong codes end the codes of a number. A code that a bulk payment sent to a number without a wallet needs the identity document of whoever presents it, and pays at most the daily limit of a new wallet per number and day.",
      action: 'agent.redeem_code',
      body: schemas.redeemBody,
      replies: { 200: schemas.redeemReply },
      refusals: [
        ...(['REQUEST_CONFLICT', 'NOT_FOUND', 'AGENT_SUSPENDED', 'ACCOUNT_LOCKED', 'TOO_MANY_ATTEMPTS'] as const),
        ...(['ALREADY_PAID', 'CANCELLED', 'EXPIRED', 'SUBSCRIBER_BLOCKED', 'TRANSACTION_TYPE_DISABLED'] as const),
        ...(['INSUFFICIENT_BALANCE', 'MAX_BALANCE_EXCEEDED', 'RATE_LIMITED'] as const),
        ...(['DAILY_LIMIT_EXCEEDED', 'PROCESSOR_SUSPENDED'] as const),
        { code: 'AGENT_TERMINATED', status: 403 },
        { code: 'INVALID_PIN', status: 400 },
        { code: 'INVALID_CODE', status: 400 },
      ],
      handle: async (call) => {
        const { request_id, identity_document: identity, ...redemption } = call.body;
        const outcome = await redeem(call, { ...redemption, identity, requestId: request_id });
        return outcome instanceof Refusal ? outcome : executedReply(outcome);
      },
    }),
  ];
}
