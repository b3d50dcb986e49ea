// Subscriber endpoints, in three groups by authentication scheme.
import { type Call, created, type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { pageOf } from '../../http/paging.ts';
import { iso } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type Gate, pendingReply } from '../approvals/service.ts';
import { pinRoutes } from './pin-routes.ts';
import { listedFor, recordFor, recordOf, type Subscriber } from './record.ts';
import * as schemas from './schemas.ts';
import type { ListQuery, SubscriberService } from './service.ts';

/** A malformed PIN, not a wrong one. */
const BAD_PIN_FORM = { code: 'INVALID_PIN', status: 400 } as const;

/** Unauthenticated. */
export function publicSubscriberRoutes(subscribers: SubscriberService): Endpoint[] {
  return [
    endpoint({
      id: 'registerPublicSubscriber',
      clientMethod: 'registration.register',
      method: 'POST',
      path: '/public/subscribers',
      permission: 'anyone',
      perIpLimit: 'registration',
      summary: 'Register as a subscriber, without credentials',
      description:
        'For an app or a web page, without credentials; limited per IP address. With PHONE_VERIFICATION=required the subscriber stays PENDING until the phone number is verified; a later registration of the number replaces it, and it ends after 24 hours.',
      action: 'subscriber.register',
      body: schemas.registration,
      replies: { 201: schemas.registeredReply },
      refusals: ['FORBIDDEN', BAD_PIN_FORM, 'DUPLICATE_PHONE'],
      handle: async (call) => registered(await subscribers.register(call, call.body)),
    }),
    endpoint({
      id: 'verifyPublicSubscriber',
      clientMethod: 'registration.verify',
      method: 'POST',
      path: '/public/subscribers/:id/verify',
      permission: 'anyone',
      perIpLimit: 'registration',
      summary: 'Verify the phone number of a registration, or a changed one, with the code that was sent to it',
      description:
        'Needed only with PHONE_VERIFICATION=required, for every registration and every changed number. A code is valid for 15 minutes; at most nine codes of a number are compared in a day.',
      action: 'subscriber.verify_phone',
      params: idParams,
      body: schemas.codeBody,
      replies: { 200: schemas.messageReply },
      refusals: ['NOT_FOUND', 'NOT_PENDING', 'INVALID_OTP', 'DUPLICATE_PHONE', 'TOO_MANY_ATTEMPTS'],
      handle: async (call) => {
        const row = await subscribers.verifyPhone(call, call.params.id, call.body.code);
        return row instanceof Refusal ? row : ok({ success: true, message: 'The phone number was verified.' });
      },
    }),
    endpoint({
      id: 'resendVerificationCode',
      clientMethod: 'registration.resendCode',
      method: 'POST',
      path: '/public/subscribers/:id/resend-code',
      permission: 'anyone',
      perIpLimit: 'registration',
      summary: 'Send a new code to a phone number that is not verified; the previous one becomes invalid',
      description: 'The previous code becomes invalid.',
      action: 'subscriber.resend_code',
      params: idParams,
      replies: { 200: schemas.messageReply },
      refusals: ['NOT_FOUND', 'NOT_PENDING', 'TOO_MANY_ATTEMPTS'],
      handle: async (call) => {
        const sent = await subscribers.resendCode(call, call.params.id);
        return sent instanceof Refusal ? sent : ok({ success: true, message: 'A new code was sent.' });
      },
    }),
  ];
}

/** Authenticated by a bearer credential or an internal service signature. */
export function subscriberReadRoutes(subscribers: SubscriberService): Endpoint[] {
  return [
    endpoint({
      id: 'getSubscriber',
      clientMethod: 'subscribers.get',
      method: 'GET',
      path: '/subscribers/:id',
      permission: 'subscribers:read',
      summary: 'Get a subscriber',
      description:
        'What the record contains depends on the caller: agents see less, and reasons and documents are for the roles that decide on them.',
      params: idParams,
      replies: { 200: schemas.subscriberReply },
      refusals: ['INVALID_REQUEST', 'NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const row = await subscribers.get(call, call.params.id);
        return row instanceof Refusal ? row : ok({ subscriber: recordFor(call.caller, row) });
      },
    }),
  ];
}

/** Authenticated by a bearer credential. */
export function subscriberRoutes(subscribers: SubscriberService, gate: Gate): Endpoint[] {
  return [...recordRoutes(subscribers, gate), ...stateRoutes(subscribers), ...pinRoutes(subscribers)];
}

function recordRoutes(subscribers: SubscriberService, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'registerSubscriber',
      clientMethod: 'subscribers.register',
      method: 'POST',
      path: '/subscribers',
      permission: 'subscribers:write',
      summary: 'Register a subscriber',
      description:
        'Creates the wallet at KYC level 1. A phone number belongs to one subscriber. `"status": "PENDING"` (staff only) creates one that cannot move money until it is activated. With PHONE_VERIFICATION=required every new subscriber is PENDING until the phone number is verified. A repeated `request_id` of the same agent, user or key gets the first subscriber again.',
      action: 'subscriber.register',
      body: schemas.registration,
      replies: { 201: schemas.registeredReply },
      refusals: [BAD_PIN_FORM, 'DUPLICATE_PHONE', 'REQUEST_CONFLICT', 'TOO_MANY_LOOKUPS'],
      handle: async (call) => registered(await subscribers.register(call, call.body)),
    }),
    endpoint({
      id: 'listSubscribers',
      clientMethod: 'subscribers.list',
      readsReplica: true,
      method: 'GET',
      path: '/subscribers',
      permission: 'subscribers:read',
      summary: 'List subscribers, by default newest first',
      description:
        "Agents' users must filter by an exact phone number, card serial or account number. `is_pep` is for users with PEP access.",
      query: schemas.subscribersQuery,
      replies: { 200: schemas.subscribersReply },
      refusals: ['PEP_ACCESS_REQUIRED', 'TOO_MANY_LOOKUPS'],
      handle: async (call) => {
        const page = pageOf(call.query);
        const listed = await subscribers.list(call, { ...filterOf(call.query), ...page });
        if (listed instanceof Refusal) return listed;
        const rows = listed.rows.map((row) => listedFor(call.caller, row));
        return ok({ subscribers: rows, total_count: listed.total, ...page });
      },
    }),
    endpoint({
      id: 'updateSubscriber',
      clientMethod: 'subscribers.update',
      method: 'PUT',
      path: '/subscribers/:id',
      permission: 'subscribers:update',
      summary: 'Update a subscriber; omitted fields keep their values, empty text clears an optional one',
      description:
        'To raise `kyc_level`, the documents that level requires must be on file; only compliance_user and system_admin may do it. At levels 2 and 3 the same applies to changing the name, date of birth, id and documents.',
      action: 'subscriber.update',
      params: idParams,
      body: schemas.updateBody,
      current: async (call) => {
        const row = await subscribers.current(call, call.params.id);
        return row instanceof Refusal ? row : recordFor(call.caller, row);
      },
      replies: { 200: schemas.changedReply, 202: pendingReply },
      refusals: [
        'NOT_FOUND',
        'PEP_ACCESS_REQUIRED',
        'DUPLICATE_PHONE',
        'PHONE_NOT_VERIFIED',
        'NOT_ACTIVE',
        'RECORD_CHANGED',
        'APPROVAL_REQUIRED',
        'DUPLICATE_IDENTITY',
        'PARTNER_WALLET_TAKEN',
        'KYC_REQUIREMENT_MISSING',
      ],
      handle: async (call) => gate.change(call, await subscribers.updateFor(call)),
    }),
  ];
}

function stateRoutes(subscribers: SubscriberService): Endpoint[] {
  return [
    endpoint({
      id: 'blockSubscriber',
      clientMethod: 'subscribers.block',
      method: 'POST',
      path: '/subscribers/:id/block',
      permission: 'subscribers:block',
      summary: 'Block a subscriber and their cards, or some of their transaction types',
      description:
        'Without `transaction_types` the subscriber and all linked cards are blocked. With them only those types are disabled, and the status stays.',
      action: 'subscriber.block',
      params: idParams,
      body: schemas.block,
      replies: { 200: schemas.changedReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED', 'ALREADY_BLOCKED', 'NOT_ACTIVE'],
      handle: async (call) => {
        const message = call.body.transaction_types
          ? 'The transaction types were disabled.'
          : 'The subscriber was blocked.';
        return changed(message, await subscribers.block(call, call.params.id, call.body), call);
      },
    }),
    endpoint({
      id: 'unblockSubscriber',
      clientMethod: 'subscribers.unblock',
      method: 'POST',
      path: '/subscribers/:id/unblock',
      permission: 'subscribers:unblock',
      summary: 'Unblock a subscriber: activates all cards, enables all transaction types and resets PIN failures',
      description: 'A card that was lost or stolen should be retired first: unblocking activates every linked card.',
      action: 'subscriber.unblock',
      params: idParams,
      body: schemas.unblock,
      bodyOptional: true,
      replies: { 200: schemas.unblockedReply },
      refusals: ['INVALID_REQUEST', 'NOT_FOUND', 'PEP_ACCESS_REQUIRED', 'NOT_BLOCKED'],
      handle: async (call) => {
        const row = await subscribers.unblock(call, call.params.id, call.body.reason);
        if (row instanceof Refusal) return row;
        const message = 'The subscriber was unblocked.';
        return ok({ success: true, message, unblocked_at: iso(row.updated_at), unblocked_by: nameOf(call) });
      },
    }),
    endpoint({
      id: 'enableTransactionTypes',
      clientMethod: 'subscribers.enableTypes',
      method: 'POST',
      path: '/subscribers/:id/enable-types',
      permission: 'subscribers:unblock',
      summary: 'Enable single transaction types of a subscriber again',
      description: 'For types that were disabled by a block with `transaction_types`.',
      action: 'subscriber.enable_types',
      params: idParams,
      body: schemas.enableTypes,
      replies: { 200: schemas.changedReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED', 'NOT_BLOCKED'],
      handle: async (call) => {
        const row = await subscribers.enableTypes(call, call.params.id, call.body.transaction_types);
        return changed('The transaction types were enabled.', row, call);
      },
    }),
    endpoint({
      id: 'activateSubscriber',
      clientMethod: 'subscribers.activate',
      method: 'POST',
      path: '/subscribers/:id/activate',
      permission: 'subscribers:activate',
      summary: 'Activate a subscriber that was registered as PENDING',
      description:
        'Only for a subscriber that staff registered as PENDING. It does not replace the code that verifies the phone number.',
      action: 'subscriber.activate',
      params: idParams,
      replies: { 200: schemas.changedReply },
      refusals: ['INVALID_REQUEST', 'NOT_FOUND', 'PEP_ACCESS_REQUIRED', 'NOT_PENDING', 'PHONE_NOT_VERIFIED'],
      handle: async (call) =>
        changed('The subscriber was activated.', await subscribers.activate(call, call.params.id), call),
    }),
  ];
}

function registered(row: Subscriber | Refusal) {
  if (row instanceof Refusal) return row;
  const message = row.phone_verified
    ? 'The subscriber was registered.'
    : 'A code was sent to the phone number. The subscriber is PENDING until the number is verified with it.';
  return created({ success: true, subscriber_id: row.id, message, subscriber: recordOf(row) });
}

function changed(message: string, row: Subscriber | Refusal, { caller }: Call) {
  if (row instanceof Refusal) return row;
  return ok({ success: true, message, subscriber: recordFor(caller, row) });
}

/** A user's email, the id of an API key. */
function nameOf({ caller }: Call): string {
  return caller.kind === 'user' ? caller.email : String(caller.id);
}

interface RawQuery {
  status?: string;
  kyc_level?: string;
  phone_number?: string;
  account_number?: string;
  card_serial?: string;
  is_pep?: string;
  search?: string;
  sort?: NonNullable<ListQuery['sort']>;
}

function filterOf(query: RawQuery): Omit<ListQuery, 'limit' | 'offset'> {
  const { status, kyc_level, phone_number, account_number, card_serial, is_pep, search, sort } = query;
  return {
    ...(status ? { status } : {}),
    ...(kyc_level ? { kycLevel: Number(kyc_level) } : {}),
    ...(phone_number !== undefined ? { phoneNumber: phone_number } : {}),
    ...(account_number !== undefined ? { accountNumber: account_number } : {}),
    ...(card_serial !== undefined ? { cardSerial: card_serial } : {}),
    ...(is_pep ? { onlyPeps: true } : {}),
    ...(search ? { search } : {}),
    ...(sort ? { sort } : {}),
  };
}
