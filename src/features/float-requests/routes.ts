// Endpoints of float requests.
import { created, type Endpoint, endpoint, ok, type Reply } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { pageOf } from '../../http/paging.ts';
import { executedReply } from '../../http/payment-endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { transferReply } from '../agents/service.ts';
import * as schemas from './schemas.ts';
import type { FloatRequests } from './service.ts';
import type { SeenRequest } from './store.ts';

const ENDED = ['NOT_FOUND', 'ALREADY_PAID', 'ALREADY_DECIDED', 'DECLINED', 'CANCELLED', 'EXPIRED'] as const;
const TERMINATED = { code: 'AGENT_TERMINATED', status: 403 } as const;

export function floatRequestRoutes(requests: FloatRequests): Endpoint[] {
  const { view } = requests;
  const changed = (message: string, row: SeenRequest | Refusal): Reply | Refusal =>
    row instanceof Refusal ? row : ok({ success: true, message, float_request: view(row) });
  return [
    endpoint({
      id: 'askForFloat',
      clientMethod: 'floatRequests.ask',
      method: 'POST',
      path: '/agents/:id/float-requests',
      permission: 'agents:float-requests',
      summary: 'Ask the super-agent for float',
      description:
        'For sub-agents. No money moves until the super-agent accepts. One request is open at a time, for 48 hours.',
      action: 'float_request.ask',
      params: idParams,
      body: schemas.askBody,
      replies: { 201: schemas.floatRequestReply },
      refusals: [
        'NOT_FOUND',
        'AGENT_SUSPENDED',
        TERMINATED,
        'INVALID_AMOUNT',
        'REQUEST_CONFLICT',
        'FLOAT_REQUEST_OPEN',
      ],
      handle: async (call) => {
        const row = await requests.ask(call, call.params.id, call.body);
        if (row instanceof Refusal) return row;
        return created({ success: true, message: 'The super-agent was asked.', float_request: view(row) });
      },
    }),
    endpoint({
      id: 'listFloatRequests',
      clientMethod: 'floatRequests.list',
      method: 'GET',
      path: '/agents/:id/float-requests',
      permission: 'agents:read',
      summary: "List an agent's float requests, made and received, newest first",
      params: idParams,
      query: schemas.floatRequestsQuery,
      replies: { 200: schemas.floatRequestsReply },
      csv: { key: 'id' },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const page = pageOf(call.query);
        const found = await requests.list(call, call.params.id, call.query.state, page);
        if (found instanceof Refusal) return found;
        return ok({ float_requests: found.rows.map(view), total_count: found.total, ...page });
      },
    }),
    endpoint({
      id: 'acceptFloatRequest',
      clientMethod: 'floatRequests.accept',
      method: 'POST',
      path: '/agents/float-requests/:id/accept',
      permission: 'agents:transfer',
      summary: 'Accept a float request: the float is transferred once, however often this is sent',
      description: "The super-agent's PIN is verified. The transfer has the request's id as its request_id.",
      action: 'float_request.accept',
      params: idParams,
      body: schemas.acceptBody,
      replies: { 200: transferReply },
      refusals: [
        ...ENDED,
        ...(['AGENT_SUSPENDED', 'REQUEST_CONFLICT', 'MAX_BALANCE_EXCEEDED', 'COMPLIANCE_BLOCKED'] as const),
        ...(['ACCOUNT_LOCKED', 'TOO_MANY_ATTEMPTS', 'INSUFFICIENT_FLOAT', 'DAILY_LIMIT_EXCEEDED'] as const),
        TERMINATED,
        { code: 'INVALID_PIN', status: 400 },
      ],
      handle: async (call) => {
        const outcome = await requests.accept(call, call.params.id, call.body.pin);
        return outcome instanceof Refusal ? outcome : executedReply({ ...outcome, replayed: false });
      },
    }),
    endpoint({
      id: 'declineFloatRequest',
      clientMethod: 'floatRequests.decline',
      method: 'POST',
      path: '/agents/float-requests/:id/decline',
      permission: 'agents:transfer',
      summary: 'Decline a float request; the sub-agent reads the reason',
      action: 'float_request.decline',
      params: idParams,
      body: schemas.declineBody,
      replies: { 200: schemas.floatRequestReply },
      refusals: ENDED,
      handle: async (call) =>
        changed('The request was declined.', await requests.decline(call, call.params.id, call.body.reason)),
    }),
    endpoint({
      id: 'cancelFloatRequest',
      clientMethod: 'floatRequests.cancel',
      method: 'POST',
      path: '/agents/float-requests/:id/cancel',
      permission: 'agents:float-requests',
      summary: 'Withdraw a float request that is still open',
      action: 'float_request.cancel',
      params: idParams,
      replies: { 200: schemas.floatRequestReply },
      refusals: ENDED,
      handle: async (call) => changed('The request was withdrawn.', await requests.cancel(call, call.params.id)),
    }),
  ];
}
