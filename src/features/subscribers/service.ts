// The subscriber service: registration, look-up, changes, blocking and PINs.
import type { Actor } from '../../audit/log.ts';
import { type Caller, isAgentUser } from '../../auth/caller.ts';
import type { ByTime } from '../../db/list-order.ts';
import { ok } from '../../http/endpoint.ts';
import type { Page } from '../../http/paging.ts';
import { onPrimary } from '../../kernel/read-context.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy } from '../../kernel/text.ts';
import { readSerial } from '../../parties/card.ts';
import { pepListRefusal } from '../../parties/pep-access.ts';
import { reducedUntil, resetCodeUntil, type SentCode, sentResetCode } from '../../parties/pin-reset.ts';
import { hasEnded } from '../../parties/registration.ts';
import type { ChangeOperation, Input } from '../approvals/service.ts';
import { createBlocking } from './blocking.ts';
import { type SubscriberContext, subscriberNotFound } from './context.ts';
import { createLevels } from './level.ts';
import { type ListFilter, listSubscribers, type SubscriberPage } from './list-store.ts';
import { createPhoneVerification } from './phone-verification.ts';
import { createPinChecks } from './pin-checks.ts';
import { type HiddenSubscriber, recordFor, type Subscriber, type SubscriberRow } from './record.ts';
import { createRegistration, type Registration } from './registration.ts';
import { actorName, lockSubscriber, subscriberById } from './store.ts';
import { createUpdate, type Update, type Updated } from './update.ts';

export interface ListQuery extends Page {
  status?: string;
  kycLevel?: number;
  /** In any format. */
  phoneNumber?: string;
  accountNumber?: string;
  /** In any form. */
  cardSerial?: string;
  /** Only politically exposed persons. */
  onlyPeps?: true;
  search?: string;
  sort?: ByTime;
}

type StoredElsewhere = Pick<Subscriber, 'balance' | 'held' | 'cards_count' | 'pin_locked_until' | 'pin_lock_reason'> & {
  resetCode: SentCode | null;
};

type UpdateOperation = ChangeOperation<{ id: string }, Update, Updated>;

export type { PinChangeRequest } from './pin-checks.ts';
export { ID_TYPES, recordOf as subscriberRecord } from './record.ts';
export { calendarDay } from './schemas.ts';

export type SubscriberService = ReturnType<typeof createSubscribers>;

export function createSubscribers(context: SubscriberContext) {
  const { database, phone, books, cards: linkedCards, pins, pep, lookupLimit, clock } = context;
  const { block, unblock, enableTypes, activate } = createBlocking(context);
  const verification = createPhoneVerification(context);
  const findStored = subscriberById(database.reader);
  const nameOf = actorName(database.reader);
  const findResetCode = sentResetCode(database.reader);

  async function find(id: string): Promise<SubscriberRow | null> {
    const row = await findStored(id);
    return row && !hasEnded(row, clock.now()) ? row : null;
  }

  async function get(actor: Actor, id: string): Promise<Subscriber | Refusal> {
    const [row, stored] = await Promise.all([find(id), storedWith(id)]);
    if (!row) return subscriberNotFound();
    // An agent sees the short record of any customer, which would otherwise reveal who is politically exposed.
    const isShort = isAgentUser(actor.caller);
    const pepRefusal = row.is_pep && !isShort ? await pep.refusal(actor, row, 'record') : null;
    return pepRefusal ?? named(row, stored);
  }

  /** The record as `get` returns it, before an update of it; the update itself audits the access to a PEP's record. */
  async function current(actor: Actor, id: string): Promise<Subscriber | Refusal> {
    const row = await find(id);
    const visible = row && (!row.is_pep || (await pep.hasAccess(actor.caller)));
    return visible ? complete(row) : subscriberNotFound();
  }

  async function complete(row: SubscriberRow): Promise<Subscriber> {
    return named(row, await storedWith(row.id));
  }

  async function named(row: SubscriberRow, stored: StoredElsewhere): Promise<Subscriber> {
    return recordWith(row, {
      ...stored,
      blocked_by_name: row.blocked_by === null ? null : await nameOf(row.blocked_by),
    });
  }

  function recordWith(
    row: SubscriberRow,
    { resetCode, ...stored }: StoredElsewhere & Pick<Subscriber, 'blocked_by_name'>,
  ): Subscriber {
    const now = clock.now();
    const pin_reset_code_until = resetCodeUntil(resetCode, row, now);
    return { ...row, ...stored, pin_reset_code_until, reduced_until: reducedUntil(row, now) };
  }

  /** The fields of the record that other tables have. */
  async function storedWith(id: string): Promise<StoredElsewhere> {
    const [account, cards_count, lock, resetCode] = await Promise.all([
      books.balance(id),
      linkedCards.count(id),
      pins.lock(id),
      findResetCode(id),
    ]);
    const locked = { pin_locked_until: lock?.until ?? null, pin_lock_reason: lock?.reason ?? null };
    return { balance: account?.balance ?? 0, held: account?.held ?? 0, cards_count, ...locked, resetCode };
  }

  function completed<Args extends unknown[]>(operation: (...args: Args) => Promise<SubscriberRow | Refusal>) {
    return async (...args: Args): Promise<Subscriber | Refusal> => {
      const row = await operation(...args);
      return row instanceof Refusal ? row : complete(row);
    };
  }

  async function list(
    actor: Actor,
    query: ListQuery,
  ): Promise<{ rows: (Subscriber | HiddenSubscriber)[]; total: number } | Refusal> {
    const guesser = isExact(query) ? agentOf(actor.caller) : null;
    const refusal = agentSearchRefusal(actor.caller, query);
    if (refusal) return refusal;
    if (query.onlyPeps && !(await pep.hasAccess(actor.caller))) return pepListRefusal(actor.caller);
    const { rows, total } = await select(actor, query);
    const sought = [query.phoneNumber, query.accountNumber, query.cardSerial].join(' ').trim();
    // A page after the last one shows no customer, and its total that there is one.
    const found = rows.length > 0 ? rows.map(({ id }) => id) : total > 0 ? [sought] : [];
    const tooMany = await lookupLimit.ofAgent(guesser, sought, found);
    if (tooMany) return tooMany;
    const peps = rows.filter(({ is_pep }) => is_pep).map(({ id }) => id);
    const hidden = isAgentUser(actor.caller) ? new Set() : await pep.hidden(actor, peps);
    const shown = rows.map((row) => (hidden.has(row.id) ? { id: row.id, status: row.status } : complete(row)));
    return { rows: await Promise.all(shown), total };
  }

  async function select(
    { caller }: Actor,
    { phoneNumber, accountNumber, cardSerial, search, limit, offset, after, ...plain }: ListQuery,
  ): Promise<SubscriberPage> {
    // A look-up by an agent answers the same for everybody.
    const isLookUp = isAgentUser(caller) && isExact({ phoneNumber, accountNumber, cardSerial });
    const seesPeps = isLookUp || (await pep.hasAccess(caller));
    const filter: ListFilter = { seesPeps, now: new Date(clock.now()), ...plain };
    if (phoneNumber !== undefined) {
      const number = phone(phoneNumber);
      // An invalid phone number matches no subscriber.
      if (number === null) return { rows: [], total: 0 };
      filter.phoneNumber = number;
    }
    if (accountNumber !== undefined) filter.accountNumber = accountNumber.trim();
    if (cardSerial !== undefined) {
      const serial = readSerial(cardSerial);
      if (serial === null) return { rows: [], total: 0 };
      filter.cardSerial = serial;
    }
    // Without an exact identifier, users of agents list the subscribers they registered.
    if (isAgentUser(caller) && !isExact({ phoneNumber, accountNumber, cardSerial })) {
      if (caller.agentId === null) return { rows: [], total: 0 };
      filter.registeredBy = caller.agentId;
    }
    const text = tidy(search ?? '');
    // A phone number in local format is also searched in E.164, the stored format.
    if (text !== '') filter.search = { text, orPhone: phone(text) };
    return listSubscribers(database.queries, filter, { limit, offset, after });
  }

  const registerSubscriber = createRegistration(context, verification);
  const { plan, isRedirect, refusalOf } = createUpdate(context, verification);
  const shared: Omit<UpdateOperation, 'name' | 'action' | 'describe' | 'plan' | 'covers'> = {
    kind: 'change',
    async before(actor, { params }) {
      const row = await current(actor, params.id);
      return row instanceof Refusal ? null : recordFor(actor.caller, row);
    },
    after: ({ row }, { caller }) =>
      storedFields(recordFor(caller, recordWith(row, { ...UNCHANGED, resetCode: null })), row),
    refusalOf,
    subscriberId: ({ params }) => params.id,
    async reply({ row }, { caller }) {
      return ok({ success: true, message: UPDATED, subscriber: recordFor(caller, await complete(row)) });
    },
    storedReply({ row: { id, kyc_level, status } }) {
      return ok({ success: true, message: UPDATED, subscriber: { id, kyc_level, status } });
    },
  };
  const update: UpdateOperation = {
    ...shared,
    name: 'subscribers.update',
    action: 'kyc.raise',
    describe: ({ params, body }) => assessmentText(params.id, body),
    plan: (actor, { params, body }) => plan(actor, params.id, body, { isRedirect: false }),
    covers: ({ raisesLevel, changesPep }) => raisesLevel || changesPep,
  };
  const changePhone: UpdateOperation = {
    ...shared,
    name: 'subscribers.change_phone',
    action: 'subscribers.change_phone',
    describe: ({ params, body }) => `Change the ${redirectedIn(body)} of subscriber ${params.id}.`,
    plan: (actor, { params, body }) => plan(actor, params.id, body, { isRedirect: true }),
    covers: ({ redirects }) => redirects,
  };

  /** Decided before the transaction, because each has its own policy; the transaction checks it on the locked row. */
  async function updateFor({ params, body }: Input<{ id: string }, Update>): Promise<UpdateOperation> {
    if (body.phone_number === undefined && body.partner_wallet_id === undefined) return update;
    const row = await onPrimary(() => findStored(params.id));
    return row && isRedirect(row, body) ? changePhone : update;
  }

  return {
    get,
    current,
    /** Batched. Returns the stored record without the balance. */
    find,
    list,
    /** Locks the row until the transaction ends, for decisions that depend on the current record. */
    lock: lockSubscriber,
    levels: createLevels(context),
    /** The refusal for a value that another subscriber has. */
    takenRefusal: refusalOf,
    register: completed((actor: Actor, input: Registration) => registerSubscriber(actor, input)),
    /** By USSD from the number itself. */
    registerOnOwnNumber(actor: Actor, input: Registration, { agentId }: { agentId: string | null }) {
      return registerSubscriber(actor, input, { isProven: true, agentId });
    },
    resendCode: verification.resendCode,
    verifyPhone: completed(verification.verifyPhone),
    update,
    changePhone,
    updateFor,
    endExpired: verification.endExpired,
    block: completed(block),
    unblock: completed(unblock),
    enableTypes: completed(enableTypes),
    activate: completed(activate),
    ...createPinChecks(context, find),
  };
}

const UPDATED = 'The subscriber was updated.';

function assessmentText(id: string, { kyc_level, is_pep }: Update): string {
  if (is_pep === undefined) return `Raise the KYC level of subscriber ${id} to ${kyc_level}.`;
  const level = kyc_level === undefined ? '' : ` and kyc_level to ${kyc_level}`;
  return `Set is_pep to ${is_pep}${level} for subscriber ${id}.`;
}

function redirectedIn({ phone_number, partner_wallet_id }: Update): string {
  const names = [
    phone_number === undefined ? [] : 'phone number',
    partner_wallet_id === undefined ? [] : 'partner wallet',
  ];
  return names.flat().join(' or ');
}

/** An update changes neither the balance nor the cards nor a lock, a reset or a block. */
const UNCHANGED = {
  balance: 0,
  held: 0,
  cards_count: 0,
  pin_locked_until: null,
  pin_lock_reason: null,
  pin_reset_code_until: null,
  blocked_by_name: null,
};

/** Without what other tables have, and what follows from it, such as the available balance. */
function storedFields(record: object, row: SubscriberRow): object {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name in row));
}

type ExactQuery = { [Each in 'phoneNumber' | 'accountNumber' | 'cardSerial']?: string | undefined };

function isExact({ phoneNumber, accountNumber, cardSerial }: ExactQuery): boolean {
  return phoneNumber !== undefined || accountNumber !== undefined || cardSerial !== undefined;
}

/** The agent of an agent's user, or the user if it belongs to no agent; null for other callers. */
function agentOf(caller: Caller): string | null {
  return isAgentUser(caller) ? (caller.agentId ?? caller.id) : null;
}

/** A match would confirm a guess at a name or an email that the masked record hides. */
function agentSearchRefusal(caller: Caller, query: ListQuery): Refusal | null {
  if (!isAgentUser(caller) || query.search === undefined || !isExact(query)) return null;
  return refuse('INVALID_REQUEST', 'search cannot be combined with phone_number, account_number or card_serial.');
}
