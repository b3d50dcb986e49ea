// Every list is exported as CSV: each operation of the OpenAPI document that returns one is compared with its JSON pages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { agentToken, fundAgent, newAgent, newSubAgent, type TestAgent } from '../../support/agents.ts';
import { pendingOf, setPolicy } from '../../support/approvals.ts';
import { csvFile, newTrustAccount, uploadStatement } from '../../support/bank-files.ts';
import { checkedBulk, csvOf } from '../../support/bulk-payments.ts';
import { earningAgent, payCommission, settleFinally } from '../../support/commissions.ts';
import { raiseAlert } from '../../support/compliance.ts';
import { CSV, cellsOf, parseCsv } from '../../support/csv.ts';
import { newPhone } from '../../support/customers.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { type TestBank, testBank } from '../../support/inbound.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { resolvedDocument } from '../../support/openapi.ts';
import { type PartnerBank, partnerBank, webhookHeaders } from '../../support/partner.ts';
import { markPep } from '../../support/pep.ts';
import { directPayments, newMerchant, storeAccount } from '../../support/processors.ts';
import { financeOf, INSERTED_STATEMENTS } from '../../support/reconciliation.ts';
import { apiKey, assertRefused, runChore, staffMember } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const SECRET = 'a-webhook-secret-shared-with-one-partner';
/** So short that every list has several pages. */
const PAGE_SIZE = 2;

/** Replies with an array that are not lists. */
const NO_LISTS = [
  'get /.well-known/kissi-keys.json',
  'get /api/v1/admin/second-factor',
  'get /api/v1/subscribers/{id}/limits',
  // The messages of a phone in the lab.
  'get /api/v1/admin/lab/phone',
  // At most three devices, and the profile with those that are new.
  'get /api/v1/me',
  'get /api/v1/me/devices',
  // One photo of each kind.
  'get /api/v1/subscribers/{id}/documents',
  // One match with its items.
  'get /api/v1/admin/reconciliation/matches/{id}',
  // What the bank says about one pay-out.
  'get /api/v1/processors/{id}/payouts/{transaction_id}/bank-entries',
  // The settings and parts of the service that were checked.
  'get /health/production',
  // Always the same items.
  'get /api/v1/admin/going-live',
  // A picture: accounts and the payments between them.
  'get /api/v1/compliance/network/{id}',
];
/** Exported in order of their keys, because their order changes with every payment. */
const BY_KEY = ['get /api/v1/admin/agents/float'];
/** Exported by another parameter than Accept, or a file that can be CSV. */
const OTHER_EXPORTS = [
  'post /api/v1/wallet/account-statement',
  'get /api/v1/me/statement',
  'get /api/v1/bulk-payments/{id}/report.csv',
  'get /api/v1/admin/trust-accounts/{id}/statements/{statement_id}/file',
];

/** Parameters without which a list cannot be read. */
const REQUIRED: Record<string, Record<string, string>> = {
  '/api/v1/search': { q: 'Kamara' },
  '/api/v1/admin/series': { metric: 'movements', by: 'type', step: 'day' },
};

/** The rows of replies that nest their records. */
const NESTED: Record<string, (reply: Json) => Json[]> = {
  'get /api/v1/admin/series': ({ metric, unit, step, series }) =>
    series.flatMap(({ type, points }: Json) =>
      points.map(({ at, value }: Json) => ({ metric, unit, step, type, at, value })),
    ),
};

const { kissi, bank } = await bankForFile({
  exportLimits: { pageSize: PAGE_SIZE },
  ...INSERTED_STATEMENTS,
  env: { PARTNER_CASHIN_WEBHOOK_SECRET: SECRET, LAB: 'on' },
});
const document = resolvedDocument(kissi.gateway.app.openApi());
const token = await kissi.adminToken();
const { partner, ids, own } = await fillLists();

/** At least three records in every list, some of them masked or with text that has to be quoted. */
async function fillLists(): Promise<{ partner: PartnerBank; ids: Record<string, string>; own: string }> {
  const names = ['=1+1', 'Ɛlizabɛt "Betty", née Kɔroma', '-Sesay', 'Aminata'];
  const wallets = [];
  for (const first_name of names) wallets.push(await bank.wallet(100_000, { first_name }));
  const [sender, recipient, third, pep] = wallets as [Json, Json, Json, Json];
  for (const wallet of [sender, sender, recipient, pep]) {
    const raw = JSON.stringify({ card_serial: await bank.card(wallet), amount: 50 });
    const headers = webhookHeaders(SECRET, raw);
    assert.equal((await kissi.call('POST', '/webhooks/partner/cashin', { raw, headers })).status, 200);
  }
  const metadata = { note: 'a,b', nested: { '=x': ['\n', 1] } };
  const payee = await newMerchant(kissi);
  for (const description of ['=1+1', '"Rice", 2 kg', 'Ɔrange']) {
    const request = { processor_id: payee.id, amount: 700, description, metadata };
    assertStatus(await kissi.asAdmin.post('/payment-requests', request), 201);
  }
  for (const amount of [100, 200, 300]) {
    const body = { sender_id: sender.id, recipient_id: recipient.id, amount, pin: PIN, metadata };
    const reply = await bank.post('/wallet/transfer', { ...body, narration: '@SUM(A1)', request_id: `r${amount}` });
    assert.equal(reply.status, 200, reply.text);
  }
  for (const name of ['=1+1', 'a, "b"', '@x']) {
    const body = { name, screen: 'transactions', query: 'limit=2' };
    assert.equal((await kissi.call('POST', '/api/v1/admin/saved-views', { body, token })).status, 201);
  }
  for (const text of ['=1+1', 'two\nlines', 'a, "b"']) {
    const path = `/api/v1/subscribers/${sender.id}/notes`;
    assert.equal((await kissi.call('POST', path, { body: { text }, token })).status, 201);
  }
  for (const about of [third, pep, pep]) await raiseAlert(kissi, { subscriber_id: about.id });
  const agent = await newAgent(kissi);
  for (const _ of '12') await newSubAgent(kissi, agent);
  const asking = await newSubAgent(kissi, agent);
  for (const note of ['=1+1', 'a, "b"', '@x']) await askForFloat(asking, note);
  for (const amount of [100, 200, 300]) await fundAgent(kissi, agent, amount);
  await payCommission(kissi);
  const earning = await earningAgent(kissi, bank);
  for (const amount of [100, 200, 300]) {
    await earning.deposit(amount);
    await settleFinally(kissi, earning.id);
  }
  await setPolicy(kissi, 'agents.fund', { enabled: true });
  for (const amount of [1, 2, 3]) {
    pendingOf(await kissi.call('POST', `/api/v1/agents/${agent.id}/fund`, { body: { amount }, token }));
  }
  const merchants = [await newMerchant(kissi), await newMerchant(kissi), await newMerchant(kissi)];
  const [merchant] = merchants as [(typeof merchants)[0]];
  for (const number of ['SL0042', 'SL0043', 'SL0044']) await storeAccount(kissi, merchant.id, number);
  for (const _ of '123') await directPayments(kissi, bank).pay(sender, merchant, 100);
  const terminal = await terminalOf(kissi, { merchant });
  const card = await bank.card(third);
  for (const amount of [11, 12, 13]) assertStatus(await terminal.pay(card, { amount, capture: false }), 200);
  for (const amount of [1, 2, 3]) {
    const body = { amount, bank_account: 'SL0042', request_id: `payout-${amount}` };
    assertStatus(await kissi.call('POST', `/api/v1/processors/${merchant.id}/payout`, { body, token }), 200);
  }
  for (const event of ['payment.completed', 'payment.voided', 'payout.sent']) {
    const body = { processor_id: merchant.id, url: 'https://shop.example/?a="b",c', events: [event] };
    assertStatus(await kissi.call('POST', '/api/v1/webhook-endpoints', { body, token }), 201);
  }
  for (const _ of '123') await apiKey(kissi, ['payments:read'], { processor_id: merchant.id });
  await fillReconciliation();
  for (const role of ['support_user', 'audit_user', 'finance_user'] as const) await staffMember(kissi, role);
  const credited = await testBank(kissi, { webhook_url: 'https://bank.example.com/hook' });
  for (const reference of ['c1', 'c2', 'c3']) {
    assertStatus(await credited.credit({ msisdn: third.phone, amount: 1, reference }), 200);
  }
  for (const _ of '123') await certify(credited);
  const cashingIn = await partnerBank(kissi);
  for (const _ of '123') assert.equal((await cashingIn.cashIn({ phone_number: third.phone })).status, 200);
  await fillCases(third.id);
  await fillRefusals(sender.id, { agent, merchant });
  const bulkId = await fillBulkPayments(wallets);
  await markPep(kissi, pep.id);
  const own = await fillOwnWallet();
  const { accountId, statementId } = await fillStatements();
  await closeDays(3);
  for (const reference of ['c1', 'c2', 'c3']) assert.equal((await credited.status(reference)).status, 200);
  await runChore(kissi, 'write the request log');
  REQUIRED['/api/v1/request-log'] = { key_id: credited.key.id };
  const ids = {
    '/api/v1/admin/api-keys/{id}/requests': credited.key.id,
    '/api/v1/admin/trust-accounts/{id}/statements': accountId,
    '/api/v1/admin/trust-accounts/{id}/statements/{statement_id}/entries': `${accountId}/${statementId}`,
    '/api/v1/subscribers/{id}/notes': sender.id,
    '/api/v1/subscribers/{id}/refusals': sender.id,
    '/api/v1/agents/{id}/refusals': agent.id,
    '/api/v1/agents/{id}/float-requests': asking.id,
    '/api/v1/processors/{id}/refusals': merchant.id,
    '/api/v1/bulk-payments/{id}/rows': bulkId,
    '/api/v1/processors/{id}/transactions': merchant.id,
    '/api/v1/processors/{id}/payouts': merchant.id,
    '/api/v1/processors/{id}/keys': merchant.id,
    '/api/v1/processors/{id}/bank-accounts': merchant.id,
    '/api/v1/agents/{id}/transactions': agent.id,
    '/api/v1/agents/{id}/commissions': earning.id,
  };
  return { partner: cashingIn, ids, own };
}

/** Three cases, and two clocks besides the built-in ones. */
async function fillCases(subscriber_id: string): Promise<void> {
  for (const description of ['=1+1', 'two\nlines', 'a, "b"']) {
    assertStatus(await kissi.asAdmin.post('/cases', { kind: 'other', subscriber_id, description }), 201);
  }
  const days = { acknowledge_days: 3, resolve_days: 5, complex_days: 15, working_days: [1, 2], holidays: [] };
  for (const valid_from of ['2020-01-01', '2021-01-01']) {
    assertStatus(await kissi.asAdmin.post('/case-clocks', { ...days, valid_from, source: 'a, "b"' }), 201);
  }
}

/** Three refused payments of each party. */
async function fillRefusals(
  senderId: string,
  { agent, merchant }: { agent: TestAgent; merchant: Json },
): Promise<void> {
  const login = await agentToken(kissi, agent);
  for (const amount of [900_001, 900_002, 900_003]) {
    const cashOut = { subscriber_id: senderId, agent_id: agent.id, amount, pin: PIN };
    const cashIn = { agent_id: agent.id, subscriber_id: senderId, amount, pin: agent.pin };
    const payOut = { amount, bank_account: 'SL0042', request_id: `refused-${amount}` };
    const refused = [
      await bank.post('/wallet/withdraw', cashOut),
      await kissi.call('POST', '/api/v1/agents/cashin', { body: cashIn, token: login }),
      await kissi.call('POST', `/api/v1/processors/${merchant.id}/payout`, { body: payOut, token }),
    ];
    for (const reply of refused) assert.match(reply.json.code, /^INSUFFICIENT_/, reply.text);
    kissi.clock.advance(SECOND_MS);
  }
  await runChore(kissi, 'write refused payments');
}

/** Three bulk payments. Returns the id of the last one, with three rows. */
async function fillBulkPayments(wallets: Json[]): Promise<string> {
  const { id: partner_id } = await partnerBank(kissi);
  let id = '';
  for (const name of ['March, "late"', 'April', 'May']) {
    const rows = wallets.map(({ phone }) => ({ phone, description: 'Wages' }));
    id = (await checkedBulk(kissi, token, csvOf(rows), { partner_id, name })).id;
  }
  return id;
}

/** Three of everything that a customer sees. Returns the token of their session. */
async function fillOwnWallet(): Promise<string> {
  const wallet = await bank.wallet(100_000);
  const phone = await newPhone(kissi, wallet);
  for (const _ of '123') await bank.card(wallet);
  const body = (n: number | string) => ({ amount: 100, request_id: `own-${n}` });
  for (const n of [1, 2, 3]) assertStatus(await phone.post('/me/cash-out-codes', { ...body(n), pin: PIN }), 201);
  for (const n of [4, 5, 6]) {
    assertStatus(await phone.post('/me/payment-requests', { ...body(n), description: '=1+1' }), 201);
  }
  for (const _ of '123') {
    const [asking, blocked] = [await newMerchant(kissi), await newMerchant(kissi)];
    const ask = { amount: 50, description: 'a,b', payer_phone: wallet.phone };
    assertStatus(await kissi.asAdmin.post('/payment-requests', { ...ask, processor_id: asking.id }), 201);
    const unwanted = await kissi.asAdmin.post('/payment-requests', {
      ...ask,
      processor_id: blocked.id,
      payer_phone: null,
    });
    const { id } = assertStatus(unwanted, 201).json.payment_request;
    assertStatus(await phone.post(`/me/payment-requests/${id}/block-payee`), 200);
    assertStatus(
      await bank.post('/wallet/fund-from-partner', {
        partner_id: bank.partnerId,
        subscriber_id: wallet.id,
        ...body(id),
      }),
      200,
    );
  }
  for (const n of [7, 8, 9]) {
    assertStatus(await phone.post('/me/cases', { kind: 'other', description: `=${n}` }), 201);
    const tooMuch = await phone.post('/me/cash-out-codes', { ...body(n), amount: 900_000 + n, pin: PIN });
    assertRefused(tooMuch, 402, 'INSUFFICIENT_BALANCE');
  }
  await runChore(kissi, 'write refused payments');
  return phone.token;
}

/** A certification run that is finished at once. */
async function certify({ partnerId, key }: TestBank): Promise<void> {
  const path = '/api/v1/admin/lab/certifications';
  const started = await kissi.call('POST', path, { body: { partner_id: partnerId, key_id: key.id }, token });
  assert.equal(started.status, 201, started.text);
  assertStatus(await kissi.call('POST', `${path}/${started.json.certification.id}/finish`, { token }), 200);
}

/** Three trust accounts; one of them with three statements, one of which has three entries. */
async function fillStatements(): Promise<{ accountId: string; statementId: string }> {
  for (const name of ['=1+1', 'a,b']) await newTrustAccount(kissi, token, { name });
  const { id: accountId } = await newTrustAccount(kissi, token);
  const upload = async (opening: number, from: string, amounts: number[]) => {
    const entries = amounts.map((amount) => ({ amount, reference: '@x', description: '-1, "2"' }));
    const file = csvFile({ opening, entries, from });
    return assertStatus(await uploadStatement(kissi, token, accountId, ['text/csv', file]), 201).json.statement.id;
  };
  const statementId = await upload(0, '2026-02-23', [1, -2, 3]);
  for (const day of ['2026-02-24', '2026-02-25']) await upload(2, day, [5, -5]);
  return { accountId, statementId };
}

async function askForFloat(agent: TestAgent, note: string): Promise<void> {
  const login = { token: await agentToken(kissi, agent) };
  const path = `/api/v1/agents/${agent.id}/float-requests`;
  const { json } = assertStatus(await kissi.call('POST', path, { body: { amount: 500, note }, ...login }), 201);
  const cancel = `/api/v1/agents/float-requests/${json.float_request.id}/cancel`;
  assertStatus(await kissi.call('POST', cancel, login), 200);
}

/** Three matches of an entry and its reversal, and three suggestions for the funding of the agent. */
async function fillReconciliation(): Promise<void> {
  const finance = await financeOf(kissi, token);
  for (const amount of [11, 12, 13]) {
    const entries = await finance.statement({ amount }, { amount: -amount, description: '=1+1' });
    assert.equal((await finance.match(entries, [], 'a,b')).status, 201);
  }
  await finance.statement({ amount: 100 }, { amount: 200 }, { amount: 300 });
  assert.equal((await finance.run()).suggested, 3);
}

/** The first days of the clock, by the background task. */
async function closeDays(count: number): Promise<void> {
  const before = kissi.clock.now();
  for (let day = 0; day < count; day++) {
    kissi.clock.advance(DAY_MS + HOUR_MS);
    await runChore(kissi, 'close days');
  }
  kissi.clock.advance(before - kissi.clock.now());
}

interface List {
  route: string;
  name: string;
  hasCursor: boolean;
  isPaged: boolean;
  send(parameters: Record<string, unknown>, headers?: Record<string, string>): Promise<CallReply>;
}

const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation, route: `${method} ${path}` })),
);

/** The arrays of objects in the JSON reply. */
function arraysOf({ operation: { responses } }: (typeof operations)[number]): string[] {
  const { properties = {} } = (responses['200']?.content?.['application/json']?.schema ?? {}) as Json;
  const isList = ({ type, items }: Json) => type === 'array' && (items.properties ?? items.anyOf);
  return Object.keys(properties).filter((name) => isList(properties[name]));
}

const lists: List[] = operations
  .filter(({ route, operation }) => {
    return operation.responses['200']?.content?.['text/csv'] && !OTHER_EXPORTS.includes(route);
  })
  .map((described) => {
    const { path, route, method, operation } = described;
    const { parameters = [], requestBody } = operation;
    const names = [
      ...parameters.filter((each) => each.in === 'query').map(({ name }) => name),
      ...Object.keys(requestBody?.content['application/json']?.schema.properties ?? {}),
    ];
    const values = (ids[path] ?? 'unknown').split('/');
    const target = path.replace(/\{\w+\}/g, () => values.shift() ?? 'unknown');
    return {
      ...{ route, name: arraysOf(described)[0] ?? '', hasCursor: names.includes('cursor') },
      isPaged: names.includes('offset') || names.includes('cursor'),
      send: (parameters, headers = {}) => {
        if (method === 'post') return partner.history(parameters, { headers });
        const query = new URLSearchParams({ ...REQUIRED[path], ...(parameters as Record<string, string>) });
        return kissi.call('GET', `${target}?${query}`, {
          token: path.startsWith('/api/v1/me/') ? own : token,
          headers,
        });
      },
    };
  });

async function jsonRecords({ route, name, hasCursor, isPaged, send }: List): Promise<Json[]> {
  const records: Json[] = [];
  for (let cursor: string | null = null; ; ) {
    const position = hasCursor ? (cursor === null ? {} : { cursor }) : { offset: records.length };
    const { status, json, text } = await send(isPaged ? { limit: 3, ...position } : {});
    assert.equal(status, 200, text);
    records.push(...(NESTED[route]?.(json) ?? json[name]));
    cursor = json.next_cursor ?? null;
    if (!isPaged || (hasCursor ? cursor === null : json[name].length === 0)) return records;
  }
}

test('every operation that returns a list offers CSV', () => {
  const missing = operations.filter(({ method, route, operation }) => {
    const isList = method === 'get' && arraysOf({ operation } as (typeof operations)[number]).length > 0;
    return isList && !NO_LISTS.includes(route) && !operation.responses['200']?.content?.['text/csv'];
  });
  assert.deepEqual(
    missing.map(({ route }) => route),
    [],
  );
  assert.ok(lists.length >= 17, String(lists.length));
});

for (const list of lists) {
  test(`${list.route} as CSV has the records of all its JSON pages`, async () => {
    const expected = await jsonRecords(list);
    // Otherwise the export would not need a second page. Add records to fillLists.
    assert.ok(expected.length > PAGE_SIZE, `only ${expected.length} records`);
    const reply = assertStatus(await list.send({}, CSV), 200);
    assert.equal(reply.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
    assert.match(reply.headers.get('content-disposition') ?? '', /^attachment; filename="kissi-[a-z-]+-[\dT-]+\.csv"$/);
    const { columns, rows } = parseCsv(reply.text);
    const cells = expected.map((record) => cellsOf(record, columns));
    assert.deepEqual(rows, BY_KEY.includes(list.route) ? cells.sort() : cells);
    if (!list.isPaged) return;
    const paged = await list.send({ limit: list.route.startsWith('post') ? 1 : '1' }, CSV);
    assert.equal(parseCsv(paged.text).rows.length >= rows.length, true, 'limit does not apply to an export');
  });
}
