// Compliance rules of the side payee: what a wallet receives is counted under the lock, whatever its source.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { asOwner, assertClean, verified } from '../../ledger/books.ts';
import { agentToken, fundAgent, newAgent } from '../../support/agents.ts';
import { assertStatus, type CallReply, type Json, type TestGateway, testGateway } from '../../support/gateway.ts';
import { newReference, testBank } from '../../support/inbound.ts';
import { type Bank, createBank, PIN, type Wallet } from '../../support/money.ts';
import { directPayments } from '../../support/processors.ts';
import { assertRefused } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const RULES = '/api/v1/compliance/rules';
const HOUR_MS = 60 * MINUTE_MS;

let kissi: TestGateway;
let secondGateway: TestGateway;
let bank: Bank;
let shipped: Json[];
before(async () => {
  kissi = await testGateway();
  secondGateway = await testGateway({ db: kissi.db, clock: kissi.clock });
  bank = await createBank(kissi);
  shipped = (await asAdmin('GET', RULES)).json.rules;
});
after(async () => {
  await secondGateway.close();
  await assertClean(kissi.db.url);
  await kissi.close();
});

const asAdmin = async (method: string, path: string, body?: object): Promise<CallReply> =>
  kissi.call(method, path, { token: await kissi.adminToken(), ...(body ? { body } : {}) });

/** Both gateways have read the rules a second later. */
async function enableOnly(ids: readonly string[]): Promise<void> {
  await kissi.db.query('update compliance_rules set enabled = id = any ($1)', [ids]);
  kissi.clock.advance(SECOND_MS);
}
beforeEach(() => enableOnly([]));
afterEach(() => enableOnly([]));

async function addRule(properties: Record<string, unknown> = {}): Promise<Json> {
  const base = { name: 'Five received an hour', side: 'payee', transaction_types: ['transfer_p2p'], outcome: 'block' };
  const velocity = { kind: 'velocity_count', threshold: 5, window_seconds: 3_600 };
  const reply = assertStatus(await asAdmin('POST', RULES, { ...base, ...velocity, ...properties }), 201);
  kissi.clock.advance(SECOND_MS);
  return reply.json.rule;
}

function transfer(from: Wallet, to: Wallet, amount = 10, gateway = kissi): Promise<CallReply> {
  const body = { sender_id: from.id, recipient_id: to.id, amount, pin: PIN };
  return gateway.call('POST', '/api/v1/wallet/transfer', { body, token: bank.key });
}

async function pay(from: Wallet, to: Wallet, amount = 10, gateway = kissi): Promise<Json> {
  return assertStatus(await transfer(from, to, amount, gateway), 200).json;
}

const alertOf = async (id: string): Promise<Json> =>
  (await kissi.db.query('select * from compliance_alerts where id = $1', [id])).rows[0];
const alertsOf = async (rule: Json): Promise<Json[]> =>
  (await kissi.db.query('select * from compliance_alerts where rule_id = $1 order by id', [rule.id])).rows;
const receivedOf = async ({ id }: Wallet): Promise<string> =>
  (await kissi.db.query('select received from accounts where id = $1', [id])).rows[0].received;

describe('a rule of the side payee', () => {
  test('counts what a wallet receives from different payers: five of twenty at once on two gateways are posted', async () => {
    const rule = await addRule();
    const recipient = await bank.wallet();
    const payers = await Promise.all(Array.from({ length: 20 }, () => bank.wallet(1_000)));
    const replies = await Promise.all(
      payers.map((payer, n) => transfer(payer, recipient, 10, n % 2 ? kissi : secondGateway)),
    );
    assert.equal(replies.filter(({ status }) => status === 200).length, 5);
    assert.equal(await bank.balance(recipient.id), 50);
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      assertRefused(reply, 422, 'COMPLIANCE_BLOCKED');
      const { rule_id, subscriber_id, figures } = await alertOf(reply.json.alert_id);
      assert.deepEqual([rule_id, subscriber_id, figures.account_id], [rule.id, recipient.id, recipient.id]);
      assert.deepEqual([figures.rules[0].side, figures.rules[0].count], ['payee', 6]);
    }
    // The payers are not restricted, and neither is what the recipient pays.
    const other = await bank.wallet();
    await pay(payers[0] as Wallet, other);
    await pay(recipient, other);
    kissi.clock.advance(HOUR_MS);
    await pay(payers[1] as Wallet, recipient);
  });

  test('counts transfers, deposits, partner funding, inbound credits and pay-outs of processors together', async () => {
    const types = ['transfer_p2p', 'agent_cashin', 'vult_fund', 'inbound_credit', 'processor_transfer'];
    const [payer, recipient] = [await bank.wallet(10_000), await bank.wallet()];
    await addRule({ kind: 'velocity_amount', threshold: 5_999, transaction_types: types });
    const agent = await newAgent(kissi);
    await fundAgent(kissi, agent, 10_000);
    const token = await agentToken(kissi, agent);
    const partner = await testBank(kissi);
    const merchant = await directPayments(kissi, bank).fundedMerchant(10_000);
    const cashIn = { agent_id: agent.id, subscriber_id: recipient.id, amount: 1_000, pin: agent.pin };
    const funding = { partner_id: bank.partnerId, subscriber_id: recipient.id, amount: 1_000 };
    const routes: [string, () => Promise<CallReply>][] = [
      ['transfer', () => transfer(payer, recipient, 1_000)],
      ['cash-in', () => kissi.call('POST', '/api/v1/agents/cashin', { body: cashIn, token })],
      ['funding', () => bank.post('/wallet/fund-from-partner', { ...funding, request_id: newReference() })],
      ['inbound', () => partner.credit({ reference: newReference(), amount: 1_000, msisdn: recipient.phone })],
      [
        'pay-out',
        () =>
          asAdmin('POST', `/api/v1/processors/${merchant.id}/transfer`, {
            to_subscriber_id: recipient.id,
            amount: 1_000,
            request_id: newReference(),
          }),
      ],
    ];
    for (const [name, send] of routes) assert.equal((await send()).status, 200, name);
    assert.equal(await bank.balance(recipient.id), 5_000);
    for (const [name, send] of routes) assert.equal((await send()).status, 422, name);
    assert.equal(await bank.balance(recipient.id), 5_000);
    await pay(payer, recipient, 999);
  });

  test('of kind amount applies to every payee, and its alert names the payee', async () => {
    const terms = { kind: 'amount', threshold: 99, window_seconds: null, outcome: 'flag' };
    const rule = await addRule({ ...terms, transaction_types: ['transfer_p2p', 'pos_payment'] });
    const { wallet, card } = await bank.customer(10_000);
    const recipient = await bank.wallet();
    const terminal = await terminalOf(kissi);
    await pay(wallet, recipient, 100);
    assert.equal((await terminal.pay(card, { amount: 100 })).status, 200);
    const named = (await alertsOf(rule)).map(({ subscriber_id, processor_id }) => subscriber_id ?? processor_id);
    assert.deepEqual(named.sort(), [recipient.id, terminal.merchant.id].sort());
  });

  test('with a window does not count what businesses receive', async () => {
    await addRule({ threshold: 1, transaction_types: ['pos_payment'] });
    const { card } = await bank.customer(10_000);
    const terminal = await terminalOf(kissi);
    for (let n = 0; n < 3; n++) assert.equal((await terminal.pay(card, { amount: 100 })).status, 200);
  });

  test('beside one of the side payer: both are evaluated, and one alert lists both', async () => {
    const velocity = { outcome: 'flag', threshold: 1, severity: 'MEDIUM' };
    const payerRule = await addRule({ ...velocity, side: 'payer' });
    const payeeRule = await addRule({ ...velocity, severity: 'HIGH' });
    const [payer, recipient] = [await bank.wallet(1_000), await bank.wallet()];
    await pay(payer, recipient);
    const { transaction_id } = await pay(payer, recipient);
    const { rows } = await kissi.db.query('select * from compliance_alerts where transaction_id = $1', [
      transaction_id,
    ]);
    assert.equal(rows.length, 1);
    assert.deepEqual([rows[0].rule_id, rows[0].subscriber_id], [payeeRule.id, recipient.id]);
    assert.deepEqual(
      rows[0].figures.rules.map((each: Json) => [each.rule_id, each.side]),
      [
        [payerRule.id, 'payer'],
        [payeeRule.id, 'payee'],
      ],
    );
  });

  test('counts payments of an older gateway version that does not maintain the window', async () => {
    await addRule();
    const [payer, recipient] = [await bank.wallet(1_000), await bank.wallet()];
    for (let n = 0; n < 3; n++) await pay(payer, recipient);
    const columns = 'received, received_seq';
    const { rows } = await kissi.db.query(`select ${columns} from accounts where id = $1`, [recipient.id]);
    for (let n = 0; n < 2; n++) await pay(payer, recipient, 10, secondGateway);
    const unchanged = [recipient.id, rows[0].received, rows[0].received_seq];
    await kissi.db.query(`update accounts set (${columns}) = ($2, $3) where id = $1`, unchanged);
    await assertClean(kissi.db.url);
    assertRefused(await transfer(payer, recipient), 422, 'COMPLIANCE_BLOCKED');
    kissi.clock.advance(HOUR_MS);
    await pay(payer, recipient);
  });

  test('counts what was received before the rule existed', async () => {
    const [payer, recipient] = [await bank.wallet(1_000), await bank.wallet()];
    for (let n = 0; n < 5; n++) await pay(payer, recipient);
    assert.equal(await receivedOf(recipient), '', 'without such a rule nothing is kept');
    await addRule();
    assertRefused(await transfer(payer, recipient), 422, 'COMPLIANCE_BLOCKED');
  });

  test('has a window that ledger:verify proves', async () => {
    await addRule();
    const [payer, recipient] = [await bank.wallet(1_000), await bank.wallet()];
    await pay(payer, recipient);
    const original = await receivedOf(recipient);
    const write = (text: string) =>
      asOwner(kissi.db.url, (owner) =>
        owner.query('update accounts set received = $2 where id = $1', [recipient.id, text]),
      );
    for (const forged of ['0', `${original};1,1`, original.replace(',', ',1'), 'x']) {
      await write(forged);
      const { broken } = await verified(kissi.db.url);
      assert.deepEqual(Object.fromEntries(broken), { received_differs: 1 }, forged);
    }
    await write(original);
    await assertClean(kissi.db.url);
  });
});

describe('the shipped rules', () => {
  const ruleNamed = (name: RegExp) => shipped.find((rule) => name.test(rule.name)) ?? assert.fail(String(name));

  test('cover both sides, processor_transfer and every payment into a wallet', () => {
    assert.ok(shipped.every(({ outcome, enabled }) => outcome === 'flag' && enabled));
    const covered = (side: string, kind: RegExp) =>
      new Set(shipped.filter((rule) => rule.side === side && kind.test(rule.kind)).flatMap((r) => r.transaction_types));
    const incoming = ['transfer_p2p', 'agent_cashin', 'partner_cashin', 'vult_fund', 'inbound_credit'];
    for (const type of [...incoming, 'processor_transfer']) assert.ok(covered('payee', /velocity/).has(type), type);
    for (const kind of [/amount/, /velocity_count/]) assert.ok(covered('payer', kind).has('processor_transfer'));
  });

  test('flag more than 400,000 SLE received by a wallet within a day, from wallets that each pay a part', async () => {
    const rule = ruleNamed(/Much money into a wallet/);
    const recipient = await bank.wallet();
    const payers = await Promise.all(Array.from({ length: 5 }, () => bank.wallet(9_000_000)));
    await enableOnly([rule.id]);
    for (const payer of payers.slice(0, 4)) await pay(payer, recipient, 8_000_000);
    await pay(payers[4] as Wallet, recipient, 8_000_000);
    assert.deepEqual(await alertsOf(rule), []);
    kissi.clock.advance(DAY_MS - MINUTE_MS);
    const { transaction_id } = await pay(payers[0] as Wallet, recipient, 100);
    const [alert, ...others] = await alertsOf(rule);
    assert.deepEqual([alert.transaction_id, alert.subscriber_id, others], [transaction_id, recipient.id, []]);
  });

  test('flag the twenty-first credit from businesses into a wallet within a day', async () => {
    const rule = ruleNamed(/Many credits from businesses/);
    await enableOnly([rule.id]);
    const wallet = await bank.wallet();
    for (let n = 0; n < 20; n++) await bank.fund(wallet, 10);
    assert.deepEqual(await alertsOf(rule), []);
    await bank.fund(wallet, 10);
    assert.deepEqual(
      (await alertsOf(rule)).map(({ subscriber_id }) => subscriber_id),
      [wallet.id],
    );
  });

  test('flag a large pay-out of a processor', async () => {
    const rule = ruleNamed(/large pay-out/);
    await enableOnly([rule.id]);
    const merchant = await directPayments(kissi, bank).fundedMerchant(3 * rule.threshold);
    const other = await directPayments(kissi, bank).fundedMerchant(0);
    const payOut = (amount: number) => {
      const body = { to_processor_id: other.id, amount, request_id: newReference() };
      return asAdmin('POST', `/api/v1/processors/${merchant.id}/transfer`, body);
    };
    assert.equal((await payOut(rule.threshold)).status, 200);
    assert.deepEqual(await alertsOf(rule), []);
    const { json } = await payOut(rule.threshold + 1);
    const [alert] = await alertsOf(rule);
    assert.deepEqual([alert.transaction_id, alert.processor_id], [json.transaction_id, merchant.id]);
  });
});

describe('a check', () => {
  const check = async (wallet: Wallet, token: string, extra: object = {}, gateway = kissi) => {
    const body = { subscriber_id: wallet.id, transaction_type: 'transfer_p2p', amount: 100, ...extra };
    return assertStatus(await gateway.call('POST', '/api/v1/compliance/check', { body, token }), 200).json;
  };
  const amountRule = { kind: 'amount', threshold: 99, window_seconds: null, side: 'payer' };

  test('by a key returns the outcome and the ids of the rules, without thresholds and measured values', async () => {
    const { id } = await addRule(amountRule);
    const wallet = await bank.wallet();
    const reply = await check(wallet, bank.key);
    assert.deepEqual(reply, { success: true, outcome: 'block', rules: [{ id }], alert_id: reply.alert_id });
    const staff = await check(wallet, await kissi.adminToken());
    assert.deepEqual([staff.rules[0].threshold, staff.rules[0].found, staff.rules[0].side], [99, 100, 'payer']);
  });

  test('repeated fifty times within a minute on two gateways raises one alert', async () => {
    const rule = await addRule(amountRule);
    const wallet = await bank.wallet();
    const many = () =>
      Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          check(wallet, bank.key, n % 3 === 0 ? { request_id: newReference() } : {}, n % 2 ? kissi : secondGateway),
        ),
      );
    const first = new Set((await many()).map(({ alert_id }) => alert_id));
    assert.equal(first.size, 1);
    kissi.clock.advance(MINUTE_MS - 1);
    assert.deepEqual(new Set((await many()).map(({ alert_id }) => alert_id)), first);
    assert.equal((await alertsOf(rule)).length, 1);
    // Another payment, another caller and a later minute are not the same check.
    await check(wallet, bank.key, { amount: 101 });
    await check(wallet, await kissi.adminToken());
    kissi.clock.advance(1);
    await check(wallet, bank.key);
    assert.equal((await alertsOf(rule)).length, 4);
  });

  test('of a payment into a wallet applies the rules of the side payee', async () => {
    await addRule({ kind: 'velocity_count', threshold: 1, transaction_types: ['vult_fund', 'transfer_p2p'] });
    const wallet = await bank.wallet(1_000);
    assert.equal((await check(wallet, bank.key, { transaction_type: 'vult_fund' })).outcome, 'block');
    assert.equal((await check(wallet, bank.key)).outcome, 'pass', 'the subscriber pays a transfer');
  });
});
