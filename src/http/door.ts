// The door: lets in as many requests as can be served in good time, makes a burst wait, and sends a standing crowd away.

export interface DoorOptions {
  /** What half of the requests should be served within once they are inside, and how long anybody waits in a standing crowd. */
  targetMs: number;
  /** By the clock that never jumps. */
  now?: () => number;
}

interface Waiting {
  since: number;
  decide(mayEnter: boolean): void;
}

// Below the smallest the processor and the disk would idle: a batch is what gathers while the one before it is under way.
const LEAST_INSIDE = 32;
const FIRST_INSIDE = 128;
const MOST_INSIDE = 1_024;
const MOST_WAITING = 2_000;
// How many are let in is thought over once in so many milliseconds, when enough have left to tell by.
const WINDOW_MS = 100;
const ENOUGH = 20;
// A crowd that has not gone for so many targets is not a burst any more.
const STANDING_TARGETS = 5;
const SWEEP_MS = 20;

/**
 * Whoever is not let in at once waits, and nothing has been done for them yet. As long as the crowd now and then goes, it was
 * a burst: all get in, in their order. Once it stands, waiting helps nobody: the newest get in, whose clients still
 * listen, and who has waited a target is sent away. Counting costs no timers and a fraction of a microsecond.
 */
export class Door {
  private readonly targetMs: number;
  readonly now: () => number;
  private inside = 0;
  private limit = FIRST_INSIDE;
  /** From `first` on, the oldest in front; what is before it has been decided. */
  private crowd: Waiting[] = [];
  private first = 0;
  private crowdSince = 0;
  private dismissedAt = Number.NEGATIVE_INFINITY;
  private sweeping: NodeJS.Timeout | undefined;
  private turnedAway = 0;
  private readonly window = { since: 0, left: 0, slow: 0, full: false };

  constructor({ targetMs, now = () => performance.now() }: DoorOptions) {
    this.targetMs = targetMs;
    this.now = now;
  }

  /** Whoever is let in must leave. */
  enter(): boolean | Promise<boolean> {
    if (this.inside < this.limit) {
      this.inside += 1;
      return true;
    }
    this.window.full = true;
    if (this.waiting() >= MOST_WAITING) return this.turnAway();
    const since = this.now();
    // One that went because it was dismissed, not because it was served, is the same crowd still.
    if (this.waiting() === 0 && since - this.dismissedAt > this.standingMs()) this.crowdSince = since;
    const { promise, resolve: decide } = Promise.withResolvers<boolean>();
    this.crowd.push({ since, decide });
    // Where nobody leaves, nobody else would look after those who wait.
    this.sweeping ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
    return promise;
  }

  /** Before anything was done: nothing can be told by how long it took. */
  stepOut(): void {
    this.inside -= 1;
    if (this.sweeping) this.letIn(this.now());
  }

  /** `enteredAt`: by the same clock. */
  leave(enteredAt: number): void {
    const now = this.now();
    const { window } = this;
    this.inside -= 1;
    window.left += 1;
    if (now - enteredAt > this.targetMs) window.slow += 1;
    if (window.left >= ENOUGH && now - window.since >= WINDOW_MS) this.thinkOver(now);
    if (this.sweeping) this.letIn(now);
  }

  sweep(): void {
    this.letIn(this.now());
  }

  state(): { inside: number; limit: number; waiting: number; turnedAway: number } {
    return { inside: this.inside, limit: this.limit, waiting: this.waiting(), turnedAway: this.turnedAway };
  }

  /** Slow for most of them and full: fewer at once. Full and quick: more. Slow though there is room: not for the crowd's sake. */
  private thinkOver(now: number): void {
    const { window } = this;
    if (window.full) {
      const tooSlow = window.slow * 2 > window.left;
      const next = tooSlow ? this.limit * 0.85 : this.limit * 1.05 + 1;
      this.limit = Math.round(Math.min(MOST_INSIDE, Math.max(LEAST_INSIDE, next)));
    }
    Object.assign(window, { since: now, left: 0, slow: 0, full: this.waiting() > 0 });
  }

  private letIn(now: number): void {
    const standing = now - this.crowdSince > this.standingMs();
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

  private standingMs(): number {
    return STANDING_TARGETS * this.targetMs;
  }

  private dismiss(now: number): void {
    const before = now - this.targetMs;
    while (this.waiting() > 0 && (this.crowd[this.first] as Waiting).since < before) {
      this.oldest().decide(this.turnAway());
      this.dismissedAt = now;
    }
  }

  private turnAway(): false {
    this.turnedAway += 1;
    return false;
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
    if (this.first >= MOST_WAITING) {
      this.crowd = this.crowd.slice(this.first);
      this.first = 0;
    }
    return oldest;
  }
}
