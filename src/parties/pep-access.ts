// Access to the accounts of politically exposed persons (PEPs): only users who verified a one-time code have it.
import type { Actor, AuditLog } from '../audit/log.ts';
import { type Caller, isOwnChannel, isStaff } from '../auth/caller.ts';
import { batchLoader, type Load } from '../db/batch-loader.ts';
import type { Database, Queries } from '../db/database.ts';
import { textArray } from '../db/driver/binary-arrays.ts';
import { text, timestampOrNull } from '../db/driver/columns.ts';
import type { Reader } from '../db/driver/reader.ts';
import { statement } from '../db/driver/statement.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';

/** The kind of data that was read or changed, for the audit log. */
export type PepDataKind =
  | 'record'
  | 'pin'
  | 'cards'
  | 'balance'
  | 'history'
  | 'statement'
  | 'payment'
  | 'webhook'
  | 'alert'
  | 'check'
  | 'notes'
  | 'case'
  | 'list';

interface PepFlag {
  id: string;
  is_pep: boolean;
}

export interface PepGuard {
  /** Null when the caller has access. Access to a PEP's record is audited, in the given transaction if there is one. */
  refusal(actor: Actor, subscriber: PepFlag, matter: PepDataKind, trx?: Queries): Promise<Refusal | null>;
  /** The same by id; null when there is no subscriber. */
  refusalOf(actor: Actor, subscriberId: string | null, matter: PepDataKind, trx?: Queries): Promise<Refusal | null>;
  /**
   * For payments and other requests that the holder confirms with a PIN. Staff need access here too. API keys do not,
   * so a customer's payment costs no query.
   */
  staffRefusal(actor: Actor, subscriberId: string, matter: PepDataKind): Promise<Refusal | null> | null;
  /**
   * For payments, whose ids lists do not show: callers who cannot open access get `notFound`, as for an id that does not
   * exist. It is audited like every refusal.
   */
  concealing(
    actor: Actor,
    subscriberIds: readonly (string | null)[],
    matter: PepDataKind,
    notFound: Refusal,
  ): Promise<Refusal | null>;
  isPep: Load<string, boolean>;
  /** Their ids, for lists in which they must not appear. */
  all(): Promise<string[]>;
  /** Whether this caller has access to PEP accounts now. */
  hasAccess(caller: Caller): Promise<boolean>;
  /**
   * The ids of PEPs in a list that this caller must not see. Access to the other PEPs in the list is audited, if
   * `refusal` did not audit it for the same request.
   */
  hidden(actor: Actor, ids: readonly (string | null)[]): Promise<Set<string>>;
}

export interface PepGuardDependencies {
  database: Database;
  audit: AuditLog;
  clock: Clock;
}

export function createPepGuard({ database, audit, clock }: PepGuardDependencies): PepGuard {
  const isPep = pepById(database.reader);
  const until = openUntil(database.reader);
  /** The persons by request. Not those of transactions: they can be rolled back, and the entry with them. */
  const audited = new WeakMap<Actor, Set<string>>();

  async function hasAccess(caller: Caller): Promise<boolean> {
    if (caller.kind !== 'user' || !caller.pepAccessAuthorized) return false;
    return Number(await until(caller.id)) > clock.now();
  }

  async function refusal(
    requester: Actor,
    { id, is_pep }: PepFlag,
    matter: PepDataKind,
    trx?: Queries,
  ): Promise<Refusal | null> {
    if (!is_pep || isOwnChannel(requester.caller, id)) return null;
    // The access of the requester was checked when the request was made; the approver sees the account now.
    const { approval, ...request } = requester;
    const actor = approval ? { ...request, caller: approval.approvedBy } : request;
    if (!(await hasAccess(actor.caller))) return accessRequired(actor.caller, id);
    const about = { resourceType: 'subscriber', resourceId: id, details: { matter } };
    await audit.record(trx ?? database.queries, actor, { action: ACTION, ...about });
    if (!trx) audited.set(requester, (audited.get(requester) ?? new Set()).add(id));
    return null;
  }

  async function refusalOf(
    actor: Actor,
    subscriberId: string | null,
    matter: PepDataKind,
    trx?: Queries,
  ): Promise<Refusal | null> {
    if (subscriberId === null) return null;
    return refusal(actor, { id: subscriberId, is_pep: await isPep(subscriberId) }, matter, trx);
  }

  async function pepsAmong(ids: readonly (string | null)[]): Promise<string[]> {
    const distinct = [...new Set(ids)].filter((id) => id !== null);
    const flags = await Promise.all(distinct.map(isPep));
    return distinct.filter((_, index) => flags[index]);
  }

  async function hidden(actor: Actor, ids: readonly (string | null)[]): Promise<Set<string>> {
    const peps = await pepsAmong(ids);
    if (peps.length === 0) return new Set();
    if (!(await hasAccess(actor.caller))) return new Set(peps);
    const others = peps.filter((id) => !audited.get(actor)?.has(id));
    const entries = others.map((resourceId) => ({
      action: ACTION,
      ...{ resourceType: 'subscriber', resourceId, details: { matter: 'list' } },
    }));
    // Sequential: the inserts share a connection, and there are few.
    for (const entry of entries) await audit.record(database.queries, actor, entry);
    return new Set();
  }

  return {
    refusal,
    refusalOf,
    async concealing(actor, ids, matter, { code, message }) {
      for (const id of ids) {
        const refused = await refusalOf(actor, id, matter);
        if (!refused) continue;
        return canOpenAccess(actor.caller) ? refused : refuse(code, message, { audited: aboutAccess(id ?? undefined) });
      }
      return null;
    },
    staffRefusal: (actor, id, matter) => (actor.caller.kind === 'user' ? refusalOf(actor, id, matter) : null),
    isPep,
    all: () => database.reader.run(ALL, []),
    hasAccess,
    hidden,
  };
}

const ACTION = 'pep.access';

/** For a list of PEPs without a single person that it could be about. */
export function pepListRefusal(caller: Caller): Refusal {
  if (isExternal(caller))
    return refuse('FORBIDDEN', 'This filter is not open to this caller.', { audited: aboutAccess() });
  return refuse('PEP_ACCESS_REQUIRED', `A list of politically exposed persons ${OPENED_BY}`, {
    audited: aboutAccess(),
  });
}

const OPENED_BY = 'is open to authorized users for 15 minutes after POST /admin/pep/otp and POST /admin/pep/verify.';

/** Agents and merchants do not learn that their customer is a PEP. */
function accessRequired(caller: Caller, id: string): Refusal {
  const audited = aboutAccess(id);
  if (isExternal(caller)) return refuse('FORBIDDEN', 'This account is not open to this caller.', { audited });
  return refuse('PEP_ACCESS_REQUIRED', `This is a politically exposed person's account: it ${OPENED_BY}`, { audited });
}

function isExternal(caller: Caller): boolean {
  if (caller.kind === 'key') return caller.partnerId !== null || caller.processorId !== null;
  return caller.kind === 'user' && !isStaff(caller);
}

function canOpenAccess(caller: Caller): boolean {
  return caller.kind === 'user' && caller.pepAccessAuthorized;
}

function aboutAccess(resourceId?: string): NonNullable<Refusal['audited']> {
  return { action: ACTION, resourceType: 'subscriber', ...(resourceId === undefined ? {} : { resourceId }) };
}

const ALL = statement('pep-all', 'select id from subscribers where is_pep', ([id]) => text(id));

const PEPS = statement(
  'pep-by-id',
  `select requested.id from unnest($1::text[]) as requested (id)
  cross join lateral (select 1 from subscribers where id = requested.id and is_pep limit 1) pep`,
  ([id]) => text(id),
);

/** For any account id; false when the id is not a subscriber's. */
function pepById(reader: Reader): Load<string, boolean> {
  return batchLoader({
    async fetch(ids: string[]) {
      const peps = new Set(await reader.run(PEPS, [textArray([...new Set(ids)])]));
      return ids.map((id) => peps.has(id));
    },
  });
}

const OPEN = statement(
  'pep-access',
  `select requested.id, a.open_until from unnest($1::text[]) as requested (id)
  cross join lateral (select open_until from pep_access where user_id = requested.id limit 1) a`,
  ([id, until]) => [text(id), timestampOrNull(until)] as const,
);

/** When the access of a user ends; null when it is not open. */
function openUntil(reader: Reader): Load<string, Date | null> {
  return batchLoader({
    async fetch(userIds: string[]) {
      const until = new Map(await reader.run(OPEN, [textArray([...new Set(userIds)])]));
      return userIds.map((id) => until.get(id) ?? null);
    },
  });
}
