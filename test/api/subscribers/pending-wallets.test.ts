// No route moves money to or from the wallet of a PENDING subscriber, by whichever identifier it is named.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentToken, newFundedAgent } from '../../support/agents.ts';
import { assertStatus, type CallReply } from '../../support/gateway.ts';
import { newReference, testBank } from '../../support/inbound.ts';
import { bankForFile, PIN, verifyPhone } from '../../support/money.ts';
import { partnerBank, webhookHeaders } from '../../support/partner.ts';
import { directPayments } from '../../support/processors.ts';
import { apiKey } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const WEBHOOK_SECRET = 'a-webhook-secret-shared-with-one-partner';
const env = { PHONE_VERIFICATION: 'required', PARTNER_CASHIN_WEBHOOK_SECRET: WEBHOOK_SECRET };
const { kissi, bank } = await bankForFile({ env, unauditedRecords: ['subscriber', 'card'] });
const inbound = await testBank(kissi);
const partner = await partnerBank(kissi);
const terminal = await terminalOf(kissi);
const agent = await newFundedAgent(kissi, 100_000);
const agentUser = await agentToken(kissi, agent);
const merchant = await directPayments(kissi, bank).fundedMerchant(50_000);
const sender = await bank.wallet(50_000);
const asAdmin = async (method: string, path: string, body?: object) =>
  kissi.call(method, `/api/v1${path}`, { token: await kissi.adminToken(), ...(body ? { body } : {}) });

interface Pending {
  id: string;
  phone: string;
  account: string;
  card: string;
  wallet: string;
}

let phones = 76_600_000;

type Registered = { [Each in 'id' | 'phone_number' | 'account_number']: string };

function pendingOf({ id, phone_number: phone, account_number: account }: Registered): Omit<Pending, 'card'> {
  return { id, phone, account, wallet: `BANK-${phone}` };
}

/** Verified with the code, so that it can have a card and a partner wallet while it waits for its activation. */
async function verified(record: Registered): Promise<Pending> {
  const target = pendingOf(record);
  await verifyPhone(kissi, target);
  const body = { partner_wallet_id: target.wallet };
  assert.equal((await asAdmin('PUT', `/subscribers/${target.id}`, body)).status, 200);
  return { ...target, card: await bank.card(target) };
}

/** No route gives it a card or a partner wallet: even with them, it moves no money. */
async function unverified(record: Registered): Promise<Pending> {
  const target = pendingOf(record);
  const { card } = await bank.customer();
  await kissi.db.query('update subscribers set partner_wallet_id = $2 where id = $1', [target.id, target.wallet]);
  await kissi.db.query('update cards set subscriber_id = $2 where serial = $1', [card, target.id]);
  return { ...target, card };
}

const KINDS = {
  'a subscriber whom staff registered as PENDING': async () => verified(await registered({ status: 'PENDING' })),
  'a registration by staff that is not verified': async () => unverified(await registered({})),
  'a public registration that is not verified': async () => unverified(await registered({}, {}, '/public/subscribers')),
  'a registration by an agent that is not verified': async () => unverified(await registered({}, { token: agentUser })),
  'a registration by a key that is not verified': async () =>
    unverified(await registered({}, { token: (await apiKey(kissi, ['subscribers:write'])).key })),
};

async function registered(extra: object, credential?: { token?: string }, path = '/subscribers'): Promise<Registered> {
  const names = { first_name: 'Aminata', last_name: 'Kamara', pin: PIN };
  const body = { phone_number: `0${phones++}`, ...names, ...extra };
  const reply = await kissi.call('POST', `/api/v1${path}`, {
    body,
    ...(credential ?? { token: await kissi.adminToken() }),
  });
  assert.deepEqual([reply.status, reply.json.subscriber?.status], [201, 'PENDING'], reply.text);
  return reply.json.subscriber;
}

/** Every route that could credit or debit the wallet, with every identifier it takes. */
const ATTEMPTS: Record<string, (to: Pending) => Promise<CallReply>[]> = {
  'POST /wallet/transfer': ({ id, phone }) =>
    [{ recipient_id: id }, { recipient_phone: phone }].map((to) =>
      bank.post('/wallet/transfer', { sender_id: sender.id, ...to, amount: 10, pin: PIN }),
    ),
  'POST /wallet/transfer from it': ({ id }) => [
    bank.post('/wallet/transfer', { sender_id: id, recipient_id: sender.id, amount: 10, pin: PIN }),
  ],
  'POST /wallet/transfer-p2p': ({ card }) => [
    bank.post('/wallet/transfer-p2p', { sender_id: sender.id, recipient_card_serial: card, amount: 10, pin: PIN }),
  ],
  'POST /wallet/fund-from-partner': ({ id, wallet }) =>
    [{ subscriber_id: id }, { partner_wallet_id: wallet }].map((to) =>
      asAdmin('POST', '/wallet/fund-from-partner', { partner_id: bank.partnerId, ...to, amount: 10 }),
    ),
  'POST /wallet/withdraw': ({ id }) => [
    bank.post('/wallet/withdraw', { subscriber_id: id, agent_id: agent.id, amount: 10, pin: PIN }),
  ],
  'POST /agents/cashin': ({ id, phone, card }) =>
    [{ subscriber_id: id }, { phone_number: phone }, { card_serial: card }].map((to) =>
      kissi.call('POST', '/api/v1/agents/cashin', {
        body: { agent_id: agent.id, ...to, amount: 10, pin: agent.pin },
        token: agentUser,
      }),
    ),
  'POST /inbound/credit': ({ account, phone, card }) =>
    [{ account_number: account }, { msisdn: phone }, { card_serial: card }].map((to) =>
      inbound.credit({ reference: newReference(), amount: 10, currency: 'SLE', ...to }),
    ),
  'POST /partner/cashin': ({ account, phone, card }) =>
    [{ account_number: account }, { phone_number: phone }, { card_serial: card }].map((to) => partner.cashIn(to)),
  'POST /processors/{id}/transfer': ({ id }) => [
    asAdmin('POST', `/processors/${merchant.id}/transfer`, { to_subscriber_id: id, amount: 10, request_id: `p-${id}` }),
  ],
  'POST /webhooks/partner/cashin': ({ card }) => {
    const raw = JSON.stringify({ card_serial: card, amount: 10 });
    return [kissi.call('POST', '/webhooks/partner/cashin', { raw, headers: webhookHeaders(WEBHOOK_SECRET, raw) })];
  },
  'POST /pos/payment': ({ card }) => [terminal.pay(card, { amount: 10 })],
};

for (const [kind, registration] of Object.entries(KINDS)) {
  describe(kind, async () => {
    const pending = await registration();
    for (const [route, attempts] of Object.entries(ATTEMPTS)) {
      test(`${route} moves no money`, async () => {
        for (const reply of await Promise.all(attempts(pending))) {
          assert.ok(reply.status >= 400 && reply.status < 500 && reply.status !== 400, `${reply.status} ${reply.text}`);
          assert.equal(reply.json.success, false, reply.text);
        }
        const { rows } = await kissi.db.query('select balance, posting_count from accounts where id = $1', [
          pending.id,
        ]);
        assert.deepEqual([rows[0].balance, rows[0].posting_count], [0, 0]);
      });
    }
  });
}

test('a name enquiry by phone does not show the name of an unverified registration', async () => {
  const pending = await KINDS['a public registration that is not verified']();
  const reply = await inbound.enquire({ msisdn: pending.phone, currency: 'SLE' });
  assert.deepEqual([reply.status, reply.json.code], [404, 'BENEFICIARY_NOT_FOUND'], reply.text);
  assert.ok(!reply.text.includes('Aminata'));
});

test('a refund to a wallet that is not active is refused', async () => {
  const { wallet, card } = await bank.customer(1_000);
  const paid = assertStatus(await terminal.pay(card, { amount: 100 }), 200);
  await kissi.db.query("update subscribers set status = 'PENDING' where id = $1", [wallet.id]);
  await kissi.db.query('update accounts set frozen = true where id = $1', [wallet.id]);
  for (const amount of [undefined, 50]) {
    const reply = await terminal.refund(paid.json.transaction_id, amount === undefined ? {} : { amount });
    assert.deepEqual([reply.status, reply.json.code], [403, 'SUBSCRIBER_BLOCKED'], reply.text);
  }
  assert.equal(await bank.balance(wallet.id), 900);
});
