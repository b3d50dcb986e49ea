// Tests what customers, agents and merchants choose about their notices, and what the lab shows of a phone.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { knownPhone, newPhone } from '../../support/customers.ts';
import type { Json } from '../../support/gateway.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { merchantToken, newMerchant } from '../../support/processors.ts';
import { assertRefused, assertStatus, auditLogs, runChore } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ env: { NOTICES: 'all', LAB: 'on', SMS_PROVIDER: 'lab' } });

const DEFAULTS = { language: 'en', channels: ['sms'], payments: true, show_balance: true };

async function labMessages(phone: string): Promise<Json[]> {
  const query = `phone_number=${encodeURIComponent(phone)}`;
  return assertStatus(await kissi.asAdmin.get(`/admin/lab/phone?${query}`), 200).json.messages;
}

describe('the settings of a customer', () => {
  test('are English, by SMS, with payments and balance, until they are changed, which is audited', async () => {
    const wallet = await bank.wallet();
    const phone = await knownPhone(kissi, wallet);
    const { json } = assertStatus(await phone.get('/me/notifications'), 200);
    assert.deepEqual(json, { notifications: DEFAULTS, available_channels: ['sms'] });
    const changed = assertStatus(await phone.put('/me/notifications', { language: 'kri', show_balance: false }), 200);
    const expected = { ...DEFAULTS, language: 'kri', show_balance: false };
    assert.deepEqual(changed.json.notifications, expected);
    assert.deepEqual((await phone.get('/me/notifications')).json.notifications, expected);
    const entries = await auditLogs(kissi, { resource_id: wallet.id, action: 'notifications.update' });
    assert.deepEqual(
      entries.map(({ details, actor_id }: Json) => [details.fields, actor_id]),
      [[['language', 'show_balance'], wallet.id]],
    );
  });

  test('stay the same, and nothing is audited, when what was read is sent back', async () => {
    const wallet = await bank.wallet();
    const phone = await knownPhone(kissi, wallet);
    const { notifications } = (await phone.get('/me/notifications')).json;
    assert.deepEqual(
      assertStatus(await phone.put('/me/notifications', notifications), 200).json.notifications,
      DEFAULTS,
    );
    assert.deepEqual(await auditLogs(kissi, { resource_id: wallet.id, action: 'notifications.update' }), []);
  });

  test('cannot be changed by a device that is less than a day old', async () => {
    const phone = await newPhone(kissi, await bank.wallet());
    assertRefused(await phone.put('/me/notifications', { payments: false }), 403, 'NEW_DEVICE');
    assert.deepEqual((await phone.get('/me/notifications')).json.notifications, DEFAULTS);
  });

  const wrong: Record<string, Json> = {
    'a channel without a provider': { channels: ['chat'] },
    'no channel': { channels: [] },
    'a language that nobody wrote texts in': { language: 'fr' },
  };
  for (const [what, body] of Object.entries(wrong)) {
    test(`${what} is refused`, async () => {
      const phone = await knownPhone(kissi, await bank.wallet());
      assertRefused(await phone.put('/me/notifications', body), 400, 'INVALID_REQUEST');
    });
  }
});

describe('the settings of a merchant', () => {
  test('are off until its login switches them on; then it is told of what it receives', async () => {
    const merchant = await newMerchant(kissi);
    const token = await merchantToken(kissi, merchant);
    const call = (method: string, body?: Json) => kissi.call(method, '/api/v1/admin/notifications', { token, body });
    assert.equal(assertStatus(await call('GET'), 200).json.notifications.payments, false);
    assertStatus(await call('PUT', { payments: true }), 200);
    assert.equal((await call('GET')).json.notifications.payments, true);
    const entries = await auditLogs(kissi, { resource_id: merchant.id, action: 'notifications.update' });
    assert.equal(entries.length, 1);
  });

  test('are none of a login of staff', async () => {
    assertRefused(await kissi.asAdmin.get('/admin/notifications'), 404, 'NOT_FOUND');
    assertRefused(await kissi.asAdmin.put('/admin/notifications', { payments: true }), 404, 'NOT_FOUND');
  });
});

test('the lab shows the messages of one phone, newest first, with those about payments', async () => {
  const [from, to] = [await bank.wallet(50_000), await bank.wallet()];
  await runChore(kissi, 'tell customers of payments');
  const body = { sender_id: from.id, recipient_id: to.id, amount: 1_000, pin: PIN };
  assertStatus(await bank.post('/wallet/transfer', body), 200);
  await runChore(kissi, 'tell customers of payments');
  await newPhone(kissi, to);
  const messages = await labMessages(to.phone);
  assert.deepEqual(
    messages.map(({ kind, channel }) => [kind, channel]),
    [
      ['new_device', 'sms'],
      ['login_code', 'sms'],
      ['payment', 'sms'],
    ],
  );
  assert.match(messages[2].text, /^You got SLE 10\.00 from Aminata K\. Balance SLE 10\.00\. Id txn_/);
  assert.match(messages[0].text, /^A new device, Tecno Spark, can use your Kissi wallet/);
  assertRefused(await kissi.asAdmin.get('/admin/lab/phone?phone_number=abc'), 400, 'INVALID_REQUEST');
});
