// The example webhook receiver for partners behaves as documented with the events that the service sends.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { signOutboundWebhook } from '@kissi/signatures/node';
import { iso, MINUTE_MS } from '../../src/kernel/clock.ts';
import { testClock } from '../support/clock.ts';
import { type TestGateway, testGateway } from '../support/gateway.ts';
import { changePartner, commitEvent, completed, deliver, deliveryOf, partnerAt, type TestPartner } from './receiver.ts';

const SCRIPT = fileURLToPath(new URL('../../examples/webhook-receiver/receiver.mjs', import.meta.url));

let kissi: TestGateway;
let folder: string;
const children: ChildProcess[] = [];
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kissi-receiver-'));
  kissi = await testGateway({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' }, clock: testClock(Date.now()) });
});
after(async () => {
  await kissi.close();
  await rm(folder, { recursive: true });
});
afterEach(async () => {
  for (const child of children.splice(0)) await stop(child);
});

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

interface Example {
  url: string;
  child: ChildProcess;
  printed(): string;
}

async function example(secrets: string, seen: string): Promise<Example> {
  const env = { WEBHOOK_SECRETS: secrets, PORT: '0', SEEN_FILE: join(folder, seen) };
  const child = spawn(process.execPath, [SCRIPT], { env });
  children.push(child);
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  while (!printed.includes('listening')) await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${/on (\d+)/.exec(printed)?.[1]}/`, child, printed: () => printed };
}

async function send(
  { url }: Example,
  {
    secret,
    age = 0,
    body = '{"event":"x"}',
    signedBody = body,
    id = 'evt_1',
  }: Record<string, string | number> & object,
): Promise<number> {
  const timestamp = iso(Date.now() - Number(age));
  const signature = signOutboundWebhook(String(secret), timestamp, Buffer.from(String(signedBody)));
  const headers = {
    'x-hook-event-id': String(id),
    'x-hook-timestamp': timestamp,
    'x-hook-signature': signature,
  };
  return (await fetch(url, { method: 'POST', headers, body: String(body) })).status;
}

async function replay(id: string): Promise<void> {
  const path = `/api/v1/admin/webhook-deliveries/${id}/replay`;
  assert.equal((await kissi.call('POST', path, { token: await kissi.adminToken() })).status, 200);
  await kissi.gateway.services.webhooks.settled();
}

/** A partner whose receiver starts once its secret is known. */
async function withReceiver(seen: string): Promise<{ partner: TestPartner; bank: Example }> {
  const partner = await partnerAt(kissi, 'http://127.0.0.1:1/');
  const bank = await example(partner.secret, seen);
  await changePartner(kissi, partner, { webhook_url: bank.url });
  return { partner: { ...partner, webhook_url: bank.url }, bank };
}

test('processes an event once, however often it is delivered, even after a restart', async () => {
  const { partner, bank } = await withReceiver('once.txt');
  const event = completed(partner);
  const id = await commitEvent(kissi, event);
  await deliver(kissi);
  await replay(id);
  await stop(bank.child);
  const again = await example(partner.secret, 'once.txt');
  await changePartner(kissi, partner, { webhook_url: again.url });
  await replay(id);
  assert.equal((await deliveryOf(kissi, id)).status, 'delivered');
  assert.equal((await deliveryOf(kissi, id)).made.length, 3);
  assert.equal(bank.printed().match(new RegExp(`credit.completed ${event.reference} 12500 SLE`, 'g'))?.length, 1);
  assert.ok(!again.printed().includes(event.reference));
});

test('accepts events during a rotation with the old secret, the new one or both', async () => {
  const { partner } = await withReceiver('rotation.txt');
  const path = `/api/v1/admin/partners/${partner.id}/rotate-webhook-secret`;
  const { json } = await kissi.call('POST', path, { token: await kissi.adminToken() });
  const newSecret: string = json.webhook_secret;
  for (const secrets of [partner.secret, newSecret, `${newSecret},${partner.secret}`]) {
    const bank = await example(secrets, 'rotation.txt');
    await changePartner(kissi, partner, { webhook_url: bank.url });
    const id = await commitEvent(kissi, completed(partner));
    await deliver(kissi);
    assert.equal((await deliveryOf(kissi, id)).status, 'delivered');
  }
});

test('refuses events that are unsigned, signed with another secret, changed or old', async () => {
  const bank = await example('the right secret', 'refused.txt');
  assert.equal(await send(bank, { secret: 'the right secret' }), 200);
  assert.equal(await send(bank, { secret: 'the right secret', id: '' }), 400, 'an event without an id');
  assert.equal(await send(bank, { secret: 'another secret', id: 'evt_2' }), 401);
  assert.equal(await send(bank, { secret: 'the right secret', id: 'evt_3', signedBody: '{"event": "x"}' }), 401);
  assert.equal(await send(bank, { secret: 'the right secret', id: 'evt_4', age: 6 * MINUTE_MS }), 401);
  assert.equal(await send(bank, { secret: 'the right secret', id: 'evt_5', age: -6 * MINUTE_MS }), 401);
  assert.equal(await send(bank, { secret: 'the right secret', id: 'evt_6', body: 'x'.repeat(70_000) }), 413);
  assert.equal(await send(bank, { secret: 'the right secret', id: 'evt_7', body: 'no json' }), 500);
  assert.equal((await fetch(bank.url, { method: 'POST', body: '{}' })).status, 401);
  assert.equal((await fetch(bank.url)).status, 405);
  assert.doesNotMatch(bank.printed(), /evt_[2-7]/);
});
