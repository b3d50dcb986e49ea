// Who may see and change the records of politically exposed persons: whoever opened access with a code, and nobody else.
import type { Actor, AuditLog } from '../../../audit/log.ts';
import type { Caller } from '../../../auth/caller.ts';
import type { Load } from '../../../db/batch-loader.ts';
import type { Database, Queries } from '../../../db/database.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import { openUntil, pepById } from './store.ts';

/** What of a person's was looked at or changed, for the audit log. */
export type Matter =
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
  | 'list';

interface Marked {
  id: string;
  is_pep: boolean;
}

export interface PepGuard {
  /** Null: the caller may; if it is a PEP's record, the audit log then says so, in the transaction when there is one. */
  refusal(actor: Actor, subscriber: Marked, matter: Matter, trx?: Queries): Promise<Refusal | null>;
  /** The same where only the id is at hand; null is nobody's. */
  refusalOf(actor: Actor, subscriberId: string | null, matter: Matter, trx?: Queries): Promise<Refusal | null>;
  /**
   * For payments, and for what the holder proves by PIN: staff need access here too, while a key is let through without
   * a look at anything. Whatever a customer pays costs no query by this.
   */
  staffRefusal(actor: Actor, subscriberId: string, matter: Matter): Promise<Refusal | null> | null;
  isPep: Load<string, boolean>;
  /** Whether all is open to this caller. */
  sees(caller: Caller): Promise<boolean>;
  /** Of the ids in a list those whose records are to be withheld; the others that are PEPs' are in the audit log. */
  hidden(actor: Actor, ids: readonly (string | null)[]): Promise<Set<string>>;
}

export interface GuardParts {
  database: Database;
  audit: AuditLog;
  clock: Clock;
}

export function createGuard({ database, audit, clock }: GuardParts): PepGuard {
  const isPep = pepById(database.reader);
  const until = openUntil(database.reader);

  async function sees(caller: Caller): Promise<boolean> {
    if (caller.kind !== 'user' || !caller.pepAccessAuthorized) return false;
    return Number(await until(caller.id)) > clock.now();
  }

  async function refusal(
    actor: Actor,
    { id, is_pep }: Marked,
    matter: Matter,
    trx: Queries = database.queries,
  ): Promise<Refusal | null> {
    if (!is_pep) return null;
    if (!(await sees(actor.caller))) return accessRequired(id);
    const about = { resourceType: 'subscriber', resourceId: id, details: { matter } };
    await audit.record(trx, actor, { action: ACTION, ...about });
    return null;
  }

  async function refusalOf(
    actor: Actor,
    subscriberId: string | null,
    matter: Matter,
    trx?: Queries,
  ): Promise<Refusal | null> {
    if (subscriberId === null) return null;
    return refusal(actor, { id: subscriberId, is_pep: await isPep(subscriberId) }, matter, trx);
  }

  async function pepsAmong(ids: readonly (string | null)[]): Promise<string[]> {
    const subscribers = [...new Set(ids)].filter((id) => id?.startsWith('sub_')) as string[];
    const marks = await Promise.all(subscribers.map(isPep));
    return subscribers.filter((_, index) => marks[index]);
  }

  async function hidden(actor: Actor, ids: readonly (string | null)[]): Promise<Set<string>> {
    const peps = await pepsAmong(ids);
    if (peps.length === 0) return new Set();
    if (!(await sees(actor.caller))) return new Set(peps);
    const entries = peps.map((resourceId) => ({
      action: ACTION,
      ...{ resourceType: 'subscriber', resourceId, details: { matter: 'list' } },
    }));
    // One after another: they share a connection, and there are few.
    for (const entry of entries) await audit.record(database.queries, actor, entry);
    return new Set();
  }

  return {
    refusal,
    refusalOf,
    staffRefusal: (actor, id, matter) => (actor.caller.kind === 'user' ? refusalOf(actor, id, matter) : null),
    isPep,
    sees,
    hidden,
  };
}

const ACTION = 'pep.access';

function accessRequired(id: string): Refusal {
  const sentence =
    "This is a politically exposed person's account: it is open to authorized users for 15 minutes after " +
    'POST /admin/pep/otp and POST /admin/pep/verify.';
  return refuse('PEP_ACCESS_REQUIRED', sentence, {
    watched: { action: ACTION, resourceType: 'subscriber', resourceId: id },
  });
}
