// Tests the messaging platform's webhook: verification, signatures, and exactly one answer per message.
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { loadConfig } from '../../../src/kernel/config/config.ts';
import { type CallReply, type Json, SECRETS, testGateway } from '../../support/gateway.ts';
import {
  APP_SECRET,
  acceptMessage,
  type FakeServer,
  fakeServer,
  hubHeaders,
  messageObject,
  neverRespond,
  newMessageId,
  postWebhook,
  processQueues,
  receiveMessages,
  respond,
  WEBHOOK,
  webhookPayload,
} from '../../support/messaging.ts';
import { createBank } from '../../support/money.ts';
import { containsDigits } from '../../support/secrets.ts';
import { messageTo, runChore } from '../../support/staff.ts';
import { waitFor } from '../../support/wait.ts';

const TOKEN = 'verify token of the operator';
const env = () => ({
  MESSAGING_VERIFY_TOKEN: TOKEN,
  MESSAGING_APP_SECRET: APP_SECRET,
  MESSAGING_API_URL: platform.url,
  MESSAGING_API_TOKEN: 'the token of the platform',
  AGENT_SERVICE_URL: agent.url,
  SERVICE_SECRETS: '{"kissi": "the secret of kissi"}',
});
const echo = answerWith((message) => `You wrote: ${message}`);
const agent = await fakeServer('/chat', echo);
const platform = await fakeServer('/v20.0/106540352242922/messages', acceptMessage);
const kissi = await testGateway({ env: env() });
const bank = await createBank(kissi);
beforeEach(() => {
  agent.setHandler(echo);
  platform.setHandler(acceptMessage);
});
after(async () => {
  await kissi.close();
  await Promise.all([agent.close(), platform.close()]);
});

function answerWith(answer: (message: string) => string): Parameters<FakeServer['setHandler']>[0] {
  return (response, { json }) => respond(200, { answer: answer(json.message) })(response, { json } as Json);
}

const anotherGateway = (extra: Record<string, string> = {}) =>
  testGateway({ db: kissi.db, clock: kissi.clock, env: { ...env(), ...extra } });

/** Texts sent to a phone number through the platform, in order. */
const textsTo = (phone: string) =>
  platform.requests.filter(({ json }) => json.to === phone).map(({ json }) => json.text.body);
const requestsFrom = (phone: string) => agent.requests.filter(({ json }) => json.phoneE164 === phone);

function assertRefused(reply: CallReply, status: number): void {
  assert.equal(reply.status, status, reply.text);
  assert.deepEqual([Object.keys(reply.json), reply.json.success], [['success', 'message'], false]);
}

describe('the verification of the webhook', () => {
  const verify = (query: Record<string, string>, path = WEBHOOK, gateway = kissi) =>
    gateway.call('GET', `${path}?${new URLSearchParams(query)}`);
  const valid = { 'hub.mode': 'subscribe', 'hub.verify_token': TOKEN, 'hub.challenge': '1158201444' };

  test('returns the challenge as plain text if the token is correct, under /api/v1 and at the root', async () => {
    for (const path of [WEBHOOK, `/api/v1${WEBHOOK}`]) {
      const reply = await verify(valid, path);
      assert.deepEqual([reply.status, reply.text], [200, '1158201444']);
      assert.match(reply.headers.get('content-type') ?? '', /^text\/plain/);
      assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
    }
    const script = '<script>alert(1)</script> "ü"';
    assert.equal((await verify({ ...valid, 'hub.challenge': script })).text, script);
  });

  test('rejects a wrong token or mode, or a missing challenge, with 403', async () => {
    for (const token of ['', 'wrong', `${TOKEN} `, TOKEN.slice(1), TOKEN.toUpperCase(), 'undefined']) {
      assertRefused(await verify({ ...valid, 'hub.verify_token': token }), 403);
    }
    assertRefused(await verify({ ...valid, 'hub.mode': 'unsubscribe' }), 403);
    for (const missing of Object.keys(valid)) {
      const rest = Object.fromEntries(Object.entries(valid).filter(([name]) => name !== missing));
      assertRefused(await verify(rest), 403);
    }
    assertRefused(await kissi.call('GET', WEBHOOK), 403);
  });

  test('rejects every request with 403 if no token is configured', async () => {
    const bare = await anotherGateway({ MESSAGING_VERIFY_TOKEN: '' });
    for (const token of [TOKEN, '', 'undefined']) {
      assertRefused(await verify({ ...valid, 'hub.verify_token': token }, WEBHOOK, bare), 403);
    }
    await bare.close();
  });

  test('does not log the token', () => {
    assert.ok(!kissi.logs().includes(TOKEN));
    assert.ok(!kissi.logs().includes(encodeURIComponent(TOKEN).replaceAll('%20', '+')));
  });
});

describe('a message from the platform', () => {
  test('is forwarded to the agent service, and the answer is sent through the platform', async () => {
    const { id, phone } = await bank.wallet();
    const messageId = newMessageId();
    const reply = await receiveMessages(kissi, { id: messageId, phone, text: 'Balance?' });
    assert.deepEqual([reply.status, reply.json], [200, { success: true }]);
    await processQueues(kissi);
    const [forwarded] = requestsFrom(phone);
    assert.deepEqual(forwarded?.json, {
      ...{ event: 'message', message: 'Balance?', from: phone.slice(1), phoneE164: phone, subscriber_id: id },
    });
    assert.deepEqual(
      ['x-sender-verified', 'x-request-id', 'x-service-name'].map((name) => forwarded?.headers[name]),
      ['true', messageId, 'kissi'],
    );
    const sent = platform.requests.at(-1) ?? assert.fail();
    assert.deepEqual(
      [sent.path, sent.headers.authorization],
      ['/v20.0/106540352242922/messages', 'Bearer the token of the platform'],
    );
    assert.deepEqual(sent.json, {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: phone,
      type: 'text',
      text: { preview_url: false, body: 'You wrote: Balance?' },
    });
  });

  test('is accepted under /api/v1 too; one request may have several, and each sender is answered in order', async () => {
    const [one, two] = [await bank.wallet(), await bank.wallet()];
    const write = (phone: string, text: string) => messageObject({ phone, text });
    const payload = webhookPayload(
      { messages: [write(one.phone, 'a'), write(two.phone, 'x'), write(one.phone, 'b')] },
      { messages: [write(one.phone, 'c')] },
    );
    assert.equal((await postWebhook(kissi, payload, `/api/v1${WEBHOOK}`)).status, 200);
    await processQueues(kissi);
    assert.deepEqual(textsTo(one.phone), ['You wrote: a', 'You wrote: b', 'You wrote: c']);
    assert.deepEqual(textsTo(two.phone), ['You wrote: x']);
  });

  test('from an unregistered number is answered with how to register', async () => {
    const phone = '+23299333444';
    await receiveMessages(kissi, { phone });
    await processQueues(kissi);
    assert.deepEqual([requestsFrom(phone).length, textsTo(phone).length], [0, 1]);
    assert.match(textsTo(phone)[0], /not registered/);
  });

  test('is answered with a fixed reply when the agent service fails', async () => {
    const { phone } = await bank.wallet();
    agent.setHandler(respond(500));
    await receiveMessages(kissi, { phone });
    await processQueues(kissi);
    assert.match(textsTo(phone)[0], /cannot answer you right now/);
  });

  test('without text is answered with a request for text; a reaction is not answered', async () => {
    const [audioSender, reactionSender] = [await bank.wallet(), await bank.wallet()];
    await receiveMessages(kissi, { phone: audioSender.phone, content: { type: 'audio', audio: { id: '1' } } });
    const emoji = { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '👍' } };
    await receiveMessages(kissi, { phone: reactionSender.phone, content: emoji });
    await processQueues(kissi);
    assert.match(textsTo(audioSender.phone)[0], /only read text/);
    assert.deepEqual([textsTo(reactionSender.phone), requestsFrom(audioSender.phone)], [[], []]);
  });

  test('held by a stalled gateway is answered once, by another gateway after the lease expires', async () => {
    const { phone } = await bank.wallet();
    const stalled = await anotherGateway();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    agent.setHandler((response, request) => void held.then(() => echo(response, request)));
    const id = newMessageId();
    await receiveMessages(stalled, { id, phone });
    await waitFor('the agent service receives the message', () => requestsFrom(phone).length > 0);
    agent.setHandler(echo);
    await processQueues(kissi);
    assert.deepEqual(textsTo(phone), [], 'the lease is still valid');
    kissi.clock.advance(MINUTE_MS);
    await processQueues(kissi);
    assert.deepEqual(textsTo(phone), ['You wrote: Hello']);
    assert.equal(requestsFrom(phone).at(-1)?.headers['x-request-id'], id, 'the agent service can recognize the retry');
    release();
    await processQueues(stalled);
    assert.equal(textsTo(phone).length, 1, 'the gateway that lost the lease sends no answer');
    assert.match(stalled.logs(), /outlasted its lease/);
    await stalled.close();
  });

  test('is released by a gateway that stops before the answer, and answered by the next one immediately', async () => {
    const { phone } = await bank.wallet();
    const stopped = await anotherGateway();
    agent.setHandler(neverRespond);
    await receiveMessages(stopped, { phone });
    await waitFor('the agent service receives the message', () => requestsFrom(phone).length > 0);
    await stopped.close();
    agent.setHandler(echo);
    await processQueues(kissi);
    assert.deepEqual(textsTo(phone), ['You wrote: Hello']);
  });

  test('is stored encrypted and erased once it is answered', async () => {
    const { phone } = await bank.wallet();
    agent.setHandler(neverRespond);
    const slow = await anotherGateway({ AGENT_SERVICE_TIMEOUT_MS: '200' });
    const id = newMessageId();
    await receiveMessages(slow, { id, phone, text: 'my PIN is 4821' });
    const row = () =>
      kissi.db.database.queries.selectFrom('incoming_messages').selectAll().where('id', '=', id).executeTakeFirst();
    const waiting = (await row())?.sealed_text ?? assert.fail('the message is not pending');
    assert.ok(!waiting.includes('4821'));
    await processQueues(slow);
    assert.equal((await row())?.sealed_text, null);
    assert.ok(!slow.logs().includes('my PIN') && !containsDigits(slow.logs(), '4821'));
    await slow.close();
  });
});

describe('a message of four digits, which may be a PIN', () => {
  for (const text of ['4821', ' 4 8 2 1', '4821\u200b', '\u202e4821', '\uff14821', '4\ufe0f\u20e3821']) {
    test(`${JSON.stringify(text)} is neither stored nor forwarded, and its sender is warned`, async () => {
      const wallet = await bank.wallet();
      await receiveMessages(kissi, { phone: wallet.phone, text });
      await processQueues(kissi);
      assert.equal(requestsFrom(wallet.phone).length, 0);
      const { rows } = await kissi.db.query('select 1 from incoming_messages where sender = $1', [wallet.phone]);
      assert.equal(rows.length, 0);
      const [warning, ...others] = textsTo(wallet.phone);
      assert.match(warning ?? '', /^Your message was deleted because it looks like a PIN\. Never send your PIN here/);
      assert.deepEqual(others, []);
    });
  }

  test('does not take the other messages of its request with it', async () => {
    const wallet = await bank.wallet();
    const { phone } = wallet;
    await receiveMessages(
      kissi,
      { phone, text: '4821' },
      { phone, text: 'My PIN is secret' },
      { phone, text: '48210' },
    );
    await processQueues(kissi);
    const answers = textsTo(phone).filter((text) => text.startsWith('You wrote'));
    assert.deepEqual(answers, ['You wrote: My PIN is secret', 'You wrote: 48210']);
    assert.equal(textsTo(phone).length, 3);
  });
});

describe('a signature of the platform', () => {
  test('is required, must cover the exact bytes and have the form sha256=hex', async () => {
    const { phone } = await bank.wallet();
    const raw = JSON.stringify(webhookPayload({ messages: [messageObject({ phone })] }));
    const { 'x-hub-signature-256': good = '' } = hubHeaders(raw);
    const send = (body: string, headers: Record<string, string>) => kissi.call('POST', WEBHOOK, { raw: body, headers });
    assertRefused(await send(raw, {}), 401);
    assertRefused(await send(raw, hubHeaders(raw, 'another secret')), 401);
    assertRefused(await send(raw.replace('Hello', 'Hallo'), hubHeaders(raw)), 401);
    assertRefused(await send(`${raw} `, hubHeaders(raw)), 401);
    for (const bad of [
      good.slice(7),
      good.slice(0, -1),
      `sha1=${good.slice(7)}`,
      `sha256=${'0'.repeat(64)}`,
      'sha256=',
    ]) {
      assertRefused(await send(raw, { 'x-hub-signature-256': bad }), 401);
    }
    assertRefused(await send(raw, { authorization: `Bearer ${await kissi.adminToken()}` }), 401);
    await processQueues(kissi);
    assert.deepEqual(requestsFrom(phone), []);
    assert.equal((await send(raw, hubHeaders(raw))).status, 200);
  });

  test('is checked before the body', async () => {
    for (const raw of ['no json', '[]', '{}']) {
      assertRefused(await kissi.call('POST', WEBHOOK, { raw, headers: hubHeaders(raw, 'wrong') }), 401);
    }
    const huge = JSON.stringify({ entry: 'x'.repeat(1_100_000) });
    assertRefused(await kissi.call('POST', WEBHOOK, { raw: huge, headers: hubHeaders(huge) }), 413);
  });

  test('is not required without MESSAGING_APP_SECRET; then senders are unverified and rate limited by address', async () => {
    const { phone } = await bank.wallet();
    const unsigned = await anotherGateway({ MESSAGING_APP_SECRET: '', MESSAGING_UNSIGNED_PER_MINUTE: '2' });
    const body = webhookPayload({ messages: [messageObject({ phone })] });
    assert.equal((await unsigned.call('POST', WEBHOOK, { body })).status, 200);
    await processQueues(unsigned);
    assert.equal(requestsFrom(phone)[0]?.headers['x-sender-verified'], 'false');
    assert.equal((await unsigned.call('POST', WEBHOOK, { body })).status, 200);
    assertRefused(await unsigned.call('POST', WEBHOOK, { body }), 429);
    await unsigned.close();
  });

  test('cannot be disabled outside development: the service does not start without the secret', async () => {
    for (const APP_ENV of ['staging', 'production']) {
      const environment = { ...SECRETS, MESSAGING_APP_SECRET: '', APP_ENV };
      assert.throws(() => loadConfig(environment), /MESSAGING_APP_SECRET must be set/, APP_ENV);
    }
  });
});

describe('one post of the platform', () => {
  const post = (count: number, split = 1) => {
    const messages = Array.from({ length: count }, (_, index) =>
      messageObject({ phone: `+2327650${String(10_000 + index).slice(1)}` }),
    );
    const changes = Array.from({ length: split }, (_, part) => ({
      messages: messages.filter((_message, index) => index % split === part),
    }));
    return webhookPayload(...changes);
  };
  const stored = async () => (await kissi.db.query('select count(*)::int as n from incoming_messages')).rows[0].n;

  test('carries at most 100 messages; a larger one gets 413 and none of them is queued or answered', async () => {
    const [before, sent] = [await stored(), platform.requests.length];
    for (const payload of [post(101), post(101, 3), post(1_000)]) assertRefused(await postWebhook(kissi, payload), 413);
    const unsigned = await anotherGateway({ MESSAGING_APP_SECRET: '' });
    assertRefused(await unsigned.call('POST', WEBHOOK, { body: post(101) }), 413);
    await unsigned.close();
    await processQueues(kissi);
    assert.deepEqual([await stored(), platform.requests.length], [before, sent]);
    assert.equal((await postWebhook(kissi, post(100, 3))).status, 200);
    assert.equal(await stored(), before + 100);
    await processQueues(kissi);
  });
});

describe('a message that is delivered again', () => {
  test('is answered once, even with concurrent deliveries to two gateways', async () => {
    const { phone } = await bank.wallet();
    const other = await anotherGateway();
    const payload = webhookPayload({
      messages: [messageObject({ phone, text: 'once' }), messageObject({ phone, text: 'too' })],
    });
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) => postWebhook(index % 2 ? kissi : other, payload)),
    );
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
    await processQueues(other);
    await processQueues(kissi);
    assert.deepEqual(textsTo(phone), ['You wrote: once', 'You wrote: too']);
    assert.equal(requestsFrom(phone).length, 2);
    await other.close();
  });

  test('in the same request or after a restart is answered once', async () => {
    const { phone } = await bank.wallet();
    const message = messageObject({ phone });
    const payload = webhookPayload({ messages: [message, message] });
    await postWebhook(kissi, payload);
    await processQueues(kissi);
    const restarted = await anotherGateway();
    await postWebhook(restarted, payload);
    await processQueues(restarted);
    assert.equal(textsTo(phone).length, 1);
    await restarted.close();
  });

  test('is recognized for 90 days, then its id is deleted', async () => {
    const { phone } = await bank.wallet();
    const id = newMessageId();
    await receiveMessages(kissi, { id, phone });
    await processQueues(kissi);
    const storedCount = async () => {
      await runChore(kissi, 'prune answered messages');
      const rows = kissi.db.database.queries.selectFrom('incoming_messages').select('id').where('id', '=', id);
      return (await rows.execute()).length;
    };
    kissi.clock.advance(90 * DAY_MS);
    assert.equal(await storedCount(), 1);
    kissi.clock.advance(1);
    assert.equal(await storedCount(), 0);
  });
});

describe('content other than messages', () => {
  test('is acknowledged: statuses silently, unknown content with a log entry', async () => {
    const before = [agent.requests.length, platform.requests.length];
    const status = { id: 'wamid.x', status: 'delivered', recipient_id: '23276000001', timestamp: '1' };
    assert.equal((await postWebhook(kissi, webhookPayload({ statuses: [status] }))).status, 200);
    const logged = () => kissi.logs().split('sent unknown content').length - 1;
    const loggedBefore = logged();
    const phone = '+23276000001';
    const unknown: unknown[] = [
      {},
      [],
      null,
      7,
      { entry: null },
      { entry: {} },
      { entry: [{}] },
      { entry: [{ changes: [{ field: 'account_update', value: {} }] }] },
      webhookPayload({}),
      webhookPayload({ messages: 'x' }),
      webhookPayload({ messages: [null] }),
      webhookPayload({ messages: [{ ...messageObject({ phone }), id: 'x'.repeat(600) }] }),
      webhookPayload({ messages: [{ ...messageObject({ phone }), from: 'me' }] }),
      webhookPayload({ messages: [{ ...messageObject({ phone }), from: '99999' }] }),
      webhookPayload({ messages: [{ ...messageObject({ phone }), text: { body: 5 } }] }),
      webhookPayload({ messages: [messageObject({ phone, content: { type: 'order' } })] }),
    ];
    for (const payload of unknown) {
      const reply = await postWebhook(kissi, payload);
      assert.deepEqual([reply.status, reply.json], [200, { success: true }], JSON.stringify(payload));
    }
    assert.equal(logged(), loggedBefore + unknown.length);
    await processQueues(kissi);
    assert.deepEqual([agent.requests.length, platform.requests.length], before);
  });

  test('does not prevent a message in the same request from being answered', async () => {
    const { phone } = await bank.wallet();
    const { entry, ...rest } = webhookPayload(
      { messages: [null, messageObject({ phone }), { type: 'x' }] },
      { statuses: [] },
      {},
    );
    const malformed = [null, {}, { changes: 7 }, { changes: [null, {}, { field: 'messages', value: 5 }] }];
    await postWebhook(kissi, { ...rest, entry: [...malformed, ...(entry as unknown[]), ...malformed] });
    await processQueues(kissi);
    assert.equal(textsTo(phone).length, 1);
  });

  test('is rejected with 400 if it is not JSON', async () => {
    for (const raw of ['', '{', 'x']) {
      assertRefused(await kissi.call('POST', WEBHOOK, { raw, headers: hubHeaders(raw) }), 400);
    }
  });
});

test('a sender with many pending messages is answered 20 times and does not delay other senders', async () => {
  const [busy, other] = [await bank.wallet(), await bank.wallet()];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  agent.setHandler((response, request) => {
    if (request.json.phoneE164 === busy.phone) void held.then(() => echo(response, request));
    else echo(response, request);
  });
  for (let n = 0; n < 30; n++) await receiveMessages(kissi, { phone: busy.phone, text: String(n) });
  await receiveMessages(kissi, { phone: other.phone });
  await waitFor('the other sender is served', () => requestsFrom(other.phone).length > 0);
  assert.equal(requestsFrom(busy.phone).length, 1, 'one at a time');
  release();
  await processQueues(kissi);
  assert.deepEqual([textsTo(busy.phone).length, textsTo(other.phone).length], [20, 1]);
});

test('of 30 messages in one request, 20 are answered', async () => {
  const busy = await bank.wallet();
  const messages = Array.from({ length: 30 }, (_, n) => messageObject({ phone: busy.phone, text: String(n) }));
  assert.equal((await postWebhook(kissi, webhookPayload({ messages }))).status, 200);
  await processQueues(kissi);
  assert.deepEqual(
    textsTo(busy.phone),
    Array.from({ length: 20 }, (_, n) => `You wrote: ${n}`),
  );
});

test('failures on the unauthenticated bridge do not stop answers to the platform', async () => {
  const { phone } = await bank.wallet();
  agent.setHandler(respond(500));
  const body = { event: 'message', message: 'Break', from: phone.slice(1), phoneE164: phone };
  for (let n = 0; n < 6; n++) await kissi.call('POST', '/external/messaging', { body });
  assert.equal(requestsFrom(phone).length, 5, "the bridge's circuit breaker is open");
  agent.setHandler(echo);
  await receiveMessages(kissi, { phone });
  await processQueues(kissi);
  assert.deepEqual(textsTo(phone), ['You wrote: Hello']);
});

test('answers are in the local outbox if no platform is configured', async () => {
  const local = await anotherGateway({ MESSAGING_API_URL: '', MESSAGING_API_TOKEN: '' });
  const { phone } = await bank.wallet();
  await receiveMessages(local, { phone, text: 'Hi' });
  await processQueues(local);
  const { kind, text } = await messageTo(local, phone);
  assert.deepEqual([kind, text], ['answer', 'You wrote: Hi']);
  assert.deepEqual(textsTo(phone), []);
  await local.close();
});
