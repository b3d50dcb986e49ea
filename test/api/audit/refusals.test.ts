// Refused attempts in the audit log: the first is written immediately, repetitions are counted per minute.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { iso, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { gatewayForFile, type Json, testGateway } from '../../support/gateway.ts';
import { auditLogs, openSession, runChore, staffMember } from '../../support/staff.ts';

const kissi = await gatewayForFile();

const FLUSH_CHORE = 'count refused attempts';

async function newStaff() {
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
  assert.equal((await kissi.asAdmin.get('/audit/verify')).json.valid, true);
}

test('writes 1,001 refused attempts as two entries: the first, and a count when its minute ends', async () => {
  const { unblock, entries } = await newStaff();
  const since = iso(kissi.clock.now());
  assert.equal((await unblock('sub_one')).status, 403);
  const [first, ...rest] = await entries();
  assert.deepEqual([first.action, first.resource_id, rest.length], ['subscriber.unblock.refused', 'sub_one', 0]);
  assert.deepEqual(first.details, { path: '/api/v1/subscribers/sub_one/unblock', code: 'FORBIDDEN', status: 403 });
  for (let round = 0; round < 10; round++) {
    await Promise.all(Array.from({ length: 100 }, () => unblock('sub_one')));
    kissi.clock.advance(5_000);
  }
  const until = iso(kissi.clock.now() - 5_000);
  await runChore(kissi, FLUSH_CHORE);
  assert.equal((await entries()).length, 1, 'its minute has not ended');
  kissi.clock.advance(10_000);
  await runChore(kissi, FLUSH_CHORE);
  await runChore(kissi, FLUSH_CHORE);
  const [, repeated, ...others] = await entries();
  assert.equal(others.length, 0);
  assert.deepEqual(
    [repeated.action, repeated.resource_type, repeated.resource_id],
    ['subscriber.unblock.refused', 'subscriber', 'sub_one'],
  );
  const paths = ['/api/v1/subscribers/sub_one/unblock'];
  assert.deepEqual(repeated.details, { code: 'FORBIDDEN', status: 403, count: 1_000, since, until, paths });
  await assertChain();
});

test('a path that the database cannot store does not keep an attempt out of the log', async () => {
  const { unblock, entries } = await newStaff();
  assert.equal((await unblock('sub_%00one')).status, 403);
  const [entry, ...others] = await entries();
  assert.deepEqual(
    [entry.resource_id, entry.details.path, others.length],
    ['sub_\uFFFDone', '/api/v1/subscribers/sub_%00one/unblock', 0],
  );
});

test('one hundred concurrent refusals are one entry and a count of 99', async () => {
  const { unblock, entries } = await newStaff();
  await Promise.all(Array.from({ length: 100 }, () => unblock('sub_one')));
  assert.equal((await entries()).length, 1);
  kissi.clock.advance(MINUTE_MS);
  await runChore(kissi, FLUSH_CHORE);
  assert.equal((await entries())[1].details.count, 99);
});

test('the first attempt after the minute is written immediately, after the count of the minute before', async () => {
  const { unblock, entries } = await newStaff();
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

test('each action, code and actor has its own entries', async () => {
  const [first, second] = [await newStaff(), await newStaff()];
  for (let n = 0; n < 2; n++) {
    for (const { unblock, token } of [first, second]) {
      await unblock('sub_one');
      for (const body of [{ reason: '' }, { reason: 'x' }]) {
        await kissi.call('POST', '/api/v1/subscribers/sub_one/block', { body, token });
      }
    }
  }
  for (const { entries } of [first, second]) {
    const labels = (await entries()).map(({ action, details }) => `${action} ${details.code}`);
    assert.deepEqual(labels, [
      'subscriber.unblock.refused FORBIDDEN',
      'subscriber.block.refused INVALID_REQUEST',
      'subscriber.block.refused NOT_FOUND',
    ]);
  }
});

test('a count names the record when there is only one, and otherwise lists the first ten paths', async () => {
  const { unblock, entries } = await newStaff();
  for (let n = 0; n < 30; n++) await unblock(`sub_${n}`);
  kissi.clock.advance(MINUTE_MS);
  await runChore(kissi, FLUSH_CHORE);
  const [, repeated] = await entries();
  assert.deepEqual([repeated.resource_id, repeated.details.count, repeated.details.paths.length], [null, 29, 10]);
  assert.equal(repeated.details.paths[0], '/api/v1/subscribers/sub_1/unblock');
});

test('a gateway writes its pending counts when it stops', async () => {
  const second = await testGateway({ db: kissi.db, clock: kissi.clock });
  const { unblock, entries } = await newStaff();
  for (let n = 0; n < 5; n++) await unblock('sub_one', second);
  await second.close();
  assert.deepEqual(
    (await entries()).map(({ details }) => details.count),
    [undefined, 4],
  );
  await assertChain();
});

test('a count that cannot be written does not fail the reply and appears in the service log', async (context) => {
  const { unblock } = await newStaff();
  const { mock } = context.mock.method(kissi.gateway.services.audit, 'record', async () => {
    throw new Error('disk full');
  });
  for (let n = 0; n < 2; n++) assert.equal((await unblock('sub_one')).status, 403);
  kissi.clock.advance(MINUTE_MS);
  await runChore(kissi, FLUSH_CHORE);
  mock.restore();
  assert.match(kissi.logs(), /a refused attempt could not be recorded/);
  assert.match(kissi.logs(), /"count":1/);
});
