// A conversation across processes: the platform posts a message, the gateway calls the example agent service, which calls the
// gateway, and the answer arrives at the platform.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '@kissi/testkit/service';
import { testClock } from '../support/clock.ts';
import { type TestGateway, testGateway } from '../support/gateway.ts';
import {
  APP_SECRET,
  acceptMessage,
  type FakeServer,
  fakeServer,
  processQueues,
  receiveMessages,
} from '../support/messaging.ts';
import { type Bank, createBank } from '../support/money.ts';
import { markPep } from '../support/pep.ts';

const SCRIPT = fileURLToPath(new URL('../../examples/agent-service/agent.mjs', import.meta.url));
const SECRETS = { kissi: 'a secret of the gateway', 'agent-service': 'a secret of the agent service' };

let platform: FakeServer;
let kissi: TestGateway;
let agentService: ChildProcess;
let agentServiceUrl: string;
let bank: Bank;
before(async () => {
  const port = await freePort();
  agentServiceUrl = `http://127.0.0.1:${port}/chat?v=1`;
  platform = await fakeServer('/messages', acceptMessage);
  kissi = await testGateway({
    // The example checks timestamps against the system clock.
    clock: testClock(Date.now()),
    env: {
      MESSAGING_APP_SECRET: APP_SECRET,
      MESSAGING_API_URL: platform.url,
      MESSAGING_API_TOKEN: 'a token',
      AGENT_SERVICE_URL: agentServiceUrl,
      AGENT_SERVICE_NAME: 'kissi',
      SERVICE_SECRETS: JSON.stringify(SECRETS),
    },
  });
  agentService = await startAgentService(port);
  bank = await createBank(kissi);
});
after(async () => {
  if (agentService.exitCode === null) await stop(agentService);
  await kissi.close();
  await platform.close();
});

async function startAgentService(port: number): Promise<ChildProcess> {
  const secrets = { CALLER_SECRET: SECRETS.kissi, SERVICE_SECRET: SECRETS['agent-service'] };
  const env = { ...secrets, KISSI_URL: kissi.url, PORT: String(port) };
  const child = spawn(process.execPath, [SCRIPT], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Sends a message from the phone and returns the answer. */
async function chat(phone: string, text: string): Promise<string> {
  assert.equal((await receiveMessages(kissi, { phone, text })).status, 200);
  await processQueues(kissi);
  const answers = platform.requests.filter(({ json }) => json.to === phone);
  return answers.at(-1)?.json.text.body;
}

const bridge = async (phone: string, message: string) => {
  const body = { event: 'message', message, from: phone.slice(1), phoneE164: phone };
  return (await kissi.call('POST', '/external/messaging', { body })).json;
};

describe('a conversation', () => {
  test('sends a subscriber the current balance', async () => {
    const wallet = await bank.wallet(123_456);
    assert.equal(await chat(wallet.phone, 'What is my balance?'), 'Your balance is 1,234.56 SLE.');
    await bank.fund(wallet, 100);
    assert.equal(await chat(wallet.phone, 'balance'), 'Your balance is 1,235.56 SLE.');
    assert.match(await chat(wallet.phone, 'Hello?'), /Send "balance"/);
  });

  test('sends no balance over the bridge, where the phone number is not verified', async () => {
    const { phone } = await bank.wallet(123_456);
    const { answer, status } = await bridge(phone, 'balance');
    assert.equal(status, 'success');
    assert.match(answer, /only send balances to the registered phone/);
  });

  test('sends no balance of a blocked wallet, and answers a PIN with a warning', async () => {
    const { id, phone } = await bank.wallet(123_456);
    assert.match(await chat(phone, '4821'), /deleted because it looks like a PIN/);
    assert.match(await chat(phone, 'my pin is 48 21, balance please'), /never send your PIN/);
    const body = { reason: 'Lost phone' };
    await kissi.call('POST', `/api/v1/subscribers/${id}/block`, { body, token: await kissi.adminToken() });
    assert.match(await chat(phone, 'balance'), /not active at the moment/);
  });

  test('sends no balance of a PEP, and repeated attempts do not affect other subscribers', async () => {
    const [pep, wallet] = [await bank.wallet(123_456), await bank.wallet(100)];
    await markPep(kissi, pep.id);
    // More than the consecutive failures that open the circuit breaker.
    for (let n = 0; n < 6; n++)
      assert.match(await chat(pep.phone, 'balance'), /balance of this wallet is not available/);
    assert.equal(await chat(wallet.phone, 'balance'), 'Your balance is 1.00 SLE.');
  });

  test('tells an unknown phone number that it is not registered', async () => {
    assert.match(await chat('+23299555666', 'balance'), /not registered/);
  });

  test('sends an apology while the agent service is down, and answers when it is back', async () => {
    const { phone } = await bank.wallet(100);
    await stop(agentService);
    assert.match(await chat(phone, 'balance'), /cannot answer you right now/);
    agentService = await startAgentService(Number(new URL(agentServiceUrl).port));
    assert.equal(await chat(phone, 'balance'), 'Your balance is 1.00 SLE.');
  });
});

describe('the example agent service', () => {
  test('refuses callers other than the gateway, methods other than POST, and large bodies', async () => {
    const statusFor = async (headers: Record<string, string>) =>
      (await fetch(agentServiceUrl, { method: 'POST', headers, body: '{"message": "balance"}' })).status;
    const now = String(Math.floor(Date.now() / 1000));
    const identity = { 'x-service-name': 'kissi', 'x-service-timestamp': now };
    assert.equal(await statusFor({}), 401);
    assert.equal(await statusFor({ ...identity, 'x-service-signature': '0'.repeat(64) }), 401);
    assert.equal((await fetch(agentServiceUrl)).status, 405);
    assert.equal((await fetch(agentServiceUrl, { method: 'POST', body: 'x'.repeat(300_000) })).status, 413);
  });
});
