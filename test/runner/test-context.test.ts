// With test-context.ts, the test runner assigns tests, hooks and errors as it does without it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TEST_CONTEXT } from './file.ts';

const FIXTURE = fileURLToPath(new URL('fixtures/context.ts', import.meta.url));

/** The results of the fixture in the format TAP, without times, process ids and stacks. */
async function resultsWith(options: string[]): Promise<{ exitCode: number | null; results: string[] }> {
  const args = ['--test-reporter=tap', ...options, FIXTURE];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines = (await text(child.stdout)).split('\n');
  const results = lines.filter((line) => /^\s*(ok|not ok|# Subtest|1\.\.|error:|hook |# (tests|pass|fail))/.test(line));
  return { exitCode: await exited, results };
}

test('tests, hooks and errors belong to the same tests with and without async hooks', async () => {
  const [withHooks, without] = await Promise.all([resultsWith([]), resultsWith([`--import=${TEST_CONTEXT}`])]);
  assert.deepEqual(without, withHooks);
  assert.equal(without.exitCode, 1);
  const failed = without.results.filter((line) => line.includes('not ok')).map((line) => line.trim());
  assert.deepEqual(failed, [
    'not ok 1 - throws in a timer',
    'not ok 2 - rejects a promise that has no handler',
    'not ok 3 - throws in a listener of a server',
    'not ok 2 - suite',
  ]);
  assert.ok(without.results.includes('# tests 7'), without.results.join('\n'));
});
