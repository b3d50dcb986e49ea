// The transaction history of an agent, and the totals over the same period.
import type { Actor } from '../../audit/log.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import type { MovementType } from '../../ledger/movement-types.ts';
import { commissionsIn, type TypeTotals } from '../../ledger/queries/totals.ts';
import { noSuchAgent } from '../../parties/agent.ts';
import type { AccountHistoryRequest, SummedHistory } from '../transactions/service.ts';
import type { AgentContext } from './context.ts';
import { viewRefusal } from './network-access.ts';

export function createHistory({ findAgent, transactions }: AgentContext) {
  return async function history(
    actor: Actor,
    id: string,
    request: AccountHistoryRequest,
  ): Promise<SummedHistory | Refusal> {
    const agent = await findAgent(id);
    if (!agent) return noSuchAgent();
    const refusal = viewRefusal(actor.caller, agent);
    if (refusal) return refusal;
    return transactions.summedHistory(actor, id, request);
  };
}

/** They add up to balance_change. */
export function totalsOf(rows: TypeTotals[]) {
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
    commissions: commissionsIn(rows) + sum('amount', 'commission_settlement', false),
    balance_change: sum('change'),
  };
}
