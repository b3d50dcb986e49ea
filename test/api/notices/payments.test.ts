// Tests notices of payments: who is told what, in which language, by which channel, and that none is lost or told under another id.
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { ussdCaller } from '../../../src/auth/caller.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';
import { fundAgent, newAgent } from '../../support/agents.ts';
import { type Json, type TestGateway, testGateway } from '../../support/gateway.ts';
import { acceptMessage, fakeServer } from '../../support/messaging.ts';
import { seriesIncreases } from '../../support/metrics.ts';
import { bankForFile, PIN, type Wallet } from '../../support/money.ts';
import { reply, SENT, smsServer, smsSettings } from '../../support/sms.ts';
import { assertStatus, runChore } from '../../support/staff.ts';
import { newRequestId, type Terminal, terminalOf } from '../../support/terminal.ts';
import { waitFor } from '../../support/wait.ts';

const sms = await smsServer();
const chat = await fakeServer('/messages', acceptMessage);
const env = smsSettings(sms, { MESSAGING_API_URL: chat.url, MESSAGING_API_TOKEN: 'the-token-of-the-platform' });
const { kissi, bank } = await bankForFile({ env });
after(async () => {
  await sms.close();
  await chat.close();
});

/** Without providers, so that agents' PINs are in the local outbox. */
const plain = await testGateway({ db: kissi.db, clock: kissi.clock });
after(() => plain.close());

async function tellPayments(gateway: TestGateway = kissi): Promise<void> {
  await runChore(gateway, 'tell customers of payments');
}

async function sendQueued(): Promise<void> {
  await runChore(kissi, 'send messages');
  await kissi.gateway.services.messaging.settled();
}

async function transfer(from: Wallet, to: Wallet, amount: number): Promise<string> {
  const body = { sender_id: from.id, recipient_id: to.id, amount, pin: PIN };
  return assertStatus(await bank.post('/wallet/transfer', body), 200).json.transaction_id;
}

const chatTo = (phone: string): string[] =>
  chat.requests.filter(({ json }) => json.to === phone).map(({ json }) => json.text.body);

const queued = (): Promise<Json[]> =>
  kissi.db.database.queries
    .selectFrom('messages')
    .select(['id', 'recipient', 'status', 'attempts'])
    .where('kind', '=', 'payment')
    .orderBy('id')
    .execute();

async function prefer(id: string, choice: Json): Promise<void> {
  const defaults = { language: 'en', channels: null, payments: true, shows_balance: true };
  const row = { owner_id: id, ...defaults, ...choice, updated_at: new Date(kissi.clock.now()) };
  await kissi.db.database.queries.insertInto('notice_preferences').values(row).execute();
}

let from: Wallet;
let to: Wallet;
// Payments are told from the first time on.
beforeEach(async () => {
  sms.react(SENT);
  from = await bank.wallet(1_000_000);
  to = await bank.wallet(0, { first_name: 'Fatmata', last_name: 'Bangura' });
  // Whatever another test left to a provider that did not work.
  kissi.clock.advance(DAY_MS);
  await tellPayments();
  await sendQueued();
  sms.accepted.length = 0;
  sms.received.length = 0;
});

describe('a payment', () => {
  test('tells both sides of a transfer: amount, masked name, fee, their own new balance and the id', async () => {
    const id = await transfer(from, to, 125_000);
    await tellPayments();
    assert.deepEqual(sms.to(from.phone), [
      `You sent SLE 1,250.00 to Fatmata B. Fee SLE 18.75. Balance SLE 8,731.25. Id ${id}`,
    ]);
    assert.deepEqual(sms.to(to.phone), [`You got SLE 1,250.00 from Aminata K. Balance SLE 1,250.00. Id ${id}`]);
    await tellPayments();
    assert.equal(sms.accepted.length, 2, 'once');
  });

  test('tells a customer of cash paid in and withdrawn, and not the agent', async () => {
    const agent = await newAgent(plain, { business_name: 'Kroo Town Cash Point' });
    await fundAgent(kissi, agent, 500_000);
    const cashIn = { agent_id: agent.id, subscriber_id: to.id, amount: 20_000, pin: agent.pin };
    const paidIn = assertStatus(await bank.post('/agents/cashin', cashIn), 200).json.transaction_id;
    const withdrawal = { subscriber_id: to.id, agent_id: agent.id, amount: 5_000, pin: PIN };
    const withdrawn = assertStatus(await bank.post('/wallet/withdraw', withdrawal), 200).json;
    await tellPayments();
    assert.deepEqual(sms.accepted, [
      {
        from: undefined,
        to: to.phone,
        message: `You paid in SLE 200.00 at Kroo Town Cash Point. Balance SLE 200.00. Id ${paidIn}`,
      },
      {
        from: undefined,
        to: to.phone,
        message: `You withdrew SLE 50.00 at Kroo Town Cash Point. Fee SLE ${(withdrawn.fee / 100).toFixed(2)}. Balance SLE ${((15_000 - withdrawn.fee) / 100).toFixed(2)}. Id ${withdrawn.transaction_id}`,
      },
    ]);
  });

  test('of a refused transfer tells nobody', async () => {
    await bank.post('/wallet/transfer', { sender_id: from.id, recipient_id: to.id, amount: 9_000_000, pin: PIN });
    await tellPayments();
    assert.deepEqual(sms.received, []);
  });
});

describe('a choice', () => {
  test('of Krio, of no balance, and of the chat as well is kept to', async () => {
    await prefer(from.id, { language: 'kri', shows_balance: false });
    await prefer(to.id, { channels: ['sms', 'chat'] });
    const id = await transfer(from, to, 125_000);
    await tellPayments();
    assert.deepEqual(sms.to(from.phone), [`Yu don sen SLE 1,250.00 to Fatmata B. Fi SLE 18.75. Id ${id}`]);
    const received = [`You got SLE 1,250.00 from Aminata K. Balance SLE 1,250.00. Id ${id}`];
    assert.deepEqual([sms.to(to.phone), chatTo(to.phone)], [received, received]);
  });

  test('of no notices of payments leaves those of the other side alone', async () => {
    await prefer(from.id, { payments: false });
    await transfer(from, to, 125_000);
    await tellPayments();
    assert.deepEqual([sms.to(from.phone).length, sms.to(to.phone).length], [0, 1]);
  });

  test('of an agent that wants to be told is kept to', async () => {
    const agent = await newAgent(plain, { business_name: 'Lumley Cash Point' });
    await fundAgent(kissi, agent, 500_000);
    await tellPayments();
    await prefer(agent.id, {});
    const cashIn = { agent_id: agent.id, subscriber_id: to.id, amount: 20_000, pin: agent.pin };
    const id = assertStatus(await bank.post('/agents/cashin', cashIn), 200).json.transaction_id;
    await tellPayments();
    assert.deepEqual(sms.to(agent.phone), [
      `You sent SLE 200.00 to Fatmata B. Fee SLE 1.00. Balance SLE 4,799.00. Id ${id}`,
    ]);
  });
});

describe('a provider', () => {
  test('that refuses a number for good is not asked again', async () => {
    sms.react((response, text) => reply(response, text, text.to === to.phone ? 403 : SENT));
    const outcomes = ['sent', 'retried', 'failed'].map(
      (outcome) => `kissi_notice_ended_total{channel="sms",outcome="${outcome}"}`,
    );
    const counted = await seriesIncreases(kissi, outcomes, async () => {
      await transfer(from, to, 100);
      await tellPayments();
    });
    assert.deepEqual([counted, await queued()], [[1, 0, 1], []]);
  });

  test('that fails for one text gets it again with growing delays, a limited number of times', async () => {
    sms.react((response, text) =>
      text.to === to.phone ? void response.writeHead(500).end() : reply(response, text, SENT),
    );
    await transfer(from, to, 100);
    await tellPayments();
    const [first] = await queued();
    assert.deepEqual([first.recipient, first.status, first.attempts], [to.phone, 'pending', 1]);
    for (const wait of [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, DAY_MS]) {
      kissi.clock.advance(wait);
      await sendQueued();
    }
    const [last] = await queued();
    assert.deepEqual([last.id, last.status, last.attempts], [first.id, 'failed', 6]);
    await kissi.db.query("delete from messages where kind = 'payment'");
  });

  test('that is dead leaves no queue behind, and gets everything of the last day once it works again', async () => {
    sms.react((response) => void response.socket?.destroy());
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) ids.push(await transfer(from, to, 100));
    for (let n = 0; n < 20; n++) {
      await tellPayments();
      kissi.clock.advance(31 * SECOND_MS);
    }
    const attempts = sms.received.length;
    assert.ok(attempts < 60, `${attempts} attempts`);
    const waiting = (await queued()).length;
    assert.ok(waiting <= 16, `${waiting} rows`);
    sms.react(SENT);
    await tellPayments();
    kissi.clock.advance(HOUR_MS);
    await sendQueued();
    for (const id of ids) {
      const told = sms.accepted.filter(({ message }) => message.endsWith(id)).map((each) => each.to);
      assert.deepEqual(told.sort(), [from.phone, to.phone].sort(), id);
    }
  });

  test('that was dead for longer than a day gets none of the older payments', async () => {
    sms.react((response) => void response.writeHead(503).end());
    for (let n = 0; n < 5; n++) {
      await transfer(from, to, 100);
      await tellPayments();
    }
    const old = await transfer(from, to, 200);
    await tellPayments();
    kissi.clock.advance(DAY_MS);
    const recent = await transfer(from, to, 300);
    sms.react(SENT);
    const dropped = await seriesIncreases(
      kissi,
      ['kissi_notice_ended_total{channel="sms",outcome="dropped"}'],
      async () => {
        await tellPayments();
        await sendQueued();
      },
    );
    assert.ok(Number(dropped[0]) >= 1, `${dropped}`);
    assert.deepEqual(
      [old, recent].map((id) => sms.accepted.filter(({ message }) => message.endsWith(id)).length),
      [0, 2],
    );
  });
});

async function another(): Promise<TestGateway> {
  const gateway = await testGateway({ db: kissi.db, clock: kissi.clock, env });
  after(() => gateway.close());
  return gateway;
}

describe('several gateways', () => {
  test('tell each payment once, and one goes on at once when the other stops', async () => {
    const other = await another();
    await transfer(from, to, 100);
    await Promise.all([tellPayments(), tellPayments(other)]);
    assert.equal(sms.accepted.length, 2);
    await kissi.gateway.services.notices.stop();
    await transfer(from, to, 200);
    await tellPayments(other);
    assert.equal(sms.accepted.length, 4);
    await other.gateway.services.notices.stop();
    await transfer(from, to, 300);
    await tellPayments();
    assert.equal(sms.accepted.length, 6);
  });

  test('payments that a frozen one was telling are told by another, in the same words, and no third time', async () => {
    const frozen = await another();
    await kissi.gateway.services.notices.stop();
    await tellPayments(frozen);
    let takeover: Promise<void> | null = null;
    sms.react((response, text) => {
      const isFirst = takeover === null;
      kissi.clock.advance(isFirst ? 2 * MINUTE_MS : 0);
      takeover ??= tellPayments();
      if (isFirst) takeover.then(() => reply(response, text, SENT));
      else reply(response, text, SENT);
    });
    const id = await transfer(from, to, 100);
    await tellPayments(frozen);
    await tellPayments();
    const texts = sms.received.map(({ message }) => message);
    assert.deepEqual([texts.length, new Set(texts).size], [4, 2]);
    assert.ok(texts.every((text) => text.endsWith(id)));
    assert.match(frozen.logs(), /telling payments outlasted its lease/);
  });
});

describe('a provider that answers nothing', () => {
  test('holds up no payment: transfers are answered while a notice waits for it', async () => {
    const waiting: (() => void)[] = [];
    sms.react((response, text) => void waiting.push(() => reply(response, text, SENT)));
    const first = await transfer(from, to, 100);
    const telling = tellPayments();
    await waitFor('the provider has a text', async () => waiting.length > 0);
    const ids = await Promise.all(Array.from({ length: 20 }, () => transfer(from, to, 100)));
    assert.equal(new Set([first, ...ids]).size, 21);
    sms.react(SENT);
    for (const answer of waiting) answer();
    await telling;
    await tellPayments();
    const told = [first, ...ids].map((id) => sms.received.filter(({ message }) => message.endsWith(id)).length);
    assert.deepEqual(
      told,
      Array.from({ length: 21 }, () => 2),
    );
  });
});

describe('an authorised card payment', () => {
  let shop: Terminal;
  let card: string;
  beforeEach(async () => {
    shop = await terminalOf(kissi);
    card = await bank.card(from);
  });
  const authorize = async () =>
    assertStatus(await shop.pay(card, { capture: false }), 200).json.transaction_id as string;
  const end = (id: string, how: 'capture' | 'void', body: Json = {}) =>
    shop.send(`/pos/payment/${id}/${how}`, { request_id: newRequestId(), ...body });

  test('tells of the hold, of what is captured, and of a refund', async () => {
    const held = await authorize();
    await tellPayments();
    assert.match(
      sms.to(from.phone)[0] ?? '',
      /^SLE 100\.00 of your balance is held for Lumley Beach Grill until \d{4}-\d\d-\d\d\. Id txn_/,
    );
    const captured = assertStatus(await end(held, 'capture', { amount: 8_000 }), 200).json;
    const refunded = assertStatus(await shop.refund(captured.transaction_id, { amount: 3_000 }), 200).json;
    await tellPayments();
    const texts = sms.to(from.phone).slice(1);
    assert.match(texts[0] ?? '', /^You paid SLE 80\.00 to Lumley Beach Grill\./);
    assert.match(texts[1] ?? '', /^Lumley Beach Grill refunded SLE 30\.00 to you\. Balance SLE [\d,.]+\. Id txn_/);
    assert.ok(texts[1]?.endsWith(refunded.transaction_id));
  });

  test('tells that a voided one is free again', async () => {
    const held = await authorize();
    assertStatus(await end(held, 'void'), 200);
    await tellPayments();
    assert.equal(
      sms.to(from.phone)[1],
      `SLE 100.00 that was held for Lumley Beach Grill is yours to use again. Id ${held}`,
    );
  });
});

describe('a cash-out code', () => {
  let codes = 0;
  const { cashOutCodes } = kissi.gateway.services.customerPayments;
  const actor = () => ({ caller: ussdCaller(from.id, null), ip: '192.0.2.1', requestId: 'req_test' });

  const toldOfPayments = () => sms.to(from.phone).filter((text) => !text.startsWith('Cash-out code'));

  async function newCode(): Promise<string> {
    const made = await cashOutCodes.create(actor(), { amount: 5_000, pin: PIN, requestId: `code-${++codes}` });
    assert.ok(!(made instanceof Refusal));
    return made.reply.cash_out_code.id;
  }

  for (const [name, end] of Object.entries<(id: string) => Promise<unknown>>({
    'that expires': async () => {
      kissi.clock.advance(30 * MINUTE_MS);
      await runChore(kissi, 'expire holds');
    },
    'that is cancelled': (id) => cashOutCodes.cancel(actor(), id),
  })) {
    test(`${name} tells that the money is free again`, async () => {
      const id = await newCode();
      await tellPayments();
      assert.deepEqual(toldOfPayments(), [], 'the message with the code tells of the hold');
      await end(id);
      await tellPayments();
      assert.deepEqual(toldOfPayments(), [
        `Your cash-out code for SLE 50.00 has ended unpaid. The money is yours to use again. Id ${id}`,
      ]);
    });
  }
});

describe('a customer who receives many payments', () => {
  const tellMany = async (count: number) => {
    for (let n = 0; n < count; n++) await transfer(from, to, 1);
    await tellPayments();
  };

  test('is told of thirty in an hour, then that there are more, and always of what they pay', async () => {
    kissi.clock.set(Math.ceil(kissi.clock.now() / HOUR_MS) * HOUR_MS);
    await tellMany(20);
    await tellMany(15);
    assert.equal(sms.to(to.phone).length, 31);
    assert.match(
      sms.to(to.phone)[30] ?? '',
      /^You got SLE 0\.01 from Aminata K\., after many others\. Until \d\d:00 you are told only of what you pay\. Id txn_/,
    );
    assert.equal(sms.to(from.phone).length, 35, 'the payer is told of each');
    await transfer(to, from, 10);
    await tellMany(1);
    assert.match(sms.to(to.phone)[31] ?? '', /^You sent SLE 0\.10/);
    assert.equal(sms.to(to.phone).length, 32);
    kissi.clock.advance(HOUR_MS);
    await tellMany(1);
    assert.match(sms.to(to.phone)[32] ?? '', /^You got SLE 0\.01 from Aminata K\. Balance/);
  });

  test('is told of thirty even if the provider was dead when they were made', async () => {
    kissi.clock.set(Math.ceil(kissi.clock.now() / HOUR_MS) * HOUR_MS);
    sms.react((response) => void response.socket?.destroy());
    for (let n = 0; n < 32; n++) {
      await transfer(from, to, 1);
      await tellPayments();
      kissi.clock.advance(31 * SECOND_MS);
    }
    sms.react(SENT);
    await tellPayments();
    kissi.clock.advance(HOUR_MS);
    await sendQueued();
    assert.equal(sms.accepted.filter((text) => text.to === to.phone).length, 31);
    await kissi.db.query("delete from messages where kind = 'payment'");
  });
});
