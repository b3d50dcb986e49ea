// The commission terms of an agent: its tier, its own percentage if the tier is custom, and when commission is settled.
import type { Queries } from '../../db/database.ts';
import { parsePercentage } from '../../kernel/percentage.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { AgentRow } from '../../parties/agent.ts';
import { commissionPercent, MAX_COMMISSION_PERCENT, readTiers } from '../../payments/commission.ts';
import type { AgentContext } from './context.ts';
import type { AgentChange } from './store.ts';

/** In ten-thousandths of a percent; null if none was sent. */
export function readPercent(percent: number | undefined): number | null | Refusal {
  if (percent === undefined) return null;
  const rule = `must be from 0 to ${MAX_COMMISSION_PERCENT} with at most 4 decimals`;
  return parsePercentage(percent, MAX_COMMISSION_PERCENT) ?? refuse('INVALID_REQUEST', `commission_percent ${rule}.`);
}

/** A percentage that would have no effect is refused. */
export function tierRefusal(tier: AgentRow['commission_tier'] | undefined): Refusal | null {
  if (tier === 'custom') return null;
  return refuse('INVALID_REQUEST', 'commission_percent is allowed only with the commission_tier custom.');
}

/** The change with the percentage that goes with its tier: required for custom, and cleared with any other. */
export function withPercent(before: AgentRow, change: AgentChange): AgentChange | Refusal {
  const tier = change.commission_tier ?? before.commission_tier;
  if (tier !== 'custom') {
    const refusal = change.commission_percent == null ? null : tierRefusal(tier);
    return refusal ?? (before.commission_percent === null ? change : { ...change, commission_percent: null });
  }
  // Agents that were custom before percentages existed have none, and are paid as standard.
  const isMissing = before.commission_tier !== 'custom' && change.commission_percent == null;
  return isMissing ? refuse('INVALID_REQUEST', 'The commission_tier custom requires commission_percent.') : change;
}

type Terms = Pick<AgentRow, 'commission_tier'> & { commission_percent?: number | null };

/** Refuses terms under which percentages would pay out more than they charge. */
export async function percentRefusal({ fees }: AgentContext, trx: Queries, terms: Terms): Promise<Refusal | null> {
  const { commission_tier: tier, commission_percent: percent = null } = terms;
  // Most agents are standard, whose percentage was checked when the tier was changed.
  if (tier === 'standard') return null;
  return fees.percentRefusal(trx, commissionPercent(await readTiers(trx), { tier, percent }));
}
