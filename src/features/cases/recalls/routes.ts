// Endpoints of recalls for staff: a decision outside the rules, a longer hold, and a legal order.
import { type Endpoint, endpoint } from '../../../http/endpoint.ts';
import { idParams } from '../../../http/fields.ts';
import { GATE_REFUSALS, type Gate, pendingReply } from '../../approvals/service.ts';
import { changed, SEEN } from '../replies.ts';
import * as schemas from '../schemas.ts';
import type { Cases } from '../service.ts';

export function recallRoutes({ recalls }: Cases, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'decideRecall',
      clientMethod: 'cases.recall',
      method: 'POST',
      path: '/cases/:id/recall',
      permission: 'cases:decide',
      summary: 'Recall a transfer outside the rules: hold what is left of it, and ask the recipient',
      description: 'Only after the sender confirmed it with the PIN, and only for transfers between customers.',
      action: 'case.recall',
      params: idParams,
      body: schemas.reasonBody,
      replies: { 200: schemas.changedReply },
      refusals: [...SEEN, 'CASE_CLOSED', 'NO_RECALL', 'ALREADY_DECIDED'],
      handle: async (call) =>
        changed('The recipient is asked.', await recalls.decide(call, call.params.id, call.body.reason)),
    }),
    endpoint({
      id: 'extendRecallHold',
      clientMethod: 'cases.extendHold',
      method: 'POST',
      path: '/cases/:id/extend-hold',
      permission: 'cases:decide',
      summary: "Ask for a second user's approval to extend the hold of a recall for suspected fraud",
      description: 'Until then a contest ends the hold. Always needs a second, independent user.',
      action: 'case.extend_hold',
      params: idParams,
      body: schemas.reasonBody,
      replies: { 200: schemas.extensionReply, 202: pendingReply },
      refusals: [...SEEN, ...GATE_REFUSALS, 'NO_RECALL', 'RECALL_ENDED', 'EXPIRED', 'ALREADY_DECIDED'],
      handle: (call) => gate.change(call, recalls.extension),
    }),
    endpoint({
      id: 'returnByLegalOrder',
      clientMethod: 'cases.legalOrder',
      method: 'POST',
      path: '/cases/:id/legal-order',
      permission: 'cases:decide',
      summary:
        "Ask for a second user's approval to return a transfer without the recipient's consent, on a legal order",
      description: 'Always needs a second, independent user. At most what is left of the transfer.',
      action: 'case.legal_order',
      params: idParams,
      body: schemas.legalOrderBody,
      replies: { 200: schemas.legalOrderReply, 202: pendingReply },
      refusals: [
        ...SEEN,
        ...GATE_REFUSALS,
        ...([
          'INVALID_AMOUNT',
          'REQUEST_CONFLICT',
          'NO_RECALL',
          'AMOUNT_OUT_OF_RANGE',
          'INSUFFICIENT_BALANCE',
        ] as const),
      ],
      handle: (call) => gate.pay(call, recalls.legalOrder),
    }),
  ];
}
