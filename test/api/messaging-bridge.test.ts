// The messaging bridge: what somebody writes is answered by the agent service, or politely by nobody.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { MINUTE_MS, SECOND_MS } from '../../src/kernel/clock.ts';
import { type CallReply, type TestGateway, testGateway } from '../support/gateway.ts';
import { type FakeServer, fakeServer, neverRespond, respond } from '../support/messaging.ts';
import { type Bank, createBank, type Wallet } from '../support/money.ts';

const PATH = '/api/v1/external/messaging';
const SECRET = 'what kissi signs with';
const SERVICES = JSON.stringify({ kissi: SECRET, 'agent-service': 'what the agents sign with' });

let agent: FakeServer;
let kissi: TestGateway;
let bank: Bank;
let someone: Wallet;
const env = () => ({ AGENT_SERVICE_URL: agent.url, SERVICE_SECRETS: SERVICES, AGENT_SERVICE_NAME: 'kissi' });
before(async () => {
  agent = await fakeServer('/agents/chat?tenant=7', respond(200, { answer: 'Good morning.' }));
  kissi = await testGateway({ env: { ...env(), AGENT_SERVICE_TIMEOUT_MS: '300' } });
  bank = await createBank(kissi);
  someone = await bank.wallet();
});
after(async () => {
  await kissi.close();
  await agent.close();
});

const said = (extra: Record<string, unknown> = {}) => ({
  ...{ event: 'message', message: 'Hello', from: '23276000001', phoneE164: someone.phone },
  ...extra,
});

const ask = (body: unknown, path = PATH, through = kissi) => through.call('POST', path, { body });

function assertRefused(reply: CallReply, status: number, error: RegExp): void {
  assert.equal(reply.status, status, reply.text);
  assert.deepEqual(Object.keys(reply.json), ['error', 'status']);
  assert.equal(reply.json.status, 'error');
  assert.match(reply.json.error, error);
}

function assertPolite(reply: CallReply): void {
  assert.deepEqual([reply.status, reply.json?.status], [200, 'error'], reply.text);
  assert.match(reply.json.answer, /cannot answer you right now/);
}

/** Made good again, and the breaker closed. */
async function recovered(): Promise<void> {
  agent.setHandler(respond(200, { answer: 'Good morning.' }));
  kissi.clock.advance(MINUTE_MS);
  assert.equal((await ask(said())).json.status, 'success');
}

describe('the bridge', () => {
  test("gives the agent service's answer, under /api/v1 and at the root", async () => {
    for (const path of [PATH, '/external/messaging']) {
      const reply = await ask(said(), path);
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual(reply.json, { answer: 'Good morning.', status: 'success' });
    }
  });

  test('forwards exactly what the contract names, signed as a service, as a claim that nobody has verified', async () => {
    await ask(said({ event: 'greeting', message: 'What’s new? 🏦', extra: 'dropped' }));
    const { method, path, headers, json } = agent.requests.at(-1) ?? assert.fail();
    const question = { event: 'greeting', message: 'What’s new? 🏦', from: '23276000001', phoneE164: someone.phone };
    assert.deepEqual(json, { ...question, subscriber_id: someone.id });
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

  test('is 400 with error and status error, naming the field, when one is missing or wrong', async () => {
    const heard = agent.requests.length;
    for (const field of ['event', 'message', 'from', 'phoneE164']) {
      const { [field]: _, ...rest } = said() as Record<string, unknown>;
      assertRefused(await ask(rest), 400, new RegExp(`^${field} is required\\.$`));
      assertRefused(await ask(said({ [field]: '' })), 400, new RegExp(`^${field} must`));
      assertRefused(await ask(said({ [field]: 5 })), 400, new RegExp(`^${field} must`));
      assertRefused(await ask(said({ [field]: null })), 400, new RegExp(`^${field} must`));
    }
    assertRefused(await ask(said({ message: 'x'.repeat(4_097) })), 400, /message must/);
    for (const phoneE164 of ['076123456', '+0', '+232 76 123 456', 'x', '+1234567890123456']) {
      assertRefused(await ask(said({ phoneE164 })), 400, /phoneE164/);
    }
    for (const raw of ['', '[]', '{', 'null']) assertRefused(await kissi.call('POST', PATH, { raw }), 400, /body/i);
    assertRefused(await kissi.call('POST', PATH, { raw: `{"event":"${'x'.repeat(1_100_000)}"}` }), 413, /1 MiB/);
    assertRefused(
      await kissi.call('POST', PATH, { raw: '{}', headers: { 'content-type': 'text/plain' } }),
      415,
      /JSON/,
    );
    assertRefused(await kissi.call('GET', PATH), 405, /POST/);
    assert.equal(agent.requests.length, heard);
  });

  test('answers an unregistered number with 200 and how to register, and tells the agent service nothing', async () => {
    const heard = agent.requests.length;
    const reply = await ask(said({ phoneE164: '+23299111222' }));
    assert.deepEqual([reply.status, reply.json.status], [200, 'success']);
    assert.match(reply.json.answer, /not registered.*register/);
    assert.equal(agent.requests.length, heard);
  });

  test('in production names no subscriber to the agent service, whose answer goes to whoever asks', async () => {
    const live = { ...env(), APP_ENV: 'production' };
    const through = await testGateway({ db: kissi.db, clock: kissi.clock, env: { ...live, ...PRODUCTION_SECRETS } });
    assert.equal((await ask(said(), PATH, through)).json.status, 'success');
    const { json, headers } = agent.requests.at(-1) ?? assert.fail();
    assert.deepEqual([json.subscriber_id, headers['x-sender-verified']], [null, 'false']);
    await through.close();
  });

  test('keeps no more than 32 waiting at once', async () => {
    const before = agent.requests.length;
    agent.setHandler(neverRespond);
    const replies = await Promise.all(Array.from({ length: 40 }, () => ask(said())));
    for (const reply of replies) assertPolite(reply);
    assert.equal(agent.requests.length, before + 32);
    await recovered();
  });

  test('is limited by address, because anybody may ask', async () => {
    const through = await testGateway({ db: kissi.db, env: { ...env(), MESSAGING_BRIDGE_PER_MINUTE: '3' } });
    const replies = [];
    for (let n = 0; n < 5; n++) replies.push(await ask(said(), n % 2 ? PATH : '/external/messaging', through));
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200, 429, 429],
    );
    const last = replies.at(-1) ?? assert.fail();
    assertRefused(last, 429, /Too many/);
    assert.ok(Number(last.headers.get('retry-after')) > 0);
    await through.close();
  });
});

const PRODUCTION_SECRETS = {
  JWT_SECRET: 'Zk3v9QpXw7Lr2TnB8yHd5FgJ1mCs6VaE',
  MASTER_KEY: 'Yk3v9QpXw7Lr2TnB8yHd5FgJ1mCs6VaE',
  PIN_PEPPER: 'Xk3v9QpXw7Lr2TnB8yHd5FgJ1mCs6VaE',
};

describe('an agent service that does not answer', () => {
  test('leaves a polite fixed answer, status error and 200, whatever it does instead', async () => {
    const behaviours = [
      respond(500),
      respond(200, { reply: 'x' }),
      respond(200, { answer: '' }),
      respond(200, { answer: 7 }),
      respond(302),
      respond(200, { answer: 'x', padding: 'x'.repeat(70_000) }),
      (response: Parameters<typeof neverRespond>[0]) => void response.socket?.destroy(),
      (response: Parameters<typeof neverRespond>[0]) => void response.writeHead(200).end('no json'),
    ];
    for (const behaviour of behaviours) {
      agent.setHandler(behaviour);
      assertPolite(await ask(said()));
      await recovered();
    }
  });

  test('is waited for as long as configured, and no longer', async () => {
    agent.setHandler(neverRespond);
    assertPolite(await ask(said()));
    agent.setHandler((response) => void response.writeHead(200).write('{"answer": "drip'));
    assertPolite(await ask(said()));
    await recovered();
  });

  test('may be unset, or gone', async () => {
    for (const without of [{}, { ...env(), AGENT_SERVICE_URL: 'http://127.0.0.1:9/' }]) {
      const through = await testGateway({ db: kissi.db, clock: kissi.clock, env: without });
      assertPolite(await ask(said(), PATH, through));
      await through.close();
    }
  });

  test('is left alone after five failures, and tried with one question when 30 seconds are over', async () => {
    agent.setHandler(respond(503));
    for (let n = 0; n < 5; n++) assertPolite(await ask(said()));
    const asked = () => agent.requests.length;
    const failed = asked();
    agent.setHandler(respond(200, { answer: 'Here again.' }));
    kissi.clock.advance(29 * SECOND_MS);
    assertPolite(await ask(said()));
    assert.equal(asked(), failed, 'nobody asked while the breaker is open');

    kissi.clock.advance(SECOND_MS);
    agent.setHandler(respond(503));
    await Promise.all(Array.from({ length: 5 }, async () => assertPolite(await ask(said()))));
    assert.equal(asked(), failed + 1, 'one of them tried');
    agent.setHandler(respond(200, { answer: 'Here again.' }));
    kissi.clock.advance(29 * SECOND_MS);
    assertPolite(await ask(said()));

    kissi.clock.advance(SECOND_MS);
    assert.equal((await ask(said())).json.answer, 'Here again.');
    assert.equal((await ask(said())).json.status, 'success', 'closed again');
    await recovered();
  });

  test('that refuses what one person writes is not left alone for everybody', async () => {
    agent.setHandler(respond(422));
    for (let n = 0; n < 8; n++) assertPolite(await ask(said()));
    agent.setHandler(respond(200, { answer: 'Good morning.' }));
    assert.equal((await ask(said())).json.status, 'success');
  });

  test('is in the log with a reason, but not what people wrote', async () => {
    agent.setHandler(respond(500));
    assertPolite(await ask(said({ message: 'my pin is 4821' })));
    assert.match(kissi.logs(), /"reason":"status 500"/);
    assert.ok(!kissi.logs().includes('4821'));
    await recovered();
  });

  test('that says more than a message holds is cut to what it holds', async () => {
    agent.setHandler(respond(200, { answer: 'x'.repeat(5_000) }));
    assert.equal((await ask(said())).json.answer.length, 4_096);
  });
});
