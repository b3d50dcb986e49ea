// Tests outgoing messages: queued in their event's transaction, retried until the platform accepts them, then erased.
import assert from 'node:assert/strict';
import { after, afterEach, describe, test } from 'node:test';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { registrationBody } from '../../support/agents.ts';
import { type Json, testGateway } from '../../support/gateway.ts';
import { acceptMessage, fakeServer, type Handler, neverRespond, respond } from '../../support/messaging.ts';
import { scrape, seriesIncreases } from '../../support/metrics.ts';
import { runChore } from '../../support/staff.ts';
import { waitFor } from '../../support/wait.ts';

const env = () => ({ MESSAGING_API_URL: platform.url, MESSAGING_API_TOKEN: 'the-token-of-the-platform' });
const platform = await fakeServer('/messages', acceptMessage);
const kissi = await testGateway({ env: env() });
afterEach(() => platform.setHandler(acceptMessage));
after(async () => {
  await kissi.close();
  await platform.close();
});

let phones = 0;
const newPhone = () => `+2327655${String(++phones).padStart(4, '0')}`;

async function queue(to: string, text: string): Promise<void> {
  const { messaging } = kissi.gateway.services;
  await kissi.db.database.transact((trx) => messaging.send(trx, { to, kind: 'code', text }));
}

async function deliver(gateway = kissi): Promise<void> {
  await runChore(gateway, 'send messages');
  await gateway.gateway.services.messaging.settled();
}

const sentTo = (phone: string) => platform.requests.filter(({ json }) => json.to === phone);
const rowsTo = (phone: string): Promise<Json[]> =>
  kissi.db.database.queries.selectFrom('messages').selectAll().where('recipient', '=', phone).orderBy('id').execute();

describe('a message with a secret', () => {
  test('is stored encrypted, sent after the commit, and erased once the platform has accepted it', async () => {
    const body = registrationBody();
    assert.equal((await kissi.asAdmin.post('/agents', body)).status, 201);
    const phone = String(body.phone_number);
    const [queued] = await rowsTo(phone);
    assert.equal(queued.status, 'pending');
    await deliver();
    const [{ json }] = sentTo(phone) as [Json];
    assert.match(json.text.body, /^Password: \S+$/m);
    const [, pin = ''] = /^PIN: (\d{4})$/m.exec(json.text.body) ?? assert.fail('the message contains no PIN');
    assert.ok(!queued.sealed_text.includes(pin) && !queued.sealed_text.includes('Password'));
    const [sent] = await rowsTo(phone);
    assert.deepEqual([sent.status, sent.sealed_text, sent.attempts], ['sent', null, 1]);
    assert.ok(!kissi.logs().includes(json.text.body) && !kissi.logs().includes('the-token-of-the-platform'));
  });

  test('is not sent when its transaction is rolled back', async () => {
    const phone = newPhone();
    const rolledBack = kissi.db.database.transact(async (trx) => {
      await kissi.gateway.services.messaging.send(trx, { to: phone, kind: 'code', text: '123456' });
      throw new Error('roll back');
    });
    await assert.rejects(rolledBack, /roll back/);
    await deliver();
    assert.deepEqual([sentTo(phone), await rowsTo(phone)], [[], []]);
  });

  test('is not listed by the API while a platform is configured', async () => {
    const phone = newPhone();
    await queue(phone, '123456');
    const reply = await kissi.asAdmin.get('/admin/messages');
    assert.deepEqual([reply.status, reply.json.total_count], [200, 0]);
  });
});

describe('a message that the platform does not accept', () => {
  const failures: Record<string, Handler> = {
    'a server error': respond(500),
    'a rate limit': respond(429, { error: { code: 130429 } }),
    'an expired token': respond(401, { error: { message: 'confidential', code: 190 } }),
    'a redirect': respond(302),
    'a closed connection': (response) => void response.socket?.destroy(),
  };

  for (const [failure, handler] of Object.entries(failures)) {
    test(`is retried after ${failure}`, async () => {
      const phone = newPhone();
      platform.setHandler(handler);
      await queue(phone, 'A code');
      await deliver();
      await deliver();
      const [waiting] = await rowsTo(phone);
      assert.deepEqual([waiting.status, waiting.attempts, sentTo(phone).length], ['pending', 1, 1]);
      assert.doesNotMatch(waiting.last_error, /confidential/);
      platform.setHandler(acceptMessage);
      kissi.clock.advance(5 * SECOND_MS);
      await deliver();
      assert.deepEqual([(await rowsTo(phone))[0].status, sentTo(phone).length], ['sent', 2]);
    });
  }

  test('is attempted six times in about 73 minutes, then marked failed, erased and logged', async () => {
    const phone = newPhone();
    platform.setHandler(respond(503));
    await queue(phone, 'A code');
    const waits = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS];
    await deliver();
    for (const [index, wait] of waits.entries()) {
      kissi.clock.advance(wait - 1);
      await deliver();
      assert.equal(sentTo(phone).length, index + 1, 'not too early');
      kissi.clock.advance(1);
      await deliver();
      assert.equal(sentTo(phone).length, index + 2);
    }
    kissi.clock.advance(DAY_MS);
    await deliver();
    const [row] = await rowsTo(phone);
    assert.deepEqual([row.status, row.sealed_text, row.attempts, row.last_error], ['failed', null, 6, 'status 503']);
    assert.match(kissi.logs(), new RegExp(`"message_id":"${row.id}","kind":"code","reason":"status 503"`));
  });

  test('is not retried after a permanent error', async () => {
    const phone = newPhone();
    platform.setHandler(respond(400, { error: { message: 'Re-engagement message', code: 131047 } }));
    await queue(phone, 'A code');
    await deliver();
    const [row] = await rowsTo(phone);
    assert.deepEqual([row.status, row.sealed_text, row.last_error], ['failed', null, 'status 400, error 131047']);
  });

  test('delays the next message to the same recipient only until its first attempt', async () => {
    const phone = newPhone();
    platform.setHandler((response, request) =>
      (request.json.text.body === 'one' ? respond(500) : acceptMessage)(response, request),
    );
    await queue(phone, 'one');
    await queue(phone, 'two');
    await deliver();
    assert.deepEqual(
      sentTo(phone).map(({ json }) => json.text.body),
      ['one', 'two'],
    );
  });
});

describe('several gateways', () => {
  test('send each message once', async () => {
    const other = await testGateway({ db: kissi.db, clock: kissi.clock, env: env() });
    const to = Array.from({ length: 40 }, newPhone);
    for (const phone of to) await queue(phone, 'Hello');
    await Promise.all([deliver(), deliver(other)]);
    assert.deepEqual([...new Set(to.map((phone) => sentTo(phone).length))], [1]);
    await other.close();
  });

  test('send a message of a killed gateway after its lease expires', async () => {
    const phone = newPhone();
    const killed = await testGateway({ db: kissi.db, clock: kissi.clock, env: env() });
    platform.setHandler(neverRespond);
    await queue(phone, 'Hello');
    await killed.gateway.services.messaging.deliver();
    await waitFor('the message is sent', () => sentTo(phone).length > 0);
    platform.setHandler(acceptMessage);
    await deliver();
    assert.equal(sentTo(phone).length, 1, 'still leased');
    kissi.clock.advance(MINUTE_MS);
    await deliver();
    assert.deepEqual([sentTo(phone).length, (await rowsTo(phone))[0].status], [2, 'sent']);
    await killed.close();
    assert.equal((await rowsTo(phone))[0].status, 'sent');
  });
});

test('metrics report pending messages, their delay and their outcomes', async () => {
  // Deliver the messages that other tests left to be retried.
  kissi.clock.advance(60 * MINUTE_MS);
  await deliver();
  const names = ['kissi_message_waiting', 'kissi_message_overdue_seconds'];
  const backlog = async () => {
    const { series } = await scrape(kissi);
    return names.map((name) => series.get(name));
  };
  const ended = ['sent', 'failed'].map((outcome) => `kissi_message_ended_total{channel="chat",outcome="${outcome}"}`);
  assert.deepEqual(await backlog(), [0, 0]);
  const sent = await seriesIncreases(kissi, ended, async () => {
    await queue(newPhone(), 'A code');
    kissi.clock.advance(MINUTE_MS);
    assert.deepEqual(await backlog(), [1, 60]);
    await deliver();
  });
  assert.deepEqual(
    [sent, await backlog()],
    [
      [1, 0],
      [0, 0],
    ],
  );
  const refused = await seriesIncreases(kissi, ended, async () => {
    platform.setHandler(respond(400));
    await queue(newPhone(), 'A code');
    await deliver();
  });
  assert.deepEqual(refused, [0, 1]);
});

test('sent messages are deleted after 90 days, pending ones are not', async () => {
  const [old, waiting] = [newPhone(), newPhone()];
  await queue(old, 'Hello');
  await deliver();
  kissi.clock.advance(90 * DAY_MS + 1);
  await kissi.db.query(
    `insert into messages (id, recipient, kind, sealed_text, status, next_attempt_at, created_at)
     values ('msg_00', $1, 'code', 'x', 'pending', '2999-01-01', now())`,
    [waiting],
  );
  await runChore(kissi, 'prune messages');
  assert.deepEqual([(await rowsTo(old)).length, (await rowsTo(waiting)).length], [0, 1]);
});
