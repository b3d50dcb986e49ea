// What agents earn: the percentages of the commission tiers, read by payments with an agent, and the side that earns.
import { sql } from 'kysely';
import type { Queries } from '../db/database.ts';
import { bool, integer, text } from '../db/driver/columns.ts';
import type { Reader } from '../db/driver/reader.ts';
import { statement } from '../db/driver/statement.ts';
import { type TableReader, tableReader } from '../db/keyed-lookup.ts';
import { type CommissionPercents, FULL_PERCENT } from './fees.ts';

/** The tiers with their own percentage; agents of the tier custom have one each. */
export const TIERS = ['standard', 'premium'] as const;
export type Tier = (typeof TIERS)[number];

/** In ten-thousandths of a percent. */
export type TierPercents = Readonly<Record<Tier, number>>;

/** Used until the operator changes them. */
export const DEFAULT_TIERS: TierPercents = { standard: FULL_PERCENT, premium: 1_200_000 };
/** In percent. */
export const MAX_COMMISSION_PERCENT = 500;

export interface CommissionTiers extends TierPercents {
  /** The highest percentage that an agent has who is not terminated. */
  highest: number;
}

/** The tier of an agent, its own percentage if the tier is custom, and the account that commission is credited to. */
export interface CommissionTerms {
  tier: Tier | 'custom';
  /** For the tier custom. Null: as standard. */
  percent: number | null;
  /** The commission account; null: commission is credited to the side's own account. */
  account: string | null;
}

const DEFAULTS = TIERS.map((tier) => `('${tier}', ${DEFAULT_TIERS[tier]})`).join(', ');

interface TierRow {
  tier: Tier | 'custom';
  percent: number;
  /** An agent has it. */
  used: boolean;
}

// A few index look-ups. The highest percentage limits flat commissions: an agent that has it may pay out the deposit.
const TIERS_SQL = `select d.tier, coalesce(t.percent, d.percent) as percent, d.tier = 'standard' or exists (
      select from agents a where a.commission_tier = d.tier and a.status <> 'terminated') as used
    from (values ${DEFAULTS}) as d (tier, percent) left join commission_tiers t on t.tier = d.tier
  union all select 'custom', percent, true from (select max(commission_percent) as percent from agents
    where commission_tier = 'custom' and status <> 'terminated') c where percent is not null`;

export const COMMISSION_TIERS = statement(
  'commission-tiers',
  TIERS_SQL,
  ([tier, percent, used]): TierRow => ({ tier: text(tier), percent: integer(percent), used: bool(used) }),
);

function tiersOf(rows: readonly TierRow[]): CommissionTiers {
  const percentOf = (tier: Tier) => rows.find((row) => row.tier === tier)?.percent ?? DEFAULT_TIERS[tier];
  const highest = Math.max(...rows.filter(({ used }) => used).map(({ percent }) => percent));
  return { standard: percentOf('standard'), premium: percentOf('premium'), highest };
}

export function tiersReader(reader: Reader): TableReader<CommissionTiers> {
  return tableReader(reader, COMMISSION_TIERS, tiersOf);
}

/** In the caller's transaction. */
export async function readTiers(trx: Queries): Promise<CommissionTiers> {
  return tiersOf((await sql.raw<TierRow>(TIERS_SQL).execute(trx)).rows);
}

export function commissionPercent(tiers: TierPercents, { tier, percent }: Omit<CommissionTerms, 'account'>): number {
  return tier === 'custom' ? (percent ?? tiers.standard) : tiers[tier];
}

/** `payer`, `payee`: the terms of the sides that are agents. Undefined without tiers: the type needs none. */
export function percentsOf(
  tiers: CommissionTiers | null,
  payer: CommissionTerms | undefined,
  payee: CommissionTerms | undefined,
): CommissionPercents | undefined {
  if (!tiers) return undefined;
  const of = (terms: CommissionTerms | undefined) => (terms ? commissionPercent(tiers, terms) : FULL_PERCENT);
  return { payer: of(payer), payee: of(payee), highest: tiers.highest };
}
