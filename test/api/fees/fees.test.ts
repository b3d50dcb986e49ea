// Fee settings: built-in defaults, exact values, changes, audit entries, and their effect on payments.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { iso, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import {
  ADMIN,
  assertStatus,
  gatewayForFile,
  type Json,
  type TestGateway,
  testGateway,
} from '../../support/gateway.ts';
import { TEST_ACTOR, testLedger } from '../../support/ledger.ts';
import { apiKey, auditLogs, staffToken, withLockContention } from '../../support/staff.ts';

const PATH = '/api/v1/fee-settings';

const kissi = await gatewayForFile({ unauditedRecords: ['fee_setting'] });
let admin: string;
beforeEach(async () => {
  admin = await kissi.adminToken();
  await kissi.db.database.queries.deleteFrom('fee_settings').execute();
});

const put = (body: unknown, token = admin) => kissi.call('PUT', PATH, { body, token });
const get = (type: string, party: string) => kissi.call('GET', `${PATH}/${type}/${party}`, { token: admin });
const remove = (type: string, party: string) => kissi.call('DELETE', `${PATH}/${type}/${party}`, { token: admin });
const list = async (query = ''): Promise<Json> => {
  return assertStatus(await kissi.call('GET', PATH + query, { token: admin }), 200).json;
};
const rows = async () => kissi.db.database.queries.selectFrom('fee_settings').selectAll().orderBy('id').execute();

const PERCENT = { transaction_type: 'transfer_p2p', party_type: 'sender', fee_type: 'percentage', fee_value: 2.25 };
const ON = { debit_enabled: true, credit_enabled: false };

describe('GET /fee-settings', () => {
  test('returns the five built-in defaults, marked as such, when nothing is configured', async () => {
    const { settings, count } = await list();
    assert.equal(count, 5);
    const summaries = settings.map((setting: Json) => [
      setting.transaction_type,
      setting.party_type,
      setting.fee_type,
      setting.fee_value,
    ]);
    assert.deepEqual(summaries, [
      ['transfer_p2p', 'sender', 'percentage', 1.5],
      ['agent_cashin', 'agent', 'percentage', 0.5],
      ['pos_payment', 'processor', 'percentage', 1],
      ['vult_fund', 'sender', 'percentage', 0],
      ['wallet_withdraw', 'sender', 'percentage', 1],
    ]);
    for (const setting of settings) {
      const { id, is_default, updated_at, updated_by, debit_enabled, credit_enabled } = setting;
      assert.deepEqual([id, is_default, updated_at, updated_by], [null, true, null, null]);
      assert.deepEqual({ debit_enabled, credit_enabled }, ON);
    }
  });

  test('a custom setting replaces its default and is listed with the others', async () => {
    await put({ ...PERCENT, ...ON });
    await put({ ...PERCENT, party_type: 'recipient', fee_type: 'flat', fee_value: 0.5 });
    const { settings, count } = await list();
    assert.equal(count, 6);
    const p2p = settings.filter((setting: Json) => setting.transaction_type === 'transfer_p2p');
    assert.deepEqual(
      p2p.map(({ party_type, fee_value, is_default }: Json) => [party_type, fee_value, is_default]),
      [
        ['sender', 2.25, false],
        ['recipient', 0.5, false],
      ],
    );
    assert.ok(p2p.every(({ id }: Json) => Number.isInteger(id)));
  });

  test('filters by transaction_type; an unknown type gets 400', async () => {
    const { settings, count } = await list('?transaction_type=pos_payment');
    assert.deepEqual([count, settings[0].transaction_type], [1, 'pos_payment']);
    for (const query of ['transaction_type=p2p', 'transaction_type=', 'transaction_type=a&transaction_type=b']) {
      const reply = await kissi.call('GET', `${PATH}?${query}`, { token: admin });
      assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_REQUEST'], query);
    }
  });
});

describe('GET /fee-settings/:type/:party', () => {
  test('returns the custom or default setting unwrapped', async () => {
    const builtIn = assertStatus(await get('wallet_withdraw', 'sender'), 200);
    assert.deepEqual(builtIn.json, {
      id: null,
      transaction_type: 'wallet_withdraw',
      party_type: 'sender',
      fee_type: 'percentage',
      fee_value: 1,
      ...ON,
      is_default: true,
      updated_at: null,
      updated_by: null,
      updated_by_name: null,
    });
    const { setting } = (await put({ ...PERCENT, transaction_type: 'wallet_withdraw' })).json;
    const named = { ...setting, updated_by_name: 'System Administrator' };
    assert.deepEqual((await get('wallet_withdraw', 'sender')).json, named);
  });

  test('a pair without setting or default, or an unknown type or party, gets 404', async () => {
    const unknown = [
      ['transfer_p2p', 'agent'],
      ['p2p', 'sender'],
      ['transfer_p2p', 'unknown'],
      ['toString', '__proto__'],
    ];
    for (const [type = '', party = ''] of unknown) {
      for (const reply of [await get(type, party), await remove(type, party)]) {
        assert.deepEqual([reply.status, reply.json.code], [404, 'NOT_FOUND'], `${type}/${party}`);
      }
    }
  });
});

describe('PUT /fee-settings', () => {
  test('returns the stored setting, and ignores updated_at and updated_by in the body', async () => {
    const ignored = { updated_at: '2001-01-01T00:00:00Z', updated_by: 'someone' };
    const { json } = assertStatus(await put({ ...PERCENT, ...ON, ...ignored }), 200);
    assert.equal(json.success, true);
    const [row] = await rows();
    assert.deepEqual(json.setting, {
      id: row?.id,
      ...PERCENT,
      ...ON,
      is_default: false,
      updated_at: iso(kissi.clock.now()),
      updated_by: ADMIN.email,
      updated_by_name: 'System Administrator',
    });
    assert.equal(row?.value, 22_500);
  });

  test('replaces an existing setting under the same id', async () => {
    const first = (await put({ ...PERCENT, ...ON })).json.setting;
    kissi.clock.advance(MINUTE_MS);
    admin = await kissi.adminToken();
    const second = (
      await put({ ...PERCENT, fee_type: 'flat', fee_value: 10, debit_enabled: false, credit_enabled: true })
    ).json.setting;
    assert.equal(second.id, first.id);
    assert.deepEqual([second.fee_type, second.fee_value, second.updated_at], ['flat', 10, iso(kissi.clock.now())]);
    assert.deepEqual(
      (await rows()).map(({ value, debit_enabled, credit_enabled }) => [value, debit_enabled, credit_enabled]),
      [[1_000, false, true]],
    );
  });

  test('charges the party by default', async () => {
    const { setting } = (await put(PERCENT)).json;
    assert.deepEqual([setting.debit_enabled, setting.credit_enabled], [true, false]);
  });

  test('stores values exactly and returns them as given', async () => {
    const exact: [string, number, number][] = [
      ['percentage', 0, 0],
      ['percentage', 0.0001, 1],
      ['percentage', 1.005, 10_050],
      ['percentage', 8.2345, 82_345],
      ['percentage', 33.3333, 333_333],
      ['percentage', 99.9999, 999_999],
      ['percentage', 100, 1_000_000],
      ['flat', 0, 0],
      ['flat', 0.01, 1],
      // In floating point, 0.29 × 100 is 28.999999999999996 and 1.1 × 100 is 110.00000000000001.
      ['flat', 0.29, 29],
      ['flat', 1.1, 110],
      ['flat', 4.35, 435],
      ['flat', 9_999_999.99, 999_999_999],
      ['flat', 10_000_000, 1_000_000_000],
    ];
    for (const [fee_type, fee_value, stored] of exact) {
      const reply = await put({ ...PERCENT, fee_type, fee_value });
      assert.equal(reply.status, 200, `${fee_type} ${fee_value}: ${reply.text}`);
      assert.equal(reply.json.setting.fee_value, fee_value);
      assert.equal((await get('transfer_p2p', 'sender')).json.fee_value, fee_value);
      assert.deepEqual(
        (await rows()).map(({ value }) => value),
        [stored],
        `${fee_type} ${fee_value}`,
      );
    }
  });

  test('rejects invalid values with 400 and stores nothing', async () => {
    const invalid: [string, string][] = [
      ['percentage', '100.0001'],
      ['percentage', '101'],
      ['percentage', '-0.01'],
      ['percentage', '1.00001'],
      ['percentage', '1e-7'],
      ['percentage', '5e-324'],
      ['percentage', '0.30000000000000004'],
      ['percentage', '1e400'],
      ['flat', '-1'],
      ['flat', '0.001'],
      ['flat', '10000000.01'],
      ['flat', '1e21'],
      ['flat', '9007199254740993'],
      ['flat', '"1.00"'],
      ['flat', 'null'],
      ['flat', 'true'],
      ['flat', '[1]'],
    ];
    for (const [fee_type, value] of invalid) {
      const raw = JSON.stringify({ ...PERCENT, fee_type, fee_value: '?' }).replace('"?"', value);
      const reply = await kissi.call('PUT', PATH, { raw, token: admin });
      assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_REQUEST'], `${fee_type} ${value}`);
      assert.match(reply.json.error, /^fee_value/, `${fee_type} ${value}`);
    }
    assert.deepEqual(await rows(), []);
  });

  test('rejects a missing or invalid field with 400 that names it', async () => {
    const invalid: [RegExp, Record<string, unknown>][] = [
      [/^transaction_type/, { transaction_type: undefined }],
      [/^transaction_type/, { transaction_type: 'p2p' }],
      [/^party_type/, { party_type: 'partner' }],
      [/^fee_type/, { fee_type: 'Percentage' }],
      [/^fee_value/, { fee_value: undefined }],
      [/^debit_enabled/, { debit_enabled: 'true' }],
      [/^credit_enabled/, { credit_enabled: 1 }],
    ];
    for (const [message, changes] of invalid) {
      const reply = assertStatus(await put({ ...PERCENT, ...changes }), 400);
      assert.match(reply.json.error, message);
    }
    assert.deepEqual(await rows(), []);
  });
});

describe('DELETE /fee-settings/:type/:party', () => {
  test('returns 204 and restores the default; deleting again gets 404', async () => {
    await put({ ...PERCENT, ...ON });
    const reply = await remove('transfer_p2p', 'sender');
    assert.deepEqual([reply.status, reply.text], [204, '']);
    assert.equal((await get('transfer_p2p', 'sender')).json.fee_value, 1.5);
    assert.deepEqual(await rows(), []);
    assert.deepEqual((await remove('transfer_p2p', 'sender')).status, 404);
  });

  test('leaves no setting when there is no default', async () => {
    await put({ ...PERCENT, party_type: 'agent' });
    assert.equal((await remove('transfer_p2p', 'agent')).status, 204);
    assert.equal((await get('transfer_p2p', 'agent')).status, 404);
  });
});

describe('audit entries', () => {
  test('record the old and the new setting of every change', async () => {
    const resource_id = 'agent_cashin/agent';
    const setting = { ...PERCENT, transaction_type: 'agent_cashin', party_type: 'agent' };
    await put({ ...setting, ...ON });
    kissi.clock.advance(1);
    await put({ ...setting, fee_type: 'flat', fee_value: 1.5, debit_enabled: false, credit_enabled: true });
    kissi.clock.advance(1);
    await remove('agent_cashin', 'agent');
    const entries = (await auditLogs(kissi, { resource_id })).reverse();
    const builtIn = { fee_type: 'percentage', fee_value: 0.5, ...ON, is_default: true };
    const percent = { fee_type: 'percentage', fee_value: 2.25, ...ON, is_default: false };
    const flat = { fee_type: 'flat', fee_value: 1.5, debit_enabled: false, credit_enabled: true, is_default: false };
    assert.deepEqual(
      entries.map(({ action, resource_type, details }) => ({ action, resource_type, details })),
      [
        { action: 'fee_setting.update', resource_type: 'fee_setting', details: { from: builtIn, to: percent } },
        { action: 'fee_setting.update', resource_type: 'fee_setting', details: { from: percent, to: flat } },
        { action: 'fee_setting.delete', resource_type: 'fee_setting', details: { from: flat, to: builtIn } },
      ],
    );
  });

  test('of concurrent changes form a chain of replaced values', async () => {
    const values = [1, 2, 3, 4];
    const replies = await withLockContention(kissi, {
      lock: 'lock table fee_settings in share row exclusive mode',
      waiters: 4,
      begin: () =>
        Promise.all(values.map((fee_value) => put({ ...PERCENT, transaction_type: 'vult_fund', fee_value }))),
    });
    assert.ok(replies.every(({ status }) => status === 200));
    assert.equal(new Set(replies.map(({ json }) => json.setting.id)).size, 1);
    const entries = (await auditLogs(kissi, { resource_id: 'vult_fund/sender' })).map(({ details }) => [
      details.from.fee_value,
      details.to.fee_value,
    ]);
    // Each value is replaced once, and the chain from the default to the current value has no gap.
    const replacedBy = new Map(entries.map(([from, to]) => [from, to]));
    let current = 0;
    for (let step = 0; step < values.length; step++) current = replacedBy.get(current) ?? -1;
    assert.equal(current, (await get('vult_fund', 'sender')).json.fee_value);
  });

  test('record refused attempts of staff; API keys can neither read nor write settings', async () => {
    const finance = await staffToken(kissi, 'finance_user');
    const reply = await put({ ...PERCENT, ...ON }, finance);
    assert.deepEqual([reply.status, reply.json.code], [403, 'FORBIDDEN']);
    const [entry] = await auditLogs(kissi, { action: 'fee_setting.update.refused' });
    assert.equal(entry.details.code, 'FORBIDDEN');
    const { key } = await apiKey(kissi, ['payments:write', 'payments:read']);
    assert.equal((await put({ ...PERCENT, ...ON }, key)).status, 403);
    assert.equal((await kissi.call('GET', PATH, { token: key })).status, 403);
    assert.deepEqual(await rows(), []);
  });
});

describe('payments', () => {
  const phones = ['076100001', '076100002'];

  async function newSubscriber(phone_number: string): Promise<string> {
    const body = { phone_number, first_name: 'Fatu', last_name: 'Sesay', pin: '1234' };
    return (await kissi.call('POST', '/api/v1/public/subscribers', { body })).json.subscriber_id;
  }

  /** Credits the wallet from the suspense account directly through the ledger, as initial balance. */
  async function creditWallet(wallet: string, amount: number): Promise<void> {
    const legs = [
      { accountId: 'sys_suspense', amount: -amount },
      { accountId: wallet, amount },
    ];
    const movement = {
      id: newId('txn', kissi.clock),
      type: 'partner_cashin' as const,
      amount,
      fee: 0,
      legs,
      details: {},
    };
    const accounts = {
      fromAccount: 'sys_suspense',
      toAccount: wallet,
      request: null,
      relatedId: null,
      actor: TEST_ACTOR,
    };
    const texts = { reference: null, narration: null, metadata: null };
    const ledger = testLedger({ pool: kissi.db.database.pool, clock: kissi.clock });
    const { outcome } = await ledger.post({
      movement: { ...movement, ...accounts, ...texts },
      onPosted: () => ({ reply: '', rows: [] }),
    });
    assert.equal(outcome, 'posted');
  }

  test('use a changed setting from the next payment on, on every gateway', async () => {
    const [from = '', to = ''] = await Promise.all(phones.map(newSubscriber));
    await creditWallet(from, 100_000);
    const { key } = await apiKey(kissi, ['payments:write']);
    const other = await testGateway({ db: kissi.db, clock: kissi.clock });
    const feeAt = async (gateway: TestGateway): Promise<number> => {
      const body = { sender_id: from, recipient_id: to, amount: 10_000, pin: '1234' };
      const { json } = assertStatus(await gateway.call('POST', '/api/v1/wallet/transfer', { body, token: key }), 200);
      assert.equal(json.total_debited, json.amount + json.fee);
      return json.fee;
    };
    try {
      assert.equal(await feeAt(other), 150);
      await put({ ...PERCENT, fee_value: 2.5 });
      assert.deepEqual([await feeAt(other), await feeAt(kissi)], [250, 250]);
      await put({ ...PERCENT, fee_type: 'flat', fee_value: 0.25 });
      assert.equal(await feeAt(other), 25);
      await put({ ...PERCENT, debit_enabled: false });
      assert.equal(await feeAt(other), 0);
      await remove('transfer_p2p', 'sender');
      assert.equal(await feeAt(other), 150);
    } finally {
      await other.close();
    }
    const { rows } = await kissi.db.query(
      `select sum(balance) filter (where id = $1) as "from", sum(balance) filter (where id = $2) as "to",
        sum(balance) filter (where kind = 'fee_income') as income from accounts`,
      [from, to],
    );
    const { from: remaining, to: received, income } = rows[0];
    assert.deepEqual([Number(remaining), Number(received), Number(income)], [100_000 - 60_000 - 825, 60_000, 825]);
  });

  test('concurrent reads of the settings share one query; a later read runs a new one', async (context) => {
    const { settings } = kissi.gateway.services.fees;
    await put({ ...PERCENT, ...ON });
    const { mock } = context.mock.method(kissi.db.database.reader, 'run');
    const all = await Promise.all(Array.from({ length: 1_000 }, () => settings.load()));
    assert.ok(all.every(([setting]) => setting?.value === 22_500));
    assert.equal(mock.callCount(), 1);
    await settings.load();
    assert.equal(mock.callCount(), 2);
  });
});
