// The compliance rules in force, cached for a second, and their metrics.
import { integer, integerOrNull, text, texts } from '../db/driver/columns.ts';
import type { Reader } from '../db/driver/reader.ts';
import { type Columns, statement } from '../db/driver/statement.ts';
import { type Clock, SECOND_MS } from '../kernel/clock.ts';
import type { Counter, Metrics } from '../kernel/metrics.ts';
import type { MovementType } from '../ledger/movement-types.ts';
import type { Result } from '../ledger/posting/ledger.ts';
import {
  type Kind,
  type RuleOutcome,
  type RuleSide,
  type Severity,
  SIDES,
  type VelocityCheck,
  type VelocityRule,
} from '../ledger/velocity/rules.ts';
import { severityOf } from './alerts.ts';

export {
  evaluate,
  KINDS,
  OUTCOMES,
  SEVERITIES,
  type Severity,
  SIDES,
  type Triggered,
} from '../ledger/velocity/rules.ts';
export { alertIdOf, alertRow, dueAt, type Finding } from './alerts.ts';

export interface RuleCache {
  /** A type's rules; null: there are none. Rejects when the rules cannot be read. */
  checkOf(type: MovementType): Promise<VelocityCheck | null>;
  /** Drops the cache, so that a change applies to the next payment. */
  invalidate(): void;
}

/** How long other gateways may use cached rules. */
const KEPT_MS = SECOND_MS;

interface Snapshot {
  byType: ReadonlyMap<MovementType, VelocityCheck>;
  /** For types that no rule names: their activity is kept for the rules of other types. */
  unnamed: VelocityCheck | null;
  readAt: number;
}

export function createRuleCache(reader: Reader, clock: Clock): RuleCache {
  let known: Snapshot | null = null;
  let reading: Promise<Snapshot> | null = null;
  const isFresh = ({ readAt }: Snapshot) => {
    const age = clock.now() - readAt;
    return age >= 0 && age < KEPT_MS;
  };

  /** Concurrent callers share one read. A read that started before `invalidate` is not cached. */
  function read(): Promise<Snapshot> {
    if (reading) return reading;
    const mine = readRules(reader, clock.now()).then(
      (snapshot) => {
        if (reading === mine) [known, reading] = [snapshot, null];
        return snapshot;
      },
      (error) => {
        if (reading === mine) reading = null;
        throw error;
      },
    );
    reading = mine;
    return mine;
  }

  return {
    async checkOf(type) {
      const snapshot = known && isFresh(known) ? known : await read();
      return snapshot.byType.get(type) ?? snapshot.unnamed;
    },
    invalidate() {
      [known, reading] = [null, null];
    },
  };
}

const RULES = statement(
  'compliance-rules',
  `select id, version, name, kind, transaction_types, threshold, window_seconds, outcome, severity,
    side from compliance_rules where enabled order by id`,
  ruleOf,
);

async function readRules(reader: Reader, readAt: number): Promise<Snapshot> {
  return { ...checksByType(await reader.run(RULES)), readAt };
}

function ruleOf([id, version, name, kind, types, threshold, seconds, outcome, severity, side]: Columns): VelocityRule {
  return {
    id: text(id),
    version: integer(version),
    name: text(name),
    kind: text<Kind>(kind),
    side: text<RuleSide>(side),
    types: texts(types),
    threshold: integer(threshold),
    windowMs: (integerOrNull(seconds) ?? 0) * SECOND_MS,
    outcome: text<RuleOutcome>(outcome),
    severity: text<Severity>(severity),
  };
}

export function checksByType(rules: readonly VelocityRule[]): Omit<Snapshot, 'readAt'> {
  const [payer, payee] = SIDES.map((side) => rules.filter((rule) => rule.side === side));
  const keepMs = keepMsOf(payer);
  const payeeKeepMs = keepMsOf(payee);
  const of = (type: MovementType, side: readonly VelocityRule[] = []) =>
    side.filter(({ types }) => types.includes(type));
  // Without rules of the side payee, received payments cost nothing.
  const checkOf = (type: MovementType): VelocityCheck => ({
    ...{ rules: of(type, payer), keepMs },
    ...(payee?.length ? { payee: { rules: of(type, payee), keepMs: payeeKeepMs } } : {}),
  });
  const types = new Set(rules.flatMap((rule) => rule.types));
  const byType = new Map([...types].map((type) => [type, checkOf(type)]));
  const unnamed = { rules: [], keepMs, ...(payeeKeepMs > 0 ? { payee: { rules: [], keepMs: payeeKeepMs } } : {}) };
  return { byType, unnamed: keepMs + payeeKeepMs > 0 ? unnamed : null };
}

function keepMsOf(rules: readonly VelocityRule[] = []): number {
  return Math.max(0, ...rules.map(({ windowMs }) => windowMs));
}

export interface ComplianceMetrics {
  /** `failed`: the rules could not be read. */
  checks: Record<'pass' | 'flag' | 'block' | 'failed', Counter>;
  alerts: Record<'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW', Counter>;
}

export function complianceMetrics(metrics: Metrics): ComplianceMetrics {
  return {
    checks: metrics.counters({
      name: 'kissi_compliance_checks_total',
      help: 'Compliance checks, by outcome.',
      label: 'outcome',
      values: ['pass', 'flag', 'block', 'failed'],
    }),
    alerts: metrics.counters({
      name: 'kissi_compliance_alerts_total',
      help: 'Compliance alerts raised, by severity.',
      label: 'severity',
      values: ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'],
    }),
  };
}

/** Counts a payment's outcome. Replays are not counted again. */
export function countChecked({ checks, alerts }: ComplianceMetrics, result: Result): void {
  if (result.outcome === 'refused' && result.reason === 'compliance') {
    checks.block.value += 1;
    alerts.CRITICAL.value += 1;
  } else if (result.outcome === 'posted' && result.triggered) {
    checks.flag.value += 1;
    alerts[severityOf(result.triggered)].value += 1;
  } else if (result.outcome === 'posted') {
    checks.pass.value += 1;
  }
}

export function registerReviewGauge(metrics: Metrics, overdue: () => Promise<number>): void {
  metrics
    .gauge({ name: 'kissi_compliance_alerts_overdue', help: 'Open alerts whose review is overdue.' })
    .readFrom(overdue);
}
