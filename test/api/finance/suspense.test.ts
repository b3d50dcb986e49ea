// Tests the suspense account: its open items, and their resolution as a debt of a partner or as a refund, exactly once.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { DAY_MS, iso } from '../../../src/kernel/clock.ts';
import { decide, pendingOf, setPolicy, user } from '../../support/approvals.ts';
import { CSV, parseCsv } from '../../support/csv.ts';
import { assertStatus, type CallReply, type Json, testGateway } from '../../support/gateway.ts';
import { bankForFile, movementCount, PIN, type Wallet } from '../../support/money.ts';
import { newReference, partnerBank, webhookHeaders } from '../../support/partner.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { assertRefused, auditLogs, staffToken, withLockContention } from '../../support/staff.ts';

const SUSPENSE = 'sys_suspense';
const SECRET = 'a-webhook-secret-shared-with-one-partner';
const reason = 'Slip 42 names the partner';

const { kissi, bank } = await bankForFile({ env: { PARTNER_CASHIN_WEBHOOK_SECRET: SECRET } });
let finance: string;
beforeEach(async () => {
  finance = await staffToken(kissi, 'finance_user');
});
const rokel = await partnerBank(kissi);

interface Item {
  wallet: Wallet;
  id: string;
  reference: string;
}

async function newItem(amount: number, existing?: Wallet): Promise<Item> {
  const wallet = existing ?? (await bank.wallet());
  const reference = newReference();
  const raw = JSON.stringify({ card_serial: await bank.card(wallet), amount, reference });
  const reply = await kissi.call('POST', '/webhooks/partner/cashin', { raw, headers: webhookHeaders(SECRET, raw) });
  assert.equal(reply.status, 200, reply.text);
  return { wallet, id: reply.json.transaction_id, reference };
}

const resolve = (id: string, body: object, { token = finance, gateway = kissi } = {}): Promise<CallReply> =>
  gateway.call('POST', `/api/v1/admin/suspense/${id}/resolve`, { body, token });
const list = async (query = '', token = finance): Promise<Json> => {
  return assertStatus(await kissi.call('GET', `/api/v1/admin/suspense${query}`, { token }), 200).json;
};
const isOpen = async (id: string) =>
  (await list('?limit=100')).suspense.some(({ transaction_id }: Json) => transaction_id === id);
const asAdmin = async (method: string, path: string, body: object = {}) =>
  kissi.call(method, `/api/v1${path}`, { body, token: await kissi.adminToken() });

async function spend({ id }: Wallet, amount: number): Promise<void> {
  const { id: recipient_id } = await bank.wallet();
  assertStatus(await bank.post('/wallet/transfer', { sender_id: id, recipient_id, amount, pin: PIN }), 200);
}

describe('GET /admin/suspense', () => {
  test("lists open items oldest first with their age, and their sum is the account's balance", async () => {
    const old = await newItem(700);
    kissi.clock.advance(3 * DAY_MS);
    const at = kissi.clock.now();
    const recent = await newItem(300);
    kissi.clock.advance(DAY_MS - 1);
    const token = await staffToken(kissi, 'audit_user');
    const { suspense, total_count, total_amount, limit, offset } = await list('', token);
    assert.deepEqual([total_count, limit, offset], [2, 50, 0]);
    assert.equal(total_amount, -(await bank.balance(SUSPENSE)));
    assert.deepEqual(
      suspense.map((item: Json) => [item.transaction_id, item.age_days]),
      [
        [old.id, 3],
        [recent.id, 0],
      ],
    );
    const { card_serial, ...item } = suspense[1];
    assert.match(card_serial, /^CARD-/);
    assert.deepEqual(item, {
      transaction_id: recent.id,
      age_days: 0,
      subscriber_id: recent.wallet.id,
      subscriber_name: 'Aminata Kamara',
      amount: 300,
      amount_formatted: '3.00 SLE',
      currency: 'SLE',
      reference: recent.reference,
      created_at: iso(at),
    });
  });

  test('filters by age, wallet and reference, and pages', async () => {
    const [first, second] = (await list()).suspense;
    const idsOf = async (query: string) =>
      (await list(query)).suspense.map(({ transaction_id }: Json) => transaction_id);
    assert.deepEqual(await idsOf('?older_than_days=3'), [first.transaction_id]);
    assert.deepEqual(await idsOf('?older_than_days=4'), []);
    assert.deepEqual(await idsOf('?older_than_days=0'), [first.transaction_id, second.transaction_id]);
    assert.deepEqual(await idsOf(`?subscriber_id=${second.subscriber_id}`), [second.transaction_id]);
    assert.deepEqual(await idsOf(`?reference=${first.reference}`), [first.transaction_id]);
    assert.deepEqual(await idsOf('?limit=1&offset=1'), [second.transaction_id]);
    const bad = await kissi.call('GET', '/api/v1/admin/suspense?older_than_days=x', { token: finance });
    assertRefused(bad, 400, 'INVALID_REQUEST');
    const csv = await kissi.call('GET', '/api/v1/admin/suspense', { token: finance, headers: CSV });
    const { columns, rows } = parseCsv(csv.text);
    assert.deepEqual(columns.slice(0, 3), ['transaction_id', 'age_days', 'subscriber_id']);
    assert.deepEqual(
      rows.map(([id]) => id),
      [first.transaction_id, second.transaction_id],
    );
  });

  test('neither shows nor resolves a credit to a politically exposed person without access', async () => {
    const { id, wallet } = await newItem(900);
    await markPep(kissi, wallet.id);
    const { suspense } = await list('?limit=100');
    assert.ok(!suspense.some(({ transaction_id }: Json) => transaction_id === id));
    const filtered = await kissi.call('GET', `/api/v1/admin/suspense?subscriber_id=${wallet.id}`, { token: finance });
    assertRefused(filtered, 403, 'PEP_ACCESS_REQUIRED');
    for (const resolution of [{ refund: true }, { partner_id: rokel.id }]) {
      assertRefused(await resolve(id, { ...resolution, reason }), 404, 'NOT_FOUND');
    }
  });
});

describe('a credit to a politically exposed person, without access', () => {
  test('stays in the count and the sum of the whole list, which says how many items are hidden', async () => {
    const before = await list();
    const { id, wallet, reference } = await newItem(9_000);
    await markPep(kissi, wallet.id);
    for (const role of ['finance_user', 'audit_user'] as const) {
      const after = await list('?limit=100', await staffToken(kissi, role));
      assert.ok(!JSON.stringify(after).includes(id));
      assert.equal(after.total_count, before.total_count + 1);
      assert.equal(after.total_amount, before.total_amount + 9_000);
      assert.equal(after.total_amount, -(await bank.balance(SUSPENSE)));
      assert.equal(after.hidden_count, before.hidden_count + 1);
      assert.equal(after.suspense.length, after.total_count - after.hidden_count);
    }
    const open = await newAuthorizedStaff(kissi, 'finance_user');
    await openAccess(kissi, open);
    const seen = await list('?limit=100', open.token);
    assert.ok(seen.suspense.some(({ transaction_id }: Json) => transaction_id === id));
    assert.deepEqual([seen.hidden_count, seen.total_count], [0, before.total_count + 1]);
    const guessed = await list(`?reference=${reference}`);
    assert.deepEqual(guessed, await list(`?reference=${newReference()}`), 'a filter does not confirm a guess');
    assert.deepEqual([guessed.total_count, guessed.total_amount, guessed.hidden_count], [0, 0, null]);
    assert.equal((await list('?older_than_days=0')).total_count, before.total_count - before.hidden_count);
  });
});

describe('resolving an item to a partner', () => {
  test('makes the partner owe it, and leaves the wallet as it is', async () => {
    const { id, wallet, reference } = await newItem(5_000);
    const [suspense, owed] = [await bank.balance(SUSPENSE), -(await bank.balance(rokel.id))];
    const reply = assertStatus(await resolve(id, { partner_id: rokel.id, reason: ` ${reason}\n` }), 200);
    const { transaction_id, message, ...rest } = reply.json;
    assert.deepEqual(rest, {
      success: true,
      original_transaction_id: id,
      request_id: null,
      resolution: 'partner',
      partner_id: rokel.id,
      amount: 5_000,
      currency: 'SLE',
      reason,
      partner_outstanding: owed + 5_000,
      created_at: iso(kissi.clock.now()),
    });
    assert.match(message, /\.$/);
    assert.deepEqual(
      [await bank.balance(SUSPENSE), await bank.balance(rokel.id), await bank.balance(wallet.id)],
      [suspense + 5_000, -owed - 5_000, 5_000],
    );
    const { rows } = await kissi.db.query(
      'select type, from_account, to_account, related_id, reference, details from movements where id = $1',
      [transaction_id],
    );
    assert.deepEqual(rows, [
      {
        ...{ type: 'suspense_resolution', from_account: rokel.id, to_account: SUSPENSE, related_id: id, reference },
        details: { reason, allowances: [`resolve:${id}`] },
      },
    ]);
    const [entry] = await auditLogs(kissi, { action: 'suspense.resolve', resource_id: id });
    assert.deepEqual(entry.details, {
      ...{ resolution: 'partner', partner_id: rokel.id, transaction_id, subscriber_id: wallet.id },
      ...{ amount: 5_000, reference, reason },
    });
    const { related } = (await kissi.call('GET', `/api/v1/transactions/${id}`, { token: finance })).json.transaction;
    assert.deepEqual([related[0].relation, related[0].transaction_id], ['resolution', transaction_id]);
  });

  test('is possible beyond the outstanding limit and for a suspended partner, whose new credits stay refused', async () => {
    const small = await partnerBank(kissi, { fields: { outstanding_limit: 1_000 } });
    const { id } = await newItem(4_000);
    const reply = await resolve(id, { partner_id: small.id, reason });
    assert.deepEqual([reply.status, reply.json.partner_outstanding], [200, 4_000]);
    const { phone } = await bank.wallet();
    assertRefused(await small.cashIn({ phone_number: phone, amount: 1 }), 422, 'PARTNER_EXPOSURE_LIMIT_EXCEEDED');
    await small.updatePartner({ status: 'suspended' });
    const other = await newItem(50);
    assert.equal((await resolve(other.id, { partner_id: small.id, reason })).status, 200);
    assert.equal(await bank.balance(small.id), -4_050);
    assert.equal((await asAdmin('POST', `/admin/partners/${small.id}/settle`, { amount: 4_050 })).status, 200);
  });
});

describe('refunding an item', () => {
  test('takes the amount back from the wallet, even a blocked one', async () => {
    const { id, wallet } = await newItem(5_000);
    await asAdmin('POST', `/subscribers/${wallet.id}/block`, { reason: 'Fraud' });
    const suspense = await bank.balance(SUSPENSE);
    const reply = assertStatus(await resolve(id, { refund: true, reason }), 200);
    const { resolution, partner_id, amount, balance } = reply.json;
    assert.deepEqual([resolution, partner_id, amount, balance], ['refund', null, 5_000, 0]);
    assert.deepEqual([await bank.balance(SUSPENSE), await bank.balance(wallet.id)], [suspense + 5_000, 0]);
    const [entry] = (await bank.get(`/transactions?subscriber_id=${wallet.id}`)).json.transactions;
    assert.deepEqual([entry.type, entry.direction, entry.narration], ['suspense_refund', 'debit', null]);
    const csv = {
      subscriber_id: wallet.id,
      from: iso(kissi.clock.now() - DAY_MS),
      to: iso(kissi.clock.now()),
      format: 'csv',
    };
    assert.match((await bank.post('/wallet/account-statement', csv)).text, /Deposit taken back/);
  });

  test('never makes a wallet negative: the item stays open until the balance covers it', async () => {
    const { id, wallet } = await newItem(5_000);
    await spend(wallet, 1);
    assertRefused(await resolve(id, { refund: true, reason }), 402, 'INSUFFICIENT_BALANCE');
    assert.equal(await isOpen(id), true);
    await bank.fund(wallet, 1);
    assert.equal((await resolve(id, { refund: true, reason })).status, 200);
    assert.equal(await isOpen(id), false);
  });
});

describe('an item is resolved', () => {
  test('once, in one of the two ways, and a retry of the same request gets the same reply', async () => {
    const { id } = await newItem(800);
    const body = { partner_id: rokel.id, reason, request_id: 'resolve-1' };
    const first = await resolve(id, body);
    const again = await resolve(id, body);
    assert.deepEqual([again.status, again.text], [200, first.text]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assertRefused(await resolve(id, { ...body, reason: 'Another' }), 409, 'REQUEST_CONFLICT');
    assertRefused(await resolve(id, { partner_id: rokel.id, reason }), 409, 'ALREADY_RESOLVED');
    assertRefused(await resolve(id, { refund: true, reason }), 409, 'ALREADY_RESOLVED');
    assert.equal(await isOpen(id), false);
  });

  test('only if the request names one way, a reason, an item and a partner that exist', async () => {
    const { id, wallet } = await newItem(800);
    assertRefused(await resolve(id, { reason }), 400, 'INVALID_REQUEST');
    assertRefused(await resolve(id, { partner_id: rokel.id, refund: true, reason }), 400, 'INVALID_REQUEST');
    assertRefused(await resolve(id, { refund: false, reason }), 400, 'INVALID_REQUEST');
    assertRefused(await resolve(id, { refund: true }), 400, 'INVALID_REQUEST');
    assertRefused(await resolve(id, { refund: true, reason: ' \n ' }), 400, 'INVALID_REQUEST');
    assertRefused(await resolve(id, { partner_id: 'ptn_none', reason }), 404, 'NOT_FOUND');
    assertRefused(await resolve('txn_none', { refund: true, reason }), 404, 'NOT_FOUND');
    const cashIn = await rokel.cashIn({ phone_number: wallet.phone, amount: 10 });
    assertRefused(await resolve(cashIn.json.transaction_id, { refund: true, reason }), 404, 'NOT_FOUND');
    const auditor = await staffToken(kissi, 'audit_user');
    assertRefused(await resolve(id, { refund: true, reason }, { token: auditor }), 403, 'FORBIDDEN');
    assert.equal(await bank.balance(wallet.id), 810);
  });

  test('once when two users on two gateways charge and refund it at the same moment', async () => {
    const second = await testGateway({ db: kissi.db, clock: kissi.clock });
    const [one, two] = [await staffToken(kissi, 'finance_user'), await staffToken(kissi, 'finance_user')];
    const owed = -(await bank.balance(rokel.id));
    for (let round = 0; round < 5; round++) {
      const { id, wallet } = await newItem(100);
      const before = await movementCount(kissi, SUSPENSE);
      const replies = await withLockContention(kissi, {
        lock: `select from accounts where id = '${SUSPENSE}' for update`,
        waiters: 2,
        begin: () =>
          Promise.all([
            resolve(id, { partner_id: rokel.id, reason }, { token: one }),
            resolve(id, { refund: true, reason }, { token: two, gateway: second }),
            resolve(id, { partner_id: rokel.id, reason }, { token: two }),
            resolve(id, { refund: true, reason }, { token: one, gateway: second }),
          ]),
      });
      assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 409, 409, 409]);
      assert.equal(await movementCount(kissi, SUSPENSE), before + 1);
      const isRefunded = (await bank.balance(wallet.id)) === 0;
      const winner = replies.find(({ status }) => status === 200);
      assert.equal(winner?.json.resolution, isRefunded ? 'refund' : 'partner');
    }
    await second.close();
    const { rows } = await kissi.db.query(
      `select count(*) filter (where type = 'suspense_resolution')::int as charged from movements
      where from_account = $1 and amount = 100`,
      [rokel.id],
    );
    assert.equal(-(await bank.balance(rokel.id)), owed + rows[0].charged * 100);
  });

  test('under the policy suspense.resolve once, by the first of two approved requests', async () => {
    await setPolicy(kissi, 'suspense.resolve', { enabled: true });
    const [maker, checker] = [await user(kissi, 'finance_user'), await user(kissi, 'finance_user')];
    const { id, wallet } = await newItem(600);
    const charge = pendingOf(await resolve(id, { partner_id: rokel.id, reason }, maker));
    const refund = pendingOf(await resolve(id, { refund: true, reason }, maker));
    assert.deepEqual([charge.amount, refund.summary.after.balance], [600, 0]);
    assert.equal(await isOpen(id), true);
    const replies = await Promise.all([charge, refund].map((each) => decide(kissi, each.id, 'approve', checker)));
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 422]);
    assert.equal(replies.find(({ status }) => status === 422)?.json.refusal_code, 'ALREADY_RESOLVED');
    const isRefunded = replies[1]?.status === 200;
    assert.equal(await bank.balance(wallet.id), isRefunded ? 0 : 600);
    await setPolicy(kissi, 'suspense.resolve', { enabled: false });
  });
});
