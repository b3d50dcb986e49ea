// Tests USSD sessions: repeated and late callbacks, several gateways, whom a session belongs to, its end, and the gateway's secret.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ussdCaller } from '../../../src/auth/caller.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';
import { assertClean } from '../../ledger/books.ts';
import { messageTo, newFundedAgent } from '../../support/agents.ts';
import { assertStatus, type Json, type TestGateway, testGateway } from '../../support/gateway.ts';
import { createBank, PIN, type Wallet } from '../../support/money.ts';
import { LAB, shopOf } from '../../support/payment-requests.ts';
import { setNewPin } from '../../support/pin-reset.ts';
import { assertRefused } from '../../support/processors.ts';
import { auditRows } from '../../support/staff.ts';
import {
  call,
  dial,
  FORMATS,
  NEXT_SECRET,
  newSessionId,
  pageOf,
  SERVICE_CODE,
  USSD,
  USSD_SECRET,
  walk,
} from '../../support/ussd.ts';

const kissi = await testGateway({ env: { ...USSD, ...LAB } });
const bank = await createBank(kissi);
const second = await testGateway({ db: kissi.db, clock: kissi.clock, env: USSD });
after(async () => {
  await second.close();
  await assertClean(kissi.db.url);
  await kissi.close();
});

async function movementsFrom(id: string): Promise<number> {
  const { rows } = await kissi.db.query('select count(*)::int as n from movements where from_account = $1', [id]);
  return (rows as Json[])[0].n;
}

for (const format of FORMATS) {
  describe(`repeated callbacks through ${format}`, () => {
    test('of one step, at the same time on two gateways, get the same page and pay once', async () => {
      const [payer, payee] = [await bank.wallet(10_000), await bank.wallet(0)];
      const phone = dial(kissi, payer.phone, format);
      await phone.type('1', payee.phone, '10');
      phone.inputs.push(PIN);
      const pages = await Promise.all(
        Array.from({ length: 8 }, (_, index) => phone.again(index % 2 === 0 ? kissi : second)),
      );
      assert.match(pages[0]?.text ?? '', /^You sent SLE 10\.00/);
      assert.equal(new Set(pages.map(({ text }) => text)).size, 1, JSON.stringify(pages));
      assert.equal(await movementsFrom(payer.id), 1);
      assert.equal(await bank.balance(payee.id), 1_000);
    });

    test('count a wrong PIN once', async () => {
      const [payer, payee] = [await bank.wallet(10_000), await bank.wallet(0)];
      const phone = dial(kissi, payer.phone, format);
      await phone.type('1', payee.phone, '10');
      phone.inputs.push('9999');
      const pages = await Promise.all(Array.from({ length: 6 }, () => phone.again()));
      assert.deepEqual([...new Set(pages.map(({ text }) => text.split('\n')[0]))], ['Wrong PIN. 2 more tries.']);
      assert.match((await phone.type(PIN)).text, /^You sent/);
    });

    test('that come late get the last page, and change nothing', async () => {
      const [payer, payee] = [await bank.wallet(10_000), await bank.wallet(0)];
      const phone = dial(kissi, payer.phone, format);
      const asked = await phone.type('1', payee.phone, '10');
      const earlier = { sessionId: phone.sessionId, phone: payer.phone, inputs: phone.inputs.slice(0, 2) };
      assert.deepEqual(pageOf(format, await call(second, format, earlier)), asked);
      const done = await phone.type(PIN);
      assert.deepEqual(pageOf(format, await call(kissi, format, earlier)), done);
      kissi.clock.advance(10 * MINUTE_MS);
      assert.deepEqual(await phone.again(second), done);
      assert.equal(await movementsFrom(payer.id), 1);
    });

    test('of the dialling begin one session', async () => {
      const payer = await bank.wallet(0);
      const phone = dial(kissi, payer.phone, format);
      const pages = await Promise.all(Array.from({ length: 6 }, (_, at) => phone.again(at % 2 ? kissi : second)));
      assert.equal(new Set(pages.map(({ text }) => text)).size, 1);
    });

    test('of each step may reach any gateway', async () => {
      const [payer, payee] = [await bank.wallet(10_000), await bank.wallet(0)];
      const phone = dial(kissi, payer.phone, format);
      await phone.type();
      for (const [at, input] of ['1', payee.phone, '10', PIN].entries()) {
        phone.inputs.push(input);
        await phone.again(at % 2 ? kissi : second);
      }
      assert.equal(await bank.balance(payee.id), 1_000);
    });
  });

  describe(`a session through ${format}`, () => {
    test('belongs to the number and service code that began it', async () => {
      const [payer, stranger] = [await bank.wallet(10_000), await bank.wallet(0)];
      const phone = dial(kissi, payer.phone, format);
      await phone.type('4');
      const next = { sessionId: phone.sessionId, inputs: ['4', '5'] };
      const foreign = { text: 'This session is not yours. Please dial again.', ends: true };
      const asStranger = await call(kissi, format, { ...next, phone: stranger.phone });
      assert.deepEqual(pageOf(format, asStranger), foreign);
      const otherCode = await call(kissi, format, { ...next, phone: payer.phone, serviceCode: '*716#' });
      assert.deepEqual(pageOf(format, otherCode), foreign);
      const again = await call(kissi, format, { ...next, inputs: ['4'], phone: stranger.phone });
      assert.deepEqual(pageOf(format, again), foreign, 'a page is shown again to its number only');
      assert.match((await phone.type('5')).text, /^Choose a language/);
    });

    test('belongs to the gateway that began it', async () => {
      const payer = await bank.wallet(10_000);
      const phone = dial(kissi, payer.phone, format);
      await phone.type('4');
      const other = format === 'json' ? 'africastalking' : 'json';
      const foreign = await call(kissi, other, { sessionId: phone.sessionId, phone: payer.phone, inputs: ['4', '5'] });
      assert.match(pageOf(other, foreign).text, /^This session is not yours/);
    });

    test('ends after three minutes, without an effect', async () => {
      const [payer, payee] = [await bank.wallet(10_000), await bank.wallet(0)];
      const phone = dial(kissi, payer.phone, format);
      await phone.type('1', payee.phone, '10');
      kissi.clock.advance(3 * MINUTE_MS);
      assert.deepEqual(await phone.type(PIN), { text: 'This session has ended. Please dial again.', ends: true });
      assert.equal(await movementsFrom(payer.id), 0);
    });

    test('takes nothing after its last page', async () => {
      const payer = await bank.wallet(10_000);
      const phone = dial(kissi, payer.phone, format);
      assert.ok((await phone.type('4', '1', PIN)).ends);
      assert.match((await phone.type('1')).text, /^This session has ended/);
    });
  });
}

test('a step whose gateway was killed after the payment is repeated, and pays once', async () => {
  const [payer, payee] = [await bank.wallet(10_000), await bank.wallet(0)];
  const phone = dial(kissi, payer.phone);
  await phone.type('1', payee.phone, '10');
  const columns = 'position = $2, step = $3, sealed = $4, ended = $5, claimed_until = $6';
  const { rows } = await kissi.db.query('select * from ussd_sessions where id = $1', [phone.sessionId]);
  const [before] = rows as Json[];
  const done = await phone.type(PIN);
  const claimed = new Date(kissi.clock.now() + 15_000);
  const { position, step, sealed, ended } = before;
  await kissi.db.query(`update ussd_sessions set ${columns} where id = $1`, [
    ...[phone.sessionId, position, step, sealed, ended, claimed],
  ]);
  kissi.clock.advance(15_000);
  assert.deepEqual(await phone.again(second), done);
  assert.equal(await movementsFrom(payer.id), 1);
});

describe('what is dialled after the code', () => {
  const dialled = async (phone: string, text: string, on: TestGateway = kissi) => {
    const callback = { sessionId: newSessionId(), phone, inputs: text.split('*') };
    return { callback, page: pageOf('africastalking', await call(on, 'africastalking', callback)) };
  };

  test('leads to the page with the PIN, and a PIN among it is not taken', async () => {
    const [payer, payee] = [await bank.wallet(10_000), await bank.wallet(0)];
    const { callback, page } = await dialled(payer.phone, `1*${payee.phone}*10*${PIN}`);
    assert.match(page.text, /^Type your PIN here only\.\nSend SLE 10\.00 to Aminata K\./);
    assert.equal(await movementsFrom(payer.id), 0);
    const typed = { ...callback, inputs: [...callback.inputs, PIN] };
    assert.match(pageOf('africastalking', await call(kissi, 'africastalking', typed)).text, /^You sent SLE 10\.00/);
    assert.equal(await movementsFrom(payer.id), 1);
  });

  test('stops at the first page that it does not answer', async () => {
    const payer = await bank.wallet(10_000);
    assert.match((await dialled(payer.phone, '9*1')).page.text, /^That is not on the list\.\nKissi\n/);
  });

  test('changes nothing: a link on a web page can dial', async () => {
    const payer = await bank.wallet(10_000);
    const shop = await shopOf(kissi);
    const asked = await shop.asked({ amount: 1_500, payer_phone: payer.phone });
    assert.match((await dialled(payer.phone, '5*1*2')).page.text, /^Lumley Beach Grill asks for/);
    assert.equal((await shop.read(asked.id)).status, 'open');
    assert.match((await dialled(payer.phone, '4*5*2')).page.text, /^Choose a language/);
    assert.match((await dialled(payer.phone, '4*6')).page.text, /^My account/);
    assert.match((await dialled(payer.phone, '')).page.text, /^Kissi\n1 Send money/);
  });

  test('an asterisk inside an input does not make two of it', async () => {
    const payer = await bank.wallet(10_000);
    const phone = dial(kissi, payer.phone, 'json');
    assert.match((await phone.type('4*1')).text, /^That is not on the list/);
    const other = dial(kissi, payer.phone, 'africastalking');
    assert.match((await other.type('4*1')).text, /^That is not on the list/);
    assert.match((await other.type('4')).text, /^My account/);
  });
});

test('an agent whose number has changed does nothing more in sessions that began before', async () => {
  const agent = await newFundedAgent(kissi, 50_000);
  const phone = dial(kissi, agent.phone);
  await phone.type('4');
  assertStatus(await kissi.asAdmin.put(`/agents/${agent.id}`, { phone_number: '+23233620001' }), 200);
  assert.match((await phone.type(agent.pin)).text, /^This session has ended/);
});

describe('a thief with the phone of an agent', () => {
  const LOCKED = 'Too many wrong PINs. Ask customer support (+232 76 000 000) or an agent for a new PIN.';
  const guess = async (phone: string) => (await dial(kissi, phone).type('4', '9999')).text;

  async function nineGuesses(agent: { id: string; phone: string; pin: string }, atWork: () => Promise<unknown>) {
    for (const round of [1, 2, 3]) {
      assert.match(await guess(agent.phone), /^Wrong PIN\. 2 more tries\./);
      assert.match(await guess(agent.phone), /^Wrong PIN\. 1 more try\./);
      assert.match(await guess(agent.phone), /^Wrong PIN\. That was too often\./, `round ${round}`);
      kissi.clock.advance(DAY_MS);
      await atWork();
    }
  }

  test('gets nine guesses by USSD, on however many days; then the menu waits for a PIN reset', async () => {
    const agent = await newFundedAgent(kissi, 50_000);
    const open = dial(kissi, agent.phone);
    const customer = await bank.wallet(0);
    // The right PIN in the console does not clear the count.
    const cashIn = { agent_id: agent.id, phone_number: customer.phone, amount: '100', pin: agent.pin };
    await nineGuesses(agent, async () => assertStatus(await kissi.asAdmin.post('/agents/cashin', cashIn), 200));
    await open.type();
    assert.equal(await first(agent.phone), LOCKED);
    const record = (await kissi.asAdmin.get(`/agents/${agent.id}`)).json.agent;
    assert.deepEqual([record.pin_locked_until, record.pin_lock_reason], [null, 'wrong_on_own_channels']);
    assert.equal((await messageTo(kissi, agent.phone)).kind, 'own_wrong_pins');
    assert.equal((await auditRows(kissi, { action: 'agent.lock_own_channels', resource_id: agent.id })).length, 1);
    await setNewPin(kissi, 'agents', agent, '4829');
    assert.match((await dial(kissi, agent.phone).type('4', '4829')).text, /^Your float is/);
  });

  test("the lock is not the wallet's of the same number", async () => {
    const agent = await newFundedAgent(kissi, 50_000);
    await kissi.db.query('update pins set own_failures = 9 where owner_id = $1', [agent.id]);
    await bank.wallet(0, { phone_number: agent.phone });
    assert.match(await first(agent.phone), /^Kissi\n1 Send money\n.*\n6 Report a problem$/s);
  });
});

const first = async (phone: string) => (await dial(kissi, phone).type()).text;

describe('a wallet', () => {
  test('that is blocked has no menu, and none in the middle of a session', async () => {
    const [payer, payee] = [await bank.wallet(10_000), await bank.wallet(0)];
    const phone = dial(kissi, payer.phone);
    await phone.type('1', payee.phone, '10');
    assertStatus(await kissi.asAdmin.post(`/subscribers/${payer.id}/block`, { reason: 'Stolen phone' }), 200);
    assert.match((await phone.type(PIN)).text, /^This session has ended/);
    assert.equal(await first(payer.phone), 'Your wallet is blocked. Please ask customer support (+232 76 000 000).');
    assert.equal(await movementsFrom(payer.id), 0);
  });

  test('that was blocked and unblocked shows nothing more in sessions that began before, and pays no quote of theirs', async () => {
    const [payer, payee] = [await bank.wallet(10_000), await bank.wallet(0)];
    const phone = dial(kissi, payer.phone);
    await phone.type('1', payee.phone, '10');
    const foreign = dial(kissi, payee.phone);
    await foreign.type('4');
    assertStatus(await kissi.asAdmin.post(`/subscribers/${payer.id}/block`, { reason: 'Stolen phone' }), 200);
    assertStatus(await kissi.asAdmin.post(`/subscribers/${payer.id}/unblock`, {}), 200);
    assert.match((await phone.type(PIN)).text, /^This session has ended/);
    assert.equal(await bank.balance(payee.id), 0);
    assert.match((await foreign.type('5')).text, /^Choose a language/, 'the sessions of others go on');
    assert.match(await walk(kissi, payer.phone, '1', payee.phone, '10', PIN), /^You sent SLE 10\.00/);
  });

  test('pays no quote of another session of its number', async () => {
    const [payer, payee] = [await bank.wallet(10_000), await bank.wallet(0)];
    const { customerPayments } = kissi.gateway.services;
    const pinSalt = Buffer.alloc(16);
    const on = (id: string) => ({ caller: ussdCaller(payer.id, { id, pinSalt }), ip: '192.0.2.1', requestId: 'test' });
    const quote = await customerPayments.quote(on('one'), { type: 'transfer', phone_number: payee.phone, amount: 100 });
    assert.ok(!(quote instanceof Refusal));
    const paid = await customerPayments.transfer(on('two'), { quote_id: quote.id, pin: PIN, requestId: 'other' });
    assert.equal(paid instanceof Refusal && paid.code, 'NOT_FOUND');
    assert.equal(await bank.balance(payee.id), 0);
  });

  const ENDS: Record<string, { pin: string; end(wallet: Wallet): Promise<unknown> }> = {
    'a change of the number': {
      pin: PIN,
      async end({ id }) {
        const phone_number = `+2323361${String(kissi.clock.now()).slice(-4)}`;
        assertStatus(await kissi.asAdmin.put(`/subscribers/${id}`, { phone_number }), 200);
      },
    },
    'a reset of the PIN': { pin: '4829', end: (wallet) => setNewPin(kissi, 'subscribers', wallet, '4829') },
    'a change of the PIN elsewhere': {
      pin: '4829',
      async end({ id }) {
        const change = { current_pin: PIN, new_pin: '4829' };
        assertStatus(await kissi.asAdmin.post(`/subscribers/${id}/change-pin`, change), 200);
      },
    },
  };
  for (const [name, { pin, end }] of Object.entries(ENDS)) {
    test(`whose sessions began before ${name} does nothing more in them`, async () => {
      const [payer, payee] = [await bank.wallet(10_000), await bank.wallet(0)];
      const open = [
        { inputs: ['1', payee.phone, '10'], last: pin },
        { inputs: ['2', '10'], last: pin },
        { inputs: ['4', '1'], last: pin },
        { inputs: ['4'], last: '6' },
        { inputs: ['4', '5'], last: '2' },
        { inputs: [], last: '5' },
      ].map(({ inputs, last }) => ({ phone: dial(kissi, payer.phone), inputs, last }));
      for (const { phone, inputs } of open) await phone.type(...inputs);
      kissi.clock.advance(1);
      await end(payer);
      for (const { phone, last } of open) {
        assert.deepEqual(await phone.type(last), { text: 'This session has ended. Please dial again.', ends: true });
      }
      assert.equal(await bank.balance(payer.id), 10_000);
      assert.equal(await bank.balance(payee.id), 0);
      const { rows } = await kissi.db.query('select 1 from holds where account_id = $1', [payer.id]);
      assert.equal(rows.length, 0);
    });
  }

  test('that is locked by wrong PINs shows nothing more in sessions that began before', async () => {
    const payer = await bank.wallet(10_000);
    const open = dial(kissi, payer.phone);
    await open.type('4');
    await kissi.db.query('update pins set own_failures = 9 where owner_id = $1', [payer.id]);
    assert.match((await open.type('6')).text, /^Too many wrong PINs\. Ask customer support/);
  });

  test('locks after three wrong PINs, and for good after nine', async () => {
    const payer = await bank.wallet(10_000);
    const guess = () => dial(kissi, payer.phone).type('4', '1', '9999');
    for (const round of [1, 2, 3]) {
      assert.match((await guess()).text, /^Wrong PIN\. 2 more tries\./, `round ${round}`);
      assert.match((await guess()).text, /^Wrong PIN\. 1 more try\./);
      const third = await guess();
      assert.ok(third.ends);
      assert.equal(third.text, 'Wrong PIN. That was too often. Please dial again in 30 minutes.');
      if (round < 3) {
        const locked = await walk(kissi, payer.phone, '4', '1', PIN);
        assert.match(locked, /^Too many wrong PINs\. You can try again at \d\d:\d\d\.$/);
      }
      kissi.clock.advance(31 * MINUTE_MS);
    }
    assert.equal(
      await first(payer.phone),
      'Too many wrong PINs. Ask customer support (+232 76 000 000) or an agent for a new PIN.',
    );
  });

  test('without a name for the number says that nobody has it', async () => {
    const payer = await bank.wallet(10_000);
    const phone = dial(kissi, payer.phone);
    assert.match(
      (await phone.type('1', '+23299000111', '5')).text,
      /^This number has no wallet\.\nEnter the receiver's/,
    );
    assert.match((await phone.type(payer.phone, '5')).text, /^You cannot pay yourself\.\nEnter the receiver's/);
  });

  test('that has too little is told so, and the session ends', async () => {
    const [payer, payee] = [await bank.wallet(100), await bank.wallet(0)];
    assert.equal(await walk(kissi, payer.phone, '1', payee.phone, '10', PIN), 'You do not have enough money.');
  });
});

describe("a gateway's secret", () => {
  const body = { session_id: 'S1', phone_number: '+23276000001', service_code: SERVICE_CODE, sequence: 0 };

  test('is either of the two that are configured, and nothing else', async () => {
    for (const secret of [USSD_SECRET, NEXT_SECRET]) {
      assertStatus(await kissi.call('POST', `/ussd/json/${secret}`, { body }), 200);
    }
    for (const secret of [`${USSD_SECRET}x`, USSD_SECRET.slice(1), `${USSD_SECRET},${NEXT_SECRET}`, 'x']) {
      assertRefused(await kissi.call('POST', `/ussd/json/${secret}`, { body }), 401, 'UNAUTHORIZED');
      assertRefused(await kissi.call('POST', `/ussd/africastalking/${secret}`, { body: {} }), 401, 'UNAUTHORIZED');
    }
  });

  test('opens nothing while none is configured, or from another address', async () => {
    const closed = await testGateway({ db: kissi.db, clock: kissi.clock });
    assertRefused(await closed.call('POST', `/ussd/json/${USSD_SECRET}`, { body }), 404, 'NOT_FOUND');
    await closed.close();
    const env = { ...USSD, USSD_ALLOWED: '198.51.100.0/24' };
    const elsewhere = await testGateway({ db: kissi.db, clock: kissi.clock, env });
    assertRefused(await elsewhere.call('POST', `/ussd/json/${USSD_SECRET}`, { body }), 403, 'IP_NOT_ALLOWED');
    await elsewhere.close();
  });

  test('does not open the lab’s format in production', async () => {
    const env = { APP_ENV: 'production', ...USSD, USSD_ALLOWED: '127.0.0.1' };
    const production = await testGateway({ db: kissi.db, clock: kissi.clock, env });
    assertRefused(await production.call('POST', `/ussd/json/${USSD_SECRET}`, { body }), 404, 'NOT_FOUND');
    const callback = { sessionId: newSessionId(), phone: '+23276999888', inputs: [] };
    assert.match(
      pageOf('africastalking', await call(production, 'africastalking', callback)).text,
      /^Welcome to Kissi/,
    );
    await production.close();
  });
});

test('a session that the gateway reports as ended takes no more input', async () => {
  const payer = await bank.wallet(10_000);
  const phone = dial(kissi, payer.phone);
  await phone.type('4');
  const raw = new URLSearchParams({
    sessionId: phone.sessionId,
    status: 'Incomplete',
    input: '4',
    cost: '0',
  }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const noted = await kissi.call('POST', `/ussd/africastalking/${USSD_SECRET}/ended`, { raw, headers });
  assert.equal(assertStatus(noted, 200).text, '');
  assert.match((await phone.type('5')).text, /^This session has ended/);
});

test('old sessions are deleted', async () => {
  const agent = await newFundedAgent(kissi, 1);
  await dial(kissi, agent.phone).type();
  kissi.clock.advance(2 * 60 * MINUTE_MS);
  await kissi.gateway.services.ussd.prune();
  const { rows } = await kissi.db.query('select count(*)::int as n from ussd_sessions');
  assert.deepEqual(rows, [{ n: 0 }]);
});

describe('what a page does not take', () => {
  test('account and merchant numbers with a wrong digit', async () => {
    const payer = await bank.wallet(10_000);
    const phone = dial(kissi, payer.phone);
    assert.match(
      (await phone.type('1', '1234567890', '5')).text,
      /^That is not a phone or account number\.\nEnter the rec/,
    );
    const merchants = dial(kissi, payer.phone);
    assert.match(
      (await merchants.type('3', '1234567', '5')).text,
      /^There is nothing with this code\.\nEnter the payment/,
    );
    assert.match((await merchants.type('0000000000')).text, /^There is nothing with this code\./);
  });

  test('a PIN that is easy to guess, where those are refused', async () => {
    const env = { ...USSD, REFUSE_COMMON_PINS: 'true' };
    const strict = await testGateway({ db: kissi.db, clock: kissi.clock, env });
    const phone = dial(strict, '+23288777001');
    const page = await phone.type('1', 'Amie', 'Kallon', '1111', '1111');
    assert.equal(page.text, 'That PIN is too easy to guess.\nChoose a PIN of 4 digits. Tell it to nobody.');
    assert.match((await phone.type('5820', '5820')).text, /^Welcome, Amie!/);
    await strict.close();
  });

  test('more look-ups than the limit of a wallet and hour', async () => {
    const payer = await bank.wallet(10_000);
    let last = '';
    for (let at = 0; at < 11; at += 1) {
      ({ text: last } = await dial(kissi, payer.phone).type('1', `+232991100${String(at).padStart(2, '0')}`, '5'));
    }
    assert.equal(last, 'That was too often. Please try again later.');
  });
});

describe('where registrations wait for a code', () => {
  test('a wallet opened by dialling needs none, and replaces one that waits', async () => {
    const env = { ...USSD, PHONE_VERIFICATION: 'required' };
    const verifying = await testGateway({ db: kissi.db, clock: kissi.clock, env });
    const number = '+23288777002';
    const body = { phone_number: number, first_name: 'Not', last_name: 'Hers', pin: '5820' };
    assertStatus(await verifying.call('POST', '/api/v1/public/subscribers', { body }), 201);
    assert.match((await dial(verifying, number).type('1', 'Amie', 'Kallon', '7391', '7391')).text, /^Welcome, Amie!/);
    const { rows } = await kissi.db.query(
      'select first_name, status from subscribers where phone_number = $1 order by id',
      [number],
    );
    assert.deepEqual(rows, [
      { first_name: 'Not', status: 'ENDED' },
      { first_name: 'Amie', status: 'ACTIVE' },
    ]);
    assert.equal(await walk(verifying, number, '4', '1', '7391'), 'You have SLE 0.00.');
    await verifying.close();
  });
});

test('a service code with a character that no code has is refused before it reaches the database', async () => {
  for (const serviceCode of ['\0', 'ɛ', '', '*'.repeat(65)]) {
    const reply = await call(kissi, 'africastalking', {
      sessionId: newSessionId(),
      phone: '+23276000001',
      serviceCode,
      inputs: [],
    });
    assertRefused(reply, 400, 'INVALID_REQUEST', JSON.stringify(serviceCode));
  }
});

test('the OpenAPI document names the form that gateways send', () => {
  const { paths } = kissi.gateway.app.openApi() as Json;
  for (const path of ['/ussd/africastalking/{secret}', '/ussd/africastalking/{secret}/ended']) {
    const { content } = paths[path].post.requestBody;
    assert.deepEqual(Object.keys(content), ['application/json', 'application/x-www-form-urlencoded'], path);
  }
});
