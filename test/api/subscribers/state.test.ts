// Tests blocking, unblocking and activating subscribers, and verifying and changing PINs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '../../../src/kernel/clock.ts';
import { assertStatus, type CallReply, gatewayForFile, type Json } from '../../support/gateway.ts';
import { containsDigits } from '../../support/secrets.ts';
import { apiKey, auditLogs, openSession, staffMember, staffToken, withLockContention } from '../../support/staff.ts';

const kissi = await gatewayForFile();
const key = (await apiKey(kissi, ['subscribers:read', 'subscribers:write'])).key;
let support = await staffToken(kissi, 'support_user');
const officer = await staffMember(kissi, 'compliance_user');
const compliance = { email: officer.email, token: (await openSession(kissi, officer)).token };

let nextPhone = 76_300_000;
async function subscriber(extra: Record<string, unknown> = {}, token = key): Promise<Json> {
  const body = { phone_number: `0${nextPhone++}`, first_name: 'Sorie', last_name: 'Turay', pin: '1234', ...extra };
  return assertStatus(await kissi.call('POST', '/api/v1/subscribers', { token, body }), 201).json.subscriber;
}
const act = (id: string, verb: string, body?: unknown, token = key): Promise<CallReply> =>
  kissi.call('POST', `/api/v1/subscribers/${id}/${verb}`, { token, ...(body === undefined ? {} : { body }) });
const read = async (id: string) =>
  (await kissi.call('GET', `/api/v1/subscribers/${id}`, { token: key })).json.subscriber;
const statusAndCode = ({ status, json }: CallReply) => [status, json.code];
/** Sorted by name, because entries have the same time while the clock does not advance. */
const auditedActions = async (id: string) =>
  (await auditLogs(kissi, { resource_id: id })).map((entry) => entry.action).toSorted();
const verify = (id: string, pin: string) => act(id, 'verify-pin', { pin });

test('block sets the status to BLOCKED and audits the reason; a second block gets 409', async () => {
  const before = await subscriber();
  kissi.clock.advance(1_000);
  const reply = await act(before.id, 'block', { reason: ' Lost phone ' }, support);
  const updated_at = new Date(kissi.clock.now()).toISOString();
  const blocked = { ...before, status: 'BLOCKED', updated_at };
  const message = 'The subscriber was blocked.';
  const { blocked_by, blocked_by_name } = reply.json.subscriber;
  const noPinFields = {
    pin_locked_until: null,
    pin_lock_reason: null,
    pin_reset_code_until: null,
    outgoing_reduced_until: null,
    reduced_daily_limit: null,
  };
  const block = { block_reason: 'Lost phone', blocked_at: updated_at, blocked_by, blocked_by_name };
  const seenBySupport = { ...blocked, ...block, ...noPinFields };
  assert.deepEqual([reply.status, reply.json], [200, { success: true, message, subscriber: seenBySupport }]);
  assert.deepEqual(statusAndCode(await act(before.id, 'block', { reason: 'again' })), [409, 'ALREADY_BLOCKED']);
  const types = { reason: 'again', transaction_types: ['pos_payment'] };
  assert.deepEqual(statusAndCode(await act(before.id, 'block', types)), [409, 'ALREADY_BLOCKED']);
  assert.deepEqual(await read(before.id), blocked);
  const [entry] = await auditLogs(kissi, { resource_id: before.id, action: 'subscriber.block' });
  assert.deepEqual(entry.details, { reason: 'Lost phone' });
  const { rows } = await kissi.db.query('select * from subscribers where id = $1', [before.id]);
  assert.equal(rows[0].block_reason, 'Lost phone');
});

test('block with transaction types disables them and keeps the status', async () => {
  const { id } = await subscriber();
  const block = (...transaction_types: string[]) => act(id, 'block', { reason: 'Fraud', transaction_types });
  const first = await block('pos_payment', 'pos_payment');
  assert.equal(first.json.subscriber.status, 'ACTIVE');
  assert.deepEqual(first.json.subscriber.disabled_transaction_types, ['pos_payment']);
  const more = await block('pos_payment', 'wallet_withdraw', 'inbound_credit');
  assert.deepEqual(more.json.subscriber.disabled_transaction_types, [
    'pos_payment',
    'wallet_withdraw',
    'inbound_credit',
  ]);
  assert.deepEqual(statusAndCode(await block('wallet_withdraw')), [409, 'ALREADY_BLOCKED']);
  assert.deepEqual(statusAndCode(await act(id, 'unblock', undefined, compliance.token)), [409, 'NOT_BLOCKED']);
});

test('block requires a reason and known transaction types', async () => {
  const before = await subscriber();
  for (const body of [
    {},
    { reason: '  ' },
    { reason: 'x'.repeat(501) },
    { reason: 1 },
    { reason: 'x', transaction_types: [] },
    { reason: 'x', transaction_types: ['unknown_type'] },
    { reason: 'x', transaction_types: 'pos_payment' },
  ]) {
    assert.deepEqual(
      statusAndCode(await act(before.id, 'block', body)),
      [400, 'INVALID_REQUEST'],
      JSON.stringify(body),
    );
  }
  assert.deepEqual(await read(before.id), before);
});

test('unblock sets ACTIVE, enables all types, clears PIN failures and returns the time and the user', async () => {
  const { id } = await subscriber();
  await act(id, 'block', { reason: 'x', transaction_types: ['transfer_p2p'] });
  for (let tries = 0; tries < 3; tries++) await verify(id, '0000');
  await act(id, 'block', { reason: 'y' });
  const reply = await act(id, 'unblock', undefined, compliance.token);
  const unblocked_at = new Date(kissi.clock.now()).toISOString();
  const message = 'The subscriber was unblocked.';
  assert.deepEqual(reply.json, { success: true, message, unblocked_at, unblocked_by: compliance.email });
  const { status, disabled_transaction_types } = await read(id);
  assert.deepEqual([status, disabled_transaction_types], ['ACTIVE', []]);
  assert.equal((await verify(id, '0000')).json.attempts_remaining, 2);
  assert.equal((await verify(id, '1234')).status, 200);
  // An earlier test got the same refusal. After a minute, the next one has its own audit entry instead of being counted.
  kissi.clock.advance(MINUTE_MS);
  assert.deepEqual(statusAndCode(await act(id, 'unblock', undefined, compliance.token)), [409, 'NOT_BLOCKED']);
  assert.deepEqual(await auditedActions(id), [
    'subscriber.block',
    'subscriber.block',
    'subscriber.register',
    'subscriber.unblock',
    'subscriber.unblock.refused',
  ]);
});

test('an unblock keeps its reason in the audit log, with the limits of that of a block', async () => {
  const { id } = await subscriber();
  await act(id, 'block', { reason: 'x' });
  const tooLong = await act(id, 'unblock', { reason: 'x'.repeat(501) }, compliance.token);
  assert.deepEqual(statusAndCode(tooLong), [400, 'INVALID_REQUEST']);
  assert.equal((await act(id, 'unblock', { reason: ' Card found\nagain ' }, compliance.token)).status, 200);
  const [entry] = await auditLogs(kissi, { action: 'subscriber.unblock', resource_id: id });
  assert.deepEqual(entry.details, { reason: 'Card found again' });
});

test('only compliance and administrators can unblock; refused attempts of staff are audited', async () => {
  const { id } = await subscriber();
  await act(id, 'block', { reason: 'x' });
  for (const token of [key, support]) {
    assert.deepEqual(statusAndCode(await act(id, 'unblock', undefined, token)), [403, 'FORBIDDEN']);
  }
  assert.equal((await read(id)).status, 'BLOCKED');
  const [attempt] = await auditLogs(kissi, { action: 'subscriber.unblock.refused' });
  assert.equal(attempt.details.code, 'FORBIDDEN');
  assert.ok(attempt.details.path.includes(id));
});

test('concurrent blocks and unblocks each take effect exactly once', async () => {
  const { id } = await subscriber();
  const blocks = await Promise.all(Array.from({ length: 10 }, () => act(id, 'block', { reason: 'x' })));
  assert.deepEqual(blocks.filter((reply) => reply.status === 200).length, 1);
  const unblocks = await Promise.all(Array.from({ length: 10 }, () => act(id, 'unblock', undefined, compliance.token)));
  assert.deepEqual(unblocks.filter((reply) => reply.status === 200).length, 1);
  assert.equal((await auditedActions(id)).filter((action) => !action.endsWith('.refused')).length, 3);
});

test('staff can activate a PENDING subscriber once; a PENDING subscriber cannot be blocked', async () => {
  const { id, status } = await subscriber({ status: 'PENDING' }, support);
  assert.equal(status, 'PENDING');
  assert.deepEqual(statusAndCode(await act(id, 'block', { reason: 'x' })), [409, 'NOT_ACTIVE']);
  assert.deepEqual(statusAndCode(await act(id, 'activate')), [403, 'FORBIDDEN']);
  const activate = () => act(id, 'activate', undefined, support);
  const reply = await activate();
  assert.deepEqual([reply.status, reply.json.success, reply.json.subscriber.status], [200, true, 'ACTIVE']);
  assert.deepEqual(statusAndCode(await activate()), [409, 'NOT_PENDING']);
  await act(id, 'block', { reason: 'x' });
  assert.deepEqual(statusAndCode(await activate()), [409, 'NOT_PENDING']);
  const succeeded = (await auditedActions(id)).filter((action) => !action.endsWith('.refused'));
  assert.deepEqual(succeeded, ['subscriber.activate', 'subscriber.block', 'subscriber.register']);
});

test('every action on an unknown subscriber returns 404', async () => {
  const bodies: Record<string, unknown> = {
    block: { reason: 'x' },
    unblock: undefined,
    activate: undefined,
    'verify-pin': { pin: '1234' },
    'change-pin': { current_pin: '1234', new_pin: '4321' },
  };
  const admin = await kissi.adminToken();
  for (const [verb, body] of Object.entries(bodies)) {
    assert.deepEqual(statusAndCode(await act('sub_unknown', verb, body, admin)), [404, 'NOT_FOUND'], verb);
  }
});

test('three wrong PINs lock the account for 30 minutes; then three attempts are allowed', async () => {
  const { id } = await subscriber();
  for (const remaining of [2, 1, 0]) {
    const reply = await verify(id, '9999');
    assert.deepEqual([...statusAndCode(reply), reply.json.attempts_remaining], [401, 'INVALID_PIN', remaining]);
  }
  const locked = await verify(id, '1234');
  const locked_until = new Date(kissi.clock.now() + 30 * MINUTE_MS).toISOString();
  assert.deepEqual([...statusAndCode(locked), locked.json.locked_until], [403, 'ACCOUNT_LOCKED', locked_until]);
  const change = { current_pin: '1234', new_pin: '4321' };
  assert.deepEqual(statusAndCode(await act(id, 'change-pin', change)), [403, 'ACCOUNT_LOCKED']);
  assert.equal((await read(id)).status, 'ACTIVE');
  kissi.clock.advance(30 * MINUTE_MS);
  assert.equal((await verify(id, '9999')).json.attempts_remaining, 2);
  assert.deepEqual((await verify(id, '1234')).json, { success: true, verified: true });
  assert.equal((await verify(id, '9999')).json.attempts_remaining, 2);
  // The clock has advanced past the lifetime of the access token.
  support = await staffToken(kissi, 'support_user');
});

test('a malformed PIN is rejected with 400 and does not count as an attempt', async () => {
  const { id } = await subscriber();
  for (const pin of ['123', '12345', 'abcd', '', '１２３４']) {
    assert.deepEqual(statusAndCode(await verify(id, pin)), [400, 'INVALID_PIN']);
    assert.deepEqual(statusAndCode(await act(id, 'change-pin', { current_pin: pin, new_pin: '1111' })), [
      400,
      'INVALID_PIN',
    ]);
    assert.deepEqual(statusAndCode(await act(id, 'change-pin', { current_pin: '1234', new_pin: pin })), [
      400,
      'INVALID_PIN',
    ]);
  }
  for (const body of [{}, { pin: 1234 }, { pin: null }]) {
    assert.deepEqual(statusAndCode(await act(id, 'verify-pin', body)), [400, 'INVALID_REQUEST']);
  }
  assert.equal((await verify(id, '0000')).json.attempts_remaining, 2);
});

test('of 1,000 concurrent guesses three are checked; the others get ACCOUNT_LOCKED', async () => {
  const { id } = await subscriber({ pin: '0777' });
  const guesses = Array.from({ length: 1_000 }, (_, index) => String(index).padStart(4, '0'));
  const replies = await Promise.all(guesses.map((guess) => verify(id, guess)));
  const wrong = replies.filter(({ status }) => status === 401).map(({ json }) => json.attempts_remaining);
  assert.deepEqual(wrong.toSorted(), [0, 1, 2]);
  assert.equal(replies.filter(({ json }) => json.code === 'ACCOUNT_LOCKED').length, 997);
});

test('verify-pin and change-pin share one failure counter', async () => {
  const { id } = await subscriber();
  const change = () => act(id, 'change-pin', { current_pin: '9999', new_pin: '4321' });
  assert.equal((await verify(id, '9999')).json.attempts_remaining, 2);
  assert.equal((await change()).json.attempts_remaining, 1);
  assert.equal((await verify(id, '9999')).json.attempts_remaining, 0);
  assert.deepEqual(statusAndCode(await change()), [403, 'ACCOUNT_LOCKED']);
});

test('change-pin requires the current PIN and replaces it', async () => {
  const { id } = await subscriber();
  const reply = await act(id, 'change-pin', { current_pin: '1234', new_pin: '8642' });
  assert.deepEqual([reply.status, reply.json], [200, { success: true, message: 'The PIN was changed.' }]);
  assert.equal((await verify(id, '8642')).status, 200);
  assert.deepEqual(statusAndCode(await verify(id, '1234')), [401, 'INVALID_PIN']);
  const entries = await auditLogs(kissi, { resource_id: id, action: 'subscriber.change_pin' });
  assert.equal(entries.length, 1);
  assert.ok(!containsDigits(JSON.stringify(entries) + kissi.logs(), '8642'));
});

test('of two concurrent PIN changes one succeeds and the other gets INVALID_PIN', async () => {
  for (let run = 0; run < 10; run++) {
    const { id } = await subscriber();
    const pins = ['1111', '2222'];
    const replies = await Promise.all(pins.map((pin) => act(id, 'change-pin', { current_pin: '1234', new_pin: pin })));
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 401]);
    const winner = pins[replies.findIndex(({ status }) => status === 200)] ?? '';
    assert.equal((await verify(id, winner)).status, 200);
    assert.equal((await auditLogs(kissi, { resource_id: id, action: 'subscriber.change_pin' })).length, 1);
  }
});

/** Waiting for the PIN itself, both would hold the record that the first one has to lock for its audit entry. */
const ONE_WAITS_FOR_THE_PIN = `do $$ begin
  if (select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and query like 'update "pins"%') <> 1 then raise 'both changes wait for the PIN'; end if; end $$`;

test('a second PIN change waits for the first one, without a deadlock', async () => {
  const { id } = await subscriber();
  const replies = await withLockContention(kissi, {
    lock: `select 1 from pins where owner_id = '${id}' for update`,
    waiters: 2,
    begin: () =>
      Promise.all(['1111', '2222'].map((pin) => act(id, 'change-pin', { current_pin: '1234', new_pin: pin }))),
    meanwhile: ONE_WAITS_FOR_THE_PIN,
  });
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 401]);
});

test('PINs of a blocked subscriber cannot be verified or changed, and attempts do not count', async () => {
  const { id } = await subscriber();
  await act(id, 'block', { reason: 'x' });
  assert.deepEqual(statusAndCode(await verify(id, '1234')), [403, 'SUBSCRIBER_BLOCKED']);
  assert.deepEqual(statusAndCode(await verify(id, '0000')), [403, 'SUBSCRIBER_BLOCKED']);
  const change = { current_pin: '1234', new_pin: '4321' };
  assert.deepEqual(statusAndCode(await act(id, 'change-pin', change)), [403, 'SUBSCRIBER_BLOCKED']);
  const { rows } = await kissi.db.query('select failures from pins where owner_id = $1', [id]);
  assert.equal(rows[0].failures, 0);
});
