// Refused attempts in the audit log: the first at once, more of the same as a number, and the chain whole.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { iso, MINUTE_MS } from '../../src/kernel/clock.ts';
import { gatewayForFile, type Json, testGateway } from '../support/gateway.ts';
import { auditLogs, openSession, runChore, staffMember } from '../support/staff.ts';

const kissi = await gatewayForFile();

const FLUSH = 'count refused attempts';

async function somebody() {
  const staff = await staffMember(kissi, 'support_user');
  const { token } = await openSession(kissi, staff);
  const unblock = (id: string, from = kissi) => from.call('POST', `/api/v1/subscribers/${id}/unblock`, { token });
  const entries = async (): Promise<Json[]> => {
    const all = await auditLogs(kissi, { actor_id: staff.id });
    return all.filter(({ action }) => action.endsWith('.refused')).reverse();
  };
  return { staff, token, unblock, entries };
}

async function assertChain(): Promise<void> {
  const token = await kissi.adminToken();
  assert.equal((await kissi.call('GET', '/api/v1/audit/verify', { token })).json.valid, true);
}

test('a thousand refused attempts are two entries: the first at once, and how many more when its minute is over', async () => {
  const { unblock, entries } = await somebody();
  const since = iso(kissi.clock.now());
  assert.equal((await unblock('sub_one')).status, 403);
  const [first, ...none] = await entries();
  assert.deepEqual([first.action, first.resource_id, none.length], ['subscriber.unblock.refused', 'sub_one', 0]);
  assert.deepEqual(first.details, { path: '/api/v1/subscribers/sub_one/unblock', code: 'FORBIDDEN', status: 403 });
  for (let round = 0; round < 10; round++) {
    await Promise.all(Array.from({ length: 100 }, () => unblock('sub_one')));
    kissi.clock.advance(5_000);
  }
  const until = iso(kissi.clock.now() - 5_000);
  await runChore(kissi, FLUSH);
  assert.equal((await entries()).length, 1, 'its minute is not over');
  kissi.clock.advance(10_000);
  await runChore(kissi, FLUSH);
  await runChore(kissi, FLUSH);
  const [, more, ...others] = await entries();
  assert.equal(others.length, 0);
  assert.deepEqual(
    [more.action, more.resource_type, more.resource_id],
    ['subscriber.unblock.refused', 'subscriber', 'sub_one'],
  );
  const paths = ['/api/v1/subscribers/sub_one/unblock'];
  assert.deepEqual(more.details, { code: 'FORBIDDEN', status: 403, count: 1_000, since, until, paths });
  await assertChain();
});

test('a hundred at once are one entry and a count of ninety-nine', async () => {
  const { unblock, entries } = await somebody();
  await Promise.all(Array.from({ length: 100 }, () => unblock('sub_one')));
  assert.equal((await entries()).length, 1);
  kissi.clock.advance(MINUTE_MS);
  await runChore(kissi, FLUSH);
  assert.equal((await entries())[1].details.count, 99);
});

test('one that comes after the minute is written at once, and the count of the minute before it', async () => {
  const { unblock, entries } = await somebody();
  for (let n = 0; n < 3; n++) await unblock('sub_one');
  kissi.clock.advance(MINUTE_MS);
  await unblock('sub_two');
  assert.deepEqual(
    (await entries()).map(({ resource_id, details }) => [resource_id, details.count]),
    [
      ['sub_one', undefined],
      ['sub_one', 2],
      ['sub_two', undefined],
    ],
  );
});

test('another action, another code and another actor have entries of their own', async () => {
  const [one, two] = [await somebody(), await somebody()];
  for (let n = 0; n < 2; n++) {
    for (const { unblock, token } of [one, two]) {
      await unblock('sub_one');
      for (const body of [{ reason: '' }, { reason: 'x' }]) {
        await kissi.call('POST', '/api/v1/subscribers/sub_one/block', { body, token });
      }
    }
  }
  for (const { entries } of [one, two]) {
    const seen = (await entries()).map(({ action, details }) => `${action} ${details.code}`);
    assert.deepEqual(seen, [
      'subscriber.unblock.refused FORBIDDEN',
      'subscriber.block.refused INVALID_REQUEST',
      'subscriber.block.refused NOT_FOUND',
    ]);
  }
});

test('what was aimed at is named: one record as such, of many the first ten', async () => {
  const { unblock, entries } = await somebody();
  for (let n = 0; n < 30; n++) await unblock(`sub_${n}`);
  kissi.clock.advance(MINUTE_MS);
  await runChore(kissi, FLUSH);
  const [, more] = await entries();
  assert.deepEqual([more.resource_id, more.details.count, more.details.paths.length], [null, 29, 10]);
  assert.equal(more.details.paths[0], '/api/v1/subscribers/sub_1/unblock');
});

test('a gateway that stops writes down what it has counted', async () => {
  const second = await testGateway({ db: kissi.db, clock: kissi.clock });
  const { unblock, entries } = await somebody();
  for (let n = 0; n < 5; n++) await unblock('sub_one', second);
  await second.close();
  assert.deepEqual(
    (await entries()).map(({ details }) => details.count),
    [undefined, 4],
  );
  await assertChain();
});

test('a count that cannot be written does not stop the reply, and is in the service’s own log', async (context) => {
  const { unblock } = await somebody();
  const { mock } = context.mock.method(kissi.gateway.services.audit, 'record', async () => {
    throw new Error('no room');
  });
  for (let n = 0; n < 2; n++) assert.equal((await unblock('sub_one')).status, 403);
  kissi.clock.advance(MINUTE_MS);
  await runChore(kissi, FLUSH);
  mock.restore();
  assert.match(kissi.logs(), /a refused attempt could not be recorded/);
  assert.match(kissi.logs(), /"count":1/);
});
