// Time limits of arriving bodies, with one timer for all of them: nearly every body arrives at once, and a timer for each
// costs more than reading it.
import type { IncomingMessage } from 'node:http';
import { rejectLateBody } from './malformed-http.ts';

export class BodyDeadlines {
  private readonly timeoutMs: number;
  /** By the monotonic clock. The timeout is the same for all, so deadlines are in order of arrival. */
  private readonly deadlines = new Map<IncomingMessage, number>();
  private isScheduled = false;

  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs;
  }

  start(body: IncomingMessage): void {
    this.deadlines.set(body, performance.now() + this.timeoutMs);
    if (!this.isScheduled) this.schedule(this.timeoutMs);
  }

  stop(body: IncomingMessage): void {
    this.deadlines.delete(body);
  }

  private schedule(delayMs: number): void {
    this.isScheduled = true;
    setTimeout(() => this.rejectLate(), delayMs).unref();
  }

  private rejectLate(): void {
    const now = performance.now();
    this.isScheduled = false;
    for (const [body, deadline] of this.deadlines) {
      if (deadline > now) {
        this.schedule(deadline - now);
        return;
      }
      this.deadlines.delete(body);
      rejectLateBody(body);
    }
  }
}
