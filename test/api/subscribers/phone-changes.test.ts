// Tests phone number changes: the notice to the old number, and that the user who made one does not reset the PIN.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newAgent } from '../../support/agents.ts';
import { bankForFile, type Wallet } from '../../support/money.ts';
import { pinResetCode, requestPinReset, resetPin } from '../../support/pin-reset.ts';
import {
  apiKey,
  assertRefused,
  assertStatus,
  messageTo,
  openSession,
  staffMember,
  withLockContention,
} from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const NEW_PIN = '4711';
const OTHERS = /other users must request and approve the reset/;
const DAY_MS = 24 * 60 * 60_000;

let numbers = 0;
const freeNumber = () => `+23276${String(880_000 + ++numbers)}`;

async function support(): Promise<{ id: string; token: string }> {
  const staff = await staffMember(kissi, 'support_user');
  return { id: staff.id, token: (await openSession(kissi, staff)).token };
}

const put = (path: string, body: object, token: string) => kissi.call('PUT', `/api/v1${path}`, { body, token });

async function move(wallet: Wallet, token: string): Promise<string> {
  const phone_number = freeNumber();
  assertStatus(await put(`/subscribers/${wallet.id}`, { phone_number }, token), 200);
  return phone_number;
}

const columnsOf = async (table: 'subscribers' | 'agents', id: string) => {
  const { rows } = await kissi.db.query(`select phone_changed_at, phone_changed_by from ${table} where id = $1`, [id]);
  return rows[0];
};

describe('a phone number change', () => {
  test('is stored with its user and time, and sends a notice without the new number to both', async () => {
    const { id, token } = await support();
    const wallet = await bank.wallet();
    const phone = await move(wallet, token);
    const at = new Date(kissi.clock.now());
    assert.deepEqual(await columnsOf('subscribers', wallet.id), { phone_changed_at: at, phone_changed_by: id });
    const { kind, text } = await messageTo(kissi, wallet.phone);
    assert.equal(kind, 'number_changed');
    assert.match(text, /Your Kissi phone number was changed/);
    assert.ok(!text.includes(phone.slice(4)));
    assert.equal((await messageTo(kissi, phone)).kind, 'number_changed', 'the new one is told, too');
  });

  test('is not one if the number stays the same, in whatever format it is sent', async () => {
    const { token } = await support();
    const wallet = await bank.wallet();
    assertStatus(await put(`/subscribers/${wallet.id}`, { phone_number: `0${wallet.phone.slice(4)}` }, token), 200);
    assert.deepEqual(await columnsOf('subscribers', wallet.id), { phone_changed_at: null, phone_changed_by: null });
    assert.equal(await messageTo(kissi, wallet.phone), undefined);
  });

  test('by an API key stores the key and sends the notice too', async () => {
    const { id, key } = await apiKey(kissi, ['subscribers:write']);
    const wallet = await bank.wallet();
    await move(wallet, key);
    assert.equal((await columnsOf('subscribers', wallet.id)).phone_changed_by, id);
    assert.equal((await messageTo(kissi, wallet.phone)).kind, 'number_changed');
  });

  test('of an agent is stored and sends the notice', async () => {
    const agent = await newAgent(kissi);
    const token = await kissi.adminToken();
    assert.equal((await put(`/agents/${agent.id}`, { phone_number: freeNumber() }, token)).status, 200);
    const { phone_changed_at, phone_changed_by } = await columnsOf('agents', agent.id);
    assert.equal(phone_changed_at.getTime(), kissi.clock.now());
    const me = await kissi.call('GET', '/api/v1/admin/me', { token });
    assert.equal(phone_changed_by, me.json.id);
    assert.equal((await messageTo(kissi, agent.phone)).kind, 'number_changed');
  });
});

describe('after a change, the PIN reset', () => {
  test('is refused for the user who made it, years later too; another user requests it', async () => {
    const [staff, other] = [await staffMember(kissi, 'support_user'), await staffMember(kissi, 'support_user')];
    const wallet = await bank.wallet();
    const phone = await move(wallet, (await openSession(kissi, staff)).token);
    // A later change by somebody else does not make the first one forgotten.
    const later = await move(wallet, await kissi.adminToken());
    kissi.clock.advance(800 * DAY_MS);
    const { token } = await openSession(kissi, staff);
    const refused = assertRefused(await requestPinReset(kissi, 'subscribers', wallet.id, token), 403, 'FORBIDDEN');
    assert.match(refused.json.error, OTHERS);
    assert.equal((await messageTo(kissi, phone)).kind, 'number_changed', 'no code was sent');
    const { token: independent } = await openSession(kissi, other);
    assert.equal((await requestPinReset(kissi, 'subscribers', wallet.id, independent)).status, 200);
    const code = await pinResetCode(kissi, later);
    assert.equal((await resetPin(kissi, { phone_number: later, code, new_pin: NEW_PIN })).status, 200);
  });

  test('is refused for the user whose API key made it', async () => {
    const { key } = await apiKey(kissi, ['subscribers:write']);
    const wallet = await bank.wallet();
    await move(wallet, key);
    assertRefused(await requestPinReset(kissi, 'subscribers', wallet.id), 403, 'FORBIDDEN');
    const { token } = await support();
    assert.equal((await requestPinReset(kissi, 'subscribers', wallet.id, token)).status, 200);
  });

  test('of an agent follows the same rule', async () => {
    const agent = await newAgent(kissi);
    const token = await kissi.adminToken();
    assert.equal((await put(`/agents/${agent.id}`, { phone_number: freeNumber() }, token)).status, 200);
    assertRefused(await requestPinReset(kissi, 'agents', agent.id, token), 403, 'FORBIDDEN');
    const { token: other } = await support();
    assert.equal((await requestPinReset(kissi, 'agents', agent.id, other)).status, 200);
  });

  test('that waits for a change of the number by the same user is refused', async () => {
    const { id, token } = await support();
    const wallet = await bank.wallet();
    const reply = await withLockContention(kissi, {
      lock: `select 1 from subscribers where id = '${wallet.id}' for update`,
      waiters: 1,
      begin: () => requestPinReset(kissi, 'subscribers', wallet.id, token),
      meanwhile: `update subscribers set phone_changed_by = '${id}',
        phone_changed_at = to_timestamp(${kissi.clock.now()} / 1000.0) where id = '${wallet.id}'`,
    });
    assertRefused(reply, 403, 'FORBIDDEN');
    await kissi.db.query('update subscribers set phone_changed_by = null, phone_changed_at = null where id = $1', [
      wallet.id,
    ]);
  });
});

test('a change ends the code for a new PIN: neither number can use it, even if the old number returns', async () => {
  const wallet = await bank.wallet();
  assert.equal((await requestPinReset(kissi, 'subscribers', wallet.id)).status, 200);
  const code = await pinResetCode(kissi, wallet.phone);
  const { token } = await support();
  const phone = await move(wallet, token);
  assert.equal((await put(`/subscribers/${wallet.id}`, { phone_number: wallet.phone }, token)).status, 200);
  for (const phone_number of [phone, wallet.phone]) {
    assertRefused(await resetPin(kissi, { phone_number, code, new_pin: NEW_PIN }), 401, 'INVALID_OTP');
  }
  const { rows } = await kissi.db.query('select code_hash, tries_left from pin_resets where owner_id = $1', [
    wallet.id,
  ]);
  assert.deepEqual(rows, [{ code_hash: null, tries_left: 0 }]);
});

const setPolicy = async (action: string, enabled: boolean) => {
  assertStatus(await put('/admin/approval-policies', { action, enabled }, await kissi.adminToken()), 200);
};
const approve = (id: string, token: string) => kissi.call('POST', `/api/v1/admin/approvals/${id}/approve`, { token });

describe('under the policy subscribers.change_phone', () => {
  const policy = (enabled: boolean) => setPolicy('subscribers.change_phone', enabled);
  const phoneOf = async ({ id }: Wallet) =>
    (await kissi.db.query('select phone_number from subscribers where id = $1', [id])).rows[0].phone_number;

  test('a new number waits for a second user, with both numbers in the summary; other fields do not', async () => {
    await policy(true);
    const [requester, approver] = [await support(), await support()];
    const wallet = await bank.wallet();
    const phone_number = freeNumber();
    const requested = assertStatus(await put(`/subscribers/${wallet.id}`, { phone_number }, requester.token), 202);
    const { id, action, operation, summary } = requested.json.approval;
    assert.deepEqual([action, operation], ['subscribers.change_phone', 'subscribers.change_phone']);
    assert.deepEqual([summary.before, summary.after], [{ phone_number: wallet.phone }, { phone_number }]);
    assert.deepEqual([await phoneOf(wallet), await messageTo(kissi, wallet.phone)], [wallet.phone, undefined]);
    assertRefused(await approve(id, requester.token), 403, 'FORBIDDEN');
    assert.equal((await approve(id, approver.token)).status, 200);
    assert.equal(await phoneOf(wallet), phone_number);
    assert.equal((await messageTo(kissi, wallet.phone)).kind, 'number_changed');
    const { rows } = await kissi.db.query('select changed_by, approved_by from phone_changes where owner_id = $1', [
      wallet.id,
    ]);
    assert.deepEqual(rows, [{ changed_by: requester.id, approved_by: approver.id }]);
    const other = { phone_number: `0${phone_number.slice(4)}`, address: '3 Wilkinson Road' };
    assert.equal((await put(`/subscribers/${wallet.id}`, other, requester.token)).status, 200);
    await policy(false);
  });

  test('neither requester nor approver of the change requests or approves the PIN reset', async () => {
    await policy(true);
    await setPolicy('pin.reset', true);
    const [requester, approver, third, fourth] = [await support(), await support(), await support(), await support()];
    const wallet = await bank.wallet();
    const change = await put(`/subscribers/${wallet.id}`, { phone_number: freeNumber() }, requester.token);
    assert.equal((await approve(change.json.approval.id, approver.token)).status, 200);
    for (const { token } of [requester, approver]) {
      assertRefused(await requestPinReset(kissi, 'subscribers', wallet.id, token), 403, 'FORBIDDEN');
    }
    const reset = assertStatus(await requestPinReset(kissi, 'subscribers', wallet.id, third.token), 202);
    for (const { token } of [requester, approver]) {
      const refused = assertRefused(await approve(reset.json.approval.id, token), 403, 'FORBIDDEN');
      assert.match(refused.json.error, OTHERS);
    }
    // The request stays open for others.
    assert.equal((await approve(reset.json.approval.id, fourth.token)).status, 200);
    await setPolicy('pin.reset', false);
    await policy(false);
  });

  test('an API key cannot request it, and a number and a level are not changed together', async () => {
    await policy(true);
    const { key } = await apiKey(kissi, ['subscribers:write']);
    const wallet = await bank.wallet();
    const refused = await put(`/subscribers/${wallet.id}`, { phone_number: freeNumber() }, key);
    assertRefused(refused, 403, 'APPROVAL_REQUIRED');
    const document = { id_type: 'PASSPORT', id_number: 'SLR0001234', id_document_url: 'https://example.com/1.jpg' };
    const both = { phone_number: freeNumber(), kyc_level: 2, ...document };
    assertRefused(await put(`/subscribers/${wallet.id}`, both, await kissi.adminToken()), 400, 'INVALID_REQUEST');
    assert.equal(await phoneOf(wallet), wallet.phone);
    await policy(false);
  });
});

describe('under the policy pin.reset', () => {
  const policy = (enabled: boolean) => setPolicy('pin.reset', enabled);

  test('a request fails if its requester changed the number before the approval', async () => {
    await policy(true);
    const [changer, other] = [await support(), await support()];
    const wallet = await bank.wallet();
    const requested = assertStatus(await requestPinReset(kissi, 'subscribers', wallet.id, changer.token), 202);
    const phone = await move(wallet, changer.token);
    const approved = await approve(requested.json.approval.id, other.token);
    assert.ok(approved.status >= 400, approved.text);
    assert.match(approved.text, OTHERS);
    assert.equal((await messageTo(kissi, phone)).kind, 'number_changed', 'no code was sent');
    await policy(false);
  });

  test('a request for the old number fails if anybody changed it, and so does one that the changer approves', async () => {
    await policy(true);
    const [requester, changer, other] = [await support(), await support(), await support()];
    const wallet = await bank.wallet();
    const requested = await requestPinReset(kissi, 'subscribers', wallet.id, requester.token);
    const phone = await move(wallet, changer.token);
    assertRefused(await approve(requested.json.approval.id, changer.token), 403, 'FORBIDDEN');
    const approved = assertRefused(await approve(requested.json.approval.id, other.token), 422, 'EXECUTION_REFUSED');
    assert.equal(approved.json.refusal_code, 'RECORD_CHANGED');
    assert.equal((await messageTo(kissi, phone)).kind, 'number_changed', 'no code was sent');
    await policy(false);
  });

  test('the approver sees what changed in the last 30 days, and who changed it', async () => {
    await policy(true);
    const wallet = await bank.wallet();
    await put(`/subscribers/${wallet.id}`, { address: '1 Old Road' }, (await support()).token);
    kissi.clock.advance(31 * DAY_MS);
    const staff = await staffMember(kissi, 'support_user');
    const { token } = await openSession(kissi, staff);
    await move(wallet, token);
    const other = await support();
    const requested = assertStatus(await requestPinReset(kissi, 'subscribers', wallet.id, other.token), 202);
    const { id } = requested.json.approval;
    const { json } = await kissi.asAdmin.get(`/admin/approvals/${id}`);
    const [change, ...others] = json.approval.recent_changes;
    assert.deepEqual(others, []);
    const { action, fields, by, approved_by } = change;
    assert.deepEqual([action, fields, by, approved_by], ['subscriber.update', ['phone_number'], staff.id, null]);
    assert.match(change.by_name, /\S+ \S+/);
    await policy(false);
  });
});
