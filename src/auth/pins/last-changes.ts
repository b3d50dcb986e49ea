// Remembers the order of the last changes of many things, without remembering all of them.
import { LRUCache } from 'lru-cache';

export class LastChanges {
  /** How many changes there have been. */
  count = 0;
  /** Of what is no longer remembered, the last change. */
  private forgotten = 0;
  private readonly last: LRUCache<string, number>;

  constructor(max: number) {
    this.last = new LRUCache({
      max,
      dispose: (at, _name, reason) => {
        if (reason === 'evict') this.forgotten = Math.max(this.forgotten, at);
      },
    });
  }

  add(name: string): void {
    this.count += 1;
    this.last.set(name, this.count);
  }

  /** Whether it may have changed since the count was `count`. */
  hasSince(name: string, count: number): boolean {
    return (this.last.get(name) ?? this.forgotten) > count;
  }
}
