// Compliance rules on every payment type: a blocked payment is not posted, a flagged one is; both raise an alert.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { RULE_TYPES } from '../../../src/features/compliance/rule-schemas.ts';
import type { MovementType } from '../../../src/ledger/movement-types.ts';
import { assertClean } from '../../ledger/books.ts';
import { fundAgent, newAgent, newSubAgent } from '../../support/agents.ts';
import { approve, whenEnded } from '../../support/bulk-execution.ts';
import { bulkRows, checkedBulk, csvOf } from '../../support/bulk-payments.ts';
import { assertStatus, type CallReply, type Json, testGateway } from '../../support/gateway.ts';
import { assertRejected, inboundRows, newReference, testBank, webhookEvents } from '../../support/inbound.ts';
import { createBank, PIN } from '../../support/money.ts';
import { partnerBank, webhookHeaders } from '../../support/partner.ts';
import { directPayments } from '../../support/processors.ts';
import { assertRefused, staffToken } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const SECRET = 'a-webhook-secret-shared-with-one-partner';
const RULES = '/api/v1/compliance/rules';
/** The highest amount that the rules of this file allow. */
const MAX_ALLOWED = 999;
const kissi = await testGateway({ env: { PARTNER_CASHIN_WEBHOOK_SECRET: SECRET, WEBHOOK_ALLOW_PRIVATE: 'true' } });
const bank = await createBank(kissi);
const inboundPartner = await testBank(kissi, { webhook_url: 'http://127.0.0.1:1/hooks' });
const cashInPartner = await partnerBank(kissi);
const merchant = await directPayments(kissi, bank).fundedMerchant(100_000);
const terminal = await terminalOf(kissi, { merchant });
const agent = await newAgent(kissi);
const subAgent = await newSubAgent(kissi, agent);
await fundAgent(kissi, agent, 100_000);
const sender = await bank.wallet(100_000);
const recipient = await bank.wallet();
const card = await bank.card(sender);
const recipientCard = await bank.card(recipient);
after(async () => {
  await assertClean(kissi.db.url);
  await kissi.close();
});

const asAdmin = async (method: string, path: string, body?: object): Promise<CallReply> =>
  kissi.call(method, path, { token: await kissi.adminToken(), ...(body ? { body } : {}) });

/** Runs `work` while a rule with these properties is enabled. */
async function withRule<T>(properties: Record<string, unknown>, work: (rule: Json) => Promise<T>): Promise<T> {
  const body = {
    name: 'Too much',
    kind: 'amount',
    threshold: MAX_ALLOWED,
    outcome: 'block',
    severity: 'LOW',
    ...properties,
  };
  const created = assertStatus(await asAdmin('POST', RULES, body), 201);
  try {
    return await work(created.json.rule);
  } finally {
    await asAdmin('PUT', `${RULES}/${created.json.rule.id}`, { enabled: false });
  }
}

async function alertsOf({ id }: Json): Promise<Json[]> {
  const text = 'select * from compliance_alerts where rule_id = $1 order by created_at, id';
  return (await kissi.db.query(text, [id])).rows;
}

const movementCount = async (): Promise<number> =>
  (await kissi.db.query('select count(*)::int as n from movements')).rows[0].n;

const credit = (amount: number, reference = newReference()) =>
  inboundPartner.credit({ reference, amount, msisdn: recipient.phone });

/** The id of a credit of an unknown partner. */
async function inSuspense(amount: number): Promise<string> {
  const raw = JSON.stringify({ card_serial: card, amount, reference: newReference() });
  const reply = await kissi.call('POST', '/webhooks/partner/cashin', { raw, headers: webhookHeaders(SECRET, raw) });
  assert.equal(reply.status, 200, reply.text);
  return reply.json.transaction_id;
}

interface PaymentRoute {
  type: MovementType;
  /** Returns the id of the account that its alerts are about. */
  subject: () => string;
  send(amount: number): Promise<CallReply>;
  /** How an error reports the code: legacy replies have code and alert_id, others only the code or only a message. */
  errorStyle?: 'code' | 'message';
}

const senderId = () => sender.id;
const recipientId = () => recipient.id;

/** Every route that moves money. */
const ROUTES: Record<string, PaymentRoute> = {
  'a transfer': {
    type: 'transfer_p2p',
    subject: senderId,
    send: (amount) =>
      bank.post('/wallet/transfer', { sender_id: sender.id, recipient_id: recipient.id, amount, pin: PIN }),
  },
  'a transfer by card': {
    type: 'transfer_p2p',
    subject: senderId,
    send: (amount) =>
      bank.post('/wallet/transfer-p2p', {
        sender_id: sender.id,
        recipient_card_serial: recipientCard,
        amount,
        pin: PIN,
      }),
  },
  'a withdrawal': {
    type: 'wallet_withdraw',
    subject: senderId,
    send: (amount) => bank.post('/wallet/withdraw', { subscriber_id: sender.id, agent_id: agent.id, amount, pin: PIN }),
  },
  'funding by a partner': {
    type: 'vult_fund',
    subject: recipientId,
    send: (amount) =>
      asAdmin('POST', '/api/v1/wallet/fund-from-partner', {
        partner_id: bank.partnerId,
        subscriber_id: recipient.id,
        amount,
      }),
  },
  'funding a float': {
    type: 'agent_fund',
    subject: () => agent.id,
    send: (amount) => asAdmin('POST', `/api/v1/agents/${agent.id}/fund`, { amount }),
  },
  'returning a float': {
    type: 'agent_return',
    subject: () => agent.id,
    send: (amount) => asAdmin('POST', `/api/v1/agents/${agent.id}/return-float`, { amount }),
  },
  'a transfer between floats': {
    type: 'agent_transfer',
    subject: () => agent.id,
    send: (amount) => {
      const parties = { from_agent_id: agent.id, to_agent_id: subAgent.id };
      return bank.post('/agents/transfer', { ...parties, amount: String(amount), pin: agent.pin });
    },
  },
  'a cash-in by an agent': {
    type: 'agent_cashin',
    subject: recipientId,
    send: (amount) =>
      bank.post('/agents/cashin', { agent_id: agent.id, subscriber_id: recipient.id, amount, pin: agent.pin }),
  },
  'a transfer by a processor': {
    type: 'processor_transfer',
    subject: recipientId,
    send: (amount) =>
      asAdmin('POST', `/api/v1/processors/${merchant.id}/transfer`, { to_subscriber_id: recipient.id, amount }),
  },
  'a payment at a terminal': {
    type: 'pos_payment',
    subject: senderId,
    send: (amount) => terminal.pay(card, { amount }),
  },
  'a payment in an app': {
    type: 'pos_payment',
    subject: senderId,
    send: (amount) => terminal.payInApp(card, { amount }),
  },
  'a refund': {
    type: 'pos_refund',
    subject: senderId,
    async send(amount) {
      const { json } = await terminal.pay(card, { amount: amount + 1 });
      return terminal.refund(json.transaction_id, { amount });
    },
  },
  'an inbound credit': {
    type: 'inbound_credit',
    subject: recipientId,
    send: (amount) => credit(amount),
    errorStyle: 'code',
  },
  'a reversal': {
    type: 'inbound_reversal',
    subject: recipientId,
    async send(amount) {
      const { json } = await credit(amount);
      return asAdmin('POST', `/api/v1/admin/inbound/${json.data.inbound_id}/reverse`, { reason: 'Sent twice' });
    },
  },
  'a cash-in by a partner': {
    type: 'partner_cashin',
    subject: recipientId,
    send: (amount) => cashInPartner.cashIn({ phone_number: recipient.phone, amount }),
  },
  'a cash-in notification': {
    type: 'partner_cashin',
    subject: senderId,
    send(amount) {
      const raw = JSON.stringify({ card_serial: card, amount });
      return kissi.call('POST', '/webhooks/partner/cashin', { raw, headers: webhookHeaders(SECRET, raw) });
    },
    errorStyle: 'message',
  },
  'a pay-out': {
    type: 'processor_payout',
    subject: () => merchant.id,
    send: (amount) =>
      asAdmin('POST', `/api/v1/processors/${merchant.id}/payout`, {
        ...{ amount, bank_account: 'SL0042001', request_id: newReference() },
      }),
  },
  'a pay-out that the bank returned': {
    type: 'payout_returned',
    subject: () => merchant.id,
    async send(amount) {
      const body = { amount, bank_account: 'SL0042001', request_id: newReference() };
      const { json } = await asAdmin('POST', `/api/v1/processors/${merchant.id}/payout`, body);
      const path = `/api/v1/processors/${merchant.id}/payouts/${json.transaction_id}/return`;
      return asAdmin('POST', path, { reason: 'Account closed' });
    },
  },
  'a debt taken over from suspense': {
    type: 'suspense_resolution',
    subject: () => 'sys_suspense',
    async send(amount) {
      const body = { partner_id: cashInPartner.id, reason: 'Identified' };
      return asAdmin('POST', `/api/v1/admin/suspense/${await inSuspense(amount)}/resolve`, body);
    },
  },
  'a refund to suspense': {
    type: 'suspense_refund',
    subject: senderId,
    async send(amount) {
      const body = { refund: true, reason: 'Sent by mistake' };
      return asAdmin('POST', `/api/v1/admin/suspense/${await inSuspense(amount)}/resolve`, body);
    },
  },
  'a code for a number without a wallet': {
    type: 'unclaimed_payment',
    subject: () => cashInPartner.id,
    send: sendCode,
    errorStyle: 'code',
  },
  'a settlement': {
    type: 'partner_settlement',
    subject: () => cashInPartner.id,
    async send(amount) {
      await cashInPartner.cashIn({ phone_number: recipient.phone, amount });
      return asAdmin('POST', `/api/v1/admin/partners/${cashInPartner.id}/settle`, { amount });
    },
  },
};

/** The reply is the row of a bulk payment. */
async function sendCode(amount: number): Promise<CallReply> {
  const [first, second] = [await staffToken(kissi, 'finance_user'), await staffToken(kissi, 'finance_user')];
  const file = csvOf([{ phone: '+23299000777', amount: (amount / 100).toFixed(2) }]);
  const payment = await checkedBulk(kissi, first, file, { partner_id: cashInPartner.id, unclaimed: 'code' });
  assert.equal(payment.compliance_count, amount > MAX_ALLOWED ? 1 : 0);
  assertStatus(await approve(kissi, second, payment), 200);
  await whenEnded(kissi, second, payment);
  const [row] = await bulkRows(kissi, second, payment.id);
  const json = { code: row?.reason, transaction_id: row?.transaction_id };
  return { status: row?.status === 'unclaimed' ? 200 : 422, json, text: JSON.stringify(row), headers: {} } as CallReply;
}

describe('a blocking rule', () => {
  test('is tested for every movement type that a rule can name', () => {
    const tested = new Set(Object.values(ROUTES).map(({ type }) => type));
    assert.deepEqual([...tested].sort(), [...RULE_TYPES].sort());
  });

  for (const [name, { type, subject, send, errorStyle }] of Object.entries(ROUTES)) {
    test(`rejects ${name} with 422 and a stored alert; an amount at the threshold passes`, async () => {
      await withRule({ transaction_types: [type] }, async (rule) => {
        assertStatus(await send(MAX_ALLOWED), 200);
        const countBefore = await movementCount();
        assert.deepEqual(await alertsOf(rule), [], 'a payment that passes raises no alert');
        const reply = assertStatus(await send(MAX_ALLOWED + 1), 422);
        if (errorStyle !== 'message') assert.equal(reply.json.code, 'COMPLIANCE_BLOCKED');
        const [alert, ...others] = await alertsOf(rule);
        assert.deepEqual(others, []);
        if (!errorStyle) assert.equal(reply.json.alert_id, alert.id);
        assert.match(alert.id, /^alert_[0-9A-Z]{26}$/);
        assert.deepEqual([alert.severity, alert.status, alert.transaction_id], ['CRITICAL', 'open', null]);
        assert.deepEqual([alert.figures.account_id, alert.figures.amount], [subject(), MAX_ALLOWED + 1]);
        const owners = [alert.subscriber_id, alert.agent_id, alert.processor_id].filter((id) => id !== null);
        assert.deepEqual(owners, /^(?:ptn|sys)_/.test(subject()) ? [] : [subject()]);
        assert.deepEqual(await countSent(type, MAX_ALLOWED + 1), 0);
        assert.ok(
          (await movementCount()) - countBefore <= 1,
          'at most the payment that a refund or reversal needs first',
        );
      });
    });
  }

  /** Movements of this type and amount since the current time of the test clock. */
  async function countSent(type: string, amount: number): Promise<number> {
    const text = 'select count(*)::int as n from movements where type = $1 and amount = $2 and at >= $3';
    const values = [type, amount, new Date(kissi.clock.now())];
    return (await kissi.db.query(text, values)).rows[0].n;
  }

  test('is not named in the reply; the alert has all details', async () => {
    const body = { sender_id: sender.id, recipient_id: recipient.id, amount: 1_500, pin: PIN, request_id: 'blocked-1' };
    await withRule({ transaction_types: ['transfer_p2p'], name: 'Secret name' }, async (rule) => {
      const reply = await bank.post('/wallet/transfer', body);
      assert.deepEqual(Object.keys(reply.json).sort(), ['alert_id', 'code', 'error', 'success']);
      assert.doesNotMatch(reply.text, /Secret name|rule_|\b999\b|\b9\.99\b/);
      const [alert] = await alertsOf(rule);
      assert.deepEqual([alert.rule_id, alert.rule_version, alert.type], [rule.id, 1, 'amount']);
      assert.match(
        alert.description,
        /^Blocked transfer_p2p of 15\.00 SLE by the rule "Secret name": 15\.00 SLE, more than 9\.99 SLE\.$/,
      );
      assert.deepEqual(alert.due_at, alert.created_at, 'due immediately');
      const { rules, ...figures } = alert.figures;
      assert.deepEqual(figures, {
        outcome: 'block',
        account_id: sender.id,
        transaction_type: 'transfer_p2p',
        amount: 1_500,
        from: sender.id,
        to: recipient.id,
        request_id: 'blocked-1',
      });
      assert.deepEqual(rules, [
        {
          rule_id: rule.id,
          rule_version: 1,
          name: 'Secret name',
          kind: 'amount',
          side: 'payer',
          outcome: 'block',
          severity: 'LOW',
          threshold: MAX_ALLOWED,
          window_seconds: null,
          amount: 1_500,
        },
      ]);
    });
  });

  test('is checked after status and PIN, and before limits and balance', async () => {
    const lowBalance = await bank.wallet(10);
    const pay = (extra: Record<string, unknown>) =>
      bank.post('/wallet/transfer', {
        sender_id: lowBalance.id,
        recipient_id: recipient.id,
        amount: 1_000,
        pin: PIN,
        ...extra,
      });
    await withRule({ transaction_types: ['transfer_p2p'] }, async (rule) => {
      assertRefused(await pay({ pin: '9999' }), 401, 'INVALID_PIN');
      assertRefused(await pay({ amount: 0 }), 400, 'INVALID_AMOUNT');
      assert.deepEqual(await alertsOf(rule), []);
      assertRefused(await pay({}), 422, 'COMPLIANCE_BLOCKED');
      assertRefused(await pay({ amount: 20_000_000 }), 422, 'COMPLIANCE_BLOCKED');
      assertRefused(await pay({ amount: MAX_ALLOWED }), 402, 'INSUFFICIENT_BALANCE');
      await asAdmin('POST', `/api/v1/subscribers/${lowBalance.id}/block`, { reason: 'Lost' });
      assertRefused(await pay({}), 403, 'SUBSCRIBER_BLOCKED');
      assert.equal((await alertsOf(rule)).length, 2);
    });
  });

  test("checks a refund without an amount against the payment's remaining amount", async () => {
    const { json } = await terminal.pay(card, { amount: MAX_ALLOWED + 10 });
    assert.equal((await terminal.refund(json.transaction_id, { amount: 20 })).status, 200);
    await withRule({ transaction_types: ['pos_refund'] }, async (rule) => {
      const rest = await terminal.refund(json.transaction_id);
      assert.deepEqual([rest.status, rest.json.amount, rest.json.remaining], [200, MAX_ALLOWED - 10, 0], rest.text);
      assertRefused(await terminal.refund(json.transaction_id), 422, 'REFUND_EXCEEDS_PAYMENT');
      assert.deepEqual(await alertsOf(rule), []);
    });
  });

  test('raises one alert per request; the request succeeds once the rule is disabled', async () => {
    const pay = (requestId?: string) => {
      const body = { sender_id: sender.id, recipient_id: recipient.id, amount: 2_000, pin: PIN };
      return bank.post('/wallet/transfer', { ...body, ...(requestId ? { request_id: requestId } : {}) });
    };
    await withRule({ transaction_types: ['transfer_p2p'] }, async (rule) => {
      const replies = [await pay('again-1'), await pay('again-1'), await pay('again-2'), await pay(), await pay()];
      const ids = replies.map(({ json }) => json.alert_id);
      assert.equal(ids[0], ids[1]);
      assert.equal(new Set(ids).size, 4);
      const alerts = await alertsOf(rule);
      assert.deepEqual(alerts.map(({ id }) => id).sort(), [...new Set(ids)].sort());
    });
    const paid = assertStatus(await pay('again-1'), 200);
    assert.equal(paid.headers.get('idempotent-replayed'), null);
  });

  test('records an inbound credit as REJECTED with a webhook event; its reference keeps that outcome', async () => {
    const reference = newReference();
    const balance = await bank.balance(recipient.id);
    await withRule({ transaction_types: ['inbound_credit'] }, async (rule) => {
      assertRejected(await credit(1_000, reference), 'COMPLIANCE_BLOCKED', reference);
      assert.equal((await alertsOf(rule)).length, 1);
      assertRejected(await credit(1_000, reference), 'COMPLIANCE_BLOCKED', reference);
      assert.equal((await alertsOf(rule)).length, 1);
    });
    assertRejected(await credit(1_000, reference), 'COMPLIANCE_BLOCKED', reference);
    const [row] = await inboundRows(kissi, reference);
    assert.deepEqual([row.status, row.failure_code, row.transaction_id], ['REJECTED', 'COMPLIANCE_BLOCKED', null]);
    const events = await webhookEvents(kissi, reference);
    assert.deepEqual(
      events.map(({ event, status, failure_code }) => [event, status, failure_code]),
      [['credit.failed', 'REJECTED', 'COMPLIANCE_BLOCKED']],
    );
    const status = await inboundPartner.status(reference);
    assert.equal(status.json.data.failure_code, 'COMPLIANCE_BLOCKED');
    assert.equal(await bank.balance(recipient.id), balance);
  });
});

describe('a flagging rule', () => {
  for (const [name, { type, subject, send }] of Object.entries(ROUTES)) {
    test(`lets ${name} pass and raises an alert that names the transaction`, async () => {
      await withRule({ transaction_types: [type], outcome: 'flag', severity: 'HIGH' }, async (rule) => {
        const reply = assertStatus(await send(MAX_ALLOWED + 1), 200);
        const [alert, ...others] = await alertsOf(rule);
        assert.deepEqual(others, []);
        assert.deepEqual([alert.severity, alert.status, alert.figures.account_id], ['HIGH', 'open', subject()]);
        assert.equal(alert.due_at - alert.created_at, 24 * 3_600_000);
        assert.equal(alert.transaction_id, reply.json.transaction_id ?? reply.json.data.transaction_id);
        assert.doesNotMatch(reply.text, /alert/);
      });
    });
  }

  test('several rules raise one alert, which lists all of them and has the highest severity', async () => {
    const flag = { transaction_types: ['transfer_p2p'], outcome: 'flag' };
    await withRule({ ...flag, severity: 'LOW' }, (low) =>
      withRule({ ...flag, severity: 'HIGH' }, (high) =>
        withRule({ ...flag, severity: 'MEDIUM' }, async (medium) => {
          const reply = await (ROUTES['a transfer'] as PaymentRoute).send(1_000);
          const [alert] = await alertsOf(high);
          assert.equal(alert.transaction_id, reply.json.transaction_id);
          const ids = alert.figures.rules.map((rule: Json) => rule.rule_id);
          assert.deepEqual(ids.sort(), [low.id, high.id, medium.id].sort());
          assert.deepEqual([...(await alertsOf(low)), ...(await alertsOf(medium))], []);
        }),
      ),
    );
  });

  test('raises no alert for a payment that is refused for insufficient balance', async () => {
    const lowBalance = await bank.wallet(10);
    await withRule({ transaction_types: ['transfer_p2p'], outcome: 'flag' }, async (rule) => {
      const body = { sender_id: lowBalance.id, recipient_id: recipient.id, amount: 1_000, pin: PIN };
      assertRefused(await bank.post('/wallet/transfer', body), 402, 'INSUFFICIENT_BALANCE');
      assert.deepEqual(await alertsOf(rule), []);
    });
  });
});
