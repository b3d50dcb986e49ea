// Endpoints for refused payments: of a customer, a merchant and an agent.
import type { Caller } from '../../auth/caller.ts';
import { isAllowed } from '../../auth/permissions.ts';
import { ofCustomer } from '../../http/customer-call.ts';
import { type Endpoint, endpoint, ok, type Reply } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { type Page, pageOf } from '../../http/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type Reader, refusalsQuery, refusalsReply, refusalsView } from './schemas.ts';
import type { Refusals } from './service.ts';
import type { RefusalPage } from './store.ts';

const KEPT = 'They are kept for 90 days, and appear within a few seconds.';
const common = { method: 'GET', query: refusalsQuery, replies: { 200: refusalsReply } } as const;

/** For customers themselves. */
export function ownRefusalRoutes(refusals: Refusals): Endpoint[] {
  return [
    endpoint({
      ...common,
      id: 'listOwnRefusals',
      clientMethod: 'me.refusals',
      path: '/me/refusals',
      permission: 'me:read',
      summary: 'List your refused payments, newest first, with the reasons',
      description: `Attempts by others at your wallet are listed too, such as wrong PINs in a shop. ${KEPT}`,
      refusals: ['SUBSCRIBER_NOT_FOUND'],
      async handle(call) {
        const page = pageOf(call.query);
        const own = ofCustomer(call);
        return reply(await refusals.ofSubscriber(own, own.caller.id, page), page, CUSTOMER);
      },
    }),
  ];
}

export function subscriberRefusalRoutes(refusals: Refusals): Endpoint[] {
  return [
    endpoint({
      ...common,
      id: 'listSubscriberRefusals',
      clientMethod: 'subscribers.refusals',
      path: '/subscribers/:id/refusals',
      permission: 'statements',
      summary: "List a customer's refused payments, newest first, with the reasons",
      description: `Payments on all channels in which the customer pays, or a deposit or bank transfer to the customer. ${KEPT}`,
      params: idParams,
      refusals: ['SUBSCRIBER_NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      async handle(call) {
        const page = pageOf(call.query);
        return reply(await refusals.ofSubscriber(call, call.params.id, page), page, readerOf(call.caller));
      },
    }),
  ];
}

/** These may be signed. */
export function processorRefusalRoutes(refusals: Refusals): Endpoint[] {
  return [
    endpoint({
      ...common,
      id: 'listProcessorRefusals',
      clientMethod: 'processors.refusals',
      path: '/processors/:id/refusals',
      permission: 'processors:history',
      summary: "List a merchant's refused payments, newest first",
      description: `Card payments, refunds, transfers and pay-outs. What customers refuse or cannot pay on their own phones is not the merchant's to see. ${KEPT}`,
      params: idParams,
      refusals: ['NOT_FOUND'],
      async handle(call) {
        const page = pageOf(call.query);
        return reply(await refusals.ofProcessor(call, call.params.id, page), page, readerOf(call.caller));
      },
    }),
  ];
}

export function agentRefusalRoutes(refusals: Refusals): Endpoint[] {
  return [
    endpoint({
      ...common,
      id: 'listAgentRefusals',
      clientMethod: 'agents.refusals',
      path: '/agents/:id/refusals',
      permission: 'agents:history',
      summary: "List an agent's refused payments, newest first, with the reasons",
      description: KEPT,
      params: idParams,
      refusals: ['NOT_FOUND'],
      async handle(call) {
        const page = pageOf(call.query);
        return reply(await refusals.ofAgent(call, call.params.id, page), page, readerOf(call.caller));
      },
    }),
  ];
}

const CUSTOMER: Reader = { seesReasons: true, seesAmounts: true };

function readerOf(caller: Caller): Reader {
  const isMerchant =
    caller.kind === 'user' ? caller.role === 'processor' : caller.kind === 'key' && caller.processorId !== null;
  return { seesReasons: !isMerchant, seesAmounts: isAllowed(caller, 'balance:read') };
}

function reply(found: RefusalPage | Refusal, page: Page, reader: Reader): Reply | Refusal {
  return found instanceof Refusal ? found : ok({ ...refusalsView(found, reader), ...page });
}
