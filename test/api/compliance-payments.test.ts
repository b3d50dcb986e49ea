// Compliance on every way that money moves: what a rule blocks does not move and has an alert, what it flags moves and has one.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ALL_TYPES, type MovementType } from '../../src/ledger/movement-types.ts';
import { assertClean } from '../ledger/books.ts';
import { fundAgent, newAgent, newSubAgent, type TestAgent } from '../support/agents.ts';
import { type CallReply, type Json, type TestGateway, testGateway } from '../support/gateway.ts';
import {
  assertRejected,
  inboundRows,
  newReference,
  type TestBank,
  testBank,
  webhookEvents,
} from '../support/inbound.ts';
import { type Bank, createBank, PIN, type Wallet } from '../support/money.ts';
import { type PartnerBank, partnerBank, webhookHeaders } from '../support/partner.ts';
import { directPayments, type Merchant } from '../support/processors.ts';
import { assertRefused } from '../support/staff.ts';
import { type Terminal, terminalOf } from '../support/terminal.ts';

const SECRET = 'a-webhook-secret-shared-with-one-partner';
const RULES = '/api/v1/compliance/rules';
/** The most that the rules here let pass. */
const MOST = 999;

let kissi: TestGateway;
let bank: Bank;
let correspondent: TestBank;
let partner: PartnerBank;
let shop: Terminal;
let merchant: Merchant;
let agent: TestAgent;
let subAgent: TestAgent;
let sender: Wallet;
let recipient: Wallet;
let card: string;
let recipientCard: string;
before(async () => {
  kissi = await testGateway({ env: { PARTNER_CASHIN_WEBHOOK_SECRET: SECRET, WEBHOOK_ALLOW_PRIVATE: 'true' } });
  bank = await createBank(kissi);
  correspondent = await testBank(kissi, { webhook_url: 'http://127.0.0.1:1/hooks' });
  partner = await partnerBank(kissi);
  merchant = await directPayments(kissi, bank).fundedMerchant(100_000);
  shop = await terminalOf(kissi, { merchant });
  agent = await newAgent(kissi);
  subAgent = await newSubAgent(kissi, agent);
  await fundAgent(kissi, agent, 100_000);
  sender = await bank.wallet(100_000);
  recipient = await bank.wallet();
  card = await bank.card(sender);
  recipientCard = await bank.card(recipient);
});
after(async () => {
  await assertClean(kissi.db.url);
  await kissi.close();
});

const asAdmin = async (method: string, path: string, body?: object): Promise<CallReply> =>
  kissi.call(method, path, { token: await kissi.adminToken(), ...(body ? { body } : {}) });

/** Runs the work while there is such a rule. */
async function underRule<T>(terms: Record<string, unknown>, work: (rule: Json) => Promise<T>): Promise<T> {
  const body = { name: 'Too much', kind: 'amount', threshold: MOST, outcome: 'block', severity: 'LOW', ...terms };
  const made = await asAdmin('POST', RULES, body);
  assert.equal(made.status, 201, made.text);
  try {
    return await work(made.json.rule);
  } finally {
    await asAdmin('PUT', `${RULES}/${made.json.rule.id}`, { enabled: false });
  }
}

async function alertsOf({ id }: Json): Promise<Json[]> {
  const text = 'select * from compliance_alerts where rule_id = $1 order by created_at, id';
  return (await kissi.db.query(text, [id])).rows;
}

const movements = async (): Promise<number> =>
  (await kissi.db.query('select count(*)::int as n from movements')).rows[0].n;

const credit = (amount: number, reference = newReference()) =>
  correspondent.credit({ reference, amount, msisdn: recipient.phone });

interface Way {
  type: MovementType;
  /** Whom its alerts are about. */
  about: () => string;
  send(amount: number): Promise<CallReply>;
  /** Replies that are not the legacy ones tell the code, or only a sentence. */
  tells?: 'code' | 'sentence';
}

const ofSender = () => sender.id;
const ofRecipient = () => recipient.id;

/** Every route that moves money. */
const WAYS: Record<string, Way> = {
  'a transfer': {
    type: 'transfer_p2p',
    about: ofSender,
    send: (amount) =>
      bank.post('/wallet/transfer', { sender_id: sender.id, recipient_id: recipient.id, amount, pin: PIN }),
  },
  'a transfer by card': {
    type: 'transfer_p2p',
    about: ofSender,
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
    about: ofSender,
    send: (amount) => bank.post('/wallet/withdraw', { subscriber_id: sender.id, agent_id: agent.id, amount, pin: PIN }),
  },
  'funding by a partner': {
    type: 'vult_fund',
    about: ofRecipient,
    send: (amount) =>
      bank.post('/wallet/fund-from-partner', { partner_id: bank.partnerId, subscriber_id: recipient.id, amount }),
  },
  'funding of a float': {
    type: 'agent_fund',
    about: () => agent.id,
    send: (amount) => asAdmin('POST', `/api/v1/agents/${agent.id}/fund`, { amount }),
  },
  'a float that returns': {
    type: 'agent_return',
    about: () => agent.id,
    send: (amount) => asAdmin('POST', `/api/v1/agents/${agent.id}/return-float`, { amount }),
  },
  'a transfer between floats': {
    type: 'agent_transfer',
    about: () => agent.id,
    send: (amount) => {
      const sides = { from_agent_id: agent.id, to_agent_id: subAgent.id };
      return bank.post('/agents/transfer', { ...sides, amount: String(amount), pin: agent.pin });
    },
  },
  'a cash-in by an agent': {
    type: 'agent_cashin',
    about: ofRecipient,
    send: (amount) =>
      bank.post('/agents/cashin', { agent_id: agent.id, subscriber_id: recipient.id, amount, pin: agent.pin }),
  },
  'a payout of a processor': {
    type: 'processor_transfer',
    about: ofRecipient,
    send: (amount) => bank.post(`/processors/${merchant.id}/transfer`, { to_subscriber_id: recipient.id, amount }),
  },
  'a payment at a terminal': { type: 'pos_payment', about: ofSender, send: (amount) => shop.pay(card, { amount }) },
  'a payment in an app': { type: 'pos_payment', about: ofSender, send: (amount) => shop.payInApp(card, { amount }) },
  'a refund': {
    type: 'pos_refund',
    about: ofSender,
    async send(amount) {
      const { json } = await shop.pay(card, { amount: amount + 1 });
      return shop.refund(json.transaction_id, { amount });
    },
  },
  'an inbound credit': { type: 'inbound_credit', about: ofRecipient, send: (amount) => credit(amount), tells: 'code' },
  'a reversal': {
    type: 'inbound_reversal',
    about: ofRecipient,
    async send(amount) {
      const { json } = await credit(amount);
      return asAdmin('POST', `/api/v1/admin/inbound/${json.data.inbound_id}/reverse`, { reason: 'Sent twice' });
    },
  },
  'a cash-in by a partner': {
    type: 'partner_cashin',
    about: ofRecipient,
    send: (amount) => partner.cashIn({ phone_number: recipient.phone, amount }),
  },
  'a cash-in notification': {
    type: 'partner_cashin',
    about: ofSender,
    send(amount) {
      const raw = JSON.stringify({ card_serial: card, amount });
      return kissi.call('POST', '/webhooks/partner/cashin', { raw, headers: webhookHeaders(SECRET, raw) });
    },
    tells: 'sentence',
  },
  'a settlement': {
    type: 'partner_settlement',
    about: () => partner.id,
    async send(amount) {
      await partner.cashIn({ phone_number: recipient.phone, amount });
      return asAdmin('POST', `/api/v1/admin/partners/${partner.id}/settle`, { amount });
    },
  },
};

describe('a rule that blocks', () => {
  test('can name every type of movement, and each is tried here', () => {
    const tried = new Set(Object.values(WAYS).map(({ type }) => type));
    assert.deepEqual([...tried].sort(), [...ALL_TYPES].sort());
  });

  for (const [name, { type, about, send, tells }] of Object.entries(WAYS)) {
    test(`stops ${name}: 422 with an alert that is there, nothing moves; at the threshold it passes`, async () => {
      await underRule({ transaction_types: [type] }, async (rule) => {
        const [prepared, before] = [await send(MOST), await movements()];
        assert.equal(prepared.status, 200, prepared.text);
        assert.deepEqual(await alertsOf(rule), [], 'what passes is not worth an alert');
        const reply = await send(MOST + 1);
        assert.equal(reply.status, 422, reply.text);
        if (tells !== 'sentence') assert.equal(reply.json.code, 'COMPLIANCE_BLOCKED');
        const [alert, ...others] = await alertsOf(rule);
        assert.deepEqual(others, []);
        if (!tells) assert.equal(reply.json.alert_id, alert.id);
        assert.match(alert.id, /^alert_[0-9A-Z]{26}$/);
        assert.deepEqual([alert.severity, alert.status, alert.transaction_id], ['CRITICAL', 'open', null]);
        assert.deepEqual([alert.figures.account_id, alert.figures.amount], [about(), MOST + 1]);
        const owners = [alert.subscriber_id, alert.agent_id, alert.processor_id].filter((id) => id !== null);
        assert.deepEqual(owners, about().startsWith('ptn_') ? [] : [about()]);
        assert.deepEqual(await blockedMovements(type, MOST + 1), 0);
        assert.ok((await movements()) - before <= 1, 'nothing but what had to be there before it');
      });
    });
  }

  async function blockedMovements(type: string, amount: number): Promise<number> {
    const text = 'select count(*)::int as n from movements where type = $1 and amount = $2 and at >= $3';
    const values = [type, amount, new Date(kissi.clock.now())];
    return (await kissi.db.query(text, values)).rows[0].n;
  }

  test('tells nobody which one it was, and its alert tells everything', async () => {
    const body = { sender_id: sender.id, recipient_id: recipient.id, amount: 1_500, pin: PIN, request_id: 'told-1' };
    await underRule({ transaction_types: ['transfer_p2p'], name: 'Secret name' }, async (rule) => {
      const reply = await bank.post('/wallet/transfer', body);
      assert.deepEqual(Object.keys(reply.json).sort(), ['alert_id', 'code', 'error', 'success']);
      assert.doesNotMatch(reply.text, /Secret name|rule_|999/);
      const [alert] = await alertsOf(rule);
      assert.deepEqual([alert.rule_id, alert.rule_version, alert.type], [rule.id, 1, 'amount']);
      assert.match(
        alert.description,
        /^Blocked transfer_p2p of 15\.00 SLE by the rule "Secret name": 15\.00 SLE, more than 9\.99 SLE\.$/,
      );
      assert.deepEqual(alert.due_at, alert.created_at, 'it is looked at immediately');
      const { rules, ...figures } = alert.figures;
      assert.deepEqual(figures, {
        ...{ outcome: 'block', account_id: sender.id, transaction_type: 'transfer_p2p', amount: 1_500 },
        ...{ from: sender.id, to: recipient.id, request_id: 'told-1' },
      });
      assert.deepEqual(rules, [
        {
          ...{ rule_id: rule.id, rule_version: 1, name: 'Secret name', kind: 'amount', outcome: 'block' },
          ...{ severity: 'LOW', threshold: MOST, window_seconds: null, amount: 1_500 },
        },
      ]);
    });
  });

  test('comes after status and PIN, and before limits and balance', async () => {
    const poor = await bank.wallet(10);
    const pay = (extra: Record<string, unknown>) =>
      bank.post('/wallet/transfer', {
        sender_id: poor.id,
        recipient_id: recipient.id,
        amount: 1_000,
        pin: PIN,
        ...extra,
      });
    await underRule({ transaction_types: ['transfer_p2p'] }, async (rule) => {
      assertRefused(await pay({ pin: '9999' }), 401, 'INVALID_PIN');
      assertRefused(await pay({ amount: 0 }), 400, 'INVALID_AMOUNT');
      assert.deepEqual(await alertsOf(rule), []);
      assertRefused(await pay({}), 422, 'COMPLIANCE_BLOCKED');
      assertRefused(await pay({ amount: 20_000_000 }), 422, 'COMPLIANCE_BLOCKED');
      assertRefused(await pay({ amount: MOST }), 402, 'INSUFFICIENT_BALANCE');
      await asAdmin('POST', `/api/v1/subscribers/${poor.id}/block`, { reason: 'Lost' });
      assertRefused(await pay({}), 403, 'SUBSCRIBER_BLOCKED');
      assert.equal((await alertsOf(rule)).length, 2);
    });
  });

  test('holds a refund that names no amount against what is left of the payment', async () => {
    const { json } = await shop.pay(card, { amount: MOST + 10 });
    assert.equal((await shop.refund(json.transaction_id, { amount: 20 })).status, 200);
    await underRule({ transaction_types: ['pos_refund'] }, async (rule) => {
      const rest = await shop.refund(json.transaction_id);
      assert.deepEqual([rest.status, rest.json.amount, rest.json.remaining], [200, MOST - 10, 0], rest.text);
      assertRefused(await shop.refund(json.transaction_id), 422, 'REFUND_EXCEEDS_PAYMENT');
      assert.deepEqual(await alertsOf(rule), []);
    });
  });

  test('names the same alert to the same request, another to another, and pays it once the rule is gone', async () => {
    const pay = (requestId?: string) => {
      const given = { sender_id: sender.id, recipient_id: recipient.id, amount: 2_000, pin: PIN };
      return bank.post('/wallet/transfer', { ...given, ...(requestId ? { request_id: requestId } : {}) });
    };
    await underRule({ transaction_types: ['transfer_p2p'] }, async (rule) => {
      const replies = [await pay('again-1'), await pay('again-1'), await pay('again-2'), await pay(), await pay()];
      const ids = replies.map(({ json }) => json.alert_id);
      assert.equal(ids[0], ids[1]);
      assert.equal(new Set(ids).size, 4);
      const alerts = await alertsOf(rule);
      assert.deepEqual(alerts.map(({ id }) => id).sort(), [...new Set(ids)].sort());
    });
    const paid = await pay('again-1');
    assert.equal(paid.status, 200, paid.text);
    assert.equal(paid.headers.get('idempotent-replayed'), null);
  });

  test('an inbound credit is recorded REJECTED with its event, and stays so for its reference', async () => {
    const reference = newReference();
    const balance = await bank.balance(recipient.id);
    await underRule({ transaction_types: ['inbound_credit'] }, async (rule) => {
      assertRejected(await credit(1_000, reference), 'COMPLIANCE_BLOCKED', reference);
      assert.equal((await alertsOf(rule)).length, 1);
      assertRejected(await credit(1_000, reference), 'COMPLIANCE_BLOCKED', reference);
      assert.equal((await alertsOf(rule)).length, 1);
    });
    assertRejected(await credit(1_000, reference), 'COMPLIANCE_BLOCKED', reference);
    const [row] = await inboundRows(kissi, reference);
    assert.deepEqual([row.status, row.failure_code, row.transaction_id], ['REJECTED', 'COMPLIANCE_BLOCKED', null]);
    const told = await webhookEvents(kissi, reference);
    assert.deepEqual(
      told.map(({ event, status, failure_code }) => [event, status, failure_code]),
      [['credit.failed', 'REJECTED', 'COMPLIANCE_BLOCKED']],
    );
    const status = await correspondent.status(reference);
    assert.equal(status.json.data.failure_code, 'COMPLIANCE_BLOCKED');
    assert.equal(await bank.balance(recipient.id), balance);
  });
});

describe('a rule that flags', () => {
  for (const [name, { type, about, send }] of Object.entries(WAYS)) {
    test(`lets ${name} pass, and leaves an alert that names the transaction`, async () => {
      await underRule({ transaction_types: [type], outcome: 'flag', severity: 'HIGH' }, async (rule) => {
        const reply = await send(MOST + 1);
        assert.equal(reply.status, 200, reply.text);
        const [alert, ...others] = await alertsOf(rule);
        assert.deepEqual(others, []);
        assert.deepEqual([alert.severity, alert.status, alert.figures.account_id], ['HIGH', 'open', about()]);
        assert.equal(alert.due_at - alert.created_at, 24 * 3_600_000);
        assert.equal(alert.transaction_id, reply.json.transaction_id ?? reply.json.data.transaction_id);
        assert.doesNotMatch(reply.text, /alert/);
      });
    });
  }

  test('makes one alert of the most severe of several, with all of them in its figures', async () => {
    const flag = { transaction_types: ['transfer_p2p'], outcome: 'flag' };
    await underRule({ ...flag, severity: 'LOW' }, (low) =>
      underRule({ ...flag, severity: 'HIGH' }, (high) =>
        underRule({ ...flag, severity: 'MEDIUM' }, async (medium) => {
          const reply = await (WAYS['a transfer'] as Way).send(1_000);
          const [alert] = await alertsOf(high);
          assert.equal(alert.transaction_id, reply.json.transaction_id);
          const ids = alert.figures.rules.map((rule: Json) => rule.rule_id);
          assert.deepEqual(ids.sort(), [low.id, high.id, medium.id].sort());
          assert.deepEqual([...(await alertsOf(low)), ...(await alertsOf(medium))], []);
        }),
      ),
    );
  });

  test('makes no alert about a payment that the balance refuses', async () => {
    const poor = await bank.wallet(10);
    await underRule({ transaction_types: ['transfer_p2p'], outcome: 'flag' }, async (rule) => {
      const given = { sender_id: poor.id, recipient_id: recipient.id, amount: 1_000, pin: PIN };
      assertRefused(await bank.post('/wallet/transfer', given), 402, 'INSUFFICIENT_BALANCE');
      assert.deepEqual(await alertsOf(rule), []);
    });
  });
});
