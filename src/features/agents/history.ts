// The transaction history of an agent, page by page, with totals over the same period.
import type { Actor } from '../../audit/log.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { MovementType } from '../../ledger/movement-types.ts';
import { commissionsIn, type TypeTotals } from '../../ledger/queries/totals.ts';
import { noSuchAgent } from '../../parties/agent.ts';
import type { AccountHistoryRequest, HistoryPage } from '../transactions/service.ts';
import type { AgentContext } from './context.ts';
import { viewRefusal } from './network-access.ts';

export interface AgentHistory extends HistoryPage {
  /** Totals of all matching records; null after the first page and while pending. */
  totals: Totals | null;
  /** The totals exceed the time limit of a request and are still being computed. */
  totalsPending: boolean;
}

export type Totals = ReturnType<typeof totalsOf>;

export function createHistory({ findAgent, transactions }: AgentContext) {
  return async function history(
    actor: Actor,
    id: string,
    request: AccountHistoryRequest,
  ): Promise<AgentHistory | Refusal> {
    const agent = await findAgent(id);
    if (!agent) return noSuchAgent();
    const refusal = viewRefusal(actor.caller, agent);
    if (refusal) return refusal;
    const found = await transactions.summedHistory(actor, id, request);
    if (found instanceof Refusal) return found;
    const { sums, sumsPending, ...page } = found;
    return { ...page, totals: sums && totalsOf(sums), totalsPending: sumsPending };
  };
}

/** They add up to balance_change. */
function totalsOf(rows: TypeTotals[]) {
  const sum = (of: 'count' | 'amount' | 'fee' | 'change', type?: MovementType, paid?: boolean) =>
    rows
      .filter((row) => type === undefined || (row.type === type && row.paid === paid))
      .reduce((total, row) => total + row[of], 0);
  return {
    count: sum('count'),
    cash_in: sum('amount', 'agent_cashin', true),
    cash_in_count: sum('count', 'agent_cashin', true),
    cash_out: sum('amount', 'wallet_withdraw', false),
    cash_out_count: sum('count', 'wallet_withdraw', false),
    funded: sum('amount', 'agent_fund', false),
    returned: sum('amount', 'agent_return', true),
    transferred_in: sum('amount', 'agent_transfer', false),
    transferred_out: sum('amount', 'agent_transfer', true),
    fees: sum('fee'),
    commissions: commissionsIn(rows),
    balance_change: sum('change'),
  };
}
