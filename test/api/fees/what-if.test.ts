// The what-if of fee settings equals what payments are really charged under them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock.ts';
import { agentToken, fundAgent, newAgent } from '../../support/agents.ts';
import { testClock } from '../../support/clock.ts';
import type { CallReply, Json } from '../../support/gateway.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { markPep } from '../../support/pep.ts';
import { assertRefused, openSession, staffMember } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile({ clock: testClock(Date.parse('2026-03-07T21:10:00Z')) });
const accountant = await staffMember(kissi, 'finance_user');
const [alice, bob] = [await bank.wallet(1_000_000), await bank.wallet(500_000)];
const card = await bank.card(alice);
const terminal = await terminalOf(kissi);
const agent = await newAgent(kissi);
await fundAgent(kissi, agent, 900_000);

const done = async (reply: Promise<CallReply>): Promise<Json> => {
  const { status, json, text } = await reply;
  assert.ok(status < 300, text);
  return json;
};

/** Tokens expire as the clock moves, so each call has a new one. */
async function whatIf(settings: object[]): Promise<CallReply> {
  const { token } = await openSession(kissi, accountant);
  return kissi.call('POST', '/api/v1/fee-settings/what-if', { token, body: { settings } });
}

const setting = (transaction_type: string, party_type: string, fee_type: string, fee_value: number, extra = {}) => ({
  ...{ transaction_type, party_type, fee_type, fee_value, debit_enabled: true, credit_enabled: false, ...extra },
});
const PROPOSED = [
  setting('transfer_p2p', 'sender', 'flat', 3.21),
  setting('pos_payment', 'processor', 'percentage', 0.3333),
  setting('wallet_withdraw', 'sender', 'percentage', 2),
  setting('agent_cashin', 'agent', 'percentage', 0.4321, { debit_enabled: false, credit_enabled: true }),
];

/** The same payments each time. */
async function makePayments(): Promise<void> {
  for (let n = 0; n < 8; n++) {
    kissi.clock.advance(5 * HOUR_MS);
    const [sender, recipient] = n % 3 === 0 ? [bob, alice] : [alice, bob];
    const amount = 10_000 + 3_337 * n;
    await done(bank.post('/wallet/transfer', { sender_id: sender.id, recipient_id: recipient.id, amount, pin: PIN }));
    if (n % 2 === 0) await done(terminal.pay(card, { amount: 7_777 + n }));
    const cashIn = { agent_id: agent.id, subscriber_id: bob.id, pin: agent.pin, amount: 3_999 + n };
    if (n % 4 === 1) {
      await done(kissi.call('POST', '/api/v1/agents/cashin', { body: cashIn, token: await agentToken(kissi, agent) }));
      await done(bank.post('/wallet/withdraw', { subscriber_id: bob.id, agent_id: agent.id, amount: 2_500, pin: PIN }));
    }
  }
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
await makePayments();

test('the settings in force change nothing, and cost what was charged', async () => {
  const { rows } = await kissi.db.query('select count(*)::int as n, sum(fee)::int as fees from movements');
  const found = await done(whatIf([setting('transfer_p2p', 'sender', 'percentage', 1.5)]));
  assert.deepEqual(found.current, found.proposed);
  assert.deepEqual([found.difference, found.charged, found.current.fees], [0, rows[0].fees, rows[0].fees]);
  assert.deepEqual([found.payers.more, found.payers.less, found.paying_more], [0, 0, []]);
  // Two wallets, the merchant and the agent.
  assert.equal(found.payers.same, 4);
  assert.equal(found.truncated, false);
});

test('proposed settings cost what the same payments are charged once they are in force', async () => {
  const predicted = await done(whatIf(PROPOSED));
  assert.notEqual(predicted.difference, 0);
  assert.equal(predicted.difference, predicted.proposed.income - predicted.current.income);
  for (const [name, rows] of Object.entries({ by_type: predicted.by_type, days: predicted.days })) {
    for (const which of ['current', 'proposed']) {
      assert.equal(sum(rows.map((row: Json) => row[which].income)), predicted[which].income, `${name} of ${which}`);
    }
    assert.equal(sum(rows.map((row: Json) => row.payments)), predicted.payments, name);
  }
  assert.equal(predicted.days.length, 31);
  kissi.clock.advance(31 * DAY_MS);
  for (const body of PROPOSED) await done(kissi.asAdmin.put('/fee-settings', body));
  await makePayments();
  const now = await done(whatIf(PROPOSED));
  // Fundings, which have no fee, were only made before.
  assert.equal(now.payments, predicted.payments - 2);
  assert.deepEqual(
    [now.charged, now.current, now.proposed],
    [predicted.proposed.fees, predicted.proposed, predicted.proposed],
  );
  const { rows } = await kissi.db.query(
    `select coalesce(sum((details #>> '{earned,payer}')::int), 0)::int as earned from movements where type = 'agent_cashin'`,
  );
  assert.equal(rows[0].earned, predicted.proposed.commission);
});

test('lists who would pay more, and hides politically exposed persons', async () => {
  const dearer = [setting('transfer_p2p', 'sender', 'flat', 50), setting('pos_payment', 'processor', 'flat', 0)];
  const found = await done(whatIf(dearer));
  const { rows } = await kissi.db.query(
    `select from_account as id, count(*)::int * 5000 as fees, sum(fee)::int as before from movements
      where type = 'transfer_p2p' and at > $1 group by 1 order by count(*) desc`,
    [found.period.from],
  );
  assert.deepEqual(
    found.paying_more.map(({ id, current_fees, proposed_fees }: Json) => [
      id,
      current_fees <= proposed_fees,
      proposed_fees,
    ]),
    rows.map(({ id, fees }) => [id, true, id === bob.id ? fees + withdrawalFees : fees]),
  );
  assert.deepEqual(found.payers, { more: 2, less: 1, same: 0 });
  await markPep(kissi, alice.id);
  const shown = (await done(whatIf(dearer))).paying_more;
  assert.deepEqual([shown.length, shown[0].id, shown[0].name], [1, bob.id, 'Aminata Kamara']);
});

/** Two withdrawals of 2,500 at 2 %. */
const withdrawalFees = 100;

test('refuses values that PUT /fee-settings refuses, and the same setting twice', async () => {
  assertRefused(await whatIf([setting('transfer_p2p', 'sender', 'percentage', 101)]), 400, 'INVALID_REQUEST');
  assertRefused(await whatIf([]), 400, 'INVALID_REQUEST');
  const twice = [1, 2].map((value) => setting('transfer_p2p', 'sender', 'flat', value));
  assertRefused(await whatIf(twice), 400, 'INVALID_REQUEST');
});
