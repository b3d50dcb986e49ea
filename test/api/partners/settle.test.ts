// Tests partner settlements: one per request id, and never more than is owed, even under concurrency.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { iso } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { assertStatus, type CallReply, gatewayForFile, type Json, testGateway } from '../../support/gateway.ts';
import { TEST_ACTOR, testLedger } from '../../support/ledger.ts';
import { auditLogs, openSession, staffMember } from '../../support/staff.ts';

const PATH = '/api/v1/admin/partners';

const kissi = await gatewayForFile();
let admin: string;
beforeEach(async () => {
  admin = await kissi.adminToken();
});

const settle = (id: string, body: unknown, headers: Record<string, string> = {}, token = admin) =>
  kissi.call('POST', `${PATH}/${id}/settle`, { body, headers, token });

/** Creates a partner that owes this amount: the balance of its clearing account is the negative amount. */
async function partnerOwing(amount: number, extra: Record<string, unknown> = {}): Promise<string> {
  const created = await kissi.call('POST', PATH, { body: { name: 'Rokel Bank', ...extra }, token: admin });
  const { id } = created.json.partner;
  if (amount > 0) await owe(id, amount);
  return id;
}

async function owe(id: string, amount: number): Promise<void> {
  const ledger = testLedger({ pool: kissi.db.database.pool, clock: kissi.clock });
  const movement = {
    id: newId('txn', kissi.clock),
    type: 'inbound_credit' as const,
    fromAccount: id,
    toAccount: 'sys_suspense',
    amount,
    fee: 0,
    legs: [
      { accountId: id, amount: -amount },
      { accountId: 'sys_suspense', amount },
    ],
    request: null,
    reference: null,
    narration: null,
    metadata: null,
    relatedId: null,
    actor: TEST_ACTOR,
    details: {},
  };
  const { outcome } = await ledger.post({ movement, onPosted: () => ({ reply: '', rows: [] }) });
  assert.equal(outcome, 'posted');
}

const outstanding = async (id: string): Promise<number> =>
  (await kissi.call('GET', `${PATH}/${id}`, { token: admin })).json.partner.outstanding;

/** Balance of the clearing account and sum of the treasury accounts. */
async function balances(id: string): Promise<{ clearing: number; treasury: number }> {
  const { rows } = await kissi.db.query("select id, kind, balance from accounts where id = $1 or kind = 'treasury'", [
    id,
  ]);
  const sum = (kind: string) => rows.filter((row) => row.kind === kind).reduce((total, row) => total + row.balance, 0);
  return { clearing: sum('partner_clearing'), treasury: sum('treasury') };
}

const settlements = async (id: string): Promise<Json[]> =>
  (await kissi.db.query("select * from movements where to_account = $1 and type = 'partner_settlement'", [id])).rows;

const statusAndCode = (reply: CallReply) => [reply.status, reply.json.code];

describe('a settlement', () => {
  test('reduces what the partner owes, debits the treasury and writes an audit entry', async () => {
    const id = await partnerOwing(10_000);
    const before = await balances(id);
    assert.equal(await outstanding(id), 10_000);
    const body = { amount: 4_000, reference: 'WIRE-7', description: ' March ', request_id: 'settle-1' };
    const { json, headers } = assertStatus(await settle(id, body), 200);
    assert.match(json.transaction_id, /^txn_/);
    assert.deepEqual(json, {
      success: true,
      message: json.message,
      transaction_id: json.transaction_id,
      request_id: 'settle-1',
      partner_id: id,
      reference: 'WIRE-7',
      amount: 4_000,
      currency: 'SLE',
      partner_outstanding: 6_000,
      created_at: iso(kissi.clock.now()),
    });
    assert.equal(headers.get('idempotent-replayed'), null);
    assert.equal(await outstanding(id), 6_000);
    const after = await balances(id);
    assert.deepEqual(after, { clearing: -6_000, treasury: before.treasury - 4_000 });
    const [movement, ...more] = await settlements(id);
    assert.equal(more.length, 0);
    const { amount, fee, reference, narration, request_id } = movement;
    assert.deepEqual([amount, fee, reference, narration, request_id], [4_000, 0, 'WIRE-7', 'March', 'settle-1']);
    assert.match(movement.from_account, /^sys_treasury_\d\d$/);
    const [entry, ...others] = await auditLogs(kissi, { resource_id: id, action: 'partner.settle' });
    assert.equal(others.length, 0);
    const { transaction_id } = json;
    assert.equal(entry.resource_type, 'partner');
    assert.equal(entry.actor_type, 'user');
    assert.deepEqual(entry.details, { transaction_id, amount: 4_000, reference: 'WIRE-7', partner_outstanding: 6_000 });
    const verdict = await kissi.call('GET', '/api/v1/audit/verify', { token: admin });
    assert.equal(verdict.json.valid, true);
  });

  test('may cover the whole amount owed, be a string of digits, and be for a suspended partner', async () => {
    const id = await partnerOwing(700);
    const body = { status: 'suspended' };
    assert.equal((await kissi.call('PUT', `/api/v1/admin/partners/${id}`, { body, token: admin })).status, 200);
    const { status, json } = await settle(id, { amount: '700' });
    assert.deepEqual([status, json.amount, json.partner_outstanding, json.request_id], [200, 700, 0, null]);
    assert.equal(await outstanding(id), 0);
  });

  test('is free regardless of fee settings', async () => {
    const id = await partnerOwing(1_000);
    for (const party_type of ['sender', 'recipient']) {
      const fee = { transaction_type: 'vult_fund', party_type, fee_type: 'percentage', fee_value: 10 };
      await kissi.call('PUT', '/api/v1/fee-settings', { body: fee, token: admin });
    }
    assert.equal((await settle(id, { amount: 1_000 })).json.partner_outstanding, 0);
  });

  test('of more than is owed is refused and moves no money; the reply has the amount owed', async () => {
    const id = await partnerOwing(500);
    const before = await balances(id);
    for (const amount of [501, Number.MAX_SAFE_INTEGER]) {
      const reply = await settle(id, { amount, request_id: 'too-much' });
      assert.deepEqual(statusAndCode(reply), [422, 'SETTLEMENT_EXCEEDS_OUTSTANDING']);
      assert.equal(reply.json.partner_outstanding, 500);
    }
    assert.deepEqual(await balances(id), before);
    const [entry] = await auditLogs(kissi, { action: 'partner.settle.refused' });
    assert.equal(entry.details.code, 'SETTLEMENT_EXCEEDS_OUTSTANDING');
    // Refusals are not stored, so the same request id can be retried.
    assert.equal((await settle(id, { amount: 500, request_id: 'too-much' })).status, 200);
    assert.deepEqual(statusAndCode(await settle(id, { amount: 1 })), [422, 'SETTLEMENT_EXCEEDS_OUTSTANDING']);
  });

  test('of an invalid amount is rejected with 400 INVALID_AMOUNT and moves no money', async () => {
    const id = await partnerOwing(500);
    for (const amount of [0, -1, 0.5, 1e21, 2 ** 53, '', '-1', '1.0', '1e2', ' 1', '0', '٣', '9007199254740992']) {
      assert.deepEqual(statusAndCode(await settle(id, { amount })), [400, 'INVALID_AMOUNT'], String(amount));
    }
    for (const raw of ['{"amount":1e2}', '{"amount":100.0}']) {
      const reply = await kissi.call('POST', `${PATH}/${id}/settle`, { raw, token: admin });
      assert.deepEqual(statusAndCode(reply), [400, 'INVALID_AMOUNT'], raw);
    }
    for (const amount of [null, true, [], {}, undefined]) {
      assert.deepEqual(statusAndCode(await settle(id, { amount })), [400, 'INVALID_REQUEST'], String(amount));
    }
    assert.deepEqual(await settlements(id), []);
  });

  test('of an unknown partner or of a system account is rejected with 404', async () => {
    for (const id of ['ptn_unknown', 'sys_suspense', 'sys_treasury_00']) {
      assert.deepEqual(statusAndCode(await settle(id, { amount: 1 })), [404, 'NOT_FOUND'], id);
    }
  });

  test('with an invalid request id, reference or description is rejected with 400', async () => {
    const id = await partnerOwing(500);
    const invalid = [{ request_id: '' }, { request_id: 'x'.repeat(129) }, { request_id: 7 }, { reference: ' ' }];
    for (const extra of [...invalid, { reference: 'x'.repeat(101) }, { description: 7 }]) {
      assert.deepEqual(statusAndCode(await settle(id, { amount: 1, ...extra })), [400, 'INVALID_REQUEST']);
    }
    const tooLong = await settle(id, { amount: 1 }, { 'x-request-id': 'x'.repeat(129) });
    assert.deepEqual(statusAndCode(tooLong), [400, 'INVALID_REQUEST']);
    assert.deepEqual(await settlements(id), []);
  });
});

describe('a repeated settlement request', () => {
  test('is replayed byte for byte, without another movement or audit entry', async () => {
    const id = await partnerOwing(1_000);
    const body = { amount: 600, request_id: 'again', reference: 'R', description: 'D' };
    const first = await settle(id, body);
    kissi.clock.advance(1_000);
    const second = await settle(id, { ...body, amount: '600', description: 'D ' });
    assert.deepEqual([second.status, second.text], [200, first.text]);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    assert.equal(await outstanding(id), 400);
    assert.equal((await auditLogs(kissi, { resource_id: id, action: 'partner.settle' })).length, 1);
  });

  test('with other details is rejected with 409 REQUEST_CONFLICT, even if another refusal applies', async () => {
    const [id, other] = [await partnerOwing(1_000), await partnerOwing(1_000)];
    const body = { amount: 100, request_id: 'conflict', reference: 'R' };
    assert.equal((await settle(id, body)).status, 200);
    const changes = [{ amount: 101 }, { amount: 5_000 }, { amount: -1 }, { reference: 'S' }, { description: 'D' }];
    for (const change of changes) {
      assert.deepEqual(statusAndCode(await settle(id, { ...body, ...change })), [409, 'REQUEST_CONFLICT']);
    }
    assert.deepEqual(statusAndCode(await settle(other, body)), [409, 'REQUEST_CONFLICT']);
    assert.deepEqual([await outstanding(id), await outstanding(other)], [900, 1_000]);
  });

  test('is identified by request_id, else by X-Request-ID; without either, requests are not deduplicated', async () => {
    const id = await partnerOwing(1_000);
    const header = { 'x-request-id': 'by-header' };
    const first = await settle(id, { amount: 10 }, header);
    assert.equal(first.json.request_id, 'by-header');
    assert.equal((await settle(id, { amount: 10 }, header)).text, first.text);
    assert.equal((await settle(id, { amount: 10, request_id: 'by-header' })).text, first.text);
    assert.equal((await settle(id, { amount: 10, request_id: 'by-body' }, header)).json.partner_outstanding, 980);
    await settle(id, { amount: 10 });
    await settle(id, { amount: 10 });
    assert.equal(await outstanding(id), 960);
  });

  test('of another administrator is the first settlement, without what the partner owes', async () => {
    const id = await partnerOwing(1_000);
    const other = (await openSession(kissi, await staffMember(kissi, 'system_admin'))).token;
    const body = { amount: 100, request_id: 'of-two' };
    const { partner_outstanding, ...first } = (await settle(id, body)).json;
    assert.equal(partner_outstanding, 900);
    assert.deepEqual((await settle(id, body, {}, other)).json, first);
    assert.equal((await settle(id, { amount: 100 })).json.partner_outstanding, 800);
  });
});

describe('concurrent settlements', () => {
  test('of the whole amount owed: one of twenty succeeds, through two gateways', async () => {
    const id = await partnerOwing(9_999);
    const before = await balances(id);
    const other = await testGateway({ db: kissi.db, clock: kissi.clock });
    try {
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) => {
          const { call } = index % 2 === 0 ? kissi : other;
          const body = { amount: 9_999, request_id: `race-${index}` };
          return call('POST', `${PATH}/${id}/settle`, { body, token: admin });
        }),
      );
      assert.equal(replies.filter(({ status }) => status === 200).length, 1);
      const refused = replies.filter(({ status }) => status !== 200);
      for (const reply of refused) assert.deepEqual(statusAndCode(reply), [422, 'SETTLEMENT_EXCEEDS_OUTSTANDING']);
      assert.deepEqual(await balances(id), { clearing: 0, treasury: before.treasury - 9_999 });
      assert.equal((await settlements(id)).length, 1);
      assert.equal((await auditLogs(kissi, { resource_id: id, action: 'partner.settle' })).length, 1);
    } finally {
      await other.close();
    }
  });

  test('with one request id: twenty requests through two gateways get the same reply and move money once', async () => {
    const id = await partnerOwing(9_999);
    const other = await testGateway({ db: kissi.db, clock: kissi.clock });
    try {
      const body = { amount: 50, request_id: 'one-request' };
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? kissi : other).call('POST', `${PATH}/${id}/settle`, { body, token: admin }),
        ),
      );
      assert.ok(replies.every(({ status }) => status === 200));
      assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
      const fresh = replies.filter(({ headers }) => headers.get('idempotent-replayed') === null);
      assert.equal(fresh.length, 1);
      assert.equal(await outstanding(id), 9_949);
      assert.equal((await settlements(id)).length, 1);
    } finally {
      await other.close();
    }
  });
});
