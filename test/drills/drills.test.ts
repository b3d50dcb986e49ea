// The drills themselves, short: what they prove, and that a drill which proves nothing fails.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type DrillResult, resultTable, unproved } from '../../scripts/drill/drill.ts';
import { inDatabase } from '../../scripts/drill/postgres-server.ts';
import { type Relay, startRelay } from '../../scripts/drill/relay.ts';
import { createSandbox, serverPrograms } from '../../scripts/drill/sandbox.ts';
import { promote, startPair } from '../../scripts/drill/standby.ts';
import { fullRateAt } from '../../scripts/drill/traffic.ts';
import { waitFor } from '../support/wait.ts';
import { startTool } from './processes.ts';

const PROVED: DrillResult = { failure: 'gateway', acknowledgedBefore: 5, lost: 0, oldestLostMs: 0, recoveryMs: 1_250 };

describe('processes', () => {
  for (const name of ['gateway', 'delete']) {
    test(`drill:${name} proves that it loses no acknowledged payment`, async (context) => {
      const tool = await startTool(context, ['scripts/drill/run.ts', name, '--seconds', '1']);
      assert.equal(await tool.ended, 0, tool.output());
      assert.match(tool.output(), /^ +[\d.]+ s {2}ledger:verify passed: /m);
      assert.match(tool.output(), /^\| .+ \| [1-9]\d* \| 0 payments \| \d+\.\d s \|$/m);
      assert.deepEqual(await tool.leftovers(), []);
    });
  }

  test('a drill without payments before the failure proves nothing and fails', async (context) => {
    const tool = await startTool(context, ['scripts/drill/run.ts', 'gateway', '--seconds', '0', '--payers', '0']);
    assert.equal(await tool.ended, 1, tool.output());
    assert.match(tool.output(), /not proved: no payment was acknowledged before the failure/);
    assert.deepEqual(await tool.leftovers(), []);
  });

  test('a drill whose programs are not installed fails', async (context) => {
    const env = { POSTGRESQL_BIN: '/nonexistent' };
    const tool = await startTool(context, ['scripts/drill/run.ts', 'citus'], env);
    assert.equal(await tool.ended, 1, tool.output());
    assert.match(tool.output(), /the extension citus is not installed/);
  });

  test('the drill of Patroni fails without Patroni and etcd, and says so', async (context) => {
    const tool = await startTool(context, ['scripts/drill/run.ts', 'patroni'], { PATH: '/nonexistent' });
    assert.equal(await tool.ended, 1, tool.output());
    assert.match(
      tool.output(),
      /not installed: (PostgreSQL, )?Patroni, etcd\. On Debian:\n {2}apt-get install .+ patroni etcd-server/,
    );
    assert.deepEqual(await tool.leftovers(), []);
  });
});

describe('a promoted standby', () => {
  for (const isSynchronous of [true, false]) {
    const how = isSynchronous ? 'synchronous' : 'asynchronous';
    const what = isSynchronous ? 'every commit' : 'no commit that the line did not carry';
    test(`has ${what} if it was ${how}`, async (context) => {
      const sandbox = await createSandbox('pair');
      context.after(() => sandbox.close());
      const relays: Relay[] = [];
      const line = async (port: number) => {
        const relay = await startRelay(sandbox, [`http://127.0.0.1:${port}`], 1);
        relays.push(relay);
        return relay.port;
      };
      const pair = { bin: await serverPrograms(sandbox), name: how, isSynchronous, line };
      const { primary, standby } = await startPair(sandbox, pair);
      await inDatabase(primary, 'create table commits as select 1 as n');
      const count = async () => Number((await inDatabase(standby, 'select count(*) from commits'))[0]?.count);
      if (!isSynchronous) await waitFor('the first commit has arrived', async () => (await count()) === 1);
      if (!isSynchronous) relays[0]?.cut();
      await inDatabase(primary, 'insert into commits values (2)');
      await primary.kill();
      await promote(standby);
      assert.equal(await count(), isSynchronous ? 2 : 1);
      await inDatabase(standby, 'insert into commits values (3)');
    });
  }
});

describe('results', () => {
  test('a result without payments or with a loss proves nothing', () => {
    assert.deepEqual(unproved([PROVED]), []);
    assert.deepEqual(unproved([]), ['nothing was measured']);
    assert.deepEqual(unproved([PROVED, { ...PROVED, acknowledgedBefore: 0 }]), [
      'gateway: no payment was acknowledged before the failure',
    ]);
    assert.deepEqual(unproved([{ ...PROVED, lost: 2 }]), ['gateway: 2 acknowledged payments are missing']);
    assert.deepEqual(unproved([{ ...PROVED, lost: 2, mayLose: true }]), []);
  });

  test('the table names what was lost and how old it was', () => {
    const lines = resultTable([PROVED, { ...PROVED, lost: 2, oldestLostMs: 18.4 }]).split('\n');
    assert.deepEqual(lines.slice(2), [
      '| gateway | 5 | 0 payments | 1.3 s |',
      '| gateway | 5 | 2 payments, the oldest acknowledged 18 ms before | 1.3 s |',
    ]);
  });

  test('the full rate is back at the first payment of the first whole second that has enough', () => {
    const times = [900, 1_500, 3_000, 3_300, 3_600, 3_900, 4_200];
    assert.equal(fullRateAt(times, 1_000, 4, 5_000), 3_000);
    assert.equal(fullRateAt(times, 1_000, 4, 3_950), null, 'the second is not over');
    assert.equal(fullRateAt(times, 1_000, 5, 9_000), null);
    assert.equal(fullRateAt([], 0, 0, 9_000), null, 'no payment is no rate');
  });
});
