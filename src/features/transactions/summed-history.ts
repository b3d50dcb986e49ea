// The endpoint for the history of one account with totals, as agents and processors have it.
import type { TSchema } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import type { Permission } from '../../auth/permissions.ts';
import { type Endpoint, endpoint, okJson } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { listQuery, pageOf } from '../../http/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { TypeTotals } from '../../ledger/queries/totals.ts';
import type { SummedHistory } from './history.ts';
import { historyJson } from './history-json.ts';
import { historyFilters, summedReply } from './schemas.ts';
import type { AccountHistoryRequest } from './selection.ts';

interface SummedHistoryRoute {
  id: string;
  clientMethod: string;
  path: `/${string}/:id/transactions`;
  permission: Permission;
  summary: string;
  description?: string;
  /** The schema of what `totalsOf` returns. */
  totals: TSchema;
  totalsOf(sums: TypeTotals[]): object;
  history(actor: Actor, id: string, request: AccountHistoryRequest): Promise<SummedHistory | Refusal>;
}

export function summedHistoryRoute(route: SummedHistoryRoute): Endpoint {
  const { totals, totalsOf, history, ...definition } = route;
  return endpoint({
    ...definition,
    readsReplica: true,
    method: 'GET',
    params: idParams,
    query: listQuery(historyFilters),
    replies: { 200: summedReply(totals) },
    refusals: ['NOT_FOUND'],
    handle: async (call) => {
      const page = pageOf(call.query);
      const found = await history(call, call.params.id, { ...call.query, ...page });
      if (found instanceof Refusal) return found;
      const { sums, sumsPending, ...listed } = found;
      const pending = sumsPending ? { totals_pending: true } : {};
      return okJson(historyJson(listed, page, { totals: sums && totalsOf(sums), ...pending }));
    },
  });
}
