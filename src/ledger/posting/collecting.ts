// How long a batch waits for more orders: not at all for a lone client, at most two milliseconds otherwise.

const MAX_MS = 2;
/** How long it is remembered how many orders were there at once. */
const MEMORY_MS = 100;

/**
 * A batch has a fixed cost in this process and in PostgreSQL, which is most of the cost of a payment at low load. Waiting
 * for the orders that are on their way shares it. A client that sends its next payment after the reply to the last one is
 * never together with another order, and its payments do not wait.
 */
export class Collecting {
  private peak = 0;
  private peakAt = 0;
  private enough: (() => void) | null = null;

  /** An order arrived. `waiting`: how many wait now; `together`: with those in work. */
  arrived(waiting: number, together: number): void {
    const now = performance.now();
    if (together >= this.peak || now - this.peakAt > MEMORY_MS) {
      this.peak = together;
      this.peakAt = now;
    }
    if (waiting >= this.peak) this.enough?.();
  }

  /** Null: the batch need not wait. `since`: when its first order arrived. */
  more(waiting: number, since: number): Promise<void> | null {
    const leftMs = since + MAX_MS - performance.now();
    if (this.peak <= 1 || waiting >= this.peak || leftMs <= 0) return null;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.enough?.(), leftMs);
      this.enough = () => {
        clearTimeout(timer);
        this.enough = null;
        resolve();
      };
    });
  }
}
