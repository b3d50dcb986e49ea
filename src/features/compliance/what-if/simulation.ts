// Applies one monitoring rule to past payments, with the same evaluation as payments, and counts what it triggers. Pure.
import type { AccountKind } from '../../../ledger/account-kinds.ts';
import type { ReplayedMovement } from '../../../ledger/queries/history-replay.ts';
import type { ActivityWindow } from '../../../ledger/velocity/activity-window.ts';
import { evaluate, type VelocityRule } from '../../../ledger/velocity/rules.ts';
import { countsReceived, subjectSide } from '../../../ledger/velocity/subject.ts';

export interface AffectedSubject {
  id: string;
  kind: AccountKind;
  payments: number;
  value: number;
}

export interface AffectedPayment {
  movement: ReplayedMovement;
  subject: string;
  /** The amount, count or sum that exceeds the threshold. */
  found: number;
}

const MAX_EXAMPLES = 10;

export class RuleSimulation {
  readonly rule: VelocityRule;
  affected = 0;
  value = 0;
  /** The newest, oldest first. */
  readonly examples: AffectedPayment[] = [];
  private readonly windows = new Map<string, SubjectWindow>();
  private readonly subjects = new Map<string, AffectedSubject>();

  constructor(rule: VelocityRule) {
    this.rule = rule;
  }

  /** Whether the rule triggers. A payment that it blocks is not counted for later ones, as it would not have been made. */
  visit(movement: ReplayedMovement, isCounted: boolean): boolean {
    const { rule } = this;
    if (!rule.types.includes(movement.type)) return false;
    const subject = subjectOf(rule, movement);
    const window = this.windowOf(rule, movement, subject.id);
    const recent = () => window?.before(movement.at - rule.windowMs) ?? null;
    const [triggered] = evaluate([rule], { amount: movement.amount, now: movement.at, recent });
    if (!triggered || rule.outcome === 'flag') window?.add(movement.at, movement.amount);
    if (!triggered) return false;
    if (isCounted) this.count(movement, subject, triggered.found);
    return true;
  }

  get subjectCount(): number {
    return this.subjects.size;
  }

  /** The most payments first. */
  topSubjects(limit: number): AffectedSubject[] {
    const all = [...this.subjects.values()];
    return all.sort((a, b) => b.payments - a.payments || b.value - a.value || (a.id < b.id ? -1 : 1)).slice(0, limit);
  }

  private windowOf({ kind, side, types }: VelocityRule, movement: ReplayedMovement, id: string): SubjectWindow | null {
    if (kind === 'amount' || (side === 'payee' && !countsReceived(movement.toKind))) return null;
    const known = this.windows.get(id);
    if (known) return known;
    const window = new SubjectWindow(types[0] ?? movement.type);
    this.windows.set(id, window);
    return window;
  }

  private count(movement: ReplayedMovement, { id, kind }: Subject, found: number): void {
    this.affected += 1;
    this.value += movement.amount;
    const subject = this.subjects.get(id) ?? { id, kind, payments: 0, value: 0 };
    subject.payments += 1;
    subject.value += movement.amount;
    this.subjects.set(id, subject);
    this.examples.push({ movement, subject: id, found });
    if (this.examples.length > MAX_EXAMPLES) this.examples.shift();
  }
}

interface Subject {
  id: string;
  kind: AccountKind;
}

function subjectOf({ side }: VelocityRule, movement: ReplayedMovement): Subject {
  const { fromAccount, toAccount, fromKind, toKind } = movement;
  const isPayer = side === 'payer' && subjectSide(fromKind, toKind) === 'payer';
  return isPayer ? { id: fromAccount, kind: fromKind } : { id: toAccount, kind: toKind };
}

/** The payments of one subject that the rule counts. Those before the window are dropped, so that each is read once. */
class SubjectWindow {
  private readonly type: string;
  private times: number[] = [];
  private amounts: number[] = [];
  private first = 0;
  private sum = 0;

  constructor(type: string) {
    this.type = type;
  }

  add(at: number, amount: number): void {
    this.times.push(at);
    this.amounts.push(amount);
    this.sum += amount;
  }

  /** The payments after the instant, as one run: all of it is in the window, so that its count and sum are exact. */
  before(after: number): ActivityWindow {
    while (this.first < this.times.length && (this.times[this.first] ?? 0) <= after) {
      this.sum -= this.amounts[this.first] ?? 0;
      this.first += 1;
    }
    this.compact();
    const count = this.times.length - this.first;
    if (count === 0) return { since: 0, runs: [], total: { count: 0, sum: 0 } };
    const [first = 0, last = 0] = [this.times[this.first], this.times.at(-1)];
    const run = { type: this.type, first, last, count, sum: this.sum };
    return { since: 0, runs: [run], total: { count, sum: this.sum } };
  }

  private compact(): void {
    if (this.first < MIN_DROPPED || this.first * 2 < this.times.length) return;
    this.times = this.times.slice(this.first);
    this.amounts = this.amounts.slice(this.first);
    this.first = 0;
  }
}

const MIN_DROPPED = 64;
