// Compliance alerts about payments, written in the payment's own commit.
import { hash } from 'node:crypto';
import { type OutboxRow, OutboxTable } from '../db/outbox-table.ts';
import { type Clock, HOUR_MS, SECOND_MS } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { formatMoney } from '../kernel/money.ts';
import type { AccountKind } from '../ledger/account-kinds.ts';
import type { MovementType } from '../ledger/movement-types.ts';
import type { Movement, MovementRequest, Posted, Refused, Subject } from '../ledger/types.ts';
import {
  isBlocked,
  type Kind,
  type RuleOutcome,
  SEVERITIES,
  type Severity,
  type Triggered,
} from '../ledger/velocity/rules.ts';

/** What an alert says about the payment. Its handling (status, notes, resolution) changes and is audited. */
const SEALED = {
  id: 'text',
  severity: 'text',
  type: 'text',
  subscriber_id: 'text',
  agent_id: 'text',
  processor_id: 'text',
  transaction_id: 'text',
  rule_id: 'text',
  rule_version: 'text',
  description: 'text',
  figures: 'json',
  created_at: 'timestamp',
  due_at: 'timestamp',
} as const;
export const FLAGGED_ALERTS = new OutboxTable('compliance_alerts', { sealed: SEALED });
/** A blocked request that is repeated names the first alert, which exists already. */
const BLOCKED_ALERTS = new OutboxTable('compliance_alerts', { sealed: SEALED, skipExisting: 'id' });

/** SQL about alerts whose review is not finished, as in the index compliance_alerts_due. */
export const IS_PENDING = `status in ('open', 'in_review')`;
/** SQL about alerts whose review is overdue. `now`: SQL of an instant. Every count and list uses it, so that they agree. */
export const isOverdue = (now: string) => `(${IS_PENDING} and due_at < ${now})`;

export type AlertRow = ReturnType<typeof alertRow>;

/** The audit entry of an alert. */
export type AlertEntry = (row: AlertRow) => OutboxRow;

export function flaggedAlert(movement: Movement, posted: Posted, clock: Clock): AlertRow {
  const finding = { ...findingOf(movement, posted), at: posted.at, transactionId: movement.id };
  return alertRow(newId('alert', clock), finding);
}

export function blockedAlert(movement: Movement, refused: Refused, at: number, id: string): AlertRow {
  return alertRow(id, { ...findingOf(movement, refused), at, transactionId: null });
}

/** The alert and its audit entry, for the ledger's commit. */
export function alertRows(row: AlertRow, entryOf?: AlertEntry): OutboxRow[] {
  const table = row.transaction_id === null ? BLOCKED_ALERTS : FLAGGED_ALERTS;
  return [{ table, row }, ...(entryOf ? [entryOf(row)] : [])];
}

/** Derived from the idempotency key where there is one, so that a retry names the same alert. */
export function blockedAlertId({ request }: Movement, clock: Clock): string {
  return request ? alertIdOf(request) : newId('alert', clock);
}

function findingOf(movement: Movement, { triggered = [], triggeredFor }: Posted | Refused) {
  if (!triggeredFor) throw new Error(`movement ${movement.id} triggered no rule`);
  const { type, amount, request, fromAccount, toAccount } = movement;
  const details = { from: fromAccount, to: toAccount, request_id: request?.id ?? null };
  const { rule } = mostSevere(triggered, isBlocked(triggered) ? 'block' : 'flag');
  return { triggered, subject: triggeredFor[rule.side], type, amount, details };
}

/** Time until an alert is due for review; null: no due time. */
const REVIEW_MS: Record<Severity, number | null> = { CRITICAL: 0, HIGH: 24 * HOUR_MS, MEDIUM: 48 * HOUR_MS, LOW: null };

export function dueAt(severity: Severity, createdAt: number): Date | null {
  const within = REVIEW_MS[severity];
  return within === null ? null : new Date(createdAt + within);
}

/** A payment, or a check of one, that triggered rules. */
export interface Finding {
  triggered: readonly Triggered[];
  /** The account the rules were applied to. */
  subject: Subject;
  type: MovementType;
  amount: number;
  at: number;
  /** Null: nothing moved. */
  transactionId: string | null;
  /** Further details. */
  details?: Record<string, unknown>;
}

/** A row of compliance_alerts. Blocked payments are CRITICAL; flagged ones have the severity of their most severe rule. */
export function alertRow(id: string, finding: Finding) {
  const { triggered, subject, type, amount, at, transactionId, details = {} } = finding;
  const outcome: RuleOutcome = isBlocked(triggered) ? 'block' : 'flag';
  const { rule } = mostSevere(triggered, outcome);
  const severity = outcome === 'block' ? 'CRITICAL' : rule.severity;
  const ifKind = (kind: AccountKind) => (subject.kind === kind ? subject.id : null);
  const evidence = { outcome, account_id: subject.id, transaction_type: type, amount, ...details };
  return {
    id,
    severity,
    status: 'open' as const,
    type: rule.kind,
    subscriber_id: ifKind('wallet'),
    agent_id: ifKind('agent_float'),
    processor_id: ifKind('processor'),
    transaction_id: transactionId,
    rule_id: rule.id,
    rule_version: rule.version,
    description: describe(outcome, finding),
    notes: null,
    figures: { ...evidence, rules: triggered.map(ruleEvidence) } as Record<string, unknown>,
    created_at: new Date(at),
    due_at: dueAt(severity, at),
    updated_at: new Date(at),
    resolved_at: null,
    resolved_by: null,
    resolution: null,
  };
}

/** The severity of an alert about a flagged payment. */
export function severityOf(triggered: readonly Triggered[]): Severity {
  return mostSevere(triggered, 'flag').rule.severity;
}

/** The most severe rule that decided the outcome. */
function mostSevere(triggered: readonly Triggered[], outcome: RuleOutcome): Triggered {
  const decisive = triggered.filter(({ rule }) => rule.outcome === outcome);
  const rank = ({ rule }: Triggered) => SEVERITIES.indexOf(rule.severity);
  return decisive.reduce((worst, each) => (rank(each) < rank(worst) ? each : worst));
}

function describe(outcome: RuleOutcome, { triggered, type, amount }: Finding): string {
  const { rule, found, atLeast } = mostSevere(triggered, outcome);
  const verb = outcome === 'block' ? 'Blocked' : 'Flagged';
  const format = (value: number) => (rule.kind === 'velocity_count' ? String(value) : money(value));
  const span = rule.windowMs === 0 ? '' : ` within ${rule.windowMs / SECOND_MS} seconds`;
  const over = `${atLeast ? 'at least ' : ''}${format(found)}${span}, more than ${format(rule.threshold)}`;
  const others = triggered.length > 1 ? `; ${triggered.length - 1} more rule(s) triggered` : '';
  return `${verb} ${type} of ${money(amount)} by the rule "${rule.name}": ${over}${others}.`;
}

/** Sums above 2^53 are shown as the largest exact integer. */
const money = (value: number) => formatMoney(Math.min(value, Number.MAX_SAFE_INTEGER));

function ruleEvidence({ rule, found, atLeast }: Triggered) {
  return {
    rule_id: rule.id,
    rule_version: rule.version,
    name: rule.name,
    kind: rule.kind,
    side: rule.side,
    outcome: rule.outcome,
    severity: rule.severity,
    threshold: rule.threshold,
    window_seconds: rule.windowMs === 0 ? null : rule.windowMs / SECOND_MS,
    [MEASURED[rule.kind]]: Math.min(found, Number.MAX_SAFE_INTEGER),
    ...(atLeast ? { at_least: true } : {}),
  };
}

const MEASURED = { amount: 'amount', velocity_count: 'count', velocity_amount: 'sum' } as const satisfies Record<
  Kind,
  string
>;

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ID_CHARS = 26;

/** Derived from the request, so that a repeated blocked request names the same alert. */
export function alertIdOf(request: MovementRequest): string {
  const bytes = hash('sha256', JSON.stringify(['alert', request.scope, request.id, request.hash]), 'buffer');
  let text = '';
  for (const byte of bytes.subarray(0, ID_CHARS)) text += ALPHABET.charAt(byte % ALPHABET.length);
  return `alert_${text}`;
}
