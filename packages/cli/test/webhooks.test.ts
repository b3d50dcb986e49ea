// kissi listen, trigger and lab against the service: real credits, real deliveries and their signatures.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { Kissi, verifyWebhook } from '@kissi/client';
import {
  createReceiver,
  isReversed,
  runPasses,
  runStarts,
  sendCredits,
} from '../../../examples/certification/src/integration.ts';
import { testClock } from '../../../test/support/clock.ts';
import { testGateway } from '../../../test/support/gateway.ts';
import { bankForFile } from '../../../test/support/money.ts';
import { type PartnerBank, partnerBank } from '../../../test/support/partner.ts';
import { merchantToken, newMerchant } from '../../../test/support/processors.ts';
import { apiKey, runChore } from '../../../test/support/staff.ts';
import { waitFor } from '../../../test/support/wait.ts';
import { hookHeaders } from '../src/webhooks/event.ts';
import { commandLine } from './support.ts';

const URL_BEFORE = 'http://127.0.0.1:9/hooks';
const clock = testClock(Date.now());
const { kissi, bank } = await bankForFile({ clock, env: { WEBHOOK_ALLOW_PRIVATE: 'true', LAB: 'on' }, labLateMs: 1 });
const partner = await partnerBank(kissi, { fields: { webhook_url: URL_BEFORE } });
const { folder, run } = commandLine(kissi.url);
const env = { KISSI_TOKEN: await kissi.adminToken(), KISSI_WEBHOOK_SECRET: partner.webhookSecret };

/** The developer's own receiver. */
const received: { headers: Record<string, string | string[] | undefined>; body: Uint8Array }[] = [];
let answer = 204;
const app = createServer(async (request, response) => {
  received.push({ headers: request.headers, body: new Uint8Array(await buffer(request)) });
  response.writeHead(answer).end();
});
app.listen(0, '127.0.0.1');
await once(app, 'listening');
after(() => app.close());
const forwardTo = `http://127.0.0.1:${(app.address() as AddressInfo).port}/hooks`;

const webhookUrl = async () => {
  const reply = await kissi.call('GET', `/api/v1/admin/partners/${partner.id}`, { token: await kissi.adminToken() });
  return reply.json.partner.webhook_url;
};

test('a triggered credit is made, delivered to the listener, verified and forwarded; the webhook_url is restored', async () => {
  const wallet = await bank.wallet();
  const listening = run(['listen', '--partner', partner.id, '--forward-to', forwardTo, '--count', '1', '--json'], {
    env,
  });
  await waitFor('the listener is the webhook_url', async () => (await webhookUrl()) !== URL_BEFORE);
  const found = await kissi.call('GET', `/api/v1/subscribers/${wallet.id}`, { token: await kissi.adminToken() });
  const account = found.json.subscriber.account_number;
  const triggered = await run(
    ['trigger', 'credit.completed', '--partner', partner.id, '--account', account, '--amount', '12.50'],
    { env },
  );
  assert.equal(triggered.code, 0, triggered.err);
  assert.equal(await bank.balance(wallet.id), 1_250);
  const { code, out, err } = await listening;
  assert.equal(code, 0, err);
  assert.match(err, /^Ready\. Receiving the webhooks of ptn_/);
  const event = JSON.parse(out);
  assert.deepEqual([event.signature, event.payload.event, event.forwarded.status], ['valid', 'credit.completed', 204]);
  const [first] = received;
  const verified = await verifyWebhook(first?.body ?? '', {
    headers: first?.headers as never,
    secrets: partner.webhookSecret,
    now: clock.now(),
  });
  assert.deepEqual([verified.id, verified.amount], [event.id, 1_250]);
  assert.equal(await webhookUrl(), URL_BEFORE);
});

test('--follow replays an event under its id without changing the partner, and reports a receiver that fails', async () => {
  const [last] = received;
  const id = String(last?.headers['x-hook-event-id']);
  answer = 500;
  const args = ['listen', '--follow', '--partner', partner.id, '--forward-to', forwardTo, '--replay', id];
  const failed = await run(args, { env });
  assert.equal(failed.code, 1, failed.err);
  assert.match(failed.out, /credit\.completed {2}12\.50 SLE .* signed here {2}→ 500/);
  const again = received.at(-1);
  assert.deepEqual(
    [String(again?.headers['x-hook-event-id']), Buffer.from(again?.body ?? [])],
    [id, Buffer.from(last?.body ?? [])],
  );
  await verifyWebhook(again?.body ?? '', { headers: again?.headers as never, secrets: partner.webhookSecret });
  assert.equal(await webhookUrl(), URL_BEFORE);
});

test('requests of others neither end the listener nor control the terminal', async () => {
  const listening = run(['listen', '--partner', partner.id, '--bodies', '--count', '4'], { env });
  const url = await waitFor('the listener is the webhook_url', async () => {
    const current = await webhookUrl();
    return current === URL_BEFORE ? undefined : current;
  });
  await cutOff(new URL(url));
  const forged = { 'X-Hook-Event-Id': 'evt_1', 'X-Hook-Timestamp': new Date().toISOString(), 'X-Hook-Signature': '00' };
  for (const body of ['null', '{"amount":1.5}', '{"amount":100,"currency":"\\u001b]0;x\\u0007"}']) {
    assert.equal((await fetch(url, { method: 'POST', headers: forged, body })).status, 401, body);
  }
  const body = Buffer.from('{"event":"credit.completed"}');
  const headers = hookHeaders('evt_2', body, partner.webhookSecret);
  assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 200);
  const { code, out, err } = await listening;
  assert.equal(code, 0, err);
  assert.equal(out.match(/signature invalid/g)?.length, 3, out);
  assert.ok(!out.includes('\u001b]'), JSON.stringify(out));
  assert.equal(await webhookUrl(), URL_BEFORE);
});

test('with the key of a bank, a credit and lab certify end with exit code 3 and name the login they need', async () => {
  const { key, id } = partner;
  const bankKey = { KISSI_KEY_ID: key.id, KISSI_SECRET: key.secret, KISSI_PARTNER_ID: id };
  const commands = [
    ['listen', '--partner', id],
    ['trigger', 'credit.completed'],
    ['lab', 'certify'],
  ];
  for (const args of commands) {
    const { code, out, err } = await run(args, { env: bankKey });
    assert.deepEqual([code, out], [3, ''], `${args} ${err}`);
    assert.match(
      err,
      /^CREDENTIALS_MISSING: [\s\S]* needs the login of a system_admin( or support_user|, or the login or key of the merchant or partner)?: kissi login/,
    );
  }
  const { err } = await run(['listen', '--partner', id, '--json'], { env: bankKey });
  assert.match(JSON.parse(err).error.hint, /^kissi listen needs the login of a system_admin/);
  assert.equal(await webhookUrl(), URL_BEFORE);
});

/** The endpoints of the merchant, with the rights of staff. */
async function endpointsOf(merchantId: string): Promise<string[]> {
  const path = `/api/v1/webhook-endpoints?processor_id=${merchantId}`;
  const { json } = await kissi.call('GET', path, { token: await kissi.adminToken() });
  return json.webhook_endpoints.map(({ id }: { id: string }) => id);
}

describe('a merchant', () => {
  const credentials: [string, () => Promise<{ merchantId: string; own: Record<string, string> }>][] = [
    [
      'with its login',
      async () => {
        const merchant = await newMerchant(kissi);
        return { merchantId: merchant.id, own: { KISSI_TOKEN: await merchantToken(kissi, merchant) } };
      },
    ],
    [
      'with a key that signs',
      async () => {
        const { id: processor_id } = await newMerchant(kissi);
        const { id, secret } = await apiKey(kissi, ['payments:read', 'payments:write'], { processor_id });
        return { merchantId: processor_id, own: { KISSI_KEY_ID: id, KISSI_SECRET: secret } };
      },
    ],
  ];
  for (const [what, enter] of credentials) {
    test(`${what} listens through an endpoint of its own, and triggers an example`, async () => {
      const { merchantId, own } = await enter();
      answer = 204;
      const args = ['listen', '--forward-to', forwardTo, '--count', '1', '--json'];
      const listening = run(args, { env: own });
      await waitFor('the endpoint', async () => (await endpointsOf(merchantId)).length === 1);
      const triggered = await run(['trigger', 'payment.completed'], { env: own });
      assert.equal(triggered.code, 0, triggered.err);
      assert.match(triggered.out, /^payment\.completed will be sent as evt_/);
      const { code, out, err } = await listening;
      assert.equal(code, 0, err);
      const event = JSON.parse(out);
      assert.deepEqual(
        [event.signature, event.payload.type, event.forwarded.status],
        ['valid', 'payment.completed', 204],
      );
      assert.ok(received.at(-1)?.headers['webhook-signature']);
      assert.deepEqual(await endpointsOf(merchantId), []);
    });
  }

  test('follows its own deliveries, and replays one under its id', async () => {
    const merchant = await newMerchant(kissi);
    const token = await merchantToken(kissi, merchant);
    const own = { KISSI_TOKEN: token };
    const without = await run(['listen', '--follow'], { env: own });
    assert.match(without.err, /You have no webhook endpoint/);
    assert.match((await run(['trigger', 'payment.voided'], { env: own })).err, /No webhook endpoint has chosen/);
    const body = { url: forwardTo, events: ['payment.voided'] };
    assert.equal((await kissi.call('POST', '/api/v1/webhook-endpoints', { body, token })).status, 201);
    assert.equal((await run(['trigger', 'payment.voided'], { env: own })).code, 0);
    const { json } = await kissi.call('GET', '/api/v1/webhook-deliveries', { token });
    const args = ['listen', '--follow', '--forward-to', forwardTo, '--replay', json.deliveries[0].id];
    const { code, out, err } = await run(args, { env: own });
    assert.equal(code, 0, err);
    assert.match(out, /payment\.voided {2}1,250\.00 SLE/);
  });
});

/** Sends half a request, then closes the connection. */
async function cutOff({ hostname, port }: URL): Promise<void> {
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.end('POST / HTTP/1.1\r\nHost: x\r\nX-Hook-Event-Id: evt_0\r\nContent-Length: 9\r\n\r\n{');
  await Promise.race([once(socket, 'close'), once(socket.resume(), 'end')]);
  socket.destroy();
}

test('trigger is refused in production, and leaves no usable key', async () => {
  const production = await testGateway({ db: kissi.db, clock, env: { APP_ENV: 'production' } });
  try {
    const { code, err } = await run(['trigger', 'credit.completed', '--partner', partner.id, '--url', production.url], {
      env,
    });
    assert.deepEqual([code, /production environment/.test(err)], [1, true], err);
  } finally {
    await production.close();
  }
  const { json: keys } = await kissi.call('GET', '/api/v1/admin/api-keys?limit=100', {
    token: await kissi.adminToken(),
  });
  const live = (keys.api_keys ?? []).filter(
    (key: { revoked_at: string | null; name: string }) => key.name === 'kissi trigger' && !key.revoked_at,
  );
  assert.deepEqual(live, []);
});

test('a certification shows its steps, and stores a signed report that is verified', async () => {
  const args = ['lab', 'certify', '--partner', partner.id, '--key', partner.key.id, '--output', 'report.json'];
  const certifying = run(args, { env });
  const token = await kissi.adminToken();
  const { id } = await waitFor('a run', async () => {
    const { json: list } = await kissi.call('GET', '/api/v1/admin/lab/certifications', { token });
    return list.certifications[0];
  });
  const finished = await kissi.call('POST', `/api/v1/admin/lab/certifications/${id}/finish`, {
    token,
  });
  assert.equal(finished.status, 200, finished.text);
  const { code, out, err } = await certifying;
  assert.deepEqual([code, err.trim()], [1, 'The integration did not pass.'], out);
  const { steps } = finished.json.certification;
  for (const { title } of steps) assert.ok(out.includes(`- ${title}`), out);
  assert.match(out, /The signed report is in report\.json; its signature is valid\./);
  const verified = await run(['lab', 'verify', 'report.json']);
  assert.deepEqual([verified.code, verified.out], [0, 'The report is genuine. Result: failed.\n'], verified.err);
  writeFileSync(join(folder, 'reply.json'), finished.text);
  const reply = await run(['lab', 'verify', 'reply.json']);
  assert.deepEqual([reply.code, reply.out], [0, verified.out], reply.err);
  const file = join(folder, 'report.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('failed', 'passed'));
  const changed = await run(['lab', 'verify', 'report.json']);
  assert.deepEqual([changed.code, changed.err], [1, 'The report was changed, or another key signed it.\n']);
});

test('examples/certification passes all ten steps', async () => {
  const wallet = await bank.wallet();
  const integrator = await partnerBank(kissi, { fields: { webhook_url: URL_BEFORE } });
  const receiver = createReceiver({ secret: integrator.webhookSecret, now: () => clock.now(), report });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  after(() => receiver.close());
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const updated = await run(['partners', 'update', integrator.id, '--webhook-url', url], { env });
  assert.equal(updated.code, 0, updated.err);
  const certifying = run(
    ['lab', 'certify', '--partner', integrator.id, '--key', integrator.key.id, '--output', 'ok.json'],
    {
      env,
    },
  );
  const currentRun = async () => {
    const query = `?partner_id=${integrator.id}`;
    const { json } = await kissi.call('GET', `/api/v1/admin/lab/certifications${query}`, { token: env.KISSI_TOKEN });
    return json.certifications[0];
  };
  await waitFor('the run', currentRun);
  await playCertification(integrator, wallet.phone);
  await waitFor('the end of the run', async () => {
    clock.advance(60_000);
    await proceed();
    return (await currentRun()).state !== 'running';
  });
  const { code, out, err } = await certifying;
  assert.equal(code, 0, `${out}${err}`);
  assert.equal(out.match(/^✓ /gm)?.length, 10, out);
  assert.match(out, /Passed\. The signed report is in ok\.json; its signature is valid\./);
  const verified = await run(['lab', 'verify', 'ok.json']);
  assert.deepEqual([verified.code, verified.out], [0, 'The report is genuine. Result: passed.\n'], verified.err);
});

test('examples/certification waits for its run, and ends with it', async () => {
  const linesOf = (...lines: string[]) => Readable.from(lines)[Symbol.asyncIterator]() as AsyncIterator<string>;
  const step = (id: string, state: string) => JSON.stringify({ run: 'run_1', id, title: `Step ${id}`, state });
  assert.equal(await runStarts(linesOf()), false);
  const printing = new PassThrough({ objectMode: true });
  const lines = printing[Symbol.asyncIterator]() as AsyncIterator<string>;
  let hasStarted = false;
  const starting = runStarts(lines).then((started) => {
    hasStarted = started;
  });
  await new Promise(setImmediate);
  assert.equal(hasStarted, false);
  printing.write(step('a', 'waiting'));
  await starting;
  assert.equal(hasStarted, true);
  const shown: string[] = [];
  const ending = runPasses(lines, (line) => void shown.push(line));
  for (const line of [step('b', 'waiting'), step('a', 'passed'), step('b', 'passed')]) printing.write(line);
  printing.end();
  assert.equal(await ending, true);
  assert.deepEqual(shown, ['step     passed: Step a', 'step     passed: Step b']);
  for (const state of ['failed', 'not_run', 'waiting']) {
    assert.equal(await runPasses(linesOf(step('a', 'passed'), step('b', state)), report), false, state);
  }
});

async function playCertification({ id, key }: PartnerBank, msisdn: string): Promise<void> {
  const time = { now: () => clock.now(), wait: async (ms: number) => clock.advance(ms) };
  const client = new Kissi({ baseUrl: kissi.url, keyId: key.id, secret: key.secret, partnerId: id, time });
  const credits = { kissi: client, msisdn, prefix: 'certified', report };
  await sendCredits(credits);
  await waitFor('the reversal', async () => {
    await proceed();
    clock.advance(60_000);
    return isReversed(credits);
  });
}

/** The lines that the example prints are not tested. */
function report(): void {}

/** Delivers what is due, and lets the lab act. */
async function proceed(): Promise<void> {
  for (const chore of ['run the lab', 'deliver webhooks']) await runChore(kissi, chore);
  await kissi.gateway.services.webhooks.settled();
  await runChore(kissi, 'run the lab');
}
