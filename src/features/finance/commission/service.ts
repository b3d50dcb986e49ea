// Agents' commission: tier percentages, settlement by period, and what an agent has accrued and been paid.
import type { Page } from '../../../http/paging.ts';
import { iso } from '../../../kernel/clock.ts';
import { CURRENCY, formatMoney } from '../../../kernel/money.ts';
import type { AgentRow } from '../../../parties/agent.ts';
import type { CommissionDependencies } from './context.ts';
import { endedPeriod, lengthOf, periodAt } from './periods.ts';
import { createSettlement } from './settlement.ts';
import { heldBy, type Settled, settlementsOf } from './store.ts';
import { createTiers } from './tiers.ts';

export type { CommissionDependencies } from './context.ts';

export type Commission = ReturnType<typeof createCommission>;

export function createCommission(dependencies: CommissionDependencies) {
  const { database, clock } = dependencies;

  return {
    ...createTiers(dependencies),
    ...createSettlement(dependencies),

    /** What the agent has accrued, by period, and its settlements, newest first. */
    async ofAgent({ id, settlement_mode }: Pick<AgentRow, 'id' | 'settlement_mode'>, page: Page) {
      const now = clock.now();
      const length = lengthOf(settlement_mode);
      const [ended, running] = [endedPeriod(length, now), periodAt(length, now)];
      const [held, { rows, total }] = await Promise.all([
        heldBy(database.pool, id, ended.to),
        settlementsOf(database.pool, id, page),
      ]);
      const accruals = [
        { period: ended.name, ends_at: iso(ended.to), status: 'due' as const, amount: held.ended },
        {
          period: running.name,
          ends_at: iso(running.to),
          status: 'running' as const,
          amount: held.balance - held.ended,
        },
      ];
      return {
        agent_id: id,
        settlement_mode,
        accrued: held.balance,
        accrued_formatted: formatMoney(held.balance),
        accrued_by_period: accruals.filter(({ amount }) => amount > 0),
        settled_total: held.settled,
        currency: CURRENCY,
        settlements: rows.map(settlementView),
        total_count: total,
        limit: page.limit,
        offset: page.offset,
      };
    },
  };
}

function settlementView({ transactionId, period, amount, at }: Settled) {
  const formatted = { amount, amount_formatted: formatMoney(amount) };
  return { period, ...formatted, transaction_id: transactionId, settled_at: iso(at) };
}
