// The percentages of the commission tiers: reading them, and changing them as an operation that can need approval.
import type { Actor } from '../../../audit/log.ts';
import type { Queries } from '../../../db/database.ts';
import { ok } from '../../../http/endpoint.ts';
import { parsePercentage, percentageOf } from '../../../kernel/percentage.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { MAX_COMMISSION_PERCENT, readTiers, TIERS, type TierPercents } from '../../../payments/commission.ts';
import type { ChangeOperation } from '../../approvals/service.ts';
import type { CommissionDependencies } from './context.ts';
import type { TiersBody } from './schemas.ts';
import { saveTier } from './store.ts';

export function createTiers({ database, audit, fees, clock }: CommissionDependencies) {
  async function save(trx: Queries, actor: Actor, sent: Partial<TierPercents>): Promise<TierPercents | Refusal> {
    // Serializes changes of percentages: it locks the fee settings.
    const refusal = await fees.percentRefusal(trx, Math.max(...Object.values(sent)));
    if (refusal) return refusal;
    const before = await readTiers(trx);
    const after = { ...before, ...sent };
    const change = { updated_by: String(actor.caller.id), updated_at: new Date(clock.now()) };
    for (const tier of TIERS.filter((each) => after[each] !== before[each])) {
      await saveTier(trx, tier, after, change);
      await audit.record(trx, actor, {
        action: 'commission_tier.update',
        resourceType: 'commission_tier',
        resourceId: tier,
        details: { from: percentageOf(before[tier]), to: percentageOf(after[tier]) },
      });
    }
    return after;
  }

  const change: ChangeOperation<unknown, TiersBody, TierPercents> = {
    kind: 'change',
    name: 'commission_tiers.put',
    action: 'fees.change',
    permission: 'commission:write',
    describe({ body }) {
      const sent = TIERS.filter((tier) => body[tier] !== undefined).map((tier) => `${tier} ${body[tier]} %`);
      return `Change commission tiers: ${sent.join(', ')}.`;
    },
    before: async () => tiersView(await readTiers(database.queries)),
    after: tiersView,
    plan(actor, { body }) {
      const sent = readPercents(body);
      return sent instanceof Refusal ? sent : (trx) => save(trx, actor, sent);
    },
    reply: (tiers) => ok({ success: true, message: 'The commission tiers were saved.', ...tiersView(tiers) }),
  };

  return { tiers: async () => tiersView(await readTiers(database.queries)), change };
}

function readPercents(body: TiersBody): Partial<TierPercents> | Refusal {
  const percents: Partial<Record<(typeof TIERS)[number], number>> = {};
  for (const tier of TIERS) {
    const sent = body[tier];
    if (sent === undefined) continue;
    const percent = parsePercentage(sent, MAX_COMMISSION_PERCENT);
    if (percent === null) return refuse('INVALID_REQUEST', `${tier} must have at most 4 decimals.`);
    percents[tier] = percent;
  }
  return percents;
}

function tiersView({ standard, premium }: TierPercents) {
  return { standard: percentageOf(standard), premium: percentageOf(premium) };
}
