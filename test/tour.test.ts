// The README's tour, pasted into a shell as a newcomer would, command by command.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { runService, temporaryFolder } from './support/service.ts';

const run = promisify(execFile);

async function tour(): Promise<string> {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const steps = [...readme.matchAll(/```sh tour\n([\s\S]*?)```/g)].map(([, step]) => step ?? '');
  assert.ok(steps.length >= 6, 'the README has a tour');
  return steps.join('\necho\n');
}

test("the README's tour works as written", async () => {
  const folder = await temporaryFolder();
  const service = await runService({ DATA_DIR: folder.path, SERVICE_SECRETS: '{"tour": "a secret of the tour"}' });
  try {
    const email = service.printed().match(/email +(\S+)/)?.[1] ?? '';
    const password = service.printed().match(/password +(\S+)/)?.[1] ?? '';
    const script = (await tour()).replaceAll('http://127.0.0.1:8080', service.url);
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
      env: { ...process.env, EMAIL: email, PASSWORD: password },
    });
    const replies = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    const [me, found, right, wrong1, wrong2, wrong3, locked, funded, card, paid, again, history, ...rest] = replies;
    const [logs, verified, signed] = rest;
    assert.equal(funded.balance, 500_000);
    assert.equal(card.card.status, 'active');
    assert.deepEqual([paid.status, paid.fee, paid.balance], ['COMPLETED', 188, 500_000 - 12_500 - 188]);
    assert.deepEqual(again, paid);
    assert.equal(history.total_count, 2);
    assert.equal(me.role, 'system_admin');
    assert.equal(found.subscribers[0].phone_number, '+23276123456');
    assert.deepEqual(right, { success: true, verified: true });
    assert.deepEqual(
      [wrong1, wrong2, wrong3].map((reply) => reply.attempts_remaining),
      [2, 1, 0],
    );
    assert.equal(locked.code, 'ACCOUNT_LOCKED');
    assert.equal(logs.logs.length, 3);
    assert.equal(verified.valid, true);
    assert.equal(signed.subscriber.first_name, 'Fatmata');
  } finally {
    await service.end('SIGTERM');
    await folder.remove();
  }
});
