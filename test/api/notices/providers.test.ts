// Tests the providers of SMS over HTTP: what they are sent, and what their answers mean.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createProviders } from '../../../src/features/messaging/providers/providers.ts';
import { SECOND_MS } from '../../../src/kernel/clock.ts';
import { type Environment, loadConfig } from '../../../src/kernel/config/config.ts';
import { testClock } from '../../support/clock.ts';
import { HIGH_LIMITS, SECRETS } from '../../support/gateway.ts';
import { fakeServer, respond } from '../../support/messaging.ts';
import { AT_KEY, reply, SENT, smsServer, smsSettings } from '../../support/sms.ts';

const sms = await smsServer();
const gateway = await fakeServer('/send', respond(200));
after(async () => {
  await sms.close();
  await gateway.close();
});

const clock = testClock();
const NEVER = new AbortController().signal;
const TEXT = { id: 'msg_1', to: '+23276000001', text: 'Your "code": 1234 & more' };

function provider(env: Environment) {
  const config = loadConfig({ ...HIGH_LIMITS, ...SECRETS, ...env });
  const reports: string[] = [];
  const context = { clock, report: (message: string) => void reports.push(message) };
  const { sms: created } = createProviders({ platform: undefined, sms: config.notices.sms, ...context });
  assert.ok(created);
  return { provider: created, reports };
}

describe("Africa's Talking", () => {
  test('gets a form with the API key in a header, and the sender if there is one', async () => {
    const { provider: at } = provider(smsSettings(sms, { SMS_SENDER: 'KISSI' }));
    assert.deepEqual(await at.send(TEXT, NEVER), { outcome: 'sent' });
    assert.deepEqual(sms.accepted, [{ to: TEXT.to, message: TEXT.text, from: 'KISSI' }]);
  });

  const codes: Record<number, string> = {
    100: 'sent',
    102: 'sent',
    402: 'failed',
    403: 'refused',
    404: 'refused',
    405: 'failed',
    406: 'refused',
    407: 'failed',
    500: 'failed',
    501: 'failed',
    502: 'refused',
  };
  for (const [code, outcome] of Object.entries(codes)) {
    test(`a number with the status code ${code} in an accepted request is ${outcome}`, async () => {
      sms.react(Number(code));
      const { provider: at } = provider(smsSettings(sms));
      assert.equal((await at.send(TEXT, NEVER)).outcome, outcome);
    });
  }

  test('an answer without recipients, a server error and a wrong key are tried again; the reason quotes no text', async () => {
    const { provider: at } = provider(smsSettings(sms));
    sms.react((response) =>
      response.writeHead(201).end('{"SMSMessageData":{"Message":"InvalidSenderId","Recipients":[]}}'),
    );
    assert.deepEqual(await at.send(TEXT, NEVER), { outcome: 'failed', reason: 'status 201, no recipient' });
    sms.react((response) => response.writeHead(500).end('Internal error'));
    assert.deepEqual(await at.send(TEXT, NEVER), { outcome: 'failed', reason: 'status 500' });
    const { provider: wrongKey } = provider(smsSettings(sms, { SMS_SECRET: `${AT_KEY}-2` }));
    assert.deepEqual(await wrongKey.send(TEXT, NEVER), { outcome: 'failed', reason: 'status 401' });
  });

  test('after five failures it is left alone for 30 seconds, then tried with one text', async () => {
    const { provider: at, reports } = provider(smsSettings(sms));
    sms.react((response) => void response.socket?.destroy());
    for (let n = 0; n < 5; n++) await at.send(TEXT, NEVER);
    assert.equal(at.room(), 0);
    const before = sms.received.length;
    await at.send(TEXT, NEVER);
    assert.equal(sms.received.length, before, 'not asked');
    clock.advance(30 * SECOND_MS);
    assert.equal(at.room(), 1);
    sms.react((response, text) => reply(response, text, SENT));
    assert.equal((await at.send(TEXT, NEVER)).outcome, 'sent');
    assert.equal(at.room(), Number.POSITIVE_INFINITY);
    assert.deepEqual(reports, ['a provider of messages does not work', 'a provider of messages works again']);
  });
});

describe('a gateway described by a template', () => {
  const BODY = '{"to":"{to}","from":"{from}","text":"{text}","ref":"{id}"}';
  const settings = (extra: Record<string, string> = {}) => ({
    ...{ SMS_PROVIDER: 'http', SMS_URL: gateway.url, SMS_BODY: BODY, SMS_SENDER: 'KISSI', SMS_SECRET: 's3cr3t-token' },
    SMS_HEADERS: '{"Authorization":"Bearer {secret}"}',
    ...extra,
  });

  test('gets JSON in which the values are quoted, and the secret in its header', async () => {
    const { provider: http } = provider(settings());
    assert.deepEqual(await http.send(TEXT, NEVER), { outcome: 'sent' });
    const { json, headers } = gateway.requests.at(-1) ?? assert.fail();
    assert.deepEqual(json, { to: TEXT.to, from: 'KISSI', text: TEXT.text, ref: 'msg_1' });
    assert.deepEqual([headers.authorization, headers['content-type']], ['Bearer s3cr3t-token', 'application/json']);
  });

  for (const [status, outcome] of [
    [202, 'sent'],
    [302, 'failed'],
    [400, 'refused'],
    [401, 'failed'],
    [422, 'refused'],
    [429, 'failed'],
    [503, 'failed'],
  ] as const) {
    test(`status ${status} means ${outcome}`, async () => {
      gateway.setHandler(respond(status));
      assert.equal((await provider(settings()).provider.send(TEXT, NEVER)).outcome, outcome);
    });
  }
});

describe('the configuration', () => {
  const faults = (env: Environment) => {
    try {
      loadConfig({ ...HIGH_LIMITS, ...SECRETS, ...env });
      return '';
    } catch (error) {
      return String(error);
    }
  };

  test('names what a provider needs', () => {
    assert.match(faults({ SMS_PROVIDER: 'africastalking' }), /SMS_USERNAME must be set[\s\S]*SMS_SECRET must be set/);
    assert.match(faults({ SMS_PROVIDER: 'http' }), /SMS_URL must be set[\s\S]*SMS_BODY must be set/);
    assert.match(faults({ SMS_PROVIDER: 'pigeon' }), /SMS_PROVIDER must be one of/);
  });

  test('sends notices of payments by default in production, once there is a provider', () => {
    const notices = (env: Environment) =>
      loadConfig({
        ...{ ...HIGH_LIMITS, ...SECRETS, PHONE_VERIFICATION: 'off', APPROVALS: 'off', REQUIRE_SECOND_FACTOR: 'false' },
        ...{ MESSAGING_APP_SECRET: 'kW3-qZ8.vN5_tR2+yB7=mH4/cJ9!xL6?', ...env },
      }).notices.notices;
    const at = { SMS_PROVIDER: 'africastalking', SMS_USERNAME: 'kissi', SMS_SECRET: 'atsk_9f8a7b6c5d4e3f2a1b0c' };
    assert.deepEqual(
      [{ APP_ENV: 'production' }, { APP_ENV: 'production', ...at }, at, { ...at, NOTICES: 'off' }].map((env) =>
        notices(env),
      ),
      ['security', 'all', 'security', 'off'],
    );
  });
});
