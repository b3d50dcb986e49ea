// A politically exposed person who takes part in every kind of payment, with amounts, ids and names that occur nowhere else.
import assert from 'node:assert/strict';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { MERCHANT_EVENTS } from '../../src/webhooks/merchant-event.ts';
import { agentToken, newFundedAgent, type TestAgent } from './agents.ts';
import { pendingOf, setPolicy } from './approvals.ts';
import { CSV, csvFile, newTrustAccount, uploadStatement } from './bank-files.ts';
import { close, dayOf } from './closes.ts';
import { raiseAlert } from './compliance.ts';
import { assertStatus, type CallReply, type Json, type TestGateway } from './gateway.ts';
import { type TestBank, testBank } from './inbound.ts';
import { type Bank, createBank, PIN, type Wallet } from './money.ts';
import { type PartnerBank, partnerBank, webhookHeaders } from './partner.ts';
import { type AuthorizedStaff, markPep, newAuthorizedStaff, openAccess } from './pep.ts';
import { today } from './reconciliation.ts';
import { runChore, staffToken } from './staff.ts';
import { type Terminal, terminalOf } from './terminal.ts';

const NOTIFICATION_SECRET = 'a-webhook-secret-shared-with-one-partner';
export const PEP_NAME = { first_name: 'Zainabuwati', last_name: 'Excellencia' };

export interface PepWorld {
  kissi: TestGateway;
  bank: Bank;
  pep: Wallet & { card: string; accountNumber: string };
  other: Wallet & { card: string };
  agent: TestAgent;
  terminal: Terminal;
  /** The same merchant's, with the processor as its owner. */
  ownTerminal: Terminal;
  partner: PartnerBank;
  sender: TestBank;
  open: AuthorizedStaff;
  /** Amounts of payments and attempts that the PEP took part in. */
  amounts: number[];
  /** Request ids and references of those payments, and what else the callers named them. */
  references: string[];
  transactions: string[];
  inboundIds: string[];
  /** For a suspense item of the person, by a partner. */
  resolution: string;
  /** Paid by or to the merchant, the agent and the partner. */
  paid: Record<'terminal' | 'agent' | 'partner', { amount: number; transactionId: string }>;
}

const AGENT_FLOAT = 30_000_000;
const APPROVED = ['wallet.fund_from_partner', 'inbound.reverse'];

/** In the database: the only administrator could do it without approval, but there are others by then. */
async function switchPolicies({ db }: TestGateway, enabled: boolean): Promise<void> {
  await db.query('update approval_policies set enabled = $2 where action = any($1)', [APPROVED, enabled]);
}

/** Ordinary amounts and those of the PEP are never equal. */
let ordinaryAmounts = 0;
const ordinary = () => 20_003 + 1_117 * ++ordinaryAmounts;

export const PEP_WORLD_ENV = { WEBHOOK_ALLOW_PRIVATE: 'true', PARTNER_CASHIN_WEBHOOK_SECRET: NOTIFICATION_SECRET };

/** The gateway has PEP_WORLD_ENV. */
export async function pepWorld(kissi: TestGateway): Promise<PepWorld> {
  const bank = await createBank(kissi);
  const admin = await kissi.adminToken();
  for (const action of APPROVED) await setPolicy(kissi, action, { enabled: true });
  await switchPolicies(kissi, false);
  const pep = await bank.wallet(0, { ...PEP_NAME, email: 'zainabuwati@excellencia.example' });
  const other = await bank.wallet(9_000_000);
  const record = await kissi.call('GET', `/api/v1/subscribers/${pep.id}`, { token: admin });
  const [card, otherCard] = [await bank.card(pep), await bank.card(other)];
  const agent = await newFundedAgent(kissi, AGENT_FLOAT);
  const terminal = await terminalOf(kissi);
  const world: PepWorld = {
    ...{ kissi, bank, agent, terminal },
    pep: { ...pep, card, accountNumber: record.json.subscriber.account_number },
    other: { ...other, card: otherCard },
    ownTerminal: await terminalOf(kissi, {
      merchant: terminal.merchant,
      keyExtra: {
        processor_id: terminal.merchant.id,
        scopes: ['payments:write', 'payments:read', 'cards:read', 'balance:read'],
      },
    }),
    partner: await partnerBank(kissi),
    sender: await testBank(kissi, { webhook_url: 'http://127.0.0.1:9/' }),
    open: await newAuthorizedStaff(kissi, 'system_admin'),
    ...{ amounts: [], references: [], transactions: [], inboundIds: [] },
    resolution: '',
    paid: {
      terminal: { amount: 0, transactionId: '' },
      agent: { amount: 0, transactionId: '' },
      partner: { amount: 0, transactionId: '' },
    },
  };
  await openAccess(kissi, world.open);
  const hooks = { processor_id: terminal.merchant.id, url: 'http://127.0.0.1:9/', events: MERCHANT_EVENTS };
  assertStatus(await kissi.asAdmin.post('/webhook-endpoints', hooks), 201);
  // An amount between two others: without the middle one, two running balances would give it away.
  await everyoneDeals(world, other);
  await payments(world, admin);
  await everyoneDeals(world, other);
  await everyoneDeals(world, other);
  await runChore(kissi, 'write the request log');
  await runChore(kissi, 'count refused attempts');
  await runChore(kissi, 'write refused payments');
  await runChore(kissi, 'write checkpoints');
  return world;
}

/** Requests that the person is asked to pay, pays, declines, and makes. */
async function requests(world: PepWorld, amount: Unique['amount'], paid: (reply: CallReply) => Json): Promise<void> {
  const { kissi, pep, other, terminal } = world;
  const { paymentRequests } = kissi.gateway.services;
  const actor = { caller: { kind: 'service', id: 'test' }, ip: '', requestId: 'test' } as const;
  const processor = { processor_id: terminal.merchant.id };
  const ask = async (extra: object) => {
    const body = { ...processor, amount: amount(), description: 'Zq7 asked', ...extra };
    return assertStatus(await kissi.asAdmin.post('/payment-requests', body), 201).json.payment_request;
  };
  const pay = async (request: string, payer: string, more: object = {}) => {
    const outcome = await paymentRequests.confirm(actor, { payer, request, pin: PIN, requestId: request, ...more });
    assert.ok('json' in outcome, JSON.stringify(outcome));
    paid({ status: 200, json: JSON.parse(outcome.json) } as CallReply);
  };
  await pay((await ask({})).id, pep.id);
  await ask({ payer_phone: pep.phone });
  await pay((await ask({ single_use: false, amount: undefined })).id, pep.id, { amount: amount() });
  const asked = { amount: amount(), description: 'Zq7 lunch' };
  const own = await paymentRequests.createForSubscriber(actor, pep.id, asked, null);
  assert.ok('view' in own);
  await pay(own.view.id, other.id);
}

/** Each party gets an entry of another customer. */
async function everyoneDeals(world: PepWorld, customer: Wallet): Promise<void> {
  const { kissi, bank, agent, terminal, partner, sender } = world;
  const token = await agentToken(kissi, agent);
  const cashIn = { agent_id: agent.id, subscriber_id: customer.id, amount: ordinary(), pin: agent.pin };
  const done = [
    await kissi.call('POST', '/api/v1/agents/cashin', { token, body: cashIn }),
    await terminal.pay(world.other.card, { amount: ordinary() }),
    await partner.cashIn({ phone_number: customer.phone, amount: ordinary() }),
    await sender.credit({ reference: `plain-${ordinaryAmounts}`, amount: ordinary(), msisdn: customer.phone }),
  ];
  await bank.fund(customer, ordinary());
  for (const reply of done) assert.equal(reply.status, 200, reply.text);
}

async function payments(world: PepWorld, admin: string): Promise<void> {
  const { kissi, bank, pep, other, agent, terminal, ownTerminal, partner, sender, open, amounts, references } = world;
  await markPep(kissi, pep.id);
  const amount: Unique['amount'] = (scale = 1) => {
    // A key's requests of one second are not all kept in its log.
    kissi.clock.advance(1_000);
    const next = Math.round((410_719 + 10_111 * amounts.length) * scale);
    amounts.push(next);
    return next;
  };
  const reference = (kind: string) => {
    const next = `Zq7-${kind}-${references.length}-unheard`;
    references.push(next);
    return next;
  };
  const paid = (reply: CallReply): Json => {
    assert.ok(reply.status === 200 || reply.status === 202, reply.text);
    const data = reply.json.data ?? reply.json;
    if (data.transaction_id) world.transactions.push(data.transaction_id);
    if (data.inbound_id) world.inboundIds.push(data.inbound_id);
    return data;
  };
  const agentLogin = await agentToken(kissi, agent);
  const asAgent = (path: string, body: object) => kissi.call('POST', `/api/v1${path}`, { token: agentLogin, body });
  const asOpen = (path: string, body: object) => kissi.call('POST', `/api/v1${path}`, { token: open.token, body });
  const byPin = (kind: string) => ({
    amount: amount(),
    pin: PIN,
    request_id: reference(kind),
    description: reference('narration'),
  });

  paid(
    await bank.post('/wallet/fund-from-partner', {
      partner_id: bank.partnerId,
      subscriber_id: pep.id,
      amount: 9_100_719,
      request_id: reference('fund'),
    }),
  );
  amounts.push(9_100_719);
  paid(
    await asOpen('/wallet/fund-from-partner', {
      partner_id: bank.partnerId,
      subscriber_id: pep.id,
      amount: amount(),
      request_id: reference('staff-fund'),
    }),
  );
  paid(await bank.post('/wallet/transfer', { sender_id: pep.id, recipient_id: other.id, ...byPin('transfer') }));
  paid(await bank.post('/wallet/transfer', { sender_id: other.id, recipient_id: pep.id, ...byPin('received') }));
  paid(
    await bank.post('/wallet/transfer-p2p', { sender_id: pep.id, recipient_card_serial: other.card, ...byPin('p2p') }),
  );
  paid(
    await bank.post('/wallet/transfer-p2p', {
      sender_id: other.id,
      recipient_card_serial: pep.card,
      ...byPin('p2p-received'),
    }),
  );
  paid(await asOpen('/wallet/transfer', { sender_id: pep.id, recipient_id: other.id, ...byPin('staff') }));
  const sale = paid(await terminal.pay(pep.card, { amount: amount(), request_id: reference('pos') }));
  world.paid.terminal = { amount: amounts.at(-1) ?? 0, transactionId: sale.transaction_id };
  // Twice: a total of its type is not the amount of one payment.
  for (const _ of [1, 2]) {
    paid(await terminal.refund(sale.transaction_id, { amount: amount(0.1), request_id: reference('refund') }));
  }
  paid(await ownTerminal.pay(pep.card, { amount: amount(), request_id: reference('own') }));
  paid(await terminal.payInApp(pep.card, { amount: amount(), request_id: reference('app') }));
  await requests(world, amount, paid);
  const named = [{ subscriber_id: pep.id }, { phone_number: pep.phone }, { card_serial: pep.card }];
  for (const name of named) {
    const body = { agent_id: agent.id, ...name, amount: amount(), pin: agent.pin, request_id: reference('cashin') };
    const { transaction_id: transactionId } = paid(await asAgent('/agents/cashin', body));
    world.paid.agent = { amount: body.amount, transactionId };
  }
  paid(await asAgent('/wallet/withdraw', { subscriber_id: pep.id, agent_id: agent.id, ...byPin('withdraw') }));
  paid(await bank.post('/wallet/withdraw', { subscriber_id: pep.id, agent_id: agent.id, ...byPin('withdraw') }));
  const cashIn = { phone_number: pep.phone, amount: amount(), reference: reference('partner') };
  const { transaction_id: transactionId } = paid(await partner.cashIn(cashIn));
  world.paid.partner = { amount: cashIn.amount, transactionId };
  paid(await partner.cashIn({ card_serial: pep.card, amount: amount(), reference: reference('partner') }));
  for (const _ of [1, 2, 3]) {
    paid(await sender.credit({ reference: reference('inbound'), amount: amount(), msisdn: pep.phone }));
  }
  paid(await asOpen(`/admin/inbound/${world.inboundIds[0]}/reverse`, { reason: 'sent twice' }));
  const notified = async () => {
    const raw = JSON.stringify({ card_serial: pep.card, amount: amount(), reference: reference('notified') });
    return paid(
      await kissi.call('POST', '/webhooks/partner/cashin', { raw, headers: webhookHeaders(NOTIFICATION_SECRET, raw) }),
    );
  };
  const [resolved] = [await notified(), await notified(), await notified()];
  const resolution = { partner_id: partner.id, reason: 'theirs', request_id: reference('resolved') };
  world.resolution = paid(
    await asOpen(`/admin/suspense/${resolved.transaction_id}/resolve`, resolution),
  ).transaction_id;
  const finance = await staffToken(kissi, 'finance_user');
  for (const _ of [1, 2]) {
    const body = { to_subscriber_id: pep.id, amount: amount(0.1), request_id: reference('merchant') };
    paid(await kissi.call('POST', `/api/v1/processors/${terminal.merchant.id}/transfer`, { token: finance, body }));
  }
  await refusedAttempts(world, { amount, reference });
  await aboutThePerson(world, { amount, reference }, admin);
}

interface Unique {
  amount(scale?: number): number;
  reference(kind: string): string;
}

/** They reach the request log, the audit log and the alerts. */
async function refusedAttempts(world: PepWorld, { amount, reference }: Unique): Promise<void> {
  const { kissi, bank, pep, other, agent, terminal, partner, sender } = world;
  const support = await staffToken(kissi, 'support_user');
  const system = await staffToken(kissi, 'system_admin');
  const from = (id: string, pin: string) => ({
    sender_id: id,
    recipient_id: other.id,
    amount: amount(),
    pin,
    request_id: reference('refused'),
  });
  const replies = [
    await bank.post('/wallet/transfer', from(pep.id, '9999')),
    await terminal.pay(pep.card, { amount: amount(100), request_id: reference('refused') }),
    await kissi.call('POST', '/api/v1/wallet/transfer', { token: system, body: from(pep.id, PIN) }),
    await kissi.call('GET', `/api/v1/subscribers/${pep.id}`, { token: support }),
    await kissi.call('GET', `/api/v1/transactions/${world.transactions[0]}`, { token: support }),
    await kissi.call('GET', `/api/v1/transactions/${world.transactions[3]}/evidence`, { token: system }),
    await kissi.call('GET', `/api/v1/transactions?subscriber_id=${pep.id}`, {
      token: system,
      headers: { accept: 'text/csv' },
    }),
    await kissi.call('POST', `/api/v1/subscribers/${pep.id}/block`, { token: support, body: { reason: 'x' } }),
    await kissi.call('POST', `/api/v1/admin/inbound/${world.inboundIds[1]}/reverse`, {
      token: system,
      body: { reason: 'x' },
    }),
    await kissi.call('POST', '/api/v1/wallet/withdraw', {
      token: system,
      body: { subscriber_id: pep.id, agent_id: agent.id, amount: amount(), pin: PIN, request_id: reference('refused') },
    }),
    await partner.cashIn({ phone_number: pep.phone, amount: amount(1_000), reference: reference('refused') }),
    await sender.credit({ reference: reference('refused'), amount: amount(1_000), msisdn: pep.phone }),
  ];
  for (const reply of replies) assert.ok(reply.status >= 400 && reply.status < 500, `${reply.status} ${reply.text}`);
}

/** Alerts, approvals, messages, notes, exports and bank entries. */
async function aboutThePerson(world: PepWorld, { amount, reference }: Unique, admin: string): Promise<void> {
  const { kissi, bank, pep, open, transactions } = world;
  const asOpen = async (method: string, path: string, body?: object) => {
    const reply = await kissi.call(method, `/api/v1${path}`, { token: open.token, ...(body ? { body } : {}) });
    assert.ok(reply.status < 300, reply.text);
    return reply;
  };
  await raiseAlert(kissi, { subscriber_id: world.other.id, type: 'ordinary' });
  await asOpen('POST', '/compliance/alerts', {
    type: 'manual',
    severity: 'HIGH',
    subscriber_id: pep.id,
    description: reference('alert'),
  });
  await asOpen('POST', '/compliance/alerts', {
    type: 'manual',
    severity: 'HIGH',
    transaction_id: transactions[4],
    description: reference('alert'),
  });
  await asOpen('POST', `/subscribers/${pep.id}/notes`, { text: reference('note') });
  await asOpen('GET', `/transactions/${transactions[2]}`);
  await fetch(`${kissi.url}/api/v1/transactions/${transactions[2]}/evidence`, {
    headers: { authorization: `Bearer ${open.token}` },
  });
  await kissi.call('GET', `/api/v1/transactions?subscriber_id=${pep.id}`, {
    token: open.token,
    headers: { accept: 'text/csv' },
  });
  await asOpen('POST', `/subscribers/${pep.id}/reset-pin`);
  await switchPolicies(kissi, true);
  const funding = {
    partner_id: bank.partnerId,
    subscriber_id: pep.id,
    amount: amount(),
    request_id: reference('approval'),
  };
  pendingOf(await kissi.call('POST', '/api/v1/wallet/fund-from-partner', { token: open.token, body: funding }));
  pendingOf(
    await kissi.call('POST', `/api/v1/admin/inbound/${world.inboundIds[2]}/reverse`, {
      token: open.token,
      body: { reason: reference('approval') },
    }),
  );
  await switchPolicies(kissi, false);
  await bankStatement(kissi, admin);
}

/** A matched entry and a daily close, without anything of the person. */
async function bankStatement(kissi: TestGateway, admin: string): Promise<void> {
  const { id } = await newTrustAccount(kissi, admin);
  const file = csvFile({ entries: [{ amount: AGENT_FLOAT, reference: 'from the bank' }], from: today(kissi) });
  assertStatus(await uploadStatement(kissi, admin, id, [CSV, file]), 201);
  assertStatus(await kissi.call('POST', '/api/v1/admin/reconciliation/run', { token: admin }), 200);
  const { rows } = await kissi.db.query(
    `select item_id, side from reconciliation_items where abs(amount) = $1 and match_id is null`,
    [AGENT_FLOAT],
  );
  const ids = (side: string) => rows.filter((row: Json) => row.side === side).map((row: Json) => row.item_id);
  if (ids('bank').length > 0) {
    const body = { bank_entry_ids: ids('bank'), transaction_ids: ids('books') };
    const matched = await kissi.call('POST', '/api/v1/admin/reconciliation/matches', { token: admin, body });
    assert.ok(matched.status < 300, matched.text);
  }
  const closed = await close(kissi, { date: dayOf(kissi.clock.now() - DAY_MS) }, admin);
  assert.ok(closed.status < 300, closed.text);
}
