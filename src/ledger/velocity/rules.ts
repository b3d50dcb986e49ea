// Velocity rules and their evaluation. Pure functions, used by payments and by compliance checks.
import type { MovementType } from '../movement-types.ts';
import { type ActivityWindow, boundsOf, isComplete } from './activity-window.ts';

export const KINDS = ['amount', 'velocity_count', 'velocity_amount'] as const;
export const OUTCOMES = ['flag', 'block'] as const;
/** The account that a rule applies to. */
export const SIDES = ['payer', 'payee'] as const;
export type RuleSide = (typeof SIDES)[number];
/** Most severe first. */
export const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const;
export type Kind = (typeof KINDS)[number];
export type RuleOutcome = (typeof OUTCOMES)[number];
export type Severity = (typeof SEVERITIES)[number];

export interface VelocityRule {
  id: string;
  version: number;
  name: string;
  kind: Kind;
  /**
   * payer: the account that the payment counts for (subject.ts), which is the payer where a wallet pays. payee: the
   * account that is paid; with a window, only wallets.
   */
  side: RuleSide;
  types: readonly MovementType[];
  /** The maximum that is allowed: minor units, or a number of payments. */
  threshold: number;
  /** Zero for rules on the single payment. */
  windowMs: number;
  outcome: RuleOutcome;
  severity: Severity;
}

/** The rules of one side that apply to a movement type. */
export interface SideCheck {
  /** The rules that name the type. */
  rules: readonly VelocityRule[];
  /** The longest window of any rule of any type: how long activity is kept. Zero: no activity is kept. */
  keepMs: number;
}

/** The rules of the side payer, and those of the side payee, if there are any. */
export interface VelocityCheck extends SideCheck {
  payee?: SideCheck;
}

export interface Triggered {
  rule: VelocityRule;
  /** The amount, count or sum that exceeds the threshold, this payment included. */
  found: number;
  /** The value is a minimum: counting stops above the threshold. */
  atLeast: boolean;
}

/** `recent` is called only for rules with a window. Null: such rules do not apply to the account. */
export interface CheckedPayment {
  amount: number;
  now: number;
  recent(): ActivityWindow | null;
}

export const NONE_TRIGGERED: readonly Triggered[] = [];

/** The rules that the payment triggers, in order. `rules` must be those of the payment's type. */
export function evaluate(rules: readonly VelocityRule[], payment: CheckedPayment): readonly Triggered[] {
  let triggered: Triggered[] | null = null;
  for (const rule of rules) {
    const found = rule.kind === 'amount' ? beyondAmount(rule, payment) : beyondWindow(rule, payment);
    if (!found) continue;
    triggered ??= [];
    triggered.push(found);
  }
  return triggered ?? NONE_TRIGGERED;
}

export function isBlocked(triggered: readonly Triggered[]): boolean {
  return triggered.some(({ rule }) => rule.outcome === 'block');
}

function beyondAmount(rule: VelocityRule, { amount }: CheckedPayment): Triggered | null {
  return amount > rule.threshold ? { rule, found: amount, atLeast: false } : null;
}

function beyondWindow(rule: VelocityRule, { amount, now, recent }: CheckedPayment): Triggered | null {
  const own = rule.kind === 'velocity_count' ? 1 : amount;
  const known = recent();
  if (known === null) return null;
  if (isFarBelow(rule, known, now, own)) return null;
  const { least, most } = range(rule, known, now);
  if (least + own > rule.threshold) return { rule, found: least + own, atLeast: most > least };
  // The caller must provide a window that decides the rule. Without it no money may move.
  if (most + own > rule.threshold) throw new Error(`rule ${rule.id} cannot be decided from the activity window`);
  return null;
}

/** Whether even the total of all known activity, with what is added, stays within the threshold. */
function isFarBelow(
  { kind, threshold, windowMs }: VelocityRule,
  recent: ActivityWindow,
  now: number,
  added: number,
): boolean {
  const { total, since } = recent;
  if (total === undefined || !isComplete(since, now - windowMs)) return false;
  return (kind === 'velocity_count' ? total.count : total.sum) + added <= threshold;
}

interface Range {
  least: number;
  most: number;
}

function range({ kind, types, windowMs }: VelocityRule, recent: ActivityWindow, now: number): Range {
  const bounds = boundsOf(recent, types, now - windowMs);
  if (kind === 'velocity_count') return { least: bounds.minCount, most: bounds.maxCount };
  return { least: bounds.minSum, most: bounds.maxSum };
}

/** Upper bounds of what a batch adds to an account, and the smallest single amount. */
export interface Incoming {
  count: number;
  sum: number;
  smallest: number;
}

/** Whether the window does not decide if the rule triggers for one of these payments. */
export function undecided(rule: VelocityRule, recent: ActivityWindow, now: number, incoming: Incoming): boolean {
  if (rule.kind === 'amount') return false;
  const [first, all] = rule.kind === 'velocity_count' ? [1, incoming.count] : [incoming.smallest, incoming.sum];
  if (isFarBelow(rule, recent, now, all)) return false;
  const { least, most } = range(rule, recent, now);
  return least + first <= rule.threshold && most + all > rule.threshold;
}
