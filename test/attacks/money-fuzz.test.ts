// Random payments of every type on two gateways at once, with repeated requests, changing fees, rules and blocks.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { seededRandom } from '@kissi/testkit/random';
import { asOwner } from '../ledger/books.ts';
import { fundAgent, newAgent, newSubAgent } from '../support/agents.ts';
import { copyDistributedTables } from '../support/citus.ts';
import { assertStatus, type CallReply, type Json, type TestGateway, testGateway } from '../support/gateway.ts';
import { testBank } from '../support/inbound.ts';
import { bankForFile, DAILY_LIMIT, MAX_BALANCE, PIN } from '../support/money.ts';
import { partnerBank, webhookHeaders } from '../support/partner.ts';
import { sendSigned, terminalOf } from '../support/terminal.ts';

const SECRET = 'a-webhook-secret-shared-with-one-partner';
const [TREASURY_LIMIT, SUSPENSE_LIMIT, OUTSTANDING, CARD_LIMIT] = [3_000_000, 300_000, 2_000_000, 20_000];
const DAY_MS = 86_400_000;
const SEED = Number(process.env.MONEY_FUZZ_SEED ?? 20_261_116);
const ROUNDS = Number(process.env.MONEY_FUZZ_ROUNDS ?? 30);

const env = {
  TREASURY_DAILY_LIMIT: String(TREASURY_LIMIT),
  PARTNER_CASHIN_WEBHOOK_SECRET: SECRET,
  PARTNER_CASHIN_DAILY_LIMIT: String(SUSPENSE_LIMIT),
};
const { kissi, bank } = await bankForFile({ env });
/** Its clock is behind, so that the two gateways disagree about the day around midnight. */
const other = await testGateway({
  db: kissi.db,
  clock: { ...kissi.clock, now: () => kissi.clock.now() - 45_000 },
  env,
});
after(() => other.close());
const { int, pick, chance } = seededRandom(SEED);
let admin = await kissi.adminToken();
const untilMidnight = () => DAY_MS - (kissi.clock.now() % DAY_MS);
let requests = 0;
const newId = () => `fuzz-${++requests}`;
const query = async (text: string, values: unknown[] = []): Promise<Json[]> =>
  (await kissi.db.query(text, values)).rows;
/** Joins tables that a cluster distributes. */
const joined = (text: string): Promise<Json[]> =>
  asOwner(kissi.db.url, async (owner) => {
    await owner.query('begin');
    await copyDistributedTables(owner);
    return (await owner.query(text)).rows;
  });

const wallets = await Promise.all([1, 2, 3, 4].map(() => bank.wallet(5_000_000)));
const cards = await Promise.all(wallets.map((wallet) => bank.card(wallet)));
const children = await Promise.all(
  cards.map(async (parent_serial, n) => {
    const body = { parent_serial, card_serial: `FUZZ-CHILD-${n}`, daily_limit: CARD_LIMIT };
    assertStatus(await kissi.call('POST', '/api/v1/cards/child', { body, token: admin }), 201);
    return body.card_serial;
  }),
);
const agent = await newAgent(kissi);
const sub = await newSubAgent(kissi, agent);
await fundAgent(kissi, agent, 500_000);
const terminals = [await terminalOf(kissi), await terminalOf(kissi)];
const partner = await partnerBank(kissi, { fields: { outstanding_limit: OUTSTANDING, max_amount: 400_000 } });
const inbound = await testBank(kissi, { outstanding_limit: OUTSTANDING, max_amount: 400_000 });
/** Transactions of earlier replies, to refund and reverse. */
const payments: string[] = [];
const credits: string[] = [];

type Send = (gateway: TestGateway) => Promise<CallReply>;
const amount = () => pick([1, 33, 99, 100, int(1, 5_000), int(1, 400_000), 4_000_000, 0, Number.MAX_SAFE_INTEGER]);
const asAdmin = (path: string, body: object, method = 'POST'): Send => {
  return (gateway) => gateway.call(method, `/api/v1${path}`, { body, token: admin });
};
const asKey = (path: string, body: object): Send => {
  return (gateway) => gateway.call('POST', `/api/v1${path}`, { body, token: bank.key });
};
const description = () => pick([{}, { description: null }, { description: 'a\nb' }, { description: ' ' }]);
const terms = () => ({ amount: amount(), request_id: newId(), ...description() });
const pinned = () => ({ ...terms(), pin: chance(0.97) ? PIN : '9876' });
const byPhone = () => pick(wallets).phone;

/** Operations that move money: a request that can be sent any number of times. */
const OPERATIONS: Record<string, () => Send> = {
  transfer: () =>
    asKey('/wallet/transfer', { ...pinned(), sender_id: pick(wallets).id, recipient_id: pick(wallets).id }),
  transferByStaff: () =>
    asAdmin('/wallet/transfer', { ...pinned(), sender_id: pick(wallets).id, recipient_phone: byPhone() }),
  transferByCard: () =>
    asKey('/wallet/transfer-p2p', { ...pinned(), sender_id: pick(wallets).id, recipient_card_serial: pick(cards) }),
  withdraw: () => asKey('/wallet/withdraw', { ...pinned(), subscriber_id: pick(wallets).id, agent_id: agent.id }),
  cashIn: () => asKey('/agents/cashin', { ...terms(), agent_id: agent.id, phone_number: byPhone(), pin: agent.pin }),
  fund: () => asAdmin(`/agents/${pick([agent, sub]).id}/fund`, terms()),
  returnFloat: () => asAdmin(`/agents/${pick([agent, sub]).id}/return-float`, terms()),
  floatTransfer: () =>
    asKey('/agents/transfer', { ...terms(), from_agent_id: agent.id, to_agent_id: sub.id, pin: agent.pin }),
  fundFromPartner: () =>
    asKey('/wallet/fund-from-partner', { ...terms(), partner_id: partner.id, subscriber_id: pick(wallets).id }),
  settle: () => asAdmin(`/admin/partners/${pick([partner.id, inbound.partnerId])}/settle`, terms()),
  pay() {
    const { payment, key } = pick(terminals);
    const body = payment(pick([...cards, ...children]), { amount: pick([amount(), int(1, CARD_LIMIT)]) });
    return (gateway) => sendSigned(gateway, '/api/v1/pos/payment', body, { key });
  },
  refund() {
    const { key } = pick(terminals);
    const part = pick([{}, { amount: null }, { amount: int(1, 500) }, { amount: 33 }, { amount: amount() }]);
    const body = { request_id: newId(), transaction_id: pick(['txn_none', ...payments]), ...part };
    return (gateway) => sendSigned(gateway, '/api/v1/pos/refund', body, { key });
  },
  payOut() {
    const to = pick([{ to_subscriber_id: pick(wallets).id }, { to_processor_id: pick(terminals).merchant.id }]);
    return asKey(`/processors/${pick(terminals).merchant.id}/transfer`, { ...terms(), ...to });
  },
  partnerCashIn() {
    const body = { amount: amount(), reference: newId(), phone_number: byPhone() };
    return (gateway) => partner.cashIn(body, { gateway });
  },
  credit() {
    const body = { amount: amount() || 1, reference: newId(), msisdn: byPhone() };
    return (gateway) => inbound.credit(body, { gateway });
  },
  notification() {
    const raw = JSON.stringify({ card_serial: pick(cards), amount: amount(), ...pick([{}, { reference: newId() }]) });
    const headers = webhookHeaders(SECRET, raw);
    return (gateway) => gateway.call('POST', '/webhooks/partner/cashin', { raw, headers });
  },
  reverse() {
    const body = { reason: 'Sent by mistake', allow_negative: chance(0.5), request_id: newId() };
    return asAdmin(`/admin/inbound/${pick(['inb_none', ...credits])}/reverse`, body);
  },
};

/** Changes of terms while payments are in flight. */
const CHANGES: (() => Send)[] = [
  () => {
    const [transaction_type, party_type] = pick([
      ['pos_payment', 'sender'],
      ['pos_payment', 'processor'],
      ['transfer_p2p', 'sender'],
      ['transfer_p2p', 'recipient'],
      ['agent_cashin', 'agent'],
      ['wallet_withdraw', 'agent'],
      ['vult_fund', 'recipient'],
    ]);
    const pricing = pick([
      { fee_type: 'percentage', fee_value: pick([0.3333, 1, 2.5, 100]) },
      { fee_type: 'flat', fee_value: pick([0.01, 7.77]) },
    ]);
    const body = { transaction_type, party_type, ...pricing, debit_enabled: chance(0.5), credit_enabled: chance(0.5) };
    return asAdmin('/fee-settings', body, 'PUT');
  },
  () => asAdmin(`/subscribers/${pick(wallets).id}/${pick(['block', 'unblock', 'unblock'])}`, { reason: 'Test' }),
  () =>
    asAdmin(`/processors/${pick(terminals).merchant.id}/${pick(['suspend', 'reactivate', 'reactivate'])}`, {
      reason: 'Test',
    }),
  () => {
    const [kind, threshold, window_seconds] = pick([
      ['amount', 3_999_999, null],
      ['velocity_count', 40, 3_600],
      ['velocity_amount', 9_000_000, 86_400],
    ]);
    const types = [
      'transfer_p2p',
      'pos_payment',
      'partner_cashin',
      'inbound_credit',
      'processor_transfer',
      'pos_refund',
    ];
    const rule = { name: 'Fuzz', kind, threshold, window_seconds, transaction_types: types };
    return asAdmin('/compliance/rules', { ...rule, side: pick(['payer', 'payee']), outcome: pick(['flag', 'block']) });
  },
];

const posted = new Set<string>();
const succeeded = new Set<string>();

async function run(name: string): Promise<void> {
  const send = (OPERATIONS[name] as () => Send)();
  const copies = chance(0.4) ? [kissi, other, pick([kissi, other])] : [pick([kissi, other])];
  const replies = await Promise.all(copies.map((gateway) => send(gateway)));
  const paid = replies.filter(({ status }) => status === 200);
  const first = paid.filter(({ json }) => !json.duplicate);
  assert.ok(new Set(first.map(({ text }) => text)).size <= 1, `${name}: ${replies.map(({ text }) => text).join('\n')}`);
  const ids = new Set(paid.map(({ json }) => (json.data ?? json).transaction_id));
  assert.ok(ids.size <= 1, `${name}: ${[...ids]}`);
  for (const { status, text } of replies) assert.ok(status < 500, `${name} ${status} ${text}`);
  const data = paid[0]?.json.data ?? paid[0]?.json;
  if (!data) return;
  posted.add(data.transaction_id);
  succeeded.add(name);
  if (name === 'pay') payments.push(data.transaction_id);
  if (name === 'credit') credits.push(data.inbound_id);
}

async function assertRefunds(): Promise<void> {
  const refunded =
    await joined(`select p.amount as whole, p.details -> 'earned' as earned, p.to_account, p.from_account,
      sum(r.amount)::bigint as refunded,
      sum((select fee from postings where movement_id = r.id and account_id = p.to_account))::bigint as by_merchant,
      sum((select fee from postings where movement_id = r.id and account_id = p.from_account))::bigint as by_wallet
    from movements p join movements r on r.related_id = p.id and r.type = 'pos_refund' group by p.id`);
  assert.ok(refunded.length > 0);
  for (const { whole, earned, refunded: part, by_merchant, by_wallet } of refunded) {
    assert.ok(Number(part) <= Number(whole));
    const share = (commission = 0) => Number((BigInt(commission) * BigInt(part)) / BigInt(whole));
    assert.deepEqual([Number(by_wallet), Number(by_merchant)], [share(earned?.payer), share(earned?.payee)]);
  }
}

/** Each query returns what must not exist. */
const FORBIDDEN: Record<string, string> = {
  'more than the treasury may issue in a day': `select at::date from movements where type = 'agent_fund'
    group by 1 having sum(amount) > ${TREASURY_LIMIT}`,
  'more than notifications may credit in a day': `select at::date from movements where from_account = 'sys_suspense'
    group by 1 having sum(amount) > ${SUSPENSE_LIMIT}`,
  'a partner above its limit': `select * from postings where account_id in ('${partner.id}', '${inbound.partnerId}')
    and balance_after < -${OUTSTANDING}`,
  'a credit above the maximum of its partner': `select * from movements where type in ('partner_cashin', 'inbound_credit')
    and from_account <> 'sys_suspense' and amount > 400000`,
  'an overdrawn account': `select p.* from postings p join movements m on m.id = p.movement_id
    join accounts a on a.id = p.account_id where a.kind in ('wallet', 'agent_float', 'processor')
    and p.balance_after < 0 and p.amount < 0 and m.type <> 'inbound_reversal'`,
  'a wallet above its ceiling': `select p.* from postings p join movements m on m.id = p.movement_id
    join accounts a on a.id = p.account_id where a.kind = 'wallet' and p.balance_after > ${MAX_BALANCE}
    and p.amount > 0 and m.type <> 'pos_refund'`,
  'a wallet above its daily limit': `select from_account, at::date from movements
    where type in ('transfer_p2p', 'pos_payment', 'wallet_withdraw') group by 1, 2 having sum(amount) > ${DAILY_LIMIT}`,
  'a child card above its daily limit': `select details ->> 'card_serial', at::date from movements
    where type = 'pos_payment' and details ->> 'card_serial' like 'FUZZ-CHILD-%'
    group by 1, 2 having sum(amount) > ${CARD_LIMIT}`,
  'a credit that was reversed twice, or with another amount': `select r.related_id from movements r
    join movements c on c.id = r.related_id where r.type = 'inbound_reversal'
    group by 1 having count(*) > 1 or max(r.amount) <> max(c.amount)`,
  'a movement without an author': 'select id from movements where actor_type is null or actor_id is null',
  'a movement on an account of the operator or a partner that is not audited once': `select m.id, m.type from movements m
    where exists (select from accounts a where a.id in (m.from_account, m.to_account)
      and a.kind in ('treasury', 'suspense', 'partner_clearing'))
    and 1 <> (select count(*) from audit_log l where m.id in (l.resource_id, l.details ->> 'transaction_id'))`,
};

test(`no random sequence of payments creates, loses or misattributes money (seed ${SEED})`, async () => {
  const before = new Set((await query('select id from movements')).map(({ id }) => id));
  const names = Object.keys(OPERATIONS);
  for (let round = 0; round < ROUNDS; round++) {
    admin = await kissi.adminToken();
    const changing = chance(0.5) ? pick(CHANGES)()(pick([kissi, other])) : null;
    await Promise.all([changing, ...Array.from({ length: 20 }, () => run(pick(names)))]);
    kissi.clock.advance(pick([0, 1, 1_000, 301_000, DAY_MS / 3, untilMidnight() + 30_000]));
  }
  assert.deepEqual(
    names.filter((name) => !succeeded.has(name)),
    [],
    'operations that never succeeded',
  );
  const verified = await kissi.asAdmin.get('/audit/verify');
  assert.equal(verified.json.valid, true, verified.text);
  const moved = (await query('select id from movements')).map(({ id }) => id).filter((id) => !before.has(id));
  assert.deepEqual(new Set(moved), posted, 'every movement was reported to its caller, and every reported one exists');
  for (const [what, text] of Object.entries(FORBIDDEN)) assert.deepEqual(await joined(text), [], what);
  await assertRefunds();
});
