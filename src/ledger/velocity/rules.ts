// The rules that payments are held against, and what they find: pure, so that whoever asks gets the same answer.
import type { MovementType } from '../movement-types.ts';
import { type ActivityWindow, boundsOf, isComplete } from './activity-window.ts';

export const KINDS = ['amount', 'velocity_count', 'velocity_amount'] as const;
export const OUTCOMES = ['flag', 'block'] as const;
/** The most severe first. */
export const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const;
export type Kind = (typeof KINDS)[number];
export type RuleOutcome = (typeof OUTCOMES)[number];
export type Severity = (typeof SEVERITIES)[number];

export interface VelocityRule {
  id: string;
  version: number;
  name: string;
  kind: Kind;
  types: readonly MovementType[];
  /** What may be reached and not exceeded: minor units, or a number of payments. */
  threshold: number;
  /** Zero where only the payment itself is looked at. */
  windowMs: number;
  outcome: RuleOutcome;
  severity: Severity;
}

/** What a movement of some type is watched for. */
export interface VelocityCheck {
  /** Those that name the type. */
  rules: readonly VelocityRule[];
  /** The longest window of any rule, also of other types: so long it is kept what an account did. Zero: nothing is. */
  keepMs: number;
}

export interface Triggered {
  rule: VelocityRule;
  /** The amount, the number or the sum that is over the threshold, this payment included. */
  found: number;
  /** It is that or more: what is over the threshold already need not be counted to its end. */
  atLeast: boolean;
}

/** `recent` is only looked at by rules with a window. */
export interface WatchedPayment {
  amount: number;
  now: number;
  recent(): ActivityWindow;
}

export const NONE_TRIGGERED: readonly Triggered[] = [];

/** Every rule that the payment triggers, in the order of the rules. The rules are those of the payment's type. */
export function evaluate(rules: readonly VelocityRule[], payment: WatchedPayment): readonly Triggered[] {
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

function beyondAmount(rule: VelocityRule, { amount }: WatchedPayment): Triggered | null {
  return amount > rule.threshold ? { rule, found: amount, atLeast: false } : null;
}

function beyondWindow(rule: VelocityRule, { amount, now, recent }: WatchedPayment): Triggered | null {
  const own = rule.kind === 'velocity_count' ? 1 : amount;
  const known = recent();
  if (isFarBelow(rule, known, now, own)) return null;
  const { least, most } = range(rule, known, now);
  if (least + own > rule.threshold) return { rule, found: least + own, atLeast: most > least };
  // Whoever asks reads what decides first. Without it the rule cannot be applied, and nothing may move.
  if (most + own > rule.threshold) throw new Error(`rule ${rule.id} cannot be decided by what is known`);
  return null;
}

/** Whether all that is known, of whatever type and time, is not over it with what comes. */
function isFarBelow(
  { kind, threshold, windowMs }: VelocityRule,
  recent: ActivityWindow,
  now: number,
  coming: number,
): boolean {
  const { total, since } = recent;
  if (total === undefined || !isComplete(since, now - windowMs)) return false;
  return (kind === 'velocity_count' ? total.count : total.sum) + coming <= threshold;
}

interface Range {
  least: number;
  most: number;
}

function range({ kind, types, windowMs }: VelocityRule, recent: ActivityWindow, now: number): Range {
  const bounds = boundsOf(recent, types, now - windowMs);
  if (kind === 'velocity_count') return { least: bounds.count, most: bounds.mostCount };
  return { least: bounds.sum, most: bounds.mostSum };
}

/** What several payments of an account may come to at most, and the least that one of them adds. */
export interface Coming {
  count: number;
  sum: number;
  smallest: number;
}

/** Whether the rule might come out one way or the other while these are taken one after another. */
export function undecided(rule: VelocityRule, recent: ActivityWindow, now: number, coming: Coming): boolean {
  if (rule.kind === 'amount') return false;
  const [first, all] = rule.kind === 'velocity_count' ? [1, coming.count] : [coming.smallest, coming.sum];
  if (isFarBelow(rule, recent, now, all)) return false;
  const { least, most } = range(rule, recent, now);
  return least + first <= rule.threshold && most + all > rule.threshold;
}
