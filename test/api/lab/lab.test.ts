// The lab: what its amounts and phone numbers do to payments and webhooks, on the real code path.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { effectTables, LAB_PIN } from '../../../src/features/lab/effects.ts';
import { createLabSeams } from '../../../src/features/lab/service.ts';
import { MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { type ConfigFaults, loadConfig } from '../../../src/kernel/config/config.ts';
import { fundAgent, newAgent } from '../../support/agents.ts';
import { assertStatus, type Json, testGateway } from '../../support/gateway.ts';
import { assertRejected, inboundRows, newReference, testBank } from '../../support/inbound.ts';
import { bankForFile, newAgentFloat, PIN } from '../../support/money.ts';
import { partnerBank } from '../../support/partner.ts';
import { shopOf } from '../../support/payment-requests.ts';
import { SECRETS } from '../../support/secrets.ts';
import { apiKey, assertRefused, runChore } from '../../support/staff.ts';
import { newRequestId, terminalOf } from '../../support/terminal.ts';
import { answering, receiver } from '../../webhooks/receiver.ts';

const { kissi, bank } = await bankForFile({ env: { LAB: 'on', WEBHOOK_ALLOW_PRIVATE: 'true' }, labLateMs: 1 });
await kissi.gateway.services.lab?.prepare();
const hooks = await receiver();
after(() => hooks.close());
const wallet = await bank.wallet(1_000_000);
const other = await bank.wallet(1_000_000);
const card = await bank.card(wallet);
const othersCard = await bank.card(other);
const sender = await testBank(kissi, { webhook_url: hooks.url });
const terminal = await terminalOf(kissi);
const cashingIn = await partnerBank(kissi);
const operator = await apiKey(kissi, ['payments:write']);

const balanceOf = async (id: string): Promise<number> =>
  (await kissi.db.query('select balance::int as n from accounts where id = $1', [id])).rows[0].n;
const received = (reference: string) =>
  hooks.received.filter(({ json }) => json.reference === reference).map(({ json }) => json.event);

async function deliver(): Promise<void> {
  await runChore(kissi, 'deliver webhooks');
  await kissi.gateway.services.webhooks.settled();
}

/** The same payment through every scheme; `id` makes a retry the same request. */
const SCHEMES: Record<string, (amount: number, id: string) => Promise<Json>> = {
  POS: (amount, id) => terminal.pay(card, { amount, request_id: id }),
  'in-app': (amount, id) => terminal.payInApp(card, { amount, request_id: id }),
  partner: (amount, id) => cashingIn.cashIn({ phone_number: wallet.phone, amount, reference: id }),
  inbound: (amount, id) => sender.credit({ reference: id, amount, msisdn: wallet.phone }),
  wallet(amount, id) {
    const body = { sender_id: wallet.id, recipient_card_serial: othersCard, amount, pin: PIN, request_id: id };
    return kissi.call('POST', '/api/v1/wallet/transfer-p2p', { body, token: operator.key });
  },
};

const movementsOf = async (amount: number): Promise<number> =>
  (await kissi.db.query('select count(*)::int as n from movements where amount = $1', [amount])).rows[0].n;

for (const [scheme, pay] of Object.entries(SCHEMES)) {
  describe(`a payment by ${scheme}`, () => {
    test('is committed before the connection is cut, and a retry gets the stored reply', async () => {
      const [before, id] = [await movementsOf(9_101), newRequestId()];
      await assert.rejects(pay(9_101, id), TypeError, 'no reply');
      assert.equal(await movementsOf(9_101), before + 1);
      const retry = await pay(9_101, id);
      assert.deepEqual([retry.status, retry.headers.get('idempotent-replayed')], [200, 'true'], retry.text);
      assert.equal(await movementsOf(9_101), before + 1);
    });

    test('is answered late', async () => {
      const reply = await pay(9_102, newRequestId());
      assert.deepEqual([reply.status, reply.headers.get('x-lab-effect')], [200, 'late'], reply.text);
    });

    test('is refused once with 503 and Retry-After before anything is done', async () => {
      const [before, id] = [await movementsOf(9_103), newRequestId()];
      const refused = assertRefused(await pay(9_103, id), 503, 'SERVICE_UNAVAILABLE');
      assert.equal(refused.headers.get('retry-after'), '5');
      assert.equal(await movementsOf(9_103), before);
      const retry = await pay(9_103, id);
      assert.deepEqual([retry.status, retry.headers.get('idempotent-replayed')], [200, null], retry.text);
      assert.equal(await movementsOf(9_103), before + 1);
    });

    test('is refused by the ledger for want of money, or over a limit', async () => {
      const balances = async () => [await balanceOf(wallet.id), await balanceOf(other.id)];
      const before = await balances();
      const [poor, limited] = [await pay(9_109, newRequestId()), await pay(9_110, newRequestId())];
      const byPartner = scheme === 'inbound' || scheme === 'partner';
      assert.equal(poor.json.code, byPartner ? 'PARTNER_EXPOSURE_LIMIT_EXCEEDED' : 'INSUFFICIENT_BALANCE', poor.text);
      assert.equal(limited.json.code, byPartner ? 'MAX_BALANCE_EXCEEDED' : 'DAILY_LIMIT_EXCEEDED', limited.text);
      assert.deepEqual(await balances(), before);
    });
  });
}

test('an agent lacks float for a cash-in', async () => {
  const agent = await newAgent(kissi);
  await fundAgent(kissi, agent, 100_000);
  const who = { agent_id: agent.id, pin: agent.pin, phone_number: wallet.phone };
  const body = { ...who, amount: 9_109, request_id: newRequestId() };
  const reply = await kissi.call('POST', '/api/v1/agents/cashin', { body, token: operator.key });
  assertRefused(reply, 400, 'INSUFFICIENT_FLOAT');
});

describe('an inbound credit', () => {
  const credit = async (amount: number, msisdn = wallet.phone) => {
    const reference = newReference();
    const reply = await sender.credit({ reference, amount, msisdn });
    return { reference, reply };
  };

  test('for want of money is recorded as rejected, and credit.failed is sent', async () => {
    const { reference, reply } = await credit(9_109);
    assertRejected(reply, 'PARTNER_EXPOSURE_LIMIT_EXCEEDED', reference);
    await deliver();
    assert.deepEqual(received(reference), ['credit.failed']);
    const [row] = await inboundRows(kissi, reference);
    assert.equal(row.status, 'REJECTED');
  });

  test('to the blocked number is really blocked, and its card cannot pay', async () => {
    const { reference, reply } = await credit(500, '+23210000002');
    assertRejected(reply, 'BENEFICIARY_BLOCKED', reference);
    assertStatus(await terminal.pay('LAB-0002', { pin: LAB_PIN, encrypted_pin: undefined }), 403);
    const { rows } = await kissi.db.query(`select status from subscribers where phone_number = '+23210000002'`);
    assert.deepEqual(rows, [{ status: 'BLOCKED' }]);
    assert.equal((await credit(500, '+23210000001')).reply.status, 200);
  });

  test('sends its webhook twice under one event id', async () => {
    const { reference } = await credit(9_104);
    await deliver();
    assert.deepEqual(received(reference), ['credit.completed', 'credit.completed']);
    const ids = hooks.received.filter(({ json }) => json.reference === reference).map(({ id }) => id);
    assert.equal(new Set(ids).size, 1);
  });

  test('sends its webhook again after a delivery that is treated as failed', async () => {
    const { reference } = await credit(9_105);
    await deliver();
    assert.deepEqual(received(reference), ['credit.completed']);
    const delivery = async () =>
      (await kissi.db.query('select status, attempts from webhook_deliveries where reference = $1', [reference]))
        .rows[0];
    assert.deepEqual(await delivery(), { status: 'pending', attempts: 1 });
    kissi.clock.advance(30 * SECOND_MS);
    await deliver();
    assert.deepEqual(received(reference), ['credit.completed', 'credit.completed']);
    assert.deepEqual(await delivery(), { status: 'delivered', attempts: 2 });
  });

  test('is reversed a minute later, really and once', async () => {
    const before = await balanceOf(wallet.id);
    const { reference } = await credit(9_108);
    await runChore(kissi, 'run the lab');
    assert.equal(await balanceOf(wallet.id), before + 9_108);
    // While a delivery is on its way, a moved clock would end its lease, and the event would be sent again.
    await deliver();
    kissi.clock.advance(MINUTE_MS);
    await runChore(kissi, 'run the lab');
    await runChore(kissi, 'run the lab');
    assert.equal(await balanceOf(wallet.id), before);
    assert.equal((await sender.status(reference)).json.data.status, 'REVERSED');
    await deliver();
    assert.deepEqual(received(reference), ['credit.completed', 'credit.reversed']);
  });

  test('sends the webhook of its reversal before that of its completion', async () => {
    const { reference } = await credit(9_107);
    await deliver();
    assert.deepEqual(received(reference), []);
    await runChore(kissi, 'run the lab');
    await deliver();
    assert.deepEqual(received(reference), ['credit.reversed']);
    kissi.clock.advance(30 * SECOND_MS);
    await deliver();
    assert.deepEqual(received(reference), ['credit.reversed', 'credit.completed']);
  });

  test('with another amount is delivered and kept as ever', async () => {
    const { reference, reply } = await credit(9_100);
    assert.deepEqual([reply.status, reply.headers.get('x-lab-effect')], [200, null]);
    await deliver();
    assert.deepEqual(received(reference), ['credit.completed']);
  });
});

describe('a payment request', () => {
  const asking = shopOf(kissi);
  const customer = kissi.db.query(`select id from subscribers where phone_number = '+23210000001'`);

  /** A request for the amount, after the lab was run at each of these seconds. */
  async function answered(amount: number, seconds: readonly number[], extra: Record<string, unknown> = {}) {
    const shop = await asking;
    const { id } = await shop.asked({ amount, ...extra });
    const statuses: string[] = [];
    for (const second of seconds) {
      kissi.clock.advance(second * SECOND_MS);
      for (const task of ['run the lab', 'expire payment requests']) await runChore(kissi, task);
      statuses.push((await shop.read(id)).status);
    }
    return { id, statuses, request: await shop.read(id) };
  }
  const eventsOf = async (id: string) =>
    (await kissi.db.query('select event from webhook_deliveries where reference = $1 order by id', [id])).rows.map(
      ({ event }) => event,
    );

  before(async () => {
    const shop = await asking;
    const events = ['paid', 'declined', 'expired'].map((outcome) => `payment_request.${outcome}`);
    assertStatus(await shop.send('POST', '/webhook-endpoints', { url: hooks.url, events }), 201);
    await bank.fund({ id: (await customer).rows[0].id, phone: '+23210000001' }, 100_000);
  });

  test('is paid by the customer of the lab, once and with a webhook', async () => {
    const { id: payer } = (await customer).rows[0];
    const money = await balanceOf(payer);
    const { id, statuses, request } = await answered(9_111, [1, 1, 1]);
    assert.deepEqual(statuses, ['open', 'paid', 'paid']);
    assert.equal(request.payment_count, 1);
    assert.equal(await balanceOf(payer), money - 9_111);
    assert.deepEqual(await eventsOf(id), ['payment_request.paid']);
  });

  test('is paid slowly', async () => {
    const { statuses } = await answered(9_114, [19, 1]);
    assert.deepEqual(statuses, ['open', 'paid']);
  });

  test('is declined, whoever was asked', async () => {
    for (const extra of [{}, { payer_phone: wallet.phone }]) {
      const { id, statuses, request } = await answered(9_112, [1, 1], extra);
      assert.deepEqual(statuses, ['open', 'declined']);
      assert.equal(request.failure, 'DECLINED');
      assert.deepEqual(await eventsOf(id), ['payment_request.declined']);
    }
  });

  test('expires, and repeated under its id is the same request', async () => {
    const shop = await asking;
    const extra = { request_id: 'expires-at-once', expires_in: 86_400 };
    const { id, statuses } = await answered(9_113, [0, 1], extra);
    assert.deepEqual(statuses, ['open', 'expired']);
    assert.deepEqual(await eventsOf(id), ['payment_request.expired']);
    assert.equal((await shop.asked({ amount: 9_113, ...extra })).id, id);
  });

  test('is tried once if the customer cannot pay, and stays open', async () => {
    const rule = {
      ...{ name: 'No payments of the lab', kind: 'amount', transaction_types: ['pos_payment'], threshold: 9_000 },
      ...{ outcome: 'block', severity: 'LOW', side: 'payer' },
    };
    const { id: ruleId } = assertStatus(await kissi.asAdmin.post('/compliance/rules', rule), 201).json.rule;
    const { id, request } = await answered(9_111, [2, 1, 1]);
    assertStatus(await kissi.asAdmin.put(`/compliance/rules/${ruleId}`, { ...rule, enabled: false }), 200);
    assert.deepEqual([request.status, request.failure], ['open', 'FAILED']);
    const { rows } = await kissi.db.query('select count from payment_request_refusals where request_id = $1', [id]);
    assert.deepEqual(rows, [{ count: 1 }]);
  });

  test('of staff, or for any other amount, waits for its payer', async () => {
    const shop = await asking;
    const body = { processor_id: shop.merchant.id, amount: 9_111, description: 'Order 8', request_id: 'by-staff' };
    const made = assertStatus(await kissi.asAdmin.post('/payment-requests', body), 201).json.payment_request;
    const { statuses } = await answered(9_100, [30]);
    assert.deepEqual([...statuses, (await shop.read(made.id)).status], ['open', 'open']);
  });
});

test('the request log shows the payment whose connection was cut, with the reply that was not sent', async () => {
  const [cut] = (await requestsOf(sender.key.id)).filter(({ reason }) => reason !== null);
  assert.deepEqual([cut?.status, cut?.code], [200, null]);
  assert.equal(cut?.reason, 'The connection was closed before the reply was sent.');
  assert.equal(JSON.parse(cut?.reply_body).code, 'COMPLETED');
});

async function requestsOf(keyId: string): Promise<Json[]> {
  kissi.clock.advance(SECOND_MS);
  await assert.rejects(sender.credit({ reference: newReference(), amount: 9_101, msisdn: wallet.phone }), TypeError);
  await runChore(kissi, 'write the request log');
  const reply = await kissi.asAdmin.get(`/admin/api-keys/${keyId}/requests`);
  return reply.json.requests;
}

test('payments of staff are never affected', async () => {
  const agentId = await newAgentFloat(kissi);
  const path = `/api/v1/agents/${agentId}/fund`;
  assertStatus(await kissi.call('POST', path, { body: { amount: 9_109 }, token: await kissi.adminToken() }), 200);
});

describe('without LAB=on', () => {
  test('the amounts have no effect, and the routes answer 404', async () => {
    const plain = await testGateway({ db: kissi.db, clock: kissi.clock });
    try {
      const body = { reference: newReference(), amount: 9_103, msisdn: wallet.phone };
      assertStatus(await sender.credit(body, { gateway: plain }), 200);
      assert.equal(plain.gateway.services.lab, undefined);
      assert.ok(!plain.gateway.backgroundTasks.some(({ name }) => name.includes('lab')));
      const list = await plain.call('GET', '/api/v1/admin/lab/certifications', { token: await kissi.adminToken() });
      assertRefused(list, 404, 'NOT_FOUND');
    } finally {
      await plain.close();
    }
  });

  test('production refuses LAB=on, and the lab itself refuses production', () => {
    const secret = 'kW3-qZ8.vN5_tR2+yB7=mH4/cJ9!xL6?';
    const decisions = { PHONE_VERIFICATION: 'off', APPROVALS: 'off' };
    const env = { ...SECRETS, ...decisions, APP_ENV: 'production', MESSAGING_APP_SECRET: secret };
    assert.equal(loadConfig(env).lab, false);
    assert.throws(
      () => loadConfig({ ...env, LAB: 'on' }),
      (error: ConfigFaults) => error.faults.includes('LAB must be off when APP_ENV is production.'),
    );
    assert.throws(() => createLabSeams({ appEnv: 'production', database: kissi.db.database, clock: kissi.clock }));
  });
});

test('docs/guides/lab.md has the table of the code', async () => {
  const guide = await readFile(new URL('../../../docs/guides/lab.md', import.meta.url), 'utf8');
  assert.ok(guide.includes(effectTables()), 'copy the output of effectTables() into docs/guides/lab.md');
});

test('a receiver that refuses a duplicate is still asked once only for each copy', async () => {
  hooks.behave(answering(500));
  const reference = newReference();
  await sender.credit({ reference, amount: 9_104, msisdn: wallet.phone });
  await deliver();
  assert.deepEqual(received(reference), ['credit.completed']);
});
