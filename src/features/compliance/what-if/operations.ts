// What a monitoring rule would have done in the last 30 days: replays the payments and moves nothing.
import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Actor } from '../../../audit/log.ts';
import { isStaff } from '../../../auth/caller.ts';
import type { Database, Queries } from '../../../db/database.ts';
import { type Clock, DAY_MS, iso, SECOND_MS } from '../../../kernel/clock.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { MovementType } from '../../../ledger/movement-types.ts';
import type { HistoryReplay, Replayed, ReplayedMovement } from '../../../ledger/queries/history-replay.ts';
import type { VelocityRule } from '../../../ledger/velocity/rules.ts';
import { createPartyViews, type NameDependencies, type PartyViews } from '../../../parties/names.ts';
import type { PepGuard } from '../../../parties/pep-access.ts';
import type { PepPayments } from '../../../parties/pep-payments.ts';
import type { NewRule, RuleFields } from '../rule-schemas.ts';
import { findRule, type RuleRow, type RuleTerms } from '../rule-store.ts';
import { changedTerms, newTerms } from '../rule-terms.ts';
import { noSuchRule } from '../rules.ts';
import type { whatIfReply } from './schemas.ts';
import { RuleSimulation } from './simulation.ts';

export interface WhatIfContext {
  database: Database;
  clock: Clock;
  pep: PepGuard;
  partyView: PartyViews;
}

export interface WhatIfDependencies extends Omit<WhatIfContext, 'partyView'>, NameDependencies {
  replay: HistoryReplay;
  pepPayments: PepPayments;
}

const PERIOD_MS = 30 * DAY_MS;
const TOP_SUBJECTS = 20;

type WhatIf = Static<typeof whatIfReply>;

interface Compared {
  terms: RuleTerms;
  proposed: RuleSimulation;
  /** Null for a new rule. */
  current: RuleSimulation | null;
}

export function createWhatIf(deps: WhatIfDependencies) {
  const { database, clock, replay, pepPayments } = deps;
  const context = { ...deps, partyView: createPartyViews(deps) };

  async function run(actor: Actor, terms: RuleTerms, before: RuleRow | null): Promise<WhatIf | Refusal> {
    const to = clock.now();
    const rules = [terms, ...(before ? [before] : [])].map(ruleOf);
    // With a threshold, the value of the payments above it is the amount of a single one.
    const leftOut = await pepPayments.leftOut(actor.caller);
    const hidden = new Set([...(leftOut?.accounts ?? []), ...(leftOut?.movements ?? [])]);
    const replayed = await replay.run({
      // Even if the rule is and stays disabled: its payments are counted, and a replay needs a type.
      types: [...new Set([...terms.transaction_types, ...rules.flatMap(({ types }) => types)])] as MovementType[],
      ...{ from: to - PERIOD_MS, to, warmUpMs: Math.max(...rules.map(({ windowMs }) => windowMs)) },
      begin: () => ({ compared: comparedOf(terms, before), days: new DailyCounts() }),
      visit({ compared, days }, movement, isCounted) {
        const { id, fromAccount, toAccount } = movement;
        const isHidden = [id, fromAccount, toAccount].some((each) => hidden.has(each));
        if (!isHidden) days.count(compared, movement, isCounted);
      },
    });
    if (replayed instanceof Refusal) return replayed;
    const { compared, days } = replayed.state;
    const refused = before ? await countRefused(database.queries, before.id, replayed) : 0;
    return {
      ...(await proposedView(context, actor, compared, { days, replayed })),
      ...currentView(compared, days, refused),
    };
  }

  return {
    /** A rule that does not exist yet, as if it were enabled. */
    async whatIfNewRule(actor: Actor, input: NewRule): Promise<WhatIf | Refusal> {
      const terms = newTerms({ ...input, enabled: true });
      if (terms instanceof Refusal) return terms;
      return run(actor, terms, null);
    },

    /** An existing rule with changes. It counts as enabled, unless the changes disable it. */
    async whatIfRule(actor: Actor, id: string, input: RuleFields): Promise<WhatIf | Refusal> {
      const before = await findRule(database.queries, id);
      if (!before) return noSuchRule();
      const terms = changedTerms(before, { enabled: true, ...input });
      if (terms instanceof Refusal) return terms;
      return run(actor, terms, before);
    },
  };
}

function comparedOf(terms: RuleTerms, before: RuleRow | null): Compared {
  const simulate = (each: RuleTerms) => new RuleSimulation(ruleOf(each));
  return { terms, proposed: simulate(terms), current: before && simulate(before) };
}

/** A disabled rule applies to no type. */
function ruleOf(terms: RuleTerms): VelocityRule {
  const { name, kind, side, transaction_types, threshold, window_seconds, outcome, severity, enabled } = terms;
  const windowMs = (window_seconds ?? 0) * SECOND_MS;
  const types = enabled ? (transaction_types as VelocityRule['types']) : [];
  return { id: 'what-if', version: 0, name, kind, side, types, threshold, windowMs, outcome, severity };
}

interface DailyCount {
  payments: number;
  proposed: number;
  current: number;
}

/** Counts by UTC day, and the payments that only one of the rules affects. */
class DailyCounts {
  payments = 0;
  onlyProposed = 0;
  onlyCurrent = 0;
  private readonly days = new Map<number, DailyCount>();

  count({ terms, proposed, current }: Compared, movement: ReplayedMovement, isCounted: boolean): void {
    const byProposed = proposed.visit(movement, isCounted);
    const byCurrent = current?.visit(movement, isCounted) ?? false;
    if (!isCounted) return;
    const day = this.day(Math.floor(movement.at / DAY_MS));
    if (terms.transaction_types.includes(movement.type)) {
      this.payments += 1;
      day.payments += 1;
    }
    if (byProposed) day.proposed += 1;
    if (byCurrent) day.current += 1;
    if (byProposed && !byCurrent) this.onlyProposed += 1;
    if (byCurrent && !byProposed) this.onlyCurrent += 1;
  }

  /** Every day from the first to the last. */
  between({ from, to }: Replayed): { date: string; count: DailyCount }[] {
    const [first, last] = [Math.floor(from / DAY_MS), Math.floor(to / DAY_MS)];
    return Array.from({ length: last - first + 1 }, (_, index) => ({
      date: iso((first + index) * DAY_MS).slice(0, 'YYYY-MM-DD'.length),
      count: this.day(first + index),
    }));
  }

  private day(day: number): DailyCount {
    const known = this.days.get(day) ?? { payments: 0, proposed: 0, current: 0 };
    this.days.set(day, known);
    return known;
  }
}

async function proposedView(
  context: WhatIfContext,
  actor: Actor,
  { terms, proposed, current }: Compared,
  { days, replayed }: { days: DailyCounts; replayed: Replayed },
): Promise<Omit<WhatIf, 'current' | 'comparison'>> {
  const split = (count: number) => byOutcome(proposed, count);
  return {
    rule: terms as WhatIf['rule'],
    period: { from: iso(replayed.from), to: iso(replayed.to) },
    truncated: replayed.truncated,
    counts_are_minimum: replayed.warmUpCut,
    payments_checked: days.payments,
    proposed: { ...affectedView(proposed, days), ...(await visibleDetails(context, actor, proposed)) },
    days: days.between(replayed).map(({ date, count }) => ({
      ...{ date, payments: count.payments, ...split(count.proposed) },
      ...(current ? { current: count.current } : {}),
    })),
  };
}

function currentView({ current }: Compared, days: DailyCounts, refused: number) {
  if (!current) return {};
  const comparison = { newly_affected: days.onlyProposed, no_longer_affected: days.onlyCurrent };
  return { current: { ...affectedView(current, days), refused }, comparison };
}

function affectedView(simulation: RuleSimulation, { payments }: DailyCounts) {
  const { affected, value, subjectCount } = simulation;
  return {
    ...byOutcome(simulation, affected),
    value,
    share_percent: percentOf(affected, payments),
    subjects: subjectCount,
  };
}

function byOutcome({ rule }: RuleSimulation, count: number): { flagged: number; blocked: number } {
  return rule.outcome === 'block' ? { flagged: 0, blocked: count } : { flagged: count, blocked: 0 };
}

/** With 4 decimals. */
function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 1_000_000) / 10_000;
}

/** Subjects and examples, as the caller may see them. */
async function visibleDetails({ pep, partyView }: WhatIfContext, actor: Actor, simulation: RuleSimulation) {
  const subjects = simulation.topSubjects(TOP_SUBJECTS);
  const examples = simulation.examples.toReversed();
  const parties = examples.flatMap(({ movement }) => [movement.fromAccount, movement.toAccount]);
  const hidden = await pep.hidden(actor, [...subjects.map(({ id }) => id), ...parties]);
  const full = isStaff(actor.caller);
  return {
    top_subjects: await Promise.all(
      subjects
        .filter(({ id }) => !hidden.has(id))
        .map(async ({ id, kind, payments, value }) => {
          return { id, kind, name: (await partyView(id, null, full)).name, payments, value };
        }),
    ),
    examples: examples.flatMap(({ movement: { id, at, type, amount, fromAccount, toAccount }, subject, found }) => {
      if (hidden.has(fromAccount) || hidden.has(toAccount)) return [];
      const measured = Math.min(found, Number.MAX_SAFE_INTEGER);
      return [
        { transaction_id: id, at: iso(at), transaction_type: type, amount, subject_id: subject, found: measured },
      ];
    }),
  };
}

/** Alerts about payments that the rule blocked, without those of POST /compliance/check. */
async function countRefused(queries: Queries, ruleId: string, { from, to }: Replayed): Promise<number> {
  const { count } = await queries
    .selectFrom('compliance_alerts')
    .select(sql<number>`count(*)`.as('count'))
    .where('rule_id', '=', ruleId)
    .where('created_at', '>=', new Date(from))
    .where('created_at', '<=', new Date(to))
    .where(sql<boolean>`figures->>'outcome' = 'block' and figures->>'check' is null`)
    .executeTakeFirstOrThrow();
  return count;
}
