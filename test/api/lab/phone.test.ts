// The lab's phone: the USSD menus played by staff against the real service, and the messages that a number received.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { assertStatus, type CallReply, testGateway } from '../../support/gateway.ts';
import { bankForFile, PIN, WRONG_PIN } from '../../support/money.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { assertRefused, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ env: { LAB: 'on', USSD_SERVICE_CODE: '*715#' } });
const support = await staffToken(kissi, 'support_user');

interface Step {
  input?: string;
  token?: string;
}

/** A session of a number: each call sends one input and returns the page. */
function phoneOf(phone: string, sessionId: string = randomUUID()) {
  let sequence = 0;
  return {
    send({ input = '', token = support }: Step = {}): Promise<CallReply> {
      const body = { phone_number: phone, session_id: sessionId, sequence: sequence++, input };
      return kissi.call('POST', '/api/v1/admin/lab/ussd', { body, token });
    },
    async play(...inputs: string[]): Promise<{ text: string; ends: boolean; asks_pin: boolean }> {
      let page = await this.send({ input: '' });
      for (const input of inputs) page = await this.send({ input });
      return assertStatus(page, 200).json;
    },
    retry() {
      sequence -= 1;
    },
  };
}

const read = (phone: string, token = support) =>
  kissi.call('GET', `/api/v1/admin/lab/phone?phone_number=${encodeURIComponent(phone)}`, { token });

const auditedDials = async (id: string): Promise<number> =>
  (
    await kissi.db.query("select count(*)::int as n from audit_inbox where action = 'lab.dial' and resource_id = $1", [
      id,
    ])
  ).rows[0].n;

describe('a phone that staff plays', () => {
  test('pays by USSD with the PIN, and a repeated step pays once', async () => {
    const [payer, payee] = [await bank.wallet(100_000), await bank.wallet()];
    const phone = phoneOf(payer.phone);
    const confirm = await phone.play('1', payee.phone, '50');
    assert.deepEqual([confirm.asks_pin, confirm.ends], [true, false]);
    assert.match(confirm.text, /Send SLE 50\.00 to Aminata K\./);
    const done = assertStatus(await phone.send({ input: PIN }), 200);
    phone.retry();
    const again = assertStatus(await phone.send({ input: PIN }), 200);
    assert.deepEqual([done.json.ends, done.json.asks_pin, again.text], [true, false, done.text]);
    assert.match(done.json.text, /^You sent SLE 50\.00 to Aminata K\. Fee SLE 0\.75\. Balance/);
    assert.equal(await bank.balance(payee.id), 5_000);
    assert.equal(await auditedDials(payer.id), 1);
  });

  test('takes no PIN from what is dialled', async () => {
    const [payer, payee] = [await bank.wallet(100_000), await bank.wallet()];
    const page = assertStatus(await phoneOf(payer.phone).send({ input: `1*${payee.phone}*50*${PIN}` }), 200).json;
    assert.deepEqual([page.asks_pin, page.ends], [true, false]);
    assert.equal(await bank.balance(payee.id), 0);
  });

  test('refuses a wrong PIN on the page, and lets the holder try again', async () => {
    const phone = phoneOf((await bank.wallet(100_000)).phone);
    const refused = await phone.play('4', '1', WRONG_PIN);
    assert.deepEqual([refused.asks_pin, refused.ends], [true, false]);
    const shown = assertStatus(await phone.send({ input: PIN }), 200).json;
    assert.deepEqual([shown.text, shown.ends], ['You have SLE 1,000.00.', true]);
  });

  test("belongs to the user who dialled: another user's step does not confirm the payment", async () => {
    const [payer, payee] = [await bank.wallet(100_000), await bank.wallet()];
    const phone = phoneOf(payer.phone);
    await phone.play('1', payee.phone, '50');
    const token = await staffToken(kissi, 'support_user');
    const page = assertStatus(await phone.send({ input: PIN, token }), 200).json;
    assert.equal(page.asks_pin, false);
    assert.equal(await bank.balance(payee.id), 0);
  });

  test('has a number without a wallet too', async () => {
    const { text } = await phoneOf('+23276999001').play();
    assert.match(text, /This number has no wallet yet/);
    assert.deepEqual((await read('+23276999001')).json.messages, []);
  });
});

describe('the messages of a number', () => {
  test('are those that it received, newest first, in any form of the number', async () => {
    const [{ phone }, other] = [await bank.wallet(), await bank.wallet()];
    for (const [to, text] of [
      [phone, 'First'],
      [other.phone, 'Of another'],
      [phone, 'Second'],
    ] as const) {
      await kissi.gateway.services.messaging.send(kissi.db.database.queries, { to, kind: 'answer', text });
    }
    const state = assertStatus(await read(phone.replace('+232', '0')), 200).json;
    assert.deepEqual([state.phone_number, state.service_code], [phone, '*715#']);
    assert.deepEqual(
      state.messages.map(({ text, channel }: Record<string, string>) => [text, channel]),
      [
        ['Second', 'chat'],
        ['First', 'chat'],
      ],
    );
  });

  test('do not include the passwords and codes of users', async () => {
    const { phone } = await bank.wallet();
    for (const kind of ['credentials', 'pep_code', 'login_limit']) {
      await kissi.gateway.services.messaging.send(kissi.db.database.queries, { to: phone, kind, text: 'Secret' });
    }
    assert.deepEqual(assertStatus(await read(phone), 200).json.messages, []);
  });

  test('are refused for what is not a phone number', async () => {
    assertRefused(await read('Aminata'), 400, 'INVALID_REQUEST');
    assertRefused(await phoneOf('Aminata').send(), 400, 'INVALID_REQUEST');
  });
});

test("a politically exposed person's phone needs access", async () => {
  const { id, phone } = await bank.wallet(100_000);
  await markPep(kissi, id);
  assertRefused(await read(phone), 403, 'PEP_ACCESS_REQUIRED');
  assertRefused(await phoneOf(phone).send(), 403, 'PEP_ACCESS_REQUIRED');
  const user = await newAuthorizedStaff(kissi, 'support_user');
  await openAccess(kissi, user);
  assertStatus(await read(phone, user.token), 200);
  assertStatus(await phoneOf(phone).send({ token: user.token }), 200);
});

test('without the lab there is no phone', async () => {
  const plain = await testGateway();
  try {
    const token = await staffToken(plain, 'support_user');
    const body = { phone_number: '+23276000001', session_id: randomUUID(), sequence: 0 };
    assertRefused(await plain.call('POST', '/api/v1/admin/lab/ussd', { body, token }), 404, 'NOT_FOUND');
    const path = '/api/v1/admin/lab/phone?phone_number=%2B23276000001';
    assertRefused(await plain.call('GET', path, { token }), 404, 'NOT_FOUND');
  } finally {
    await plain.close();
  }
});
