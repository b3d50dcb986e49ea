// Tests processor administration: creation with a login and an account, search, suspension and reactivation.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { groupedMerchantNumber, readMerchantNumber } from '../../../src/kernel/merchant-number.ts';
import { assertStatus, gatewayForFile, type Json } from '../../support/gateway.ts';
import { assertRefused, merchantToken, messageTo, newMerchant, newMerchantBody } from '../../support/processors.ts';
import { auditLogs, openSession, refusedAttemptCount, staffMember, staffToken } from '../../support/staff.ts';

const PATH = '/api/v1/processors';

const kissi = await gatewayForFile();
const admin = await kissi.adminToken();

const create = (body: unknown, token = admin) => kissi.call('POST', PATH, { body, token });
const get = (path = '', token = admin) => kissi.call('GET', `${PATH}${path}`, { token });
const suspend = (id: string, body: unknown = { reason: 'Chargebacks' }) =>
  kissi.call('POST', `${PATH}/${id}/suspend`, { body, token: admin });
const reactivate = (id: string) => kissi.call('POST', `${PATH}/${id}/reactivate`, { token: admin });

const rowCount = async (table: 'processors' | 'users' | 'accounts' | 'messages') =>
  (await kissi.db.query(`select count(*)::int as n from ${table}`)).rows[0].n;
const rowCounts = () => Promise.all((['processors', 'users', 'accounts', 'messages'] as const).map(rowCount));

async function account(id: string): Promise<Json> {
  return (await kissi.db.query('select * from accounts where id = $1', [id])).rows[0];
}

describe('creating a processor', () => {
  test('creates the record, an empty account and a login whose password is sent only to the phone', async () => {
    const body = newMerchantBody({ business_name: ' Lumley Beach Grill ', merchant_id: 'LUMLEY-01' });
    const reply = assertStatus(await create({ ...body, phone_number: '033 900 001' }), 201);
    const { message, processor_id, user_id, processor } = reply.json;
    assert.match(processor_id, /^proc_[0-9A-Z]{26}$/);
    assert.deepEqual(reply.json, { success: true, message, processor_id, user_id, processor });
    assert.deepEqual(processor, {
      id: processor_id,
      merchant_id: 'LUMLEY-01',
      merchant_number: processor.merchant_number,
      business_name: 'Lumley Beach Grill',
      contact_name: 'Fatu Sesay',
      phone_number: '+23233900001',
      email: body.email,
      status: 'active',
      balance: 0,
      balance_formatted: '0.00 SLE',
      created_at: new Date(kissi.clock.now()).toISOString(),
      suspend_reason: null,
    });
    assert.deepEqual((await get(`/${processor_id}`)).json, { processor });
    assert.ok(readMerchantNumber(processor.merchant_number), processor.merchant_number);
    const { kind, balance, floor, frozen } = await account(processor_id);
    assert.deepEqual({ kind, balance, floor, frozen }, { kind: 'processor', balance: 0, floor: 0, frozen: false });
    const { text, kind: messageKind } = await messageTo(kissi, '+23233900001');
    assert.equal(messageKind, 'credentials');
    assert.match(text, /LUMLEY-01/);
    assert.ok(text.includes(`customers: ${groupedMerchantNumber(processor.merchant_number)}`), text);
    const password = /^Temporary password: (.+)$/m.exec(text)?.[1] ?? '';
    assert.ok(password.length >= 8 && !reply.text.includes(password));
    const { token } = await openSession(kissi, { email: body.email, password });
    const me = (await kissi.call('GET', '/api/v1/admin/me', { token })).json;
    assert.deepEqual([me.id, me.role, me.first_name, me.last_name], [user_id, 'processor', 'Fatu', 'Sesay']);
    const change = { current_password: password, new_password: 'My-Own-Word-42' };
    assertStatus(await kissi.call('POST', '/api/v1/admin/change-password', { body: change, token }), 200);
    const logged = `${kissi.logs()}${JSON.stringify(await auditLogs(kissi))}`;
    assert.ok(!logged.includes(password), 'the password is not logged');
  });

  test('generates a readable, random merchant id', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, async () => (await newMerchant(kissi)).merchantId));
    for (const id of ids) assert.match(id, /^M-[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/);
    assert.equal(new Set(ids.map((id) => id.slice(0, 6))).size, 5);
  });

  test('is allowed for sales and audits the processor and its login', async () => {
    const sales = await staffMember(kissi, 'sales_user');
    const { token } = await openSession(kissi, sales);
    const { json } = await create(newMerchantBody(), token);
    const [entry] = await auditLogs(kissi, { resource_id: json.processor_id });
    assert.deepEqual([entry.action, entry.actor_id, entry.resource_type], ['processor.create', sales.id, 'processor']);
    const { merchant_id, merchant_number } = json.processor;
    assert.deepEqual(entry.details, { merchant_id, merchant_number, user_id: json.user_id });
    const [login] = await auditLogs(kissi, { resource_id: json.user_id, action: 'user.create' });
    assert.equal(login.details.processor_id, json.processor_id);
  });

  test('uses the business name as last name of the login if the contact has only one name', async () => {
    const merchant = await newMerchant(kissi, { contact_name: 'Fatu', business_name: 'Sesay Stores' });
    const me = await kissi.call('GET', '/api/v1/admin/me', { token: await merchantToken(kissi, merchant) });
    assert.deepEqual([me.json.first_name, me.json.last_name], ['Fatu', 'Sesay Stores']);
  });

  test('with a duplicate phone number, email or merchant id, in any spelling, gets 409 and creates nothing', async () => {
    const existing = await newMerchant(kissi, { merchant_id: 'Taken.01' });
    const staff = await staffMember(kissi, 'audit_user');
    const before = await rowCounts();
    const cases: [Record<string, unknown>, string][] = [
      [{ phone_number: `0${existing.phone.slice(4)}` }, 'DUPLICATE_PHONE'],
      [{ email: existing.email.toUpperCase() }, 'DUPLICATE_EMAIL'],
      [{ email: staff.email }, 'DUPLICATE_EMAIL'],
      [{ merchant_id: 'Taken.01' }, 'DUPLICATE_MERCHANT_ID'],
      [{ merchant_id: 'tAKEN.01' }, 'DUPLICATE_MERCHANT_ID'],
    ];
    for (const [extra, code] of cases) {
      assertRefused(await create(newMerchantBody(extra)), 409, code, JSON.stringify(extra));
    }
    assert.deepEqual(await rowCounts(), before);
    assert.equal(await refusedAttemptCount(kissi, { action: 'processor.create.refused' }), cases.length);
  });

  test('concurrently with the same merchant id, phone number or email succeeds exactly once', async () => {
    const races: Record<string, unknown>[] = [
      { merchant_id: 'RACE-1' },
      { phone_number: '+23233800001' },
      { email: 'race@example.com' },
    ];
    for (const same of races) {
      const before = await rowCount('processors');
      const replies = await Promise.all(Array.from({ length: 10 }, () => create(newMerchantBody(same))));
      const statuses = replies.map((reply) => reply.status).sort();
      assert.deepEqual(statuses, [201, ...Array(9).fill(409)], JSON.stringify(same));
      assert.equal(await rowCount('processors'), before + 1);
    }
  });

  test('with an invalid body is rejected with 400 and a message that names the field', async () => {
    const cases: [RegExp, Record<string, unknown>][] = [
      [/business_name/, { business_name: undefined }],
      [/business_name/, { business_name: '  ' }],
      [/business_name/, { business_name: 'x'.repeat(101) }],
      [/business_name/, { business_name: 'two\nlines' }],
      [/contact_name/, { contact_name: 7 }],
      [/phone_number/, { phone_number: undefined }],
      [/phone_number/, { phone_number: 'nonsense' }],
      [/phone_number/, { phone_number: '+232' }],
      [/email/, { email: undefined }],
      [/email/, { email: 'no address' }],
      [/merchant_id/, { merchant_id: '' }],
      [/merchant_id/, { merchant_id: 'with space' }],
      [/merchant_id/, { merchant_id: "x'; drop table processors" }],
      [/merchant_id/, { merchant_id: 'é' }],
      [/merchant_id/, { merchant_id: 'x'.repeat(65) }],
      [/merchant_id/, { merchant_id: 12 }],
    ];
    const before = await rowCounts();
    for (const [message, extra] of cases) {
      const reply = assertRefused(await create(newMerchantBody(extra)), 400, 'INVALID_REQUEST', JSON.stringify(extra));
      assert.match(reply.json.error, message);
    }
    assert.deepEqual(await rowCounts(), before);
  });
});

describe('finding processors', () => {
  test('returns 404 for an unknown id', async () => {
    assertRefused(await get('/proc_unknown'), 404, 'NOT_FOUND');
    assertRefused(await get("/'%20or%20''='"), 404, 'NOT_FOUND');
  });

  test('lists them newest first, with an exact total, pages and filters', async () => {
    const all = (await get('?limit=100')).json;
    assert.equal(all.total_count, await rowCount('processors'));
    const ids: string[] = all.processors.map((processor: Json) => processor.id);
    assert.deepEqual(ids, ids.toSorted().reverse());
    const page = (await get('?limit=2&offset=1')).json;
    assert.deepEqual(
      page.processors.map((processor: Json) => processor.id),
      ids.slice(1, 3),
    );
    assert.deepEqual([page.total_count, page.limit, page.offset], [ids.length, 2, 1]);
    assert.deepEqual((await get('?offset=1000')).json, {
      processors: [],
      total_count: ids.length,
      limit: 50,
      offset: 1000,
    });
    const { id } = await newMerchant(kissi);
    await suspend(id);
    const suspended = (await get('?status=suspended')).json;
    assert.deepEqual([suspended.total_count, suspended.processors[0].id], [1, id]);
    assert.equal((await get('?status=active')).json.total_count, ids.length);
  });

  test('searches parts of name, merchant id, phone or email in any case, with literal % and _', async () => {
    const { id, phone, email } = await newMerchant(kissi, {
      business_name: 'Café 100%_Été',
      contact_name: 'Ibrahim Bah',
      merchant_id: 'SRCH:7/x',
    });
    const local = `0${phone.slice(4)}`;
    for (const search of ['café', 'CAFÉ 100%', '%_é', 'ibrahim b', 'srch:7', phone, local, email.slice(2, 30)]) {
      const { json } = await get(`?search=${encodeURIComponent(search)}`);
      assert.deepEqual([json.total_count, json.processors[0]?.id], [1, id], search);
    }
    for (const search of ['100__', 'no such name', "'", '\\']) {
      assert.equal((await get(`?search=${encodeURIComponent(search)}`)).json.total_count, 0, search);
    }
    assert.equal((await get('?search=%20')).json.total_count, await rowCount('processors'));
    assert.equal((await get(`?search=Caf%C3%A9&status=suspended`)).json.total_count, 0);
  });

  test('rejects an invalid filter or page with 400 and a message that names it', async () => {
    for (const query of ['status=lost', 'limit=-1', 'offset=x', `search=${'x'.repeat(101)}`]) {
      const reply = assertRefused(await get(`?${query}`), 400, 'INVALID_REQUEST', query);
      assert.match(reply.json.error, new RegExp(query.split('=')[0] ?? ''));
    }
  });
});

describe('suspending a processor', () => {
  test('suspends the record, freezes the account and audits the reason; reactivating reverts it', async () => {
    const { id } = await newMerchant(kissi);
    const reply = assertStatus(await suspend(id, { reason: ' Chargebacks ' }), 200);
    assert.deepEqual([reply.json.success, reply.json.processor.status], [true, 'suspended']);
    assert.equal((await account(id)).frozen, true);
    assert.equal((await get(`/${id}`)).json.processor.status, 'suspended');
    const [suspended] = await auditLogs(kissi, { resource_id: id, action: 'processor.suspend' });
    assert.deepEqual(suspended.details, { reason: 'Chargebacks' });
    assertRefused(await suspend(id), 409, 'ALREADY_SUSPENDED');
    const reactivated = await reactivate(id);
    assert.deepEqual([reactivated.status, reactivated.json.processor.status], [200, 'active']);
    assert.equal((await account(id)).frozen, false);
    assertRefused(await reactivate(id), 409, 'NOT_SUSPENDED');
    const actions = (await auditLogs(kissi, { resource_id: id })).map((entry: Json) => entry.action);
    assert.deepEqual(actions, [
      'processor.reactivate.refused',
      'processor.reactivate',
      'processor.suspend.refused',
      'processor.suspend',
      'processor.create',
    ]);
  });

  test('requires a reason and an existing processor', async () => {
    const { id } = await newMerchant(kissi);
    for (const body of [{}, { reason: '' }, { reason: ' ' }, { reason: 'x'.repeat(501) }, { reason: null }]) {
      const reply = assertRefused(await suspend(id, body), 400, 'INVALID_REQUEST', JSON.stringify(body));
      assert.match(reply.json.error, /reason/);
    }
    assert.equal((await account(id)).frozen, false);
    assertRefused(await suspend('proc_unknown'), 404, 'NOT_FOUND');
    assertRefused(await reactivate('proc_unknown'), 404, 'NOT_FOUND');
  });

  test('succeeds for one of ten concurrent requests; the others get 409', async () => {
    const { id } = await newMerchant(kissi);
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => suspend(id)))).map((reply) => reply.status);
    assert.deepEqual(statuses.sort(), [200, ...Array(9).fill(409)]);
  });

  test("does not stop the processor's user from reading its own record", async () => {
    const merchant = await newMerchant(kissi);
    await suspend(merchant.id);
    const { json } = await get(`/${merchant.id}`, await merchantToken(kissi, merchant));
    assert.equal(json.processor.status, 'suspended');
  });
});

test('/admin/users cannot create users with the processor role', async () => {
  const body = { email: 'x@example.com', password: 'Abcdef1!', first_name: 'A', last_name: 'B', role: 'processor' };
  assertRefused(await kissi.call('POST', '/api/v1/admin/users', { body, token: admin }), 400, 'INVALID_REQUEST');
});

test('audit_user can list processors', async () => {
  assert.equal((await get('', await staffToken(kissi, 'audit_user'))).status, 200);
});
