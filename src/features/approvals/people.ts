// The names beside a request's ids: its parties, and the users who requested and decided it.
import type { Actor } from '../../audit/log.ts';
import { type Caller, isStaff } from '../../auth/caller.ts';
import type { Queries } from '../../db/database.ts';
import { isSystemAccount } from '../../ledger/system-accounts.ts';
import { createPartyViews, type NameDependencies } from '../../parties/names.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import type { Input } from './operation.ts';
import { type ApprovalRow, findUserNames, type UserName } from './store.ts';

/** A party as the summary of a request names it. */
export interface NamedParty {
  id: string;
  /** Null for a politically exposed person. */
  name: string | null;
}

export interface PartyDependencies extends NameDependencies {
  pep: Pick<PepGuard, 'isPep'>;
}

/** Names the parties at the request's time, if the requester may see them. */
export type NameParties = (actor: Actor, ids: readonly string[]) => Promise<NamedParty[]>;

export function createPartyNames(queries: Queries, dependencies: PartyDependencies): NameParties {
  const partyView = createPartyViews(dependencies);

  async function named(caller: Caller, id: string): Promise<NamedParty[]> {
    const { kind, name } = await partyView(id, null, isStaff(caller));
    if (kind !== null) return [{ id, name: (await dependencies.pep.isPep(id)) ? null : name }];
    const user = (await findUserNames(queries, [id])).get(id);
    return user ? [{ id, name: `${user.name} (${user.email})` }] : [];
  }

  return async ({ caller }, ids) => {
    const distinct = [...new Set(ids)].filter((id) => !isSystemAccount(id));
    return (await Promise.all(distinct.map((id) => named(caller, id)))).flat();
  };
}

const isRecordId = (name: string) => /^id$|_id$/.test(name) && name !== 'request_id';

/** The ids in a request's path and body. `request_id` is free text, which could name anybody. */
export function idsOf({ params, body }: Input<unknown, unknown>): string[] {
  const fields = [...Object.entries(params as object), ...Object.entries(body as object)];
  return fields.filter(([name, value]) => isRecordId(name) && typeof value === 'string').map(([, id]) => id);
}

/** Whom a request is about: who must not see one of them sees nothing of it. */
export function subjectsOf({ subscriber_id, summary }: Pick<ApprovalRow, 'subscriber_id' | 'summary'>): string[] {
  const { parties } = summary as unknown as { parties: NamedParty[] };
  return [subscriber_id ?? [], ...parties.map(({ id }) => id)].flat();
}

/** The requester and the decider of one approval; null where the reader does not see them. */
export interface ApprovalUsers {
  requester: UserName | null;
  decider: UserName | null;
}

/** Users of processors see who decided by id only. */
export async function usersOf(queries: Queries, { caller }: Actor, rows: readonly ApprovalRow[]) {
  const users = await findUserNames(queries, [
    ...new Set(rows.flatMap((row) => [row.requested_by, row.decided_by ?? []].flat())),
  ]);
  const seen = (id: string | null) => (id !== null && (isStaff(caller) || id === caller.id) ? users.get(id) : null);
  return (row: ApprovalRow): ApprovalUsers => ({
    requester: seen(row.requested_by) ?? null,
    decider: seen(row.decided_by) ?? null,
  });
}
