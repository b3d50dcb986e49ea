// Tests how the benchmarks compute CPU time per payment.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { costPerRequest, parseStat, readProcesses, treeTime } from '../../bench/cpu-time.ts';

describe('the CPU time of the benchmarks', () => {
  test("is read from the fields of /proc/<pid>/stat, whatever the program's name", () => {
    const text = '321 (postgres: (kissi) x) S 12 321 321 0 -1 4194560 11 22 33 44 7 8 90 100 20 0 1 0 5';
    assert.deepEqual(parseStat(text), { pid: 321, parent: 12, own: 150_000, ended: 1_900_000 });
  });

  test('of a server counts its children, their children, and those that ended', () => {
    const server = [
      { pid: 1, parent: 0, own: 900, ended: 900 },
      { pid: 10, parent: 1, own: 5, ended: 70 },
      { pid: 11, parent: 10, own: 20, ended: 0 },
      { pid: 12, parent: 11, own: 3, ended: 2 },
      { pid: 13, parent: 1, own: 400, ended: 0 },
    ];
    assert.equal(treeTime(server, 10), 100);
    assert.ok(Number.isNaN(treeTime(server, 99)));
  });

  test('per payment is the difference of two readings', () => {
    const cost = costPerRequest({ gateway: 1_000, postgres: 500 }, { gateway: 4_000, postgres: 1_500 }, 10);
    assert.deepEqual(cost, { gateway: 300, postgres: 100 });
  });

  test('of an ended child stays in the sum', { skip: !existsSync('/proc/self/stat') }, async () => {
    const spin = 'while (process.cpuUsage().user < 100_000);';
    const before = treeTime(await readProcesses(), process.pid);
    await once(spawn(process.execPath, ['-e', spin]), 'exit');
    const after = treeTime(await readProcesses(), process.pid);
    assert.ok(after - before >= 90_000, `${after - before} µs`);
  });
});
