// Payment requests of customers on their own channels: what they are asked, what they ask, and whom they block.
import type { CustomerActor } from '../../audit/log.ts';
import type { Page } from '../../http/paging.ts';
import { iso } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { noSuchRequest, type RequestContext } from './context.ts';
import { blockPayee, concerns, listBlocks, listIncoming, unblockPayee } from './customer-store.ts';
import type { createEnding } from './ending.ts';
import { listRequests, type PaymentRequest } from './store.ts';
import type { Status } from './tables.ts';
import type { PayerView, requestView } from './view.ts';

interface Views {
  view(request: PaymentRequest): Promise<ReturnType<typeof requestView>>;
  viewForPayer(request: PaymentRequest): Promise<PayerView>;
  cancel: ReturnType<typeof createEnding>['cancel'];
}

export function createCustomerRequests(context: RequestContext, { view, viewForPayer, cancel }: Views) {
  const { database, lookups, audit, clock } = context;
  const { queries } = database;

  async function ownRequest({ caller }: CustomerActor, id: string): Promise<PaymentRequest | Refusal> {
    const request = await lookups.byId(id);
    return request?.payee_id === caller.id ? request : noSuchRequest();
  }

  /** Blocks or unblocks the payee of a request, by which the customer knows it. */
  async function changeBlock(actor: CustomerActor, id: string, isBlocked: boolean): Promise<Refusal | null> {
    const request = await lookups.byId(id);
    const { id: payer } = actor.caller;
    if (!request || request.payee_id === payer) return noSuchRequest();
    const { payee_id: payee } = request;
    const event = {
      action: isBlocked ? 'payment_request.block_payee' : 'payment_request.unblock_payee',
      ...{ resourceType: 'payment_request', resourceId: id, details: { payee } },
    };
    await database.transact(async (trx) => {
      const block = { payer_id: payer, payee_id: payee, request_id: id, at: new Date(clock.now()) };
      const isNew = isBlocked ? await blockPayee(trx, block) : await unblockPayee(trx, payer, payee);
      if (isNew) await audit.record(trx, actor, event);
    });
    return null;
  }

  return {
    async incoming({ caller }: CustomerActor, page: Page) {
      const { requests, total } = await listIncoming(queries, caller.id, new Date(clock.now()), page);
      return { requests: await Promise.all(requests.map(viewForPayer)), total };
    },

    async sent({ caller }: CustomerActor, page: Page & { status?: Status | undefined }) {
      const { requests, total } = await listRequests(queries, {
        ...{ ...page, payee_id: caller.id, hidden: [], creator: caller.id, now: new Date(clock.now()) },
      });
      return { requests: await Promise.all(requests.map(view)), total };
    },

    /** A request of others only if it concerns the customer: an id alone opens nothing. */
    async get({ caller }: CustomerActor, id: string) {
      const request = await lookups.byId(id);
      if (!request) return noSuchRequest();
      if (request.payee_id === caller.id) return { direction: 'sent' as const, view: await view(request) };
      if (!(await concerns(queries, request, caller.id))) return noSuchRequest();
      return { direction: 'incoming' as const, view: await viewForPayer(request) };
    },

    viewForPayer,

    /** Whether the customer was told who asks with this request, or answered it. */
    async isKnown({ caller }: CustomerActor, id: string): Promise<boolean> {
      const request = await lookups.byId(id);
      return request !== null && concerns(queries, request, caller.id);
    },

    async cancel(actor: CustomerActor, id: string) {
      const request = await ownRequest(actor, id);
      if (request instanceof Refusal) return request;
      const refusal = await cancel(actor, request);
      return refusal ?? view((await lookups.byId(id)) ?? request);
    },

    block: (actor: CustomerActor, id: string) => changeBlock(actor, id, true),
    unblock: (actor: CustomerActor, id: string) => changeBlock(actor, id, false),

    /** Each is named by the request by which it was blocked: a payer learns no payee's id. */
    async blocked({ caller }: CustomerActor) {
      const blocks = await listBlocks(queries, caller.id);
      const named = await Promise.all(
        blocks.map(async ({ request_id, at }) => {
          const request = request_id === null ? null : await lookups.byId(request_id);
          if (!request) return [];
          const { payee_name } = await viewForPayer(request);
          return [{ payment_request_id: request.id, payee_name, blocked_at: iso(at) }];
        }),
      );
      return named.flat();
    },
  };
}
