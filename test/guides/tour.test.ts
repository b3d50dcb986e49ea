// Tests the first tour: runs its commands and checks the replies.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { runGuide } from '../support/guide.ts';

test('the commands of the tour return the expected replies', async () => {
  const { replies } = await runGuide('docs/guides/tour.md', { SERVICE_SECRETS: '{"tour": "a secret of the tour"}' });
  const [me, found, right, wrong1, wrong2, wrong3, locked, funded, card, paid, again, history, ...rest] = replies;
  const [agent, messages, logs, verified, signed] = rest;
  assert.equal(funded.balance, 500_000);
  assert.equal(card.card.status, 'active');
  assert.deepEqual([paid.status, paid.fee, paid.balance], ['COMPLETED', 188, 500_000 - 12_500 - 188]);
  assert.deepEqual(again, paid);
  assert.equal(history.total_count, 2);
  assert.equal(agent.agent.status, 'active');
  assert.match(messages.messages[0].text, /^Password: .+\nPIN: \d{4}$/m);
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
});

test('the tour needs only bash, curl and openssl, and shows an error reply instead of a missing field', async () => {
  const tour = await readFile(new URL('../../docs/guides/tour.md', import.meta.url), 'utf8');
  const commands = [...tour.matchAll(/```sh tour\n([\s\S]*?)```/g)].map(([, block]) => block).join('\n');
  assert.doesNotMatch(commands, /\b(?:node|npx|jq|python3?)\b/);
  const helper = commands.match(/^field\(\) .*$/m)?.[0] ?? '';
  const field = (reply: string) =>
    spawnSync('bash', ['-c', `${helper}\nfield token`], { input: reply, encoding: 'utf8' });
  assert.equal(field('{"token":"abc","user":{"token":"other"}}').stdout, 'abc\n');
  const refused = '{"success":false,"code":"UNAUTHORIZED"}';
  const { stdout, stderr, status } = field(refused);
  assert.deepEqual([stdout, stderr, status], ['', `${refused}\n`, 1]);
});
