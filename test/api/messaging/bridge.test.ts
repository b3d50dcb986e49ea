// Tests the messaging bridge: it returns the answer of the agent service, or a fixed reply when the service fails.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { ROLES } from '../../../src/auth/roles.ts';
import { MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { assertStatus, type CallReply, testGateway } from '../../support/gateway.ts';
import { fakeServer, neverRespond, respond } from '../../support/messaging.ts';
import { createBank } from '../../support/money.ts';
import { newMerchant } from '../../support/processors.ts';
import { containsDigits } from '../../support/secrets.ts';
import { apiKey, staffToken } from '../../support/staff.ts';
import { waitFor } from '../../support/wait.ts';

const PATH = '/api/v1/external/messaging';
const SECRET = 'the secret of kissi';
const SERVICES = JSON.stringify({ kissi: SECRET, 'agent-service': 'the secret of the agent service' });
const env = () => ({ AGENT_SERVICE_URL: agent.url, SERVICE_SECRETS: SERVICES, AGENT_SERVICE_NAME: 'kissi' });
const agent = await fakeServer('/agents/chat?tenant=7', respond(200, { answer: 'Good morning.' }));
const kissi = await testGateway({ env: env() });
const bank = await createBank(kissi);
const subscriber = await bank.wallet();
after(async () => {
  await kissi.close();
  await agent.close();
});

const message = (extra: Record<string, unknown> = {}) => ({
  ...{ event: 'message', message: 'Hello', from: '23276000001', phoneE164: subscriber.phone },
  ...extra,
});

const ask = (body: unknown, path = PATH, gateway = kissi) => gateway.call('POST', path, { body });

function assertRefused(reply: CallReply, status: number, error: RegExp): void {
  assert.equal(reply.status, status, reply.text);
  assert.deepEqual(Object.keys(reply.json), ['error', 'status']);
  assert.equal(reply.json.status, 'error');
  assert.match(reply.json.error, error);
}

function assertFallbackReply(reply: CallReply): void {
  assert.deepEqual([reply.status, reply.json?.status], [200, 'error'], reply.text);
  assert.match(reply.json.answer, /cannot answer you right now/);
}

/** Makes the agent service answer again and waits until the circuit breaker is closed. */
async function recover(): Promise<void> {
  agent.setHandler(respond(200, { answer: 'Good morning.' }));
  kissi.clock.advance(MINUTE_MS);
  assert.equal((await ask(message())).json.status, 'success');
}

describe('the bridge', () => {
  test("returns the agent service's answer, under /api/v1 and at the root", async () => {
    for (const path of [PATH, '/external/messaging']) {
      const reply = assertStatus(await ask(message(), path), 200);
      assert.deepEqual(reply.json, { answer: 'Good morning.', status: 'success' });
    }
  });

  test('forwards only the documented fields, with a service signature and x-sender-verified: false', async () => {
    await ask(message({ event: 'greeting', message: 'What’s new? 🏦', extra: 'dropped' }));
    const { method, path, headers, json } = agent.requests.at(-1) ?? assert.fail();
    const question = { event: 'greeting', message: 'What’s new? 🏦', from: '23276000001', phoneE164: subscriber.phone };
    assert.deepEqual(json, { ...question, subscriber_id: subscriber.id });
    assert.deepEqual([method, path], ['POST', '/agents/chat?tenant=7']);
    const at = String(Math.floor(kissi.clock.now() / SECOND_MS));
    const signature = createHmac('sha256', SECRET).update(`POST|/agents/chat|tenant=7|${at}`).digest('hex');
    assert.deepEqual(
      ['x-service-name', 'x-service-timestamp', 'x-service-signature', 'x-sender-verified'].map(
        (name) => headers[name],
      ),
      ['kissi', at, signature, 'false'],
    );
  });

  test('does not forward four digits, which may be a PIN', async () => {
    const requestCount = agent.requests.length;
    for (const text of ['4821', ' 4 8 2 1\u200b']) {
      const reply = assertStatus(await ask(message({ message: text })), 200);
      assert.match(reply.json.answer, /^Your message was deleted because it looks like a PIN/);
    }
    assert.equal(agent.requests.length, requestCount);
  });

  test('rejects a missing or invalid field with 400, naming the field', async () => {
    const requestCount = agent.requests.length;
    for (const field of ['event', 'message', 'from', 'phoneE164']) {
      const { [field]: _, ...rest } = message() as Record<string, unknown>;
      assertRefused(await ask(rest), 400, new RegExp(`^${field} is required\\.$`));
      assertRefused(await ask(message({ [field]: '' })), 400, new RegExp(`^${field} must`));
      assertRefused(await ask(message({ [field]: 5 })), 400, new RegExp(`^${field} must`));
      assertRefused(await ask(message({ [field]: null })), 400, new RegExp(`^${field} is required`));
    }
    assertRefused(await ask(message({ message: 'x'.repeat(4_097) })), 400, /message must/);
    for (const phoneE164 of ['076123456', '+0', '+232 76 123 456', 'x', '+1234567890123456']) {
      assertRefused(await ask(message({ phoneE164 })), 400, /phoneE164/);
    }
    for (const raw of ['', '[]', '{', 'null']) assertRefused(await kissi.call('POST', PATH, { raw }), 400, /body/i);
    assertRefused(await kissi.call('POST', PATH, { raw: `{"event":"${'x'.repeat(1_100_000)}"}` }), 413, /1 MiB/);
    assertRefused(
      await kissi.call('POST', PATH, { raw: '{}', headers: { 'content-type': 'text/plain' } }),
      415,
      /JSON/,
    );
    assertRefused(await kissi.call('GET', PATH), 405, /POST/);
    assert.equal(agent.requests.length, requestCount);
  });

  test('tells an unregistered number how to register, without calling the agent service', async () => {
    const requestCount = agent.requests.length;
    const reply = await ask(message({ phoneE164: '+23299111222' }));
    assert.deepEqual([reply.status, reply.json.status], [200, 'success']);
    assert.match(reply.json.answer, /not registered.*register/);
    assert.equal(agent.requests.length, requestCount);
  });

  test('needs a bearer or service credential in production, and sends no subscriber id to the agent service', async () => {
    const productionEnv = { ...env(), ...PRODUCTION_SECRETS, APP_ENV: 'production' };
    const gateway = await testGateway({ db: kissi.db, clock: kissi.clock, env: productionEnv });
    const { key } = await apiKey(gateway, ['subscribers:read']);
    const unknown = message({ phoneE164: '+23299111222' });
    try {
      for (const path of [PATH, '/external/messaging']) {
        const requestCount = agent.requests.length;
        const refused = await Promise.all([message(), unknown].map((body) => ask(body, path, gateway)));
        for (const reply of refused) assertRefused(reply, 401, /credential|token|key/i);
        assert.equal(refused[0]?.text, refused[1]?.text, 'nothing tells whether the number is registered');
        assertRefused(await gateway.call('POST', path, { body: message(), token: 'wrong' }), 401, /./);
        assert.equal(agent.requests.length, requestCount);

        const at = String(Math.floor(kissi.clock.now() / SECOND_MS));
        const signature = createHmac('sha256', SECRET).update(`POST|${path}||${at}`).digest('hex');
        const service = {
          ...{ 'x-service-name': 'kissi', 'x-service-timestamp': at, 'x-service-signature': signature },
        };
        for (const credential of [{ token: key }, { headers: service }]) {
          const reply = await gateway.call('POST', path, { body: message(), ...credential });
          assert.deepEqual(reply.json, { answer: 'Good morning.', status: 'success' });
          const { json, headers } = agent.requests.at(-1) ?? assert.fail();
          assert.deepEqual([json.subscriber_id, headers['x-sender-verified']], [null, 'false']);
          const unregistered = await gateway.call('POST', path, { body: unknown, ...credential });
          assert.match(unregistered.json.answer, /not registered.*register/);
        }
      }
    } finally {
      await gateway.close();
    }
  });

  test('is for support, administrators and keys that read subscribers in production: others have limits', async () => {
    const productionEnv = { ...env(), ...PRODUCTION_SECRETS, APP_ENV: 'production' };
    const gateway = await testGateway({ db: kissi.db, clock: kissi.clock, env: productionEnv });
    const { id: processor_id } = await newMerchant(gateway);
    const payments = await apiKey(gateway, ['payments:write']);
    const owned = await apiKey(gateway, ['subscribers:read'], { processor_id });
    const staff = ROLES.filter((role) => role !== 'subscriber');
    const users = await Promise.all(staff.map(async (role) => [role, await staffToken(gateway, role)]));
    const credentials = Object.fromEntries([...users, ['payments', payments.key], ['owned', owned.key]]);
    try {
      const answered: string[] = [];
      for (const [name, token] of Object.entries(credentials)) {
        const reply = await gateway.call('POST', PATH, { body: message(), token: String(token) });
        if (reply.status === 200) answered.push(name);
        else assert.equal(reply.status, 403, reply.text);
      }
      assert.deepEqual(answered.sort(), ['support_user', 'system_admin']);
    } finally {
      await gateway.close();
    }
  });

  test('sends at most 32 concurrent requests to the agent service', async () => {
    const before = agent.requests.length;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const answer = respond(200, { answer: 'Good morning.' });
    agent.setHandler((response, request) => void released.then(() => answer(response, request)));
    let replied = 0;
    const replies = Array.from({ length: 40 }, async () => {
      const reply = await ask(message());
      replied += 1;
      return reply;
    });
    await waitFor('the others get the fallback reply', () => replied === 8);
    await waitFor('32 requests are sent', () => agent.requests.length === before + 32);
    release();
    const failed = (await Promise.all(replies)).filter(({ json }) => json.status !== 'success');
    assert.equal(failed.length, 8);
    for (const reply of failed) assertFallbackReply(reply);
    assert.equal(agent.requests.length, before + 32);
  });

  test('limits requests per IP address', async () => {
    const gateway = await testGateway({ db: kissi.db, env: { ...env(), MESSAGING_BRIDGE_PER_MINUTE: '3' } });
    const replies = [];
    for (let n = 0; n < 5; n++) replies.push(await ask(message(), n % 2 ? PATH : '/external/messaging', gateway));
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200, 429, 429],
    );
    const last = replies.at(-1) ?? assert.fail();
    assertRefused(last, 429, /Too many/);
    assert.ok(Number(last.headers.get('retry-after')) > 0);
    await gateway.close();
  });
});

const PRODUCTION_SECRETS = {
  JWT_SECRET: 'Zk3v9QpXw7Lr2TnB8yHd5FgJ1mCs6VaE',
  MASTER_KEY: 'Yk3v9QpXw7Lr2TnB8yHd5FgJ1mCs6VaE',
  PIN_PEPPER: 'Xk3v9QpXw7Lr2TnB8yHd5FgJ1mCs6VaE',
};

describe('a failing agent service', () => {
  test('results in 200 with status error and a fixed reply, for every kind of failure', async () => {
    const handlers = [
      respond(500),
      respond(200, { reply: 'x' }),
      respond(200, { answer: '' }),
      respond(200, { answer: 7 }),
      respond(302),
      respond(200, { answer: 'x', padding: 'x'.repeat(70_000) }),
      (response: Parameters<typeof neverRespond>[0]) => void response.socket?.destroy(),
      (response: Parameters<typeof neverRespond>[0]) => void response.writeHead(200).end('no json'),
    ];
    for (const handler of handlers) {
      agent.setHandler(handler);
      assertFallbackReply(await ask(message()));
      await recover();
    }
  });

  test('is given up on after the configured timeout', async () => {
    const hasty = { ...env(), AGENT_SERVICE_TIMEOUT_MS: '100' };
    const gateway = await testGateway({ db: kissi.db, clock: kissi.clock, env: hasty });
    agent.setHandler(neverRespond);
    assertFallbackReply(await ask(message(), PATH, gateway));
    agent.setHandler((response) => void response.writeHead(200).write('{"answer": "drip'));
    assertFallbackReply(await ask(message(), PATH, gateway));
    await gateway.close();
    await recover();
  });

  test('may be unconfigured or unreachable', async () => {
    for (const without of [{}, { ...env(), AGENT_SERVICE_URL: 'http://127.0.0.1:9/' }]) {
      const gateway = await testGateway({ db: kissi.db, clock: kissi.clock, env: without });
      assertFallbackReply(await ask(message(), PATH, gateway));
      await gateway.close();
    }
  });

  test('is not called for 30 seconds after five failures, then tried with one request', async () => {
    agent.setHandler(respond(503));
    for (let n = 0; n < 5; n++) assertFallbackReply(await ask(message()));
    const requestCount = () => agent.requests.length;
    const failed = requestCount();
    agent.setHandler(respond(200, { answer: 'Here again.' }));
    kissi.clock.advance(29 * SECOND_MS);
    assertFallbackReply(await ask(message()));
    assert.equal(requestCount(), failed, 'no request while the breaker is open');

    kissi.clock.advance(SECOND_MS);
    agent.setHandler(respond(503));
    await Promise.all(Array.from({ length: 5 }, async () => assertFallbackReply(await ask(message()))));
    assert.equal(requestCount(), failed + 1, 'one trial request');
    agent.setHandler(respond(200, { answer: 'Here again.' }));
    kissi.clock.advance(29 * SECOND_MS);
    assertFallbackReply(await ask(message()));

    kissi.clock.advance(SECOND_MS);
    assert.equal((await ask(message())).json.answer, 'Here again.');
    assert.equal((await ask(message())).json.status, 'success', 'the breaker is closed');
    await recover();
  });

  test('that rejects messages with 4xx does not open the circuit breaker', async () => {
    agent.setHandler(respond(422));
    for (let n = 0; n < 8; n++) assertFallbackReply(await ask(message()));
    agent.setHandler(respond(200, { answer: 'Good morning.' }));
    assert.equal((await ask(message())).json.status, 'success');
  });

  test('is logged with the reason but without the message text', async () => {
    agent.setHandler(respond(500));
    assertFallbackReply(await ask(message({ message: 'my pin is 4821' })));
    assert.match(kissi.logs(), /"reason":"status 500"/);
    assert.ok(!kissi.logs().includes('my pin') && !containsDigits(kissi.logs(), '4821'));
    await recover();
  });

  test('has an answer that is too long truncated to 4,096 characters', async () => {
    agent.setHandler(respond(200, { answer: 'x'.repeat(5_000) }));
    assert.equal((await ask(message())).json.answer.length, 4_096);
  });
});
