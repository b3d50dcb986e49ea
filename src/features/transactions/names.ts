// The names of payer and payee in a page of history, for users and customers, and of its authors, for staff. Replies to API keys have ids only.
import { actorNames } from '../../audit/actor-names.ts';
import type { Actor } from '../../audit/log.ts';
import { isStaff } from '../../auth/caller.ts';
import type { Queries } from '../../db/database.ts';
import { createPartyViews, type NameDependencies } from '../../parties/names.ts';
import type { HistoryPage } from './record.ts';

export interface HistoryNameDependencies extends NameDependencies {
  queries: Queries;
}

export function createHistoryNames(dependencies: HistoryNameDependencies) {
  const partyView = createPartyViews(dependencies);

  async function nameOf({ caller }: Actor, id: string | null): Promise<string | null> {
    return id === null ? null : (await partyView(id, null, isStaff(caller))).name;
  }

  /** Only staff's records have an author. */
  async function authorsOf({ caller }: Actor, { transactions }: HistoryPage): Promise<Map<string, string> | null> {
    if (!isStaff(caller)) return null;
    const authors = transactions.map(({ actor_type = null, actor_id = null }) => ({ actor_type, actor_id }));
    return actorNames(dependencies.queries, authors);
  }

  /** The names of the parties whose ids a record has. */
  return async function withNames(actor: Actor, page: HistoryPage): Promise<HistoryPage> {
    if (actor.caller.kind !== 'user' && actor.caller.kind !== 'subscriber') return page;
    const ids = new Set(page.transactions.flatMap(({ payer_id, payee_id }) => [payer_id, payee_id]));
    const authors = await authorsOf(actor, page);
    const names = new Map(await Promise.all([...ids].map(async (id) => [id, await nameOf(actor, id)] as const)));
    const transactions = page.transactions.map((record) => ({
      ...record,
      payer_name: names.get(record.payer_id) ?? null,
      payee_name: names.get(record.payee_id) ?? null,
      ...(authors ? { actor_name: authors.get(record.actor_id ?? '') ?? null } : {}),
    }));
    return { ...page, transactions };
  };
}
