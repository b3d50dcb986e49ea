// Payment requests: made by a merchant or a customer, confirmed by the payer, and ended at most once.
import type { Actor } from '../../audit/log.ts';
import { type Caller, isStaff } from '../../auth/caller.ts';
import { type Range, readRange } from '../../http/date-range.ts';
import type { Page } from '../../http/paging.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { shortName } from '../../kernel/text.ts';
import { onlyProcessorOf, otherProcessorRefusal } from '../../parties/processor.ts';
import { noSuchSubscriber } from '../../parties/subscriber.ts';
import { createCodes, isCode, tokenHash } from './codes.ts';
import { createConfirmation } from './confirmation.ts';
import { concealedRefusal, isConcealedFrom, noSuchRequest, type RequestContext } from './context.ts';
import { createCreation, type NewRequest } from './creation.ts';
import { createCustomerRequests } from './customer-requests.ts';
import { createEnding } from './ending.ts';
import { createNotices } from './notices.ts';
import { createReturnHosts } from './return-hosts.ts';
import { endedRefusal } from './state.ts';
import * as store from './store.ts';
import type { Status } from './tables.ts';
import { type PayerView, payerView, refusalView, requestView } from './view.ts';

export type { Confirmation } from './confirmation.ts';
export { noSuchRequest } from './context.ts';
export type { NewRequest } from './creation.ts';
export { customerRequest, incomingRequest, paymentRequest } from './schemas.ts';
export { refusalOf } from './state.ts';
export type { PaymentRequest } from './store.ts';
export { type Outcome, STATUSES } from './tables.ts';
export type { PayerView } from './view.ts';

export type PaymentRequests = ReturnType<typeof createPaymentRequests>;
/** What the page of a request needs. */
export type PayablePayments = Pick<PaymentRequests, 'byToken' | 'notifyPayer'>;
export type RequestView = ReturnType<typeof requestView>;

/** `code`: what the payer types, or the token at the end of the link. */
export type RequestName = { id: string } | { code: string };

export interface Payable {
  request: store.PaymentRequest;
  payeeName: string;
  /** Why it cannot be paid any more. */
  ended: Refusal | null;
}

interface PageNotice {
  request: string;
  phone: string;
  visitor: string;
}

export interface ListQuery extends Page {
  processor_id?: string | undefined;
  subscriber_id?: string | undefined;
  status?: Status | undefined;
  reference?: string | undefined;
  payer_phone?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export function createPaymentRequests(dependencies: Omit<RequestContext, 'lookups' | 'takeCode'>) {
  const { database, clock } = dependencies;
  const lookups = store.requestLookups(database.reader);
  const context = { ...dependencies, lookups, takeCode: createCodes(database.queries, clock) };
  const { audit, holders, findProcessor, phone, pep, returnsLocally } = context;
  const { queries } = database;
  const returnHosts = createReturnHosts({ database, audit, findProcessor, clock, returnsLocally });
  const notices = createNotices(context, payeeName);
  const create = createCreation(context, notices, returnHosts);
  const ending = createEnding(context);

  /** A customer is named by the first name and the initial. */
  async function payeeName({ payee_kind, payee_id }: store.PaymentRequest): Promise<string> {
    if (payee_kind === 'processor') return (await findProcessor(payee_id))?.business_name ?? '';
    const holder = await holders.byId(payee_id);
    return holder ? shortName(holder) : '';
  }

  async function view(request: store.PaymentRequest): Promise<RequestView> {
    return requestView(request, await payeeName(request), clock.now(), context);
  }

  async function viewForPayer(request: store.PaymentRequest): Promise<PayerView> {
    const [name, return_url] = await Promise.all([payeeName(request), returnUrl(request)]);
    return payerView({ ...request, return_url }, name, clock.now(), context);
  }

  async function viewIfFound(request: store.PaymentRequest | null): Promise<PayerView | Refusal> {
    return request ? viewForPayer(request) : noSuchRequest();
  }

  /** For its payer, who has its code, its link or the notice of it. */
  async function payable(named: RequestName): Promise<Payable | Refusal> {
    const request = await lookup(lookups, named);
    if (!request) return noSuchRequest();
    return { request, payeeName: await payeeName(request), ended: endedRefusal(request, clock.now()) };
  }

  /** The payee may have removed the host since it asked. */
  async function returnUrl({ payee_id, return_url }: store.PaymentRequest): Promise<string | null> {
    return return_url === null || (await returnHosts.refusal(payee_id, return_url)) ? null : return_url;
  }

  /** Those whose payments the caller must not see. Parties see their own payments. */
  async function hiddenFrom(caller: Caller): Promise<string[]> {
    if (onlyProcessorOf(caller) !== null || (await pep.hasAccess(caller))) return [];
    return pep.all();
  }

  /** A request that the caller may see. */
  async function find(actor: Actor, id: string): Promise<store.PaymentRequest | Refusal> {
    const request = await store.findRequest(queries, id, await hiddenFrom(actor.caller));
    if (!request || isConcealedFrom(actor.caller, request)) return noSuchRequest();
    const paidBy = request.outcome === 'paid' ? request.ended_by : null;
    return (await concealedRefusal(pep, actor, { ...request, paidBy })) ?? request;
  }

  async function made(created: Awaited<ReturnType<typeof create>>) {
    if (created instanceof Refusal) return created;
    const { request, replayed, payeeName: name = await payeeName(request) } = created;
    const at = request.created_at.getTime();
    return { view: requestView(request, name, at, context), replayed };
  }

  async function createForProcessor(
    actor: Actor,
    input: NewRequest & { processor_id?: string },
    requestId: string | null,
  ) {
    const only = onlyProcessorOf(actor.caller);
    const id = input.processor_id ?? only;
    if (id === null) return refuse('INVALID_REQUEST', 'processor_id is required.');
    const foreign = only !== null && only !== id ? otherProcessorRefusal(actor.caller, id) : null;
    if (foreign) return foreign;
    return made(await create(actor, { kind: 'processor', id }, input, requestId, () => null));
  }

  /** Of a customer, to be paid by another one. */
  async function createForSubscriber(actor: Actor, id: string, input: NewRequest, requestId: string | null) {
    if (!(await holders.statusById(id))) return noSuchSubscriber();
    return made(await create(actor, { kind: 'subscriber', id }, input, requestId, () => null));
  }

  async function list(actor: Actor, query: ListQuery) {
    const { caller } = actor;
    const range = readRange(query);
    if (range instanceof Refusal) return range;
    const payee = payeeFilter(caller, query);
    if (payee instanceof Refusal) return payee;
    const payer_phone = query.payer_phone === undefined ? undefined : (phone(query.payer_phone) ?? query.payer_phone);
    const { limit, offset, after, status, reference } = query;
    const filters = { payee_id: payee, status, reference, payer_phone, ...instants(range) };
    const now = new Date(clock.now());
    const hidden = await hiddenFrom(caller);
    const page = { limit, offset, ...(after === undefined ? {} : { after }) };
    const creator = caller.id ?? '';
    const { requests, total } = await store.listRequests(queries, { ...filters, ...page, now, hidden, creator });
    // Staff with access to politically exposed persons have seen theirs.
    if (isStaff(actor.caller))
      await pep.hidden(actor, [
        ...requests.flatMap(({ payee_id, payer_id }) => [payee_id, payer_id]),
        ...(await store.payersOf(
          queries,
          requests.flatMap(({ transaction_ids: ids }) => ids),
        )),
      ]);
    return { requests: await Promise.all(requests.map(view)), total };
  }

  return {
    createForProcessor,
    createForSubscriber,
    list,
    returnHosts,
    confirm: createConfirmation(context),
    decline: ending.decline,
    declineAsAsked: ending.declineAsAsked,
    expireDue: ending.expireDue,
    prune: notices.prune,

    /** With the exact reasons of refused payments for staff. */
    async get(actor: Actor, id: string) {
      const request = await find(actor, id);
      if (request instanceof Refusal) return request;
      if (!isStaff(actor.caller)) return view(request);
      const refusals = await store.listRefusals(queries, id, await hiddenFrom(actor.caller));
      return { ...(await view(request)), refusals: refusals.map(refusalView) };
    },

    async cancel(actor: Actor, id: string): Promise<RequestView | Refusal> {
      const request = await find(actor, id);
      if (request instanceof Refusal) return request;
      const refusal = await ending.cancel(actor, request);
      return refusal ?? view((await lookups.byId(id)) ?? request);
    },

    payable,

    /** By the code that a payer typed. */
    async byCode(code: string): Promise<PayerView | Refusal> {
      return viewIfFound(isCode(code) ? await lookups.byCode(code) : null);
    },

    /** By the token of the link. */
    async byToken(token: string): Promise<PayerView | Refusal> {
      return viewIfFound(await lookups.byToken(tokenHash(token).toString('hex')));
    },

    /**
     * Sends the request to the number that a visitor of its page entered. The reply does not depend on who has it.
     * `visitor`: the address.
     */
    async notifyPayer({ request: id, phone: number, visitor }: PageNotice): Promise<Refusal | null> {
      const to = phone(number);
      if (to === null) return refuse('INVALID_REQUEST', 'phone_number is not a valid phone number.');
      const request = await lookups.byId(id);
      if (!request) return noSuchRequest();
      return endedRefusal(request, clock.now()) ?? notices.ofPage(request, to, visitor);
    },

    ofCustomers: createCustomerRequests(context, { view, viewForPayer, cancel: ending.cancel }),
  };
}

function lookup(lookups: store.RequestLookups, named: RequestName): Promise<store.PaymentRequest | null> {
  if ('id' in named) return lookups.byId(named.id);
  if (isCode(named.code)) return lookups.byCode(named.code);
  return lookups.byToken(tokenHash(named.code).toString('hex'));
}

/** A caller that is limited to one processor lists its own requests. */
function payeeFilter(caller: Caller, { processor_id, subscriber_id }: ListQuery): string | undefined | Refusal {
  const asked = processor_id ?? subscriber_id;
  const refusal = asked === undefined ? null : otherProcessorRefusal(caller, asked);
  return refusal ?? asked ?? onlyProcessorOf(caller) ?? undefined;
}

function instants({ from, to }: Range) {
  return {
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
}
