// Interrupted drills, benchmarks and test runs end all their processes and remove their files, whatever interrupts them.
import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { constants } from 'node:os';
import { describe, test } from 'node:test';
import { processesIn } from '@kissi/testkit/leftovers';
import { waitFor } from '../support/wait.ts';
import { startTool, type Tool } from './processes.ts';

const DRILL = ['scripts/drill/run.ts', 'gateway', '--seconds', '3600'];
const BENCH = ['bench/run.ts', 'gateways', '--quick'];
const TESTS = ['test/run.ts', 'test/drills/fixtures/waits.ts'];
/** The tests of a run have a server of their own, not that of the run around this test. */
const OWN_SERVER = { TEST_DATABASE_URL: '', TEST_TEMPLATE: '', FORCE_COLOR: '0' };

/** A tool that is killed cannot wait for its guard. */
async function assertNothingLeft(tool: Tool, signal: NodeJS.Signals): Promise<void> {
  const ended = await tool.ended;
  if (signal === 'SIGKILL') await waitFor('nothing is left', async () => (await tool.leftovers()).length === 0);
  assert.deepEqual(await tool.leftovers(), [], tool.output());
  assert.equal(ended, signal === 'SIGKILL' ? signal : 128 + constants.signals[signal], tool.output());
}

describe('an interrupted tool', { concurrency: 2 }, () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    test(`a drill that gets ${signal} while it starts its servers leaves nothing behind`, async (context) => {
      const tool = await startTool(context, DRILL);
      await tool.hasServer();
      tool.child.kill(signal);
      await assertNothingLeft(tool, signal);
    });
  }

  test('a drill that is killed with kill -9 during its payments leaves nothing behind', async (context) => {
    const tool = await startTool(context, DRILL);
    await waitFor('the gateways run', () => tool.child.exitCode !== null || tool.output().includes('two gateways'));
    assert.ok((await tool.leftovers()).length > 5, 'the servers and the gateways run');
    tool.child.kill('SIGKILL');
    await assertNothingLeft(tool, 'SIGKILL');
  });

  test('a drill whose output is closed ends and leaves nothing behind', async (context) => {
    const tool = await startTool(context, DRILL);
    await tool.hasServer();
    // The next line is printed when the gateways run.
    tool.child.stdout?.destroy();
    await assertNothingLeft(tool, 'SIGPIPE');
  });

  for (const signal of ['SIGHUP', 'SIGKILL'] as const) {
    test(`a benchmark that gets ${signal} leaves nothing behind`, async (context) => {
      const tool = await startTool(context, BENCH, { BENCH_DATABASE_URL: '' });
      await tool.hasServer();
      tool.child.kill(signal);
      await assertNothingLeft(tool, signal);
    });
  }

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    test(`a test run that gets ${signal} leaves nothing behind`, async (context) => {
      const tool = await startTool(context, TESTS, OWN_SERVER);
      const data = () => /^data in (.+)$/m.exec(tool.output())?.[1];
      const directory = await waitFor('the test runs', () => (tool.child.exitCode === null ? data() : 'ended'));
      tool.child.kill(signal);
      await assertNothingLeft(tool, signal);
      assert.deepEqual(await processesIn(directory), []);
      await assert.rejects(access(directory), 'the data is removed');
    });
  }
});
