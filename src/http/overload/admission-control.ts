// The door: lets in as many requests as are well served at once, makes a burst wait, and sends a standing crowd away.

export interface DoorOptions {
  /** How many are inside at once. */
  limit: number;
  /** By the clock that never jumps. */
  now?: () => number;
}

interface Waiting {
  since: number;
  decide(mayEnter: boolean): void;
}

// Of those inside: a burst of so many waits about so many times as long as being served takes.
const BURST_TIMES = 8;
const STANDING_SHARE = 1 / 2;
// Waiting is late after twice what being served takes of late, within these bounds.
const PATIENCE_TIMES = 2;
const LEAST_PATIENCE_MS = 100;
const MOST_PATIENCE_MS = 200;
// In a standing crowd nearly all are sent away: the sooner they know, the better for them and for those who get in.
const MOST_STANDING_MS = 120;
// A crowd whose first have been late for so many times that patience is not a burst any more.
const STANDING_TIMES = 3;
// The last few dozen say how long being served takes of late.
const SMOOTHING = 1 / 64;
const FIRST_GUESS_MS = 25;
const SWEEP_MS = 20;
const PIECE = 1_000;

/**
 * Whoever is not let in at once waits, and nothing has been done for them yet. As long as the first now and then get in in time, it is
 * a burst: all get in, in their order. Once they are late and stay late, waiting helps nobody: few may wait at all, the newest
 * of them get in, whose clients still listen, and who is late is sent away. It has no timers while nobody waits.
 */
export class AdmissionControl {
  readonly now: () => number;
  private readonly limit: number;
  private inside = 0;
  private servedMs = FIRST_GUESS_MS;
  /** From `first` on, the oldest in front; what is before it has been decided. */
  private crowd: Waiting[] = [];
  private first = 0;
  /** When the first of the crowd were last in time, or there was none. */
  private inTimeAt = 0;
  private dismissedAt = Number.NEGATIVE_INFINITY;
  private sweeping: NodeJS.Timeout | undefined;
  private turnedAway = 0;

  constructor({ limit, now = () => performance.now() }: DoorOptions) {
    this.limit = limit;
    this.now = now;
  }

  /** Whoever is let in must leave. */
  enter(): boolean | Promise<boolean> {
    if (this.inside < this.limit) {
      this.inside += 1;
      return true;
    }
    const since = this.now();
    if (this.turnsAway(since)) return false;
    if (this.waiting() === 0) this.inTimeAt = since;
    const { promise, resolve: decide } = Promise.withResolvers<boolean>();
    this.crowd.push({ since, decide });
    // Where nobody leaves, nobody else would look after those who wait.
    this.sweeping ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
    return promise;
  }

  /** True: whoever comes now is sent away, and has been counted. */
  turnsAway(now = this.now()): boolean {
    if (this.inside < this.limit) return false;
    const standing = this.isStanding(now);
    if (this.waiting() < this.limit * (standing ? STANDING_SHARE : BURST_TIMES)) return false;
    this.turnedAway += 1;
    if (standing) this.dismissedAt = now;
    return true;
  }

  /** Before anything was done: nothing can be told by how long it took. */
  stepOut(): void {
    this.inside -= 1;
    if (this.sweeping) this.letIn(this.now());
  }

  /** `enteredAt`: by the same clock. */
  leave(enteredAt: number): void {
    const now = this.now();
    this.inside -= 1;
    this.servedMs += (now - enteredAt - this.servedMs) * SMOOTHING;
    if (this.sweeping) this.letIn(now);
  }

  sweep(): void {
    this.letIn(this.now());
  }

  state(): { inside: number; limit: number; waiting: number; turnedAway: number } {
    return { inside: this.inside, limit: this.limit, waiting: this.waiting(), turnedAway: this.turnedAway };
  }

  private letIn(now: number): void {
    if (this.waiting() > 0 && !this.isLate(now)) this.inTimeAt = now;
    const standing = this.isStanding(now);
    if (standing) this.dismiss(now);
    while (this.inside < this.limit && this.waiting() > 0) {
      this.inside += 1;
      (standing ? this.newest() : this.oldest()).decide(true);
    }
    if (this.waiting() > 0) return;
    this.crowd = [];
    this.first = 0;
    clearInterval(this.sweeping);
    this.sweeping = undefined;
  }

  /** Where some were sent away a moment ago, it is only for that reason that the others are in time. */
  private isStanding(now: number): boolean {
    const longMs = STANDING_TIMES * this.patienceMs();
    return now - this.dismissedAt <= longMs || (this.waiting() > 0 && now - this.inTimeAt > longMs);
  }

  private isLate(now: number): boolean {
    return this.waitedMs(now) > this.patienceMs();
  }

  /** The first of those who wait. */
  private waitedMs(now: number): number {
    return now - (this.crowd[this.first] as Waiting).since;
  }

  private patienceMs(): number {
    return Math.min(MOST_PATIENCE_MS, Math.max(LEAST_PATIENCE_MS, PATIENCE_TIMES * this.servedMs));
  }

  private dismiss(now: number): void {
    const patience = Math.min(MOST_STANDING_MS, this.patienceMs());
    while (this.waiting() > 0 && this.waitedMs(now) > patience) {
      this.oldest().decide(false);
      this.turnedAway += 1;
      this.dismissedAt = now;
    }
  }

  private waiting(): number {
    return this.crowd.length - this.first;
  }

  private newest(): Waiting {
    return this.crowd.pop() as Waiting;
  }

  private oldest(): Waiting {
    const oldest = this.crowd[this.first] as Waiting;
    this.first += 1;
    // What was decided is dropped in large pieces: one by one it would cost a move of all that follow.
    if (this.first >= PIECE) {
      this.crowd = this.crowd.slice(this.first);
      this.first = 0;
    }
    return oldest;
  }
}
