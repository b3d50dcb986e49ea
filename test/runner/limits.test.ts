// The runner ends files that hang, reports every other test, and leaves no process behind.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';

const FIXTURES = ['blocks', 'hangs', 'leaves-open', 'fails-before', 'passes'];
/** Files that share a process; cannot-load and exits follow blocks, so that each must get a new one. */
const SHARED_FIXTURES = ['blocks', 'cannot-load', 'exits', 'passes', 'leaves-open'].map((name) => `shared/${name}`);
/** A fiftieth of the usual limits: seconds instead of minutes. */
const SCALE = '0.02';

let output = '';
let exitCode: number | null;
let sharedOutput = '';

before(async () => {
  const [own, shared] = await Promise.all([run(FIXTURES), run(SHARED_FIXTURES)]);
  ({ output, exitCode } = own);
  sharedOutput = shared.output;
});

async function run(fixtures: string[]): Promise<{ output: string; exitCode: number | null }> {
  const files = fixtures.map((name) => `test/runner/fixtures/${name}.ts`);
  const child = spawn(process.execPath, ['test/run.ts', ...files], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, TEST_TIMEOUT_SCALE: SCALE },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: string[] = [];
  child.stdout.on('data', (chunk) => chunks.push(String(chunk)));
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { output: chunks.join(''), exitCode };
}

test('the run ends and fails', () => {
  assert.equal(exitCode, 1, output);
  assert.match(output, /^5 passed, 5 failed, 0 skipped in 5 files/m);
});

test('a test that never ends fails at its limit, and the next one still runs', () => {
  assert.match(output, /✖ test\/runner\/fixtures\/hangs\.ts \(1 passed, 1 failed/);
  assert.match(output, /✖ never ends\n.*\n.*timed out after 6000ms/);
});

test('a file that blocks its thread is killed, and what it was doing is reported', () => {
  assert.match(output, /✖ test\/runner\/fixtures\/blocks\.ts \(1 passed, 1 failed/);
  assert.match(output, /did not end within 36 s; still running: blocks the thread/);
});

test('a file that leaves a server open fails and is ended', () => {
  assert.match(output, /✖ test\/runner\/fixtures\/leaves-open\.ts \(1 passed, 1 failed/);
  assert.match(output, /Open resources: .*TCPServerWrap/);
});

test('a process that a file leaves behind is killed', async () => {
  const [, pid] = output.match(/left process (\d+)/) ?? assert.fail(output);
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  assert.ok(stat === '' || / Z /.test(stat), `process ${pid} still runs`);
});

test('a suite whose hook fails is reported, and the tests beside it run', () => {
  assert.match(output, /✖ test\/runner\/fixtures\/fails-before\.ts \(1 passed, 2 failed/);
  assert.match(output, /the hook failed/);
});

test('a file that passes is reported among the ones that fail', () => {
  assert.match(output, /✔ test\/runner\/fixtures\/passes\.ts \(1 passed/);
});

test('in a shared process, a file that blocks the thread or exits fails alone, and the other files run', () => {
  assert.match(sharedOutput, /✖ test\/runner\/fixtures\/shared\/blocks\.ts \(1 passed, 1 failed/);
  assert.match(sharedOutput, /did not end within 36 s; still running: .*blocks the thread/);
  assert.match(sharedOutput, /✖ test\/runner\/fixtures\/shared\/exits\.ts \(0 passed, 1 failed/);
  assert.match(sharedOutput, /the process ended with 7; still running: .*exits/);
  assert.match(sharedOutput, /✔ test\/runner\/fixtures\/shared\/passes\.ts \(1 passed/);
});

test('in a shared process, a module that cannot be loaded fails its file', () => {
  assert.match(sharedOutput, /✖ test\/runner\/fixtures\/shared\/cannot-load\.ts \(0 passed, 1 failed/);
  assert.match(sharedOutput, /the module cannot be loaded/);
});

test('in a shared process, a file that leaves a server open fails the process of its files', () => {
  assert.match(sharedOutput, /✔ test\/runner\/fixtures\/shared\/leaves-open\.ts \(1 passed/);
  assert.match(sharedOutput, /shared\/leaves-open\.ts \(0 passed, 1 failed/);
  assert.match(sharedOutput, /Open resources: .*TCPServerWrap/);
  assert.match(sharedOutput, /^3 passed, 4 failed, 0 skipped/m);
});
