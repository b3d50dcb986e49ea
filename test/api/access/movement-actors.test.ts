// Every movement names its author: each route that moves money is called, by users, keys and a signed notification.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../../src/http/endpoint.ts';
import { RAW_TEXT } from '../../../src/http/validation.ts';
import { agentToken, fundAgent, newAgent, newSubAgent } from '../../support/agents.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { newReference, testBank } from '../../support/inbound.ts';
import { bankForFile, newAgentFloat, PIN } from '../../support/money.ts';
import { partnerBank, webhookHeaders } from '../../support/partner.ts';
import { confirm, LAB, shopOf } from '../../support/payment-requests.ts';
import { storeAccount } from '../../support/processors.ts';
import { staffToken } from '../../support/staff.ts';
import { newRequestId, terminalOf } from '../../support/terminal.ts';

const SECRET = 'a-webhook-secret-shared-with-one-partner';
const { kissi, bank } = await bankForFile({ env: { ...LAB, PARTNER_CASHIN_WEBHOOK_SECRET: SECRET } });
const terminal = await terminalOf(kissi);
const admin = await kissi.adminToken();
const { rows: admins } = await kissi.db.query(`select id from users where role = 'system_admin'`);

interface MoneyRoute {
  /** As in the route table. */
  path: string;
  actor: [type: string, id: string];
  send(): Promise<CallReply>;
}

async function captured(path: '/pos/payment' | '/payment', card: string): Promise<CallReply> {
  const pay = path === '/payment' ? terminal.payInApp : terminal.pay;
  const { transaction_id } = assertStatus(await pay(card, { amount: 100, capture: false }), 200).json;
  return terminal.send(`${path}/${transaction_id}/capture`, { request_id: newRequestId() });
}

async function moneyRoutes(): Promise<MoneyRoute[]> {
  const [from, to] = [await bank.wallet(1_000_000), await bank.wallet()];
  const [card, payersCard] = [await bank.card(to), await bank.card(from)];
  const agent = await newAgent(kissi);
  const sub = await newSubAgent(kissi, agent);
  await fundAgent(kissi, agent, 100_000);
  const shop = await shopOf(kissi);
  const agentUser: MoneyRoute['actor'] = ['user', agent.userId];
  const token = await agentToken(kissi, agent);
  const partner = await partnerBank(kissi);
  const inbound = await testBank(kissi);
  const paid = await terminal.pay(payersCard, { amount: 5_000 });
  const credited = await inbound.credit(credit(to.phone));
  const user: MoneyRoute['actor'] = ['user', admins[0].id];
  const key: MoneyRoute['actor'] = ['key', bank.keyId];
  const terminalKey: MoneyRoute['actor'] = ['key', terminal.key.id];
  const asUser = (path: string, body: object) => kissi.call('POST', `/api/v1${path}`, { body, token: admin });
  const payer = { sender_id: from.id, pin: PIN, amount: 100 };
  await storeAccount(kissi, terminal.merchant.id, 'SL0042');
  const payOut = () =>
    asUser(`/processors/${terminal.merchant.id}/payout`, {
      amount: 10,
      bank_account: 'SL0042',
      request_id: newReference(),
    });
  return [
    {
      path: '/wallet/transfer',
      actor: key,
      send: () => bank.post('/wallet/transfer', { ...payer, recipient_id: to.id }),
    },
    {
      path: '/wallet/transfer-p2p',
      actor: key,
      send: () => bank.post('/wallet/transfer-p2p', { ...payer, recipient_card_serial: card }),
    },
    {
      path: '/wallet/fund-from-partner',
      actor: user,
      send: () => asUser('/wallet/fund-from-partner', { partner_id: bank.partnerId, subscriber_id: to.id, amount: 7 }),
    },
    {
      path: '/wallet/withdraw',
      actor: key,
      send: async () => {
        const agentId = await newAgentFloat(kissi);
        return bank.post('/wallet/withdraw', { subscriber_id: from.id, agent_id: agentId, pin: PIN, amount: 100 });
      },
    },
    {
      path: '/agents/float-requests/:id/accept',
      actor: agentUser,
      send: async () => {
        const own = { body: { amount: 100 }, token: await agentToken(kissi, sub) };
        const asked = assertStatus(await kissi.call('POST', `/api/v1/agents/${sub.id}/float-requests`, own), 201);
        const path = `/api/v1/agents/float-requests/${asked.json.float_request.id}/accept`;
        return kissi.call('POST', path, { body: { pin: agent.pin }, token });
      },
    },
    { path: '/agents/:id/fund', actor: user, send: () => asUser(`/agents/${agent.id}/fund`, { amount: 50 }) },
    {
      path: '/agents/:id/return-float',
      actor: user,
      send: () => asUser(`/agents/${agent.id}/return-float`, { amount: 20 }),
    },
    {
      path: '/agents/cashin',
      actor: agentUser,
      send: () => {
        const body = { agent_id: agent.id, subscriber_id: to.id, pin: agent.pin, amount: 100 };
        return kissi.call('POST', '/api/v1/agents/cashin', { body, token });
      },
    },
    {
      path: '/agents/transfer',
      actor: agentUser,
      send: () => {
        const body = { from_agent_id: agent.id, to_agent_id: sub.id, pin: agent.pin, amount: 100 };
        return kissi.call('POST', '/api/v1/agents/transfer', { body, token });
      },
    },
    {
      path: '/processors/:id/transfer',
      actor: user,
      send: () => asUser(`/processors/${terminal.merchant.id}/transfer`, { to_subscriber_id: to.id, amount: 10 }),
    },
    {
      path: '/admin/partners/:id/settle',
      actor: user,
      send: () => asUser(`/admin/partners/${bank.partnerId}/settle`, { amount: 100 }),
    },
    {
      path: '/admin/lab/payment-requests/:id/confirm',
      actor: user,
      send: async () => confirm(kissi, (await shop.asked({ amount: 100 })).id, from.id),
    },
    { path: '/pos/payment', actor: terminalKey, send: () => terminal.pay(payersCard, { amount: 100 }) },
    {
      path: '/pos/payment/:transaction_id/capture',
      actor: terminalKey,
      send: () => captured('/pos/payment', payersCard),
    },
    { path: '/payment/:transaction_id/capture', actor: terminalKey, send: () => captured('/payment', payersCard) },
    { path: '/payment', actor: terminalKey, send: () => terminal.payInApp(payersCard, { amount: 100 }) },
    {
      path: '/pos/refund',
      actor: terminalKey,
      send: () => terminal.refund(paid.json.transaction_id, { request_id: newRequestId(), amount: 300 }),
    },
    {
      path: '/payment/refund',
      actor: terminalKey,
      send: () =>
        terminal.send('/payment/refund', {
          request_id: newRequestId(),
          transaction_id: paid.json.transaction_id,
          amount: 200,
        }),
    },
    {
      path: '/processors/:id/refunds',
      actor: user,
      send: () => {
        const body = { request_id: newRequestId(), transaction_id: paid.json.transaction_id, amount: 100 };
        return asUser(`/processors/${terminal.merchant.id}/refunds`, body);
      },
    },
    {
      path: '/partner/cashin',
      actor: ['key', partner.key.id],
      send: () => partner.cashIn({ phone_number: to.phone, amount: 200 }),
    },
    { path: '/credit', actor: ['key', inbound.key.id], send: () => inbound.credit(credit(to.phone)) },
    {
      path: '/admin/inbound/:inbound_id/reverse',
      actor: user,
      send: () => asUser(`/admin/inbound/${credited.json.data.inbound_id}/reverse`, { reason: 'Sent twice' }),
    },
    {
      path: '/admin/suspense/:transaction_id/resolve',
      actor: user,
      send: async () => {
        const raw = JSON.stringify({ card_serial: card, amount: 61 });
        const headers = webhookHeaders(SECRET, raw);
        const item = await kissi.call('POST', '/webhooks/partner/cashin', { raw, headers });
        return asUser(`/admin/suspense/${item.json.transaction_id}/resolve`, { refund: true, reason: 'Slip 42' });
      },
    },
    { path: '/processors/:id/payout', actor: user, send: payOut },
    {
      path: '/processors/:id/payouts/:transaction_id/return',
      actor: user,
      send: async () => {
        const { transaction_id, processor_id } = (await payOut()).json;
        return asUser(`/processors/${processor_id}/payouts/${transaction_id}/return`, { reason: 'Account closed' });
      },
    },
    {
      path: '/webhooks/partner/cashin',
      actor: ['notification', 'partner-cashin'],
      send: () => {
        const raw = JSON.stringify({ card_serial: card, amount: 60 });
        return kissi.call('POST', '/webhooks/partner/cashin', { raw, headers: webhookHeaders(SECRET, raw) });
      },
    },
  ];
}

const credit = (msisdn: string) => ({ reference: newReference(), msisdn, amount: 900 });

/** The paths of all endpoints that move money: those with an amount, refunds, reversals and returned pay-outs. */
function pathsThatMoveMoney(): string[] {
  const moves = ({ method, path, body }: Endpoint) => {
    const amount = (body as Json)?.properties?.amount;
    return (
      method === 'POST' &&
      (amount?.[RAW_TEXT] === 'number' ||
        /\/(?:refund|reverse|resolve|return)$|^\/agents\/float-requests\/:id\/accept$/.test(path))
    );
  };
  const paths = kissi.gateway.routeGroups.flatMap(({ endpoints }) => endpoints.filter(moves).map(({ path }) => path));
  // Asking for money moves none, nor does a quote or a cash-out code. A legal order needs two users: cases/extension.test.ts.
  const others = /^\/compliance\/|\/(?:payment|float)-requests$|^\/me\/(?:quote|cash-out-codes)$|\/legal-order$/;
  return paths.filter((path) => !others.test(path)).sort();
}

async function actorOf(transactionId: string): Promise<[string, string]> {
  const { rows } = await kissi.db.query('select actor_type, actor_id from movements where id = $1', [transactionId]);
  return [rows[0]?.actor_type, rows[0]?.actor_id];
}

describe('the actor of a movement', async () => {
  const routes = await moneyRoutes();

  test('is tested for every route that moves money', () => {
    assert.deepEqual(routes.map(({ path }) => path).sort(), pathsThatMoveMoney());
  });

  for (const { path, actor, send } of routes) {
    test(`is the caller of ${path}: a ${actor[0]}`, async () => {
      const reply = assertStatus(await send(), 200);
      const { transaction_id = reply.json.data?.transaction_id } = reply.json;
      assert.deepEqual(await actorOf(transaction_id), actor);
    });
  }

  test('is shown to staff, and to nobody else', async () => {
    const wallet = await bank.wallet(1_000);
    const list = async (token: string, path = `/transactions?subscriber_id=${wallet.id}`) =>
      (await kissi.call('GET', `/api/v1${path}`, { token })).json.transactions as Json[];
    const [record] = await list(await staffToken(kissi, 'support_user'));
    assert.deepEqual([record?.actor_type, record?.actor_id], await actorOf(record?.transaction_id));
    const [newest] = await list(await staffToken(kissi, 'audit_user'), '/transactions?limit=1');
    assert.deepEqual([newest?.actor_type, newest?.actor_id], await actorOf(newest?.transaction_id));
    const agent = await newAgent(kissi);
    await fundAgent(kissi, agent, 1_000);
    const others = [...(await list(bank.key)), ...(await list(await agentToken(kissi, agent), '/transactions'))];
    assert.ok(others.length > 1);
    for (const other of others) assert.ok(!('actor_type' in other || 'actor_id' in other));
  });

  test('is never missing', async () => {
    const { rows } = await kissi.db.query(
      `select count(*)::int as n, count(*) filter (where actor_type is null or actor_id is null)::int as missing from movements`,
    );
    assert.ok(rows[0].n > routes.length);
    assert.equal(rows[0].missing, 0);
  });
});
