// Tests cases for staff: the queue and its filters, clocks and deadlines, states, notes, messages, files, and the register.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { user } from '../../support/approvals.ts';
import { knownPhones, ownCase, strangers, transferTo } from '../../support/cases.ts';
import { again } from '../../support/customers.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { assertRefused, auditRows, messageTo, openSession, type Staff } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const [support, other] = [await user(kissi, 'support_user'), await user(kissi, 'support_user')];
const [finance, compliance] = [await user(kissi, 'finance_user'), await user(kissi, 'compliance_user')];
const customer = await bank.wallet(100_000);

/** The clock moves, and sessions end. */
async function call(member: Staff, method: string, path: string, body?: unknown) {
  const { token } = await openSession(kissi, member);
  return kissi.call(method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }) });
}

const post = (member: Staff, path: string, body: unknown = {}) => call(member, 'POST', path, body);

async function opened(extra: Json = {}): Promise<Json> {
  const body = { kind: 'agent', subscriber_id: customer.id, description: 'The agent took SLE 5.', ...extra };
  return assertStatus(await post(support, '/cases', body), 201).json.case;
}

const read = async (id: string): Promise<Json> => (await call(finance, 'GET', `/cases/${id}`)).json.case;

async function idsOf(query: string): Promise<string[]> {
  const { json } = assertStatus(await call(finance, 'GET', `/cases?${query}`), 200);
  return json.cases.map(({ id }: Json) => id);
}

describe('the number of a case', () => {
  test('has a year, six random digits and a check digit, and is found however it is typed', async () => {
    const [one, two] = [await opened(), await opened()];
    assert.match(one.number, /^C-2026-\d{7}$/);
    assert.ok(Math.abs(Number(one.number.slice(7)) - Number(two.number.slice(7))) > 10);
    const [, year, digits] = one.number.split('-');
    for (const typed of [one.number, `c${year}${digits}`, `${year} ${digits}`, `C ${year}-${digits}`]) {
      assert.deepEqual(await idsOf(`number=${encodeURIComponent(typed)}`), [one.id], typed);
    }
    assert.deepEqual(await idsOf('number=C-2026-0000000'), []);
  });
});

describe('a case', () => {
  test('is assigned, noted and changed, with its timeline and audit entries', async () => {
    const { id, number } = await opened();
    const assigned = assertStatus(await post(support, `/cases/${id}/assign`, { assignee_id: other.id }), 200).json.case;
    assert.deepEqual([assigned.assignee_id, assigned.assignee_name], [other.id, 'Test Person']);
    assertStatus(await post(other, `/cases/${id}/notes`, { text: 'Called the agent.' }), 200);
    assertStatus(await post(other, `/cases/${id}/state`, { state: 'investigating', reason: 'Agent denies it' }), 200);
    assertStatus(await post(other, `/cases/${id}/messages`, { text: 'Do you have the receipt?' }), 200);
    assert.equal((await messageTo(kissi, customer.phone)).kind, 'case_message');
    assertStatus(await post(other, `/cases/${id}/state`, { state: 'resolved', reason: 'The agent paid it back' }), 200);
    const message = await messageTo(kissi, customer.phone);
    assert.deepEqual([message.kind, message.text.includes(number)], ['case_changed', true]);
    const { timeline, state, closed_at } = await read(id);
    assert.deepEqual([state, closed_at !== null], ['resolved', true]);
    assert.deepEqual(
      timeline.map(({ kind, actor_id }: Json) => [kind, actor_id]),
      [
        ['opened', support.id],
        ['assign', support.id],
        ['note', other.id],
        ['state', other.id],
        ['message', other.id],
        ['state', other.id],
      ],
    );
    const actions = (await auditRows(kissi, { resource_id: id })).map(({ action }) => action).reverse();
    const states = ['case.state', 'case.message', 'case.state'];
    assert.deepEqual(actions, ['case.open', 'case.assign', 'case.note', ...states]);
    assertRefused(await post(support, `/cases/${id}/state`, { state: 'open', reason: 'x' }), 409, 'CASE_CLOSED');
    assertRefused(await post(support, `/cases/${id}/assign`), 409, 'CASE_CLOSED');
  });

  test('shows its customer the messages and the reason of its end, and not what staff write for each other', async () => {
    const [phone] = await knownPhones(kissi, [await bank.wallet()]);
    assert.ok(phone);
    const body = { kind: 'other', description: 'The app is slow.' };
    const { id } = assertStatus(await phone.post('/me/cases', body), 201).json.case;
    assertStatus(await post(support, `/cases/${id}/notes`, { text: 'An old phone.' }), 200);
    assertStatus(await post(support, `/cases/${id}/state`, { state: 'waiting_customer', reason: 'internal' }), 200);
    assertStatus(await post(support, `/cases/${id}/messages`, { text: 'Which phone?' }), 200);
    assertStatus(await phone.post(`/me/cases/${id}/messages`, { text: 'A Tecno.' }), 200);
    assert.equal((await read(id)).state, 'investigating');
    assertStatus(await post(support, `/cases/${id}/state`, { state: 'rejected', reason: 'It is the network.' }), 200);
    const { timeline, state } = await ownCase(phone, id);
    assert.equal(state, 'rejected');
    const texts = timeline.map(({ text }: Json) => text);
    for (const shown of ['Which phone?', 'A Tecno.', 'It is the network.']) assert.ok(texts.includes(shown), shown);
    assert.ok(!JSON.stringify(timeline).includes('internal') && !JSON.stringify(timeline).includes('An old phone'));
    assertRefused(await phone.post(`/me/cases/${id}/messages`, { text: 'But' }), 409, 'CASE_CLOSED');
  });

  test('is about a payment of its customer, and one is open for each payment', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const [stranger] = await strangers(kissi, bank);
    const phone = await again(kissi, sender);
    const transaction_id = await transferTo(phone, recipient.wallet.phone, 500);
    const body = { kind: 'failed_payment', transaction_id, description: 'It did not arrive.' };
    assertRefused(await post(support, '/cases', { ...body, subscriber_id: stranger.wallet.id }), 404, 'NOT_FOUND');
    assertRefused(await post(support, '/cases', { ...body, subscriber_id: 'sub_none' }), 404, 'NOT_FOUND');
    const first = await opened({ ...body, subscriber_id: sender.wallet.id });
    const second = await post(support, '/cases', { ...body, subscriber_id: sender.wallet.id });
    assert.equal(assertRefused(second, 409, 'CASE_EXISTS').json.case_number, first.number);
    assert.deepEqual(await idsOf(`transaction_id=${transaction_id}`), [first.id]);
    // The other party has one of their own.
    await opened({ ...body, subscriber_id: recipient.wallet.id });
  });

  test('can only be closed once its recall has ended', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const transaction_id = await transferTo(sender, recipient.wallet.phone, 500);
    const body = { kind: 'wrong_transfer', transaction_id, description: 'Wrong', pin: '1234' };
    const { id } = assertStatus(await sender.post('/me/cases', body), 201).json.case;
    const closing = { state: 'rejected', reason: 'Too early' };
    assertRefused(await post(support, `/cases/${id}/state`, closing), 409, 'RECALL_OPEN');
    assertStatus(await recipient.post(`/me/cases/${id}/contest`), 200);
    assertStatus(await post(support, `/cases/${id}/state`, closing), 200);
    assert.ok((await idsOf(`subscriber_id=${recipient.wallet.id}`)).includes(id));
  });

  test('customers write at most 20 times a day', async () => {
    const [phone] = await knownPhones(kissi, [await bank.wallet()]);
    assert.ok(phone);
    const body = { kind: 'other', description: 'Hello?' };
    const { id } = assertStatus(await phone.post('/me/cases', body), 201).json.case;
    for (let written = 1; written < 20; written += 1) {
      assertStatus(await phone.post(`/me/cases/${id}/messages`, { text: 'Hello?' }), 200);
    }
    assertRefused(await phone.post(`/me/cases/${id}/messages`, { text: 'Hello?' }), 429, 'RATE_LIMITED');
    assertRefused(await phone.post('/me/cases', body), 429, 'RATE_LIMITED');
  });
});

describe('clocks', () => {
  test('count working days, and a complex case has more', async () => {
    // A Thursday at noon.
    const now = Date.parse('2026-08-06T12:00:00Z');
    kissi.clock.advance(now - kissi.clock.now());
    const { id, acknowledge_by, resolve_by, acknowledged_at } = await opened();
    // By staff: somebody has begun with it.
    assert.notEqual(acknowledged_at, null);
    assert.deepEqual([acknowledge_by, resolve_by], ['2026-08-12T00:00:00.000Z', '2026-08-14T00:00:00.000Z']);
    const complex = assertStatus(await post(support, `/cases/${id}/complex`, { reason: 'Two banks' }), 200).json.case;
    assert.deepEqual([complex.is_complex, complex.resolve_by], [true, '2026-09-04T00:00:00.000Z']);
    assert.match((await messageTo(kissi, customer.phone)).text, /2026-09-03/);
    assertRefused(await post(support, `/cases/${id}/complex`, { reason: 'x' }), 409, 'ALREADY_DECIDED');
  });

  test('are configured with a source, from a day on; open cases keep theirs', async () => {
    const before = await opened();
    const clocks = {
      ...{
        valid_from: '2026-08-10',
        acknowledge_days: 1,
        resolve_days: 2,
        complex_days: 5,
        working_days: [1, 2, 3, 4],
      },
      ...{ holidays: ['2026-08-11'], source: 'Bank directive 7/2026' },
    };
    assertRefused(await post(support, '/case-clocks', clocks), 403, 'FORBIDDEN');
    const wrong = { ...clocks, valid_from: '2026-02-30' };
    assertRefused(await post(compliance, '/case-clocks', wrong), 400, 'INVALID_REQUEST');
    const added = assertStatus(await post(compliance, '/case-clocks', clocks), 201).json.clocks;
    assert.deepEqual([added.source, added.holidays, added.created_by], [clocks.source, clocks.holidays, compliance.id]);
    const { json } = await call(finance, 'GET', '/case-clocks');
    assert.deepEqual(
      json.clocks.map(({ is_default }: Json) => is_default),
      [false, true],
    );
    kissi.clock.advance(Date.parse('2026-08-10T09:00:00Z') - kissi.clock.now());
    const after = await opened();
    // Tuesday is a holiday.
    assert.deepEqual(
      [after.acknowledge_by, after.resolve_by],
      ['2026-08-13T00:00:00.000Z', '2026-08-14T00:00:00.000Z'],
    );
    assert.equal((await read(before.id)).resolve_by, before.resolve_by);
    assert.equal((await auditRows(kissi, { action: 'case_clocks.add' })).length, 1);
  });

  test('overdue cases are found until they are closed', async () => {
    const [phone] = await knownPhones(kissi, [await bank.wallet()]);
    assert.ok(phone);
    const body = { kind: 'other', description: 'Nobody answers.' };
    const { id } = assertStatus(await phone.post('/me/cases', body), 201).json.case;
    assert.ok(!(await idsOf('is_overdue=true')).includes(id));
    kissi.clock.advance(5 * DAY_MS);
    // Nobody has begun with it.
    assert.ok((await idsOf('is_overdue=true&limit=100')).includes(id));
    assert.equal((await read(id)).is_overdue, true);
    const counts = await kissi.gateway.services.cases.counts();
    assert.ok(counts.overdue > 0 && counts.unacknowledged > 0, JSON.stringify(counts));
    assertStatus(await post(support, `/cases/${id}/state`, { state: 'resolved', reason: 'Answered' }), 200);
    assert.ok(!(await idsOf('is_overdue=true&limit=100')).includes(id));
  });
});

describe('the queue', () => {
  test('is filtered, and exported as a register', async () => {
    const one = await opened({ kind: 'fraud' });
    await post(support, `/cases/${one.id}/assign`, { assignee_id: compliance.id });
    assert.deepEqual(await idsOf(`assignee_id=${compliance.id}`), [one.id]);
    assert.ok(!(await idsOf('assignee_id=none&limit=100')).includes(one.id));
    assert.ok((await idsOf('kind=fraud&is_open=true')).includes(one.id));
    assert.deepEqual(await idsOf('kind=fraud&is_open=false'), []);
    const { token } = await openSession(kissi, finance);
    const csv = await kissi.call('GET', '/api/v1/cases?kind=fraud', { token, headers: { accept: 'text/csv' } });
    const [header = '', row = ''] = csv.text.replace('\uFEFF', '').split('\r\n');
    assert.match(header, /^id,number,kind,state/);
    assert.ok(row.includes(one.number), row);
  });

  test('is not assigned to those who do not work on cases', async () => {
    const { id } = await opened();
    for (const assignee_id of [finance.id, 'usr_none']) {
      assertRefused(await post(support, `/cases/${id}/assign`, { assignee_id }), 404, 'USER_NOT_FOUND');
    }
  });
});

describe('a file of a case', () => {
  const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

  async function upload(id: string, raw: Buffer, type: string) {
    const { token } = await openSession(kissi, support);
    const body = new Uint8Array(raw);
    return kissi.call('POST', `/api/v1/cases/${id}/files`, { token, raw: body, headers: { 'content-type': type } });
  }

  test('is stored encrypted, and downloaded as an attachment that runs nothing', async () => {
    const { id } = await opened();
    const { file } = assertStatus(await upload(id, PNG, 'image/png'), 201).json;
    assert.equal(file.sha256, createHash('sha256').update(PNG).digest('hex'));
    const { rows } = await kissi.db.query('select sealed from case_files where id = $1', [file.id]);
    assert.ok(!rows[0].sealed.includes(PNG.subarray(0, 8)));
    const reply = await call(support, 'GET', `/cases/${id}/files/${file.id}`);
    assert.equal(reply.status, 200);
    const header = (name: string) => reply.headers.get(name);
    assert.deepEqual([header('content-type'), header('x-content-type-options')], ['image/png', 'nosniff']);
    assert.match(header('content-disposition') ?? '', /^attachment/);
    assert.match(header('content-security-policy') ?? '', /sandbox/);
    assertRefused(await call(finance, 'GET', `/cases/${id}/files/${file.id}`), 403, 'FORBIDDEN');
    const elsewhere = await opened();
    assertRefused(await call(support, 'GET', `/cases/${elsewhere.id}/files/${file.id}`), 404, 'NOT_FOUND');
    assert.equal((await auditRows(kissi, { action: 'case.read_file', resource_id: id })).length, 1);
  });

  test('is of its type, and small', async () => {
    const { id } = await opened();
    assertRefused(await upload(id, Buffer.from('<script>'), 'image/png'), 400, 'INVALID_REQUEST');
    assertRefused(await upload(id, Buffer.from('a,b'), 'text/csv'), 415, 'UNSUPPORTED_MEDIA_TYPE');
    const large = Buffer.concat([PNG, Buffer.alloc(1024 * 1024)]);
    assertRefused(await upload(id, large, 'image/png'), 413, 'PAYLOAD_TOO_LARGE');
    assert.deepEqual((await read(id)).files, []);
  });
});
