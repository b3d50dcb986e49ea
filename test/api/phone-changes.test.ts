// Tests changes of phone numbers: the notice to the old number, and that the user who made one does not reset the PIN.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newAgent } from '../support/agents.ts';
import { bankForFile, type Wallet } from '../support/money.ts';
import { pinResetCode, requestPinReset, resetPin } from '../support/pin-reset.ts';
import { apiKey, assertRefused, messageTo, openSession, staffMember, withLockContention } from '../support/staff.ts';

const { kissi, bank } = await bankForFile();
const NEW_PIN = '4711';
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
  const reply = await put(`/subscribers/${wallet.id}`, { phone_number }, token);
  assert.equal(reply.status, 200, reply.text);
  return phone_number;
}

const columnsOf = async (table: 'subscribers' | 'agents', id: string) => {
  const { rows } = await kissi.db.query(`select phone_changed_at, phone_changed_by from ${table} where id = $1`, [id]);
  return rows[0];
};

describe('a change of a phone number', () => {
  test('is stored with its user and time, and sends a notice without the new number to the old one', async () => {
    const { id, token } = await support();
    const wallet = await bank.wallet();
    const phone = await move(wallet, token);
    const at = new Date(kissi.clock.now());
    assert.deepEqual(await columnsOf('subscribers', wallet.id), { phone_changed_at: at, phone_changed_by: id });
    const { kind, text } = await messageTo(kissi, wallet.phone);
    assert.equal(kind, 'phone_changed');
    assert.match(text, /Your Kissi phone number was changed/);
    assert.ok(!text.includes(phone.slice(4)));
    assert.equal(await messageTo(kissi, phone), undefined);
  });

  test('is not one if the number stays the same, in whatever format it is sent', async () => {
    const { token } = await support();
    const wallet = await bank.wallet();
    const same = await put(`/subscribers/${wallet.id}`, { phone_number: `0${wallet.phone.slice(4)}` }, token);
    assert.equal(same.status, 200, same.text);
    assert.deepEqual(await columnsOf('subscribers', wallet.id), { phone_changed_at: null, phone_changed_by: null });
    assert.equal(await messageTo(kissi, wallet.phone), undefined);
  });

  test('by an API key stores the key and sends the notice too', async () => {
    const { id, key } = await apiKey(kissi, ['subscribers:write']);
    const wallet = await bank.wallet();
    await move(wallet, key);
    assert.equal((await columnsOf('subscribers', wallet.id)).phone_changed_by, id);
    assert.equal((await messageTo(kissi, wallet.phone)).kind, 'phone_changed');
  });

  test('of an agent is stored and sends the notice', async () => {
    const agent = await newAgent(kissi);
    const token = await kissi.adminToken();
    assert.equal((await put(`/agents/${agent.id}`, { phone_number: freeNumber() }, token)).status, 200);
    const { phone_changed_at, phone_changed_by } = await columnsOf('agents', agent.id);
    assert.equal(phone_changed_at.getTime(), kissi.clock.now());
    const me = await kissi.call('GET', '/api/v1/admin/me', { token });
    assert.equal(phone_changed_by, me.json.id);
    assert.equal((await messageTo(kissi, agent.phone)).kind, 'phone_changed');
  });
});

describe('for 24 hours the PIN reset', () => {
  test('is refused for the user who changed the number; another user requests it', async () => {
    const [changer, other] = [await support(), await support()];
    const wallet = await bank.wallet();
    const phone = await move(wallet, changer.token);
    const refused = await requestPinReset(kissi, 'subscribers', wallet.id, changer.token);
    assertRefused(refused, 403, 'FORBIDDEN');
    assert.match(refused.json.error, /You changed this phone number less than 24 hours ago: another user/);
    assert.equal(await messageTo(kissi, phone), undefined, 'no code was sent');
    assert.equal((await requestPinReset(kissi, 'subscribers', wallet.id, other.token)).status, 200);
    const code = await pinResetCode(kissi, phone);
    assert.equal((await resetPin(kissi, { phone_number: phone, code, new_pin: NEW_PIN })).status, 200);
  });

  test('is refused to the last millisecond, and possible for the same user afterwards', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const wallet = await bank.wallet();
    await move(wallet, (await openSession(kissi, staff)).token);
    kissi.clock.advance(DAY_MS - 1);
    const { token } = await openSession(kissi, staff);
    assertRefused(await requestPinReset(kissi, 'subscribers', wallet.id, token), 403, 'FORBIDDEN');
    kissi.clock.advance(1);
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

describe('under the policy pin.reset', () => {
  const policy = async (enabled: boolean) => {
    const token = await kissi.adminToken();
    const reply = await put('/admin/approval-policies', { action: 'pin.reset', enabled }, token);
    assert.equal(reply.status, 200, reply.text);
  };
  const approve = (id: string, token: string) => kissi.call('POST', `/api/v1/admin/approvals/${id}/approve`, { token });

  test('the requester counts: the user who changed the number may approve, not request', async () => {
    await policy(true);
    const [changer, other] = [await support(), await support()];
    const wallet = await bank.wallet();
    await move(wallet, changer.token);
    assertRefused(await requestPinReset(kissi, 'subscribers', wallet.id, changer.token), 403, 'FORBIDDEN');
    const requested = await requestPinReset(kissi, 'subscribers', wallet.id, other.token);
    assert.equal(requested.status, 202, requested.text);
    assert.equal((await approve(requested.json.approval.id, changer.token)).status, 200);
    await policy(false);
  });

  test('a request fails if its requester changed the number before the approval', async () => {
    await policy(true);
    const [changer, other] = [await support(), await support()];
    const wallet = await bank.wallet();
    const requested = await requestPinReset(kissi, 'subscribers', wallet.id, changer.token);
    assert.equal(requested.status, 202, requested.text);
    const phone = await move(wallet, changer.token);
    const approved = await approve(requested.json.approval.id, other.token);
    assert.ok(approved.status >= 400, approved.text);
    assert.match(approved.text, /another user must request the PIN reset/);
    assert.equal(await messageTo(kissi, phone), undefined);
    await policy(false);
  });
});
