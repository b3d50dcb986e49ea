// The names of payer and payee in a page of history, for users and customers. Replies to API keys have ids only.
import type { Actor } from '../../audit/log.ts';
import { isStaff } from '../../auth/caller.ts';
import { createPartyViews, type NameDependencies } from '../../parties/names.ts';
import type { HistoryPage } from './record.ts';

export function createHistoryNames(dependencies: NameDependencies) {
  const partyView = createPartyViews(dependencies);

  async function nameOf({ caller }: Actor, id: string | null): Promise<string | null> {
    return id === null ? null : (await partyView(id, null, isStaff(caller))).name;
  }

  /** The names of the parties whose ids a record has. */
  return async function withNames(actor: Actor, page: HistoryPage): Promise<HistoryPage> {
    if (actor.caller.kind !== 'user' && actor.caller.kind !== 'subscriber') return page;
    const ids = new Set(page.transactions.flatMap(({ payer_id, payee_id }) => [payer_id, payee_id]));
    const names = new Map(await Promise.all([...ids].map(async (id) => [id, await nameOf(actor, id)] as const)));
    const transactions = page.transactions.map((record) => ({
      ...record,
      payer_name: names.get(record.payer_id) ?? null,
      payee_name: names.get(record.payee_id) ?? null,
    }));
    return { ...page, transactions };
  };
}
