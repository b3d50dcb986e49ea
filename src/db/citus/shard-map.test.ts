// The shard map: the hash of a text as PostgreSQL computes it, and the shard whose range contains it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShardMap } from './shard-map.ts';
import { textHash } from './text-hash.ts';

const LOWEST = -(2 ** 31);

/** As create_distributed_table divides the hashes. */
function evenShards(count: number): ShardMap {
  return new ShardMap(Array.from({ length: count }, (_, shard) => LOWEST + shard * Math.floor(2 ** 32 / count)));
}

test('the hash of a text is that of hashtext', () => {
  const hashes = new Map([
    ['', -1477818771],
    ['a', 1075015857],
    ['hello', -1870292951],
    ['sub_01HZZZZZZZZZZZZZZZZZZZZZZZ', 1460651881],
    ['é∂😀', -2097484177],
  ]);
  for (const [text, hash] of hashes) assert.equal(textHash(text), hash, text);
});

test('a key is in the shard whose range contains its hash', () => {
  const hash = textHash('sub_1');
  assert.equal(new ShardMap([LOWEST, hash]).indexOf('sub_1'), 1);
  assert.equal(new ShardMap([LOWEST, hash + 1]).indexOf('sub_1'), 0);
  assert.equal(new ShardMap([hash, LOWEST, hash - 1]).indexOf('sub_1'), 2);
  assert.equal(new ShardMap([LOWEST]).indexOf('sub_1'), 0);
  assert.throws(() => new ShardMap([]), /at least one shard/);
});

test('items are grouped by shard, in the order of shards, and keep their order within a shard', () => {
  const shards = evenShards(4);
  const ids = Array.from({ length: 100 }, (_, n) => `sub_${String(n).padStart(3, '0')}`);
  const groups = shards.group(ids, (id) => id);
  assert.equal(groups.length, 4);
  assert.deepEqual(groups.flat().toSorted(), ids);
  for (const [shard, group] of groups.entries()) {
    assert.deepEqual(group, group.toSorted());
    assert.deepEqual([...new Set(group.map((id) => shards.indexOf(id)))], [shard]);
  }
  assert.deepEqual(shards.group([], String), []);
  assert.deepEqual(shards.group(['one'], String), [['one']]);
});
