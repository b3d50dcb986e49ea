// The shards of a Citus cluster: which shard holds a key's rows.
import { textHash } from './text-hash.ts';

export class ShardMap {
  /** The lowest hash of each shard, ascending. */
  private readonly minimums: readonly number[];

  constructor(minimums: readonly number[]) {
    if (minimums.length === 0) throw new Error('a distributed table has at least one shard');
    this.minimums = minimums.toSorted((a, b) => a - b);
  }

  get count(): number {
    return this.minimums.length;
  }

  /** From 0, in the order of hashes. */
  indexOf(key: string): number {
    const hash = textHash(key);
    const next = this.minimums.findIndex((minimum) => minimum > hash);
    return (next === -1 ? this.minimums.length : next) - 1;
  }

  /** The items of each shard that has any, in the order of shards; within a shard their order stays. */
  group<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
    const groups = this.minimums.map((): Item[] => []);
    for (const item of items) groups[this.indexOf(keyOf(item))]?.push(item);
    return groups.filter(({ length }) => length > 0);
  }
}
