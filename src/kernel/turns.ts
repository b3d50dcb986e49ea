// Whose turn it is: of all that could go on, what is nearest to the ledger first, and between a few of them a look at what has arrived.
//
// Left to itself, the event loop goes through everything that has arrived in the order of its connections. A batch of
// payments that PostgreSQL has answered then waits behind a crowd of new requests, and PostgreSQL waits for the next one: measured, a fifth
// fewer payments.

type Job = () => void;

/** Who was looked up can be paid now; who was paid can be told; who has just come can be looked up. */
const ORDER = ['found', 'done', 'new'] as const;
export type Kind = (typeof ORDER)[number];

// A few milliseconds. Many fewer make small batches, which cost PostgreSQL more.
const MOST_AT_ONCE = 32;

interface Line {
  jobs: Job[];
  /** Those before it have been done. */
  first: number;
}

export class Turns {
  private readonly later: (goOn: () => void) => void;
  private readonly lines: Record<Kind, Line> = { found: line(), done: line(), new: line() };
  private waiting = 0;
  /** How many more may be done before the next look at what has arrived. */
  private left = MOST_AT_ONCE;
  private scheduled = false;

  constructor(later: (goOn: () => void) => void = setImmediate) {
    this.later = later;
  }

  /** At once while little is being done; in order among those of its kind. */
  take(kind: Kind, job: Job): void {
    this.schedule();
    if (this.left > 0 && this.waiting === 0) {
      this.left -= 1;
      job();
      return;
    }
    this.lines[kind].jobs.push(job);
    this.waiting += 1;
  }

  /** There are more than can be served: nobody waits here, until the next look at what has arrived. Who keeps the door decides. */
  hurry(): void {
    this.left = Number.POSITIVE_INFINITY;
    if (this.waiting > 0) for (const kind of ORDER) this.work(this.lines[kind]);
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    this.later(() => this.goOn());
  }

  private goOn(): void {
    this.scheduled = false;
    this.left = MOST_AT_ONCE;
    if (this.waiting === 0) return;
    // First, so that whatever a job throws keeps nobody waiting.
    this.schedule();
    for (const kind of ORDER) this.work(this.lines[kind]);
  }

  private work(line: Line): void {
    while (this.left > 0 && line.first < line.jobs.length) {
      this.left -= 1;
      this.waiting -= 1;
      (line.jobs[line.first++] as Job)();
    }
    if (line.first < line.jobs.length) return;
    line.jobs = [];
    line.first = 0;
  }
}

function line(): Line {
  return { jobs: [], first: 0 };
}

/** One for the process, as there is one event loop. */
export const turns = new Turns();
