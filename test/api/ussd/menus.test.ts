// Tests every menu over HTTP through both gateways' formats: what the pages say, what moves, and what it leaves.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock.ts';
import { assertClean } from '../../ledger/books.ts';
import { floatOf, newFundedAgent, type TestAgent } from '../../support/agents.ts';
import { assertStatus, type Json, testGateway } from '../../support/gateway.ts';
import { createBank, PIN } from '../../support/money.ts';
import { LAB, newId, shopOf } from '../../support/payment-requests.ts';
import { dial, FORMATS, USSD, walk } from '../../support/ussd.ts';

const kissi = await testGateway({ env: { ...USSD, ...LAB } });
const bank = await createBank(kissi);
after(async () => {
  await assertClean(kissi.db.url);
  await kissi.close();
});
const shop = await shopOf(kissi);

const CODE = /Cash-out code (\d{8}) for SLE 50\.00/;

for (const format of FORMATS) {
  describe(`a customer through ${format}`, () => {
    test('sends money: who, how much, name and fee, and the PIN last', async () => {
      const [payer, payee] = [await bank.wallet(100_000), await bank.wallet(0)];
      const phone = dial(kissi, payer.phone, format);
      assert.equal(
        (await phone.type()).text,
        'Kissi\n1 Send money\n2 Withdraw cash\n3 Pay\n4 My account\n5 Requests to pay\n6 Report a problem',
      );
      assert.match((await phone.type('1')).text, /^Enter the receiver's phone or account number\n0 Back$/);
      assert.match((await phone.type(payee.phone.replace('+232', '0'))).text, /^Enter the amount in leones/);
      const shown = await phone.type('12.50');
      assert.equal(
        shown.text,
        `Send SLE 12.50 to Aminata K., ${payee.phone}. Fee SLE 0.19.\nEnter your PIN, or 0 to cancel`,
      );
      assert.deepEqual([await bank.balance(payer.id), await bank.balance(payee.id)], [100_000, 0]);
      const done = await phone.type(PIN);
      assert.match(done.text, /^You sent SLE 12\.50 to Aminata K\. Fee SLE 0\.19\. Balance SLE 987\.31\. Id txn_/);
      assert.ok(done.ends);
      assert.deepEqual([await bank.balance(payer.id), await bank.balance(payee.id)], [98_731, 1_250]);
      const { rows } = await kissi.db.query(
        'select actor_type, actor_id, request_id from movements where to_account = $1',
        [payee.id],
      );
      const [movement] = rows as Json[];
      assert.deepEqual([movement.actor_type, movement.actor_id], ['subscriber', payer.id]);
      assert.equal(movement.request_id, `ussd:${phone.sessionId}:4`);
    });

    test('repeats a page with the reason until the input is right', async () => {
      const [payer, payee] = [await bank.wallet(1_000), await bank.wallet(0)];
      const phone = dial(kissi, payer.phone, format);
      assert.match((await phone.type('7')).text, /^That is not on the list\.\nKissi\n/);
      assert.match((await phone.type('1', 'x')).text, /^That is not a phone or account number\.\n/);
      assert.match((await phone.type(payee.phone, '1,5')).text, /^Type numbers only, such as 50 or 12\.50\.\n/);
      assert.match((await phone.type('5', '12')).text, /^A PIN has 4 digits\.\nSend SLE 5\.00/);
      assert.match((await phone.type('9999')).text, /^Wrong PIN\. 2 more tries\.\nSend SLE 5\.00/);
      assert.match((await phone.type(PIN)).text, /^You sent SLE 5\.00/);
    });

    test('goes back to the first menu with 0, and nothing moves', async () => {
      const [payer, payee] = [await bank.wallet(1_000), await bank.wallet(0)];
      const phone = dial(kissi, payer.phone, format);
      assert.match((await phone.type('1', payee.phone, '5', '0')).text, /^Kissi\n1 Send money/);
      assert.equal(await bank.balance(payer.id), 1_000);
    });

    test('pays a merchant by its number', async () => {
      const payer = await bank.wallet(10_000);
      const { rows } = await kissi.db.query('select merchant_number from processors where id = $1', [shop.merchant.id]);
      const [{ merchant_number: number }] = rows as Json[];
      const phone = dial(kissi, payer.phone, format);
      const shown = await phone.type('3', number, '20');
      assert.match(shown.text, /^Pay SLE 20\.00 to Lumley Beach Grill\. Fee SLE 0\.00\.\nEnter your PIN/);
      assert.match((await phone.type(PIN)).text, /^You paid SLE 20\.00 to Lumley Beach Grill/);
      assert.equal(await bank.balance(payer.id), 8_000);
    });

    test('pays a payment request by its code, and by dialling the code', async () => {
      for (const dialled of [false, true]) {
        const payer = await bank.wallet(10_000);
        const asked = await shop.asked({ amount: 3_000 });
        const phone = dial(kissi, payer.phone, format);
        if (dialled) phone.inputs.push('0', asked.code);
        const shown = dialled && format === 'json' ? await dialJson(payer.phone, `0*${asked.code}`) : null;
        if (shown) {
          assert.match(shown, /^Pay SLE 30\.00 to Lumley Beach Grill/);
          continue;
        }
        const page = dialled ? await phone.again() : await phone.type('3', asked.code);
        assert.match(page.text, /^Pay SLE 30\.00 to Lumley Beach Grill/);
        assert.match((await phone.type(PIN)).text, /^You paid SLE 30\.00/);
        assert.deepEqual([await bank.balance(payer.id), (await shop.read(asked.id)).status], [7_000, 'paid']);
      }
    });

    test('finds the requests that wait, pays one and declines another', async () => {
      const payer = await bank.wallet(10_000);
      const paid = await shop.asked({ amount: 1_500, payer_phone: payer.phone });
      kissi.clock.advance(1_000);
      const phone = dial(kissi, payer.phone, format);
      const list = await phone.type('5');
      assert.equal(list.text, 'Requests to pay\n1 Lumley Beach Grill SLE 15.00\n0 Back');
      assert.match((await phone.type('1')).text, /^Lumley Beach Grill asks for SLE 15\.00\n1 Pay\n2 Decline\n0 Back$/);
      assert.match((await phone.type('1', PIN)).text, /^You paid SLE 15\.00/);
      assert.equal((await shop.read(paid.id)).status, 'paid');
      const other = await shop.asked({ amount: 1_600, payer_phone: payer.phone });
      const text = await walk(kissi, payer.phone, '5', '1', '2');
      assert.equal(text, 'You declined the request of Lumley Beach Grill. No money was sent.');
      assert.equal((await shop.read(other.id)).status, 'declined');
      assert.equal(await walk(kissi, payer.phone, '5'), 'You have no requests to pay.');
    });

    test('sees balance, payments and limits after the PIN only', async () => {
      const [customer, other] = [await bank.wallet(70_000), await bank.wallet(0)];
      await walk(kissi, customer.phone, '1', other.phone, '100', PIN);
      for (const item of ['1', '2', '3']) {
        const page = await dial(kissi, customer.phone, format).type('4', item);
        assert.equal(page.text, 'Enter your PIN, or 0 to cancel');
        const wrong = await dial(kissi, customer.phone, format).type('4', item, '9999');
        assert.match(wrong.text, /^Wrong PIN\. /);
        await dial(kissi, customer.phone, format).type('4', '1', PIN);
      }
      const read = async (item: string) => (await dial(kissi, customer.phone, format).type('4', item, PIN)).text;
      assert.equal(await read('1'), 'You have SLE 598.50.');
      assert.match(await read('2'), /^Last payments\n\d\d\/\d\d -SLE 100\.00 Aminata K\.\n\d\d\/\d\d \+SLE 700\.00/);
      assert.equal(
        await read('3'),
        'You can still send SLE 99,900.00 today, of SLE 100,000.00. Your wallet can hold SLE 500,000.00.',
      );
    });

    test('changes the PIN: the old one, and the new one twice', async () => {
      const customer = await bank.wallet(1_000);
      const phone = dial(kissi, customer.phone, format);
      assert.equal((await phone.type('4', '4')).text, 'Enter your old PIN');
      assert.match((await phone.type('9999')).text, /^Wrong PIN\. 2 more tries\.\nEnter your old PIN/);
      assert.equal((await phone.type(PIN)).text, 'Enter a new PIN of 4 digits');
      assert.equal((await phone.type('5820')).text, 'Enter the new PIN again');
      assert.equal((await phone.type('5821')).text, 'The PINs are not the same.\nEnter a new PIN of 4 digits');
      assert.equal((await phone.type('5820', '5820')).text, 'Your PIN was changed.');
      assert.equal(await walk(kissi, customer.phone, '4', '1', '5820'), 'You have SLE 10.00.');
    });

    test('chooses Krio, and stays in it', async () => {
      const customer = await bank.wallet(1_000);
      const page = await dial(kissi, customer.phone, format).type('4', '5', '2');
      assert.match(page.text, /^Kissi\n1 Sen moni\n2 Pul moni\n3 Pe\n/);
      assert.match((await dial(kissi, customer.phone, format).type()).text, /^Kissi\n1 Sen moni/);
      assert.match((await dial(kissi, customer.phone, format).type('4', '5', '1')).text, /^Kissi\n1 Send money/);
    });

    test('gets a code for a login on another phone, which works', async () => {
      const customer = await bank.wallet(1_000);
      const text = await walk(kissi, customer.phone, '4', '6');
      const [, code] = /^Login code: (\d{6})\. Valid 10 minutes\./.exec(text) ?? [];
      const { challenge } = assertStatus(
        await kissi.call('POST', '/api/v1/me/login', { body: { phone_number: customer.phone } }),
        202,
      ).json;
      const body = { challenge, code, pin: PIN, device_name: 'Tecno' };
      const verified = assertStatus(await kissi.call('POST', '/api/v1/me/login/verify', { body }), 200);
      assert.ok(verified.json.token);
    });

    test('is sent to customer support with a problem', async () => {
      const customer = await bank.wallet(0);
      assert.match(await walk(kissi, customer.phone, '6', '7'), /^Please call \+232 76 000 000 to report a problem\./);
    });
  });

  describe(`withdrawing through ${format}`, () => {
    test('the code of the page is paid out by an agent, without the customer’s PIN', async () => {
      const customer = await bank.wallet(20_000);
      const agent = await newFundedAgent(kissi, 100_000);
      const phone = dial(kissi, customer.phone, format);
      assert.match((await phone.type('2', '50')).text, /^Cash-out code for SLE 50\.00\. Fee SLE \d/);
      const { text } = await phone.type(PIN);
      const [, code = ''] = CODE.exec(text) ?? [];
      assert.match(text, /valid 30 minutes/);
      const counter = dial(kissi, agent.phone, format);
      assert.equal(
        (await counter.type()).text,
        'Agent menu\n1 Cash in\n2 Pay out a code\n3 Register a customer\n4 Float\n5 Open my own wallet',
      );
      const asked = await counter.type('2', customer.phone, code);
      assert.equal(asked.text, `Pay out code ${code} of ${customer.phone}.\nEnter your agent PIN, or 0 to cancel`);
      assert.match((await counter.type(agent.pin)).text, /^Pay SLE 50\.00 in cash to Aminata K\. Id txn_/);
      assert.equal(await floatOf(kissi, agent), 105_000);
      const late = await dial(kissi, agent.phone, format).type('2', customer.phone, '12345678', agent.pin);
      assert.match(late.text, /^That code is not right\.\nEnter the customer's cash-out code/);
    });
  });

  describe(`an agent through ${format}`, () => {
    test('takes in cash, with the customer’s name and the fee before the PIN', async () => {
      const customer = await bank.wallet(0);
      const agent = await newFundedAgent(kissi, 100_000);
      const phone = dial(kissi, agent.phone, format);
      const shown = await phone.type('1', customer.phone, '300');
      assert.match(
        shown.text,
        /^Cash in SLE 300\.00 for Aminata K\., \+232\d+\. Fee SLE 1\.50\.\nEnter your agent PIN, or 0 to cancel$/,
      );
      assert.match(
        (await phone.type(agent.pin)).text,
        /^Aminata K\. received SLE 300\.00\. Fee SLE 1\.50\. Take the cash\./,
      );
      assert.deepEqual([await bank.balance(customer.id), await floatOf(kissi, agent)], [30_000, 69_850]);
      const { rows } = await kissi.db.query('select actor_type, actor_id from movements where to_account = $1', [
        customer.id,
      ]);
      assert.deepEqual(rows, [{ actor_type: 'user', actor_id: agent.userId }]);
      assert.equal(await walk(kissi, agent.phone, '4', agent.pin), 'Your float is SLE 698.50.');
    });

    test('registers a customer, who opens the wallet and chooses the PIN on their own phone', async () => {
      const agent = await newFundedAgent(kissi, 1);
      const number = `+23279${String(kissi.clock.now() % 1_000_000).padStart(6, '0')}`;
      kissi.clock.advance(1);
      const page = await dial(kissi, agent.phone, format).type('3', number, 'Isata', 'Bangura');
      assert.equal(page.text, `Register Isata Bangura, ${number}.\nEnter your agent PIN, or 0 to cancel`);
      const text = await walk(kissi, agent.phone, '3', number, 'Isata', 'Bangura', agent.pin);
      assert.match(text, /^Isata Bangura can now dial this code from /);
      const phone = dial(kissi, number, format);
      assert.equal(
        (await phone.type()).text,
        'Kissy Road Traders registers you at Kissi as Isata Bangura.\n1 Yes, open my wallet\n2 My name is different\n3 Krio',
      );
      assert.equal(
        (await phone.type('1', '5820', '5820')).text,
        'Welcome, Isata! Your wallet is open. Dial again to use it.',
      );
      const { rows } = await kissi.db.query(
        'select first_name, status, kyc_level, phone_verified, registered_by_agent from subscribers where phone_number = $1',
        [number],
      );
      assert.deepEqual(rows, [
        { first_name: 'Isata', status: 'ACTIVE', kyc_level: 1, phone_verified: true, registered_by_agent: agent.id },
      ]);
      assert.equal(await walk(kissi, number, '4', '1', '5820'), 'You have SLE 0.00.');
      assert.match(await walk(kissi, agent.phone, '3', number, 'Isata', 'Bangura', agent.pin), /already has a wallet/);
    });
  });
}

describe('a number that an agent has entered', () => {
  const invite = (agent: TestAgent, number: string, name: string) =>
    walk(kissi, agent.phone, '3', number, name, 'Bangura', agent.pin);

  test('stays that agent’s until the invitation ends; the agent can correct the name', async () => {
    const [first, second] = [await newFundedAgent(kissi, 1), await newFundedAgent(kissi, 1)];
    const number = '+23279555001';
    assert.match(await invite(first, number, 'Isatu'), /^Isatu Bangura can now dial/);
    assert.match(await invite(second, number, 'Thief'), /^Another agent has entered this number\./);
    assert.match((await dial(kissi, number).type()).text, / as Isatu Bangura\./);
    assert.match(await invite(first, number, 'Isata'), /^Isata Bangura can now dial/);
    assert.match((await dial(kissi, number).type()).text, / as Isata Bangura\./);
    kissi.clock.advance(7 * DAY_MS);
    assert.match(await invite(second, number, 'Isata'), /^Isata Bangura can now dial/);
  });

  test('is free again once that agent is suspended', async () => {
    const [first, second] = [await newFundedAgent(kissi, 1), await newFundedAgent(kissi, 1)];
    await invite(first, '+23279555002', 'Isata');
    assertStatus(await kissi.asAdmin.post(`/agents/${first.id}/suspend`, { reason: 'Closed' }), 200);
    assert.match(await invite(second, '+23279555002', 'Isata'), /^Isata Bangura can now dial/);
  });

  test('is one of thirty in an hour', async () => {
    const agent = await newFundedAgent(kissi, 1);
    for (let n = 0; n < 30; n++) assert.match(await invite(agent, `+232795560${10 + n}`, 'Isata'), /can now dial/);
    assert.match(await invite(agent, '+23279556040', 'Isata'), /^That was too often/);
    kissi.clock.advance(HOUR_MS);
    assert.match(await invite(agent, '+23279556040', 'Isata'), /can now dial/);
  });
});

async function dialJson(phone: string, dialled: string): Promise<string> {
  const body = { session_id: newId(), phone_number: phone, service_code: '*715#', sequence: 0, input: dialled };
  return assertStatus(await kissi.call('POST', `/ussd/json/${USSD.USSD_SECRET.split(',')[0]}`, { body }), 200).json
    .text;
}

describe('a number without a wallet', () => {
  test('opens one with a name and a PIN, in Krio if it likes', async () => {
    const number = '+23288111222';
    const phone = dial(kissi, number);
    assert.equal(
      (await phone.type()).text,
      'Welcome to Kissi. This number has no wallet yet.\n1 Open a wallet\n2 Krio',
    );
    assert.match((await phone.type('2')).text, /^Welkom na Kissi\./);
    assert.match((await phone.type('1', 'M0', 'Mariama')).text, /^Rait yu famili nem/);
    assert.match((await phone.type('Sesay', '1111', '2222')).text, /^Di PIN dem no bi di sem\./);
    assert.match((await phone.type('5820', '5820')).text, /^Welkom, Mariama!/);
    assert.match((await dial(kissi, number).type()).text, /^Kissi\n1 Sen moni/);
  });
});
