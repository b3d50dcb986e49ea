// Outgoing messages: queued with what they speak of, sent by the platform until it takes them, their texts then forgotten.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/kernel/clock.ts';
import { registrationBody } from '../support/agents.ts';
import { type Json, type TestGateway, testGateway } from '../support/gateway.ts';
import {
  acceptMessage,
  type FakeServer,
  fakeServer,
  type Handler,
  neverRespond,
  respond,
} from '../support/messaging.ts';
import { scrape, seriesIncreases } from '../support/metrics.ts';
import { runChore } from '../support/staff.ts';
import { waitFor } from '../support/wait.ts';

let platform: FakeServer;
let kissi: TestGateway;
const env = () => ({ MESSAGING_API_URL: platform.url, MESSAGING_API_TOKEN: 'the-token-of-the-platform' });
before(async () => {
  platform = await fakeServer('/messages', acceptMessage);
  kissi = await testGateway({ env: env() });
});
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

async function deliver(through = kissi): Promise<void> {
  await runChore(through, 'send messages');
  await through.gateway.services.messaging.settled();
}

const sentTo = (phone: string) => platform.requests.filter(({ json }) => json.to === phone);
const rowsTo = (phone: string): Promise<Json[]> =>
  kissi.db.database.queries.selectFrom('messages').selectAll().where('recipient', '=', phone).orderBy('id').execute();

describe('a message with a secret', () => {
  test('is sent after the commit, sealed until then, and its text gone once the platform has it', async () => {
    const body = registrationBody();
    const token = await kissi.adminToken();
    assert.equal((await kissi.call('POST', '/api/v1/agents', { body, token })).status, 201);
    const phone = String(body.phone_number);
    const [queued] = await rowsTo(phone);
    assert.equal(queued.status, 'pending');
    await deliver();
    const [{ json }] = sentTo(phone) as [Json];
    assert.match(json.text.body, /^Password: \S+$/m);
    const [, pin = ''] = /^PIN: (\d{4})$/m.exec(json.text.body) ?? assert.fail('it has the PIN');
    assert.ok(!queued.sealed_text.includes(pin) && !queued.sealed_text.includes('Password'));
    const [sent] = await rowsTo(phone);
    assert.deepEqual([sent.status, sent.sealed_text, sent.attempts], ['sent', null, 1]);
    assert.ok(!kissi.logs().includes(json.text.body) && !kissi.logs().includes('the-token-of-the-platform'));
  });

  test('is not sent when what it speaks of is rolled back', async () => {
    const phone = newPhone();
    const undone = kissi.db.database.transact(async (trx) => {
      await kissi.gateway.services.messaging.send(trx, { to: phone, kind: 'code', text: '123456' });
      throw new Error('undone');
    });
    await assert.rejects(undone, /undone/);
    await deliver();
    assert.deepEqual([sentTo(phone), await rowsTo(phone)], [[], []]);
  });

  test('is in nobody’s list while a platform is connected', async () => {
    const phone = newPhone();
    await queue(phone, '123456');
    const reply = await kissi.call('GET', '/api/v1/admin/messages', { token: await kissi.adminToken() });
    assert.deepEqual([reply.status, reply.json.total_count], [200, 0]);
  });
});

describe('a platform that does not take a message', () => {
  const failing: Record<string, Handler> = {
    'an error of its own': respond(500),
    'too many': respond(429, { error: { code: 130429 } }),
    'a token that is over': respond(401, { error: { message: 'secret words', code: 190 } }),
    'a redirect': respond(302),
    'a connection that breaks': (response) => void response.socket?.destroy(),
  };

  for (const [what, behaviour] of Object.entries(failing)) {
    test(`for ${what} is tried again, until it does`, async () => {
      const phone = newPhone();
      platform.setHandler(behaviour);
      await queue(phone, 'A code');
      await deliver();
      await deliver();
      const [waiting] = await rowsTo(phone);
      assert.deepEqual([waiting.status, waiting.attempts, sentTo(phone).length], ['pending', 1, 1]);
      assert.doesNotMatch(waiting.last_error, /secret words/);
      platform.setHandler(acceptMessage);
      kissi.clock.advance(5 * SECOND_MS);
      await deliver();
      assert.deepEqual([(await rowsTo(phone))[0].status, sentTo(phone).length], ['sent', 2]);
    });
  }

  test('is tried six times in about an hour; then the text is gone too, and the log says so', async () => {
    const phone = newPhone();
    platform.setHandler(respond(503));
    await queue(phone, 'A code of a day');
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

  test('for good is not tried again', async () => {
    const phone = newPhone();
    platform.setHandler(respond(400, { error: { message: 'Re-engagement message', code: 131047 } }));
    await queue(phone, 'A code');
    await deliver();
    const [row] = await rowsTo(phone);
    assert.deepEqual([row.status, row.sealed_text, row.last_error], ['failed', null, 'status 400, error 131047']);
  });

  test('holds the next message to the same person back no longer than the first attempt', async () => {
    const phone = newPhone();
    platform.setHandler((response, heard) =>
      (heard.json.text.body === 'one' ? respond(500) : acceptMessage)(response, heard),
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

  test('take over what one of them held when it was killed', async () => {
    const phone = newPhone();
    const killed = await testGateway({ db: kissi.db, clock: kissi.clock, env: env() });
    platform.setHandler(neverRespond);
    await queue(phone, 'Hello');
    await killed.gateway.services.messaging.deliver();
    await waitFor('the message is sent', () => sentTo(phone).length > 0);
    platform.setHandler(acceptMessage);
    await deliver();
    assert.equal(sentTo(phone).length, 1, 'held');
    kissi.clock.advance(MINUTE_MS);
    await deliver();
    assert.deepEqual([sentTo(phone).length, (await rowsTo(phone))[0].status], [2, 'sent']);
    await killed.close();
    assert.equal((await rowsTo(phone))[0].status, 'sent');
  });
});

test('figures tell what waits, how late it is, and what came of it', async () => {
  // What other tests left to be tried again.
  kissi.clock.advance(60 * MINUTE_MS);
  await deliver();
  const names = ['kissi_message_waiting', 'kissi_message_overdue_seconds'];
  const seen = async () => {
    const { series } = await scrape(kissi);
    return names.map((name) => series.get(name));
  };
  const ended = ['sent', 'failed'].map((outcome) => `kissi_message_ended_total{outcome="${outcome}"}`);
  assert.deepEqual(await seen(), [0, 0]);
  const sent = await seriesIncreases(kissi, ended, async () => {
    await queue(newPhone(), 'A code');
    kissi.clock.advance(MINUTE_MS);
    assert.deepEqual(await seen(), [1, 60]);
    await deliver();
  });
  assert.deepEqual(
    [sent, await seen()],
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

test('what is over is forgotten after 90 days, what waits is not', async () => {
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
