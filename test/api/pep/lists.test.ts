// Tests how politically exposed persons appear in lists, searches and histories, and that payments work for them.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newAgent } from '../../support/agents.ts';
import { assertStatus, type Json, testGateway } from '../../support/gateway.ts';
import { newReference, testBank } from '../../support/inbound.ts';
import { assertLedgerConsistent, createBank, PIN, type Wallet } from '../../support/money.ts';
import { partnerBank } from '../../support/partner.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { merchantToken } from '../../support/processors.ts';
import { apiKey, auditLogs, openSession, staffToken } from '../../support/staff.ts';
import { type Terminal, terminalOf } from '../../support/terminal.ts';

const NAME = { first_name: 'Zainabu', last_name: 'Excellency', email: 'zainabu@example.com' };
let references = 0;

const kissi = await testGateway();
const bank = await createBank(kissi);
const pep = await bank.wallet(1_000_000, NAME);
const other = await bank.wallet(1_000_000);
const card = await bank.card(pep);
await bank.card(other);
const terminal = await terminalOf(kissi);
const record = await kissi.asAdmin.get(`/subscribers/${pep.id}`);
const account: string = record.json.subscriber.account_number;
await markPep(kissi, pep.id);
const open = await newAuthorizedStaff(kissi, 'system_admin');
await openAccess(kissi, open);
const unopened = await newAuthorizedStaff(kissi, 'support_user');
const key = await apiKey(kissi, ['subscribers:read', 'cards:read', 'payments:read']);
/** Credentials that may list but have no open access: staff with and without the authorization, and a key. */
const tokensWithoutAccess: string[] = [unopened.token, await staffToken(kissi, 'compliance_user'), key.key];
after(() => kissi.close());

async function get(path: string, token: string): Promise<Json> {
  return assertStatus(await kissi.call('GET', `/api/v1${path}`, { token }), 200).json;
}

const accesses = async () => (await auditLogs(kissi, { actor_id: open.id, action: 'pep.access' })).length;

test('a list shows only the id and status of a PEP, and counts it', async () => {
  for (const token of tokensWithoutAccess) {
    for (const query of ['', '?status=ACTIVE']) {
      const { subscribers, total_count } = await get(`/subscribers${query}`, token);
      assert.equal(total_count, 2);
      const [first, second] = subscribers;
      assert.deepEqual(second, { id: pep.id, status: 'ACTIVE' });
      assert.deepEqual([first.id, first.is_pep, first.first_name], [other.id, false, 'Aminata']);
    }
  }
});

test('searches and filters neither find nor count a PEP', async () => {
  const { phone } = pep;
  const queries = [
    { search: 'Excellency' },
    { search: 'zainabu@' },
    { search: phone.slice(4) },
    { search: phone.replace('+232', '0') },
    { search: account },
    { phone_number: phone },
    { phone_number: phone, status: 'ACTIVE' },
  ];
  for (const token of tokensWithoutAccess) {
    for (const query of queries) {
      const { subscribers, total_count } = await get(`/subscribers?${new URLSearchParams(query as never)}`, token);
      assert.deepEqual([subscribers, total_count], [[], 0], JSON.stringify(query));
    }
    // Both subscribers match these filters.
    for (const query of ['search=%2B23276', 'kyc_level=1', 'kyc_level=1&status=ACTIVE']) {
      const { subscribers, total_count } = await get(`/subscribers?${query}`, token);
      assert.deepEqual([subscribers.map(({ id }: Json) => id), total_count], [[other.id], 1], query);
    }
  }
});

test('with open access, lists and searches show the PEP in full and are audited', async () => {
  for (const query of ['', '?search=excellency', `?phone_number=${encodeURIComponent(pep.phone)}`, '?kyc_level=1']) {
    const before = await accesses();
    const { subscribers } = await get(`/subscribers${query}`, open.token);
    const found = subscribers.find(({ id }: Json) => id === pep.id);
    assert.deepEqual([found.last_name, found.is_pep, found.account_number], [NAME.last_name, true, account]);
    assert.equal(await accesses(), before + 1);
  }
  const before = await accesses();
  await get('/subscribers?search=aminata', open.token);
  assert.equal(await accesses(), before, 'no PEP was shown');
});

test("a PEP's cards show only serial and status, and filters reveal no more", async () => {
  for (const token of tokensWithoutAccess) {
    const { cards, total_count } = await get('/cards', token);
    assert.equal(total_count, 2);
    assert.deepEqual(
      cards.filter(({ serial }: Json) => serial === card),
      [{ serial: card, status: 'active' }],
    );
    assert.equal((await get(`/cards?search=${card}`, token)).total_count, 1);
    assert.equal((await get('/cards?type=parent', token)).total_count, 1);
    assert.equal((await get(`/cards?parent_serial=${card}`, token)).total_count, 0);
  }
  const shown = (await get('/cards?type=parent', open.token)).cards.find(({ serial }: Json) => serial === card);
  assert.equal(shown.subscriber_id, pep.id);
});

async function transfer(from: Wallet, to: Wallet, amount: number): Promise<string> {
  const body = { sender_id: from.id, recipient_id: to.id, amount, pin: PIN, request_id: `pep-${++references}` };
  return assertStatus(await bank.post('/wallet/transfer', body), 200).json.transaction_id;
}

test("a PEP's payment is not in the list of all transactions", async () => {
  const [sent, received] = [await transfer(pep, other, 1_000), await transfer(other, pep, 500)];
  for (const token of tokensWithoutAccess) {
    const { transactions } = await get('/transactions', token);
    const hidden = transactions.filter(({ transaction_id }: Json) => [sent, received].includes(transaction_id));
    assert.deepEqual(hidden, []);
    assert.ok(transactions.length > 0);
    for (const each of transactions) assert.ok(each.payer_id !== pep.id && each.payee_id !== pep.id);
  }
  const before = await accesses();
  const { transactions } = await get('/transactions', open.token);
  const shown = transactions.find((each: Json) => each.transaction_id === sent);
  assert.deepEqual([shown.payer_id, shown.payer_name], [pep.id, 'Zainabu Excellency']);
  assert.equal(await accesses(), before + 1);
});

test("another subscriber's history and statement show payments of the PEP with access only, and never the person", async () => {
  const sent = await transfer(other, pep, 700);
  for (const token of tokensWithoutAccess) {
    const { transactions } = await get(`/transactions?subscriber_id=${other.id}`, token);
    assert.ok(transactions.length > 0 && !JSON.stringify(transactions).includes(sent));
    for (const { balance_after } of transactions) assert.equal(balance_after, null);
    const body = { subscriber_id: other.id, from: '2026-01-01', to: '2026-12-31' };
    const { json, text } = await kissi.call('POST', '/api/v1/wallet/account-statement', { token, body });
    assert.deepEqual([json.opening_balance, json.closing_balance, json.total_debits], [null, null, null]);
    assert.ok(!text.includes(sent));
  }
  for (const token of [open.token]) {
    const { transactions } = await get(`/transactions?subscriber_id=${other.id}`, token);
    const found = transactions.find(({ transaction_id }: Json) => transaction_id === sent);
    assert.deepEqual([found.counterparty, found.payer_id, found.payee_id], [null, other.id, null]);
    assert.deepEqual([found.amount, found.direction], [700, 'debit']);
    assert.ok(!JSON.stringify(transactions).includes(pep.id) && !JSON.stringify(transactions).includes('Zainabu'));
    if ('payee_name' in found) assert.deepEqual([found.payer_name, found.payee_name], [await nameOf(other), null]);
    for (const format of ['json', 'csv']) {
      const body = { subscriber_id: other.id, from: '2026-01-01', to: '2026-12-31', format };
      const reply = assertStatus(await kissi.call('POST', '/api/v1/wallet/account-statement', { token, body }), 200);
      assert.ok(reply.text.includes(sent) && !reply.text.includes(pep.id) && !reply.text.includes('Zainabu'));
      if (format === 'json') assertSums(reply.json);
    }
  }
});

async function nameOf({ id }: Wallet): Promise<string> {
  const { rows } = await kissi.db.query('select first_name, last_name from subscribers where id = $1', [id]);
  return `${rows[0].first_name} ${rows[0].last_name}`;
}

test("lists name payer and payee for users, not for keys, and a merchant's own list no id of a customer", async () => {
  const paid = assertStatus(await terminal.pay(card), 200);
  const mine = await merchantToken(kissi, terminal.merchant);
  const { transactions: own } = await get('/transactions', mine);
  const sale = own.find((each: Json) => each.transaction_id === paid.json.transaction_id);
  assert.deepEqual([sale.payer_id, sale.payer_name, sale.counterparty], [null, 'Zainabu E.', null]);
  const other2 = await bank.wallet();
  const sent = await transfer(other, other2, 300);
  const staff = (await get('/transactions', open.token)).transactions.find(
    (each: Json) => each.transaction_id === sent,
  );
  assert.deepEqual([staff.payer_name, staff.payee_name], [await nameOf(other), await nameOf(other2)]);
  const key = await apiKey(kissi, ['payments:read']);
  const plain = (await get('/transactions', key.key)).transactions.find((each: Json) => each.transaction_id === sent);
  assert.deepEqual(['payer_name' in plain, plain.payer_id], [false, other.id]);
});

function assertSums({ opening_balance, closing_balance, entries }: Json): void {
  const change = entries.reduce((sum: number, { credit, debit }: Json) => sum + credit - debit, 0);
  assert.equal(opening_balance + change, closing_balance);
}

test('a PEP can pay by card; the look-ups of terminals answer as for anybody', async () => {
  const somebody = await bank.wallet(1_000);
  const plainCard = await bank.card(somebody);
  const own = await terminalOf(kissi, {
    merchant: terminal.merchant,
    keyExtra: { processor_id: terminal.merchant.id },
  });
  const checked = await terminal.send('/pos/verify-card', { card_serial: card });
  assert.deepEqual([checked.json.holder_name, typeof checked.json.balance], ['Zainabu E.', 'number']);
  const named = await terminal.send('/payment/verify-account', { phone_number: pep.phone });
  assert.deepEqual([named.json.exists, named.json.holder_name], [true, 'Zainabu E.']);
  for (const sender of [terminal, own]) {
    for (const path of ['/pos/verify-card', '/payment/verify-card', '/pos/lookup-card', '/payment/lookup-card']) {
      const [exposed, plain] = [
        await sender.send(path, { card_serial: card }),
        await sender.send(path, { card_serial: plainCard }),
      ];
      assert.deepEqual([exposed.status, shapeOf(exposed.json)], [plain.status, shapeOf(plain.json)], path);
    }
  }
  const paid = assertStatus(await terminal.pay(card), 200);
  assert.equal((await terminal.payInApp(card)).status, 200);
  const recent = async (sender: Terminal, serial: string) =>
    (await sender.send('/pos/lookup-card', { card_serial: serial })).json.recent_payments.length;
  assert.ok((await recent(own, card)) >= 2, 'the merchant sees the payments that it received');
  assert.ok((await recent(terminal, card)) >= 2, "an operator's key sees the payments that it made");
  const another = await terminalOf(kissi, { merchant: terminal.merchant });
  assert.equal((await (await terminalOf(kissi)).pay(plainCard, { amount: 100 })).status, 200);
  for (const serial of [card, plainCard]) assert.equal(await recent(another, serial), 0, 'and no others, of anybody');
  assert.equal((await terminal.refund(paid.json.transaction_id, { amount: 100 })).status, 200);
});

/** The names and types of all fields. */
function shapeOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return Array.isArray(value) ? 'array' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]));
}

test("a processor's history shows payments of the PEP to the processor, without the person, and not to staff", async () => {
  const path = `/processors/${terminal.merchant.id}/transactions`;
  const own = await apiKey(kissi, ['payments:read'], { processor_id: terminal.merchant.id });
  const ownHistory = await get(path, own.key);
  assert.ok(ownHistory.transactions.length > 0 && !JSON.stringify(ownHistory).includes(pep.id));
  for (const token of [await staffToken(kissi, 'finance_user'), tokensWithoutAccess[2] as string]) {
    const seen = await get(path, token);
    assert.deepEqual([seen.transactions, seen.totals], [[], ownHistory.totals]);
    const today = await get(`${path}?from=2026-01-01`, token);
    assert.equal(today.totals, null, 'sums of a chosen period');
    const takings = await get(`/processors/${terminal.merchant.id}/takings`, token);
    assert.equal(takings.takings, null, 'sums of chosen days');
  }
  const { takings } = await get(`/processors/${terminal.merchant.id}/takings`, own.key);
  assert.equal(takings.at(-1).received, ownHistory.totals.received);
});

test('agents, partners, banks and processors can pay a PEP', async () => {
  const agent = await newAgent(kissi);
  assertStatus(await kissi.asAdmin.post(`/agents/${agent.id}/fund`, { amount: 10_000 }), 200);
  const own = (await openSession(kissi, { email: agent.email, password: agent.password })).token;
  const names = [{ subscriber_id: pep.id }, { phone_number: pep.phone }, { card_serial: card }];
  for (const name of names) {
    const body = { agent_id: agent.id, ...name, amount: 100, pin: agent.pin };
    const reply = assertStatus(await kissi.call('POST', '/api/v1/agents/cashin', { token: own, body }), 200);
    assert.ok(!/Zainabu|Excellency/.test(reply.text));
  }
  const { transactions } = await get('/transactions', own);
  assert.deepEqual(
    [transactions[0].amount, transactions[0].counterparty],
    [100, null],
    'the agent sees its own cash-in',
  );
  const partner = await partnerBank(kissi);
  assert.equal((await partner.cashIn({ phone_number: pep.phone })).status, 200);
  assert.equal((await partner.history()).json.transactions[0].payee_id, null);
  const sender = await testBank(kissi);
  const enquired = await sender.enquire({ msisdn: pep.phone });
  assert.deepEqual([enquired.json.data.account_name, enquired.json.data.can_credit], ['Zainabu E.', true]);
  assertStatus(await sender.credit({ reference: newReference(), amount: 100, msisdn: pep.phone }), 200);
  const finance = await staffToken(kissi, 'finance_user');
  const body = { to_subscriber_id: pep.id, amount: 100 };
  const paid = await kissi.call('POST', `/api/v1/processors/${terminal.merchant.id}/transfer`, {
    token: finance,
    body,
  });
  assert.equal(paid.status, 200, paid.text);
  await assertLedgerConsistent(kissi);
});

test('webhook deliveries about a PEP show only an id and a status', async () => {
  const sender = await testBank(kissi, { webhook_url: 'https://bank.example.com/hook' });
  for (const msisdn of [pep.phone, other.phone]) {
    assertStatus(await sender.credit({ reference: newReference(), amount: 100, msisdn }), 200);
  }
  const path = `/admin/webhook-deliveries?partner_id=${sender.partnerId}`;
  const [otherDelivery, pepDelivery] = (await get(path, await kissi.adminToken())).deliveries;
  assert.equal(otherDelivery.payload.subscriber_id, other.id);
  assert.deepEqual(Object.keys(pepDelivery).sort(), ['id', 'status']);
  const [, shown] = (await get(path, open.token)).deliveries;
  assert.equal(shown.payload.subscriber_id, pep.id);
});
