// Crawls every GET route with every filter: without PEP access, nothing of a politically exposed person's payments appears.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Role } from '../../../src/auth/roles.ts';
import { agentToken } from '../../support/agents.ts';
import {
  bearerReads,
  type CrawlRequest,
  type CrawlValues,
  pdfText,
  requestsOf,
  type Visit,
  visitAll,
} from '../../support/crawl.ts';
import { newPhone } from '../../support/customers.ts';
import { assertStatus, type Json, type TestGateway, testGateway } from '../../support/gateway.ts';
import { PIN } from '../../support/money.ts';
import { addRecords, type Records } from '../../support/pep-records.ts';
import { PEP_NAME, PEP_WORLD_ENV, type PepWorld, pepWorld } from '../../support/pep-world.ts';
import { merchantToken, storeAccount } from '../../support/processors.ts';
import { staffToken } from '../../support/staff.ts';

const STAFF: Role[] = ['system_admin', 'compliance_user', 'support_user', 'finance_user', 'sales_user', 'audit_user'];

let kissi: TestGateway;
let world: PepWorld;
let records: Records;
let requests: CrawlRequest[];
const plainRequests = () => requests.filter(({ isPlain }) => isPlain);
/** Ids and texts that staff without access must not see. */
let hidden: string[];
/** Amounts and running balances. */
let hiddenNumbers: number[];
/** Of the person, not captured. */
let holdId: string;

before(async () => {
  kissi = await testGateway({ env: PEP_WORLD_ENV });
  world = await pepWorld(kissi);
  records = await addRecords(world);
  await payOut();
  await authorize();
  const { rows: asked } = await kissi.db.query('select id, code from payment_requests order by id');
  requests = await requestsOf(kissi, crawlValues(asked), world.open.token);
  const { pep, transactions, inboundIds, references } = world;
  hidden = [...transactions, ...inboundIds, ...references, ...person(), pep.id, pep.card, holdId];
  hiddenNumbers = [...world.amounts, AUTHORIZED, ...(await revealingBalances())];
});
after(() => kissi.close());

/** From the merchant that the person paid. */
async function payOut(): Promise<void> {
  const { id } = world.terminal.merchant;
  await storeAccount(kissi, id, 'SL0042');
  const body = { amount: 7, bank_account: 'SL0042', request_id: 'crawl-payout' };
  assertStatus(await kissi.asAdmin.post(`/processors/${id}/payout`, body), 200);
}

const AUTHORIZED = 398_717;

async function authorize(): Promise<void> {
  const body = { amount: AUTHORIZED, capture: false };
  holdId = assertStatus(await world.terminal.pay(world.pep.card, body), 200).json.transaction_id;
}

const person = () => [...Object.values(PEP_NAME), world.pep.phone, world.pep.phone.slice(4), world.pep.accountNumber];

function crawlValues(asked: Json[]): CrawlValues {
  const { pep, other, agent, terminal, partner, sender, transactions, references, inboundIds, amounts } = world;
  const ids = [pep.id, other.id, agent.id, terminal.merchant.id, partner.id, sender.partnerId, world.bank.partnerId];
  const payments = [transactions[2], transactions[7], transactions.at(-1)].filter((id) => id !== undefined);
  const some = [references[0], references[8], references.find((each) => each.includes('inbound'))];
  const texts = [...payments, ...some.filter((each) => each !== undefined), ...inboundIds.slice(0, 1)];
  const numbers = [pep.card, pep.phone, pep.accountNumber, PEP_NAME.last_name, String(amounts[3]), '0', '400'];
  const from = new Date(kissi.clock.now() - 60_000).toISOString();
  return {
    params: {
      user_id: ids,
      request_id: references.slice(0, 3),
      kyc_level: ['1'],
      serial: [pep.card, other.card],
      '/api/v1/holds/:id id': [holdId],
      '/api/v1/cases/:id id': [records.caseId, records.otherCaseId],
      '/api/v1/cases/:id/files/:fileId id': [records.caseId],
      fileId: [records.fileId],
      '/api/v1/me/cases/:id id': [records.caseId, records.otherCaseId],
      ...Object.fromEntries(
        ['', '/rows', '/report.csv', '/report.pdf'].map((end) => [
          `/api/v1/bulk-payments/:id${end} id`,
          [records.bulkId],
        ]),
      ),
      payer_id: [terminal.merchant.id],
      '/api/v1/me/transactions/:id id': transactions,
      '/api/v1/me/payment-requests/:id id': asked.map(({ id }) => id),
      '/api/v1/payment-requests/by-code/:code code': asked.map(({ code }) => code),
      '/api/v1/transactions/:id id': transactions.filter((_, index) => index % 3 === 0),
      '/api/v1/transactions/:id/evidence id': transactions.slice(0, 3),
      '/api/v1/compliance/network/:id id': ids,
      '/api/v1/fee-settings/:type/:party type': ['pos_payment'],
      '/api/v1/fee-settings/:type/:party party': ['processor'],
      '/api/v1/subscribers/:id id': ids.slice(0, 2),
      '/api/v1/subscribers/:id/notes id': ids.slice(0, 2),
      '/api/v1/subscribers/:id/limits id': ids.slice(0, 2),
      '/api/v1/subscribers/:id/personal-data id': ids.slice(0, 2),
      '/api/v1/admin/inbound/:inbound_id inbound_id': inboundIds,
    },
    filters: [...ids, terminal.key.id, ...texts, ...numbers, transactions[7]?.slice(-6) ?? '', from],
  };
}

/** Running balances of accounts that the PEP paid or was paid by. The last one of each account is its balance, a total. */
async function revealingBalances(): Promise<number[]> {
  const { rows } = await kissi.db.query(
    // Each table is read first: a cluster refuses most joins of the tables themselves.
    `with p as materialized (select account_id, movement_id, seq, amount, balance_after from postings),
       m as materialized (select id, from_account, to_account, amount from movements),
       a as materialized (select id, last_seq, balance from accounts)
     select abs(p.balance_after)::bigint as balance from p join a on a.id = p.account_id
     where p.seq < a.last_seq and exists (select from p q join m on m.id = q.movement_id
       where q.account_id = p.account_id and $1 in (m.from_account, m.to_account))
     union select balance_after from p where account_id = $1
     except (select amount from m union select abs(amount) from p union select abs(balance) from a)`,
    [world.pep.id],
  );
  return rows.map(({ balance }: Json) => Number(balance)).filter((balance: number) => balance > 10_000);
}

/** What a reply must not contain, as it may be written: with or without separators, in minor units or leones. */
function forbidden(texts: readonly string[], numbers: readonly number[]): RegExp {
  const escaped = texts.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const written = numbers.flatMap((number) => {
    const leones = (number / 100).toFixed(2);
    const grouped = Number(leones).toLocaleString('en', { minimumFractionDigits: 2 });
    return [String(number), leones.replace('.', '\\.'), grouped.replace('.', '\\.')];
  });
  const figures = written.length === 0 ? [] : [`(?<![\\d.,])(?:${written.join('|')})(?![\\d.])`];
  return new RegExp([...escaped, ...figures].join('|'), 'g');
}

/** Shown in lists, as the contract says: the id and status of the person's record, and the serial and status of a card. */
const SHOWN: Record<string, (found: string) => boolean> = {
  '/api/v1/subscribers': (found) => found === world.pep.id,
  '/api/v1/admin/ledger/accounts': (found) => found === world.pep.id,
  '/api/v1/cards': (found) => found === world.pep.card,
  '/api/v1/search': (found) => found === world.pep.card,
  // Not in production: the outbox of a development machine shows credentials and codes too.
  '/api/v1/admin/messages': () => true,
};

const HASH = /\b[0-9a-f]{64}\b/g;

function leaks(visits: readonly Visit[], pattern: RegExp): string[] {
  return visits.flatMap(({ route, target, text }) => {
    // Some hash of the audit log has the digits of an amount by chance.
    const found = new Set(text.replaceAll(HASH, '').match(pattern));
    // What the caller asked with is known to it; a record that it found would show more.
    const isEcho = (each: string) => decodeURIComponent(target).includes(each);
    const leaked = [...found].filter((each) => !SHOWN[route]?.(each) && !isEcho(each));
    return leaked.length === 0 ? [] : [`${target}: ${leaked.slice(0, 5).join(' ')}`];
  });
}

test('the crawl reaches every GET route, and finds the payments with open access', async () => {
  const visits = await visitAll(kissi, plainRequests(), { authorization: `Bearer ${world.open.token}` });
  const reached = new Set(visits.filter(({ status }) => status === 200).map(({ route }) => route));
  const missed = bearerReads(kissi).filter(({ route, endpoint }) => !reached.has(route) && !isOfCustomers(endpoint));
  assert.deepEqual(
    missed.map(({ route }) => route),
    NOT_IN_THIS_WORLD,
  );
  const everything = visits.map(({ text }) => text).join('\n');
  const made = world.references.filter((each) => !each.includes('refused'));
  for (const id of [...world.transactions, ...made, holdId]) assert.ok(everything.includes(id), `${id} is nowhere`);
});
const isOfCustomers = ({ permission }: { permission: string }) => permission.startsWith('me:');

/** The lab is off, nobody is logged in for an agent or a merchant, and only finance sees what a close would sign. */
const NOT_IN_THIS_WORLD = [
  ...['lab/certifications', 'lab/certifications/:id', 'lab/phone', 'notifications', 'closes/:date/figures'],
].map((path) => `/api/v1/admin/${path}`);

for (const role of STAFF) {
  test(`a ${role} without access finds nothing of the PEP's payments on any route`, async () => {
    const token = await staffToken(kissi, role);
    const visits = await visitAll(kissi, requests, { authorization: `Bearer ${token}` });
    const failed = visits.filter(({ status }) => status >= 500 || status === 429);
    assert.deepEqual(
      failed.map(({ target, text }) => `${target} ${text}`),
      [],
    );
    assert.deepEqual(leaks(visits, forbidden(hidden, hiddenNumbers)), []);
  });
}

test('without access, a payment of the PEP is answered like one that does not exist', async () => {
  const unknown = 'txn_01ARZ3NDEKTSV4RRFFQ69G5FAV';
  const inbound = 'inb_01ARZ3NDEKTSV4RRFFQ69G5FAV';
  const pairs = [
    ...['', '/evidence'].map((end) => [
      `/transactions/${world.transactions[3]}${end}`,
      `/transactions/${unknown}${end}`,
    ]),
    ...['transaction_id', 'request_id', 'reference'].map((name) => [
      `/transactions?${name}=${name === 'transaction_id' ? world.transactions[3] : world.references[2]}`,
      `/transactions?${name}=${unknown}`,
    ]),
    [`/holds/${holdId}`, `/holds/${unknown}`],
    [`/admin/inbound/${world.inboundIds[1]}`, `/admin/inbound/${inbound}`],
    [`/audit/logs?resource_id=${world.transactions[3]}`, `/audit/logs?resource_id=${unknown}`],
    [`/admin/webhook-deliveries?reference=${reference('inbound')}`, `/admin/webhook-deliveries?reference=${unknown}`],
    [`/admin/suspense?reference=${reference('notified')}`, `/admin/suspense?reference=${unknown}`],
    [`/search?q=${world.transactions[3]}`, `/search?q=${unknown}`],
    [`/search?q=${reference('inbound')}`, `/search?q=${unknown}`],
    [`/search?q=${world.resolution}`, `/search?q=${unknown}`],
    [`/search?q=${reference('resolved')}`, `/search?q=${unknown}`],
    ...['offset=1', 'limit=0'].flatMap((page) => [
      [
        `/admin/webhook-deliveries?reference=${reference('inbound')}&${page}`,
        `/admin/webhook-deliveries?reference=x&${page}`,
      ],
      [`/transactions?reference=${reference('inbound')}&${page}`, `/transactions?reference=x&${page}`],
    ]),
    ...world.amounts
      .slice(0, 5)
      .flatMap((amount) =>
        ['limit=1', 'limit=1&offset=1', 'limit=0', `processor_id=${world.terminal.merchant.id}&limit=1`].map((page) => [
          `/transactions?min_amount=${amount}&max_amount=${amount}&${page}`,
          `/transactions?min_amount=1&max_amount=1&${page}`,
        ]),
      ),
    [`/compliance/alerts?transaction_id=${world.transactions[4]}`, `/compliance/alerts?transaction_id=${unknown}`],
  ];
  const token = await staffToken(kissi, 'system_admin');
  for (const [path = '', other = ''] of pairs) {
    const [reply, expected] = [await get(path, token), await get(other, token)];
    assert.deepEqual([reply.status, reply.json], [expected.status, expected.json], path);
  }
});

const reference = (kind: string) => world.references.find((each) => each.includes(kind)) ?? '';
const get = (path: string, token: string) => kissi.call('GET', `/api/v1${path}`, { token });

const ASKED = /"payer_phone":"[^"]*"|(?<=^prq_.*)\+\d+/gm;

test('parties see amount and id of their payments with the PEP, but neither the person nor the reason of a refusal', async () => {
  const agent = await agentToken(kissi, world.agent);
  const merchant = await merchantToken(kissi, world.terminal.merchant);
  const parties = [
    { token: agent, paid: world.paid.agent },
    { token: merchant, paid: world.paid.terminal },
    { token: world.ownTerminal.key.key, paid: world.paid.terminal },
    { token: world.partner.key.key, paid: world.paid.partner },
  ];
  // They may see the first name and the last initial.
  const known = (text: string) => text === PEP_NAME.first_name;
  const pattern = forbidden([world.pep.id, ...person().filter((text) => !known(text)), 'PEP_ACCESS_REQUIRED'], []);
  for (const { token, paid } of parties) {
    const visits = await visitAll(kissi, plainRequests(), { authorization: `Bearer ${token}` });
    // An agent that knows a number finds everybody by it; staff find nobody.
    const others = visits.filter(({ route }) => token !== agent || route !== '/api/v1/search');
    // The merchant named the number that it asked to pay.
    const answers = others.map((visit) => ({ ...visit, text: visit.text.replaceAll(ASKED, '') }));
    assert.deepEqual(leaks(answers, pattern), []);
    const { json } = await get('/transactions?limit=100', token);
    const shown = json.transactions.find((each: Json) => each.transaction_id === paid.transactionId);
    assert.deepEqual([shown.amount, shown.counterparty], [paid.amount, null]);
    const { transaction } = (await get(`/transactions/${paid.transactionId}`, token)).json;
    assert.deepEqual([transaction.amount, transaction.counterparty], [paid.amount, null]);
  }
  const { text } = await world.partner.history();
  assert.ok(text.includes(world.paid.partner.transactionId));
  assert.deepEqual(text.match(pattern), null);
});

test('a customer sees their own payments with the PEP, with the masked name that everybody has', async () => {
  const { token } = await newPhone(kissi, world.other);
  const day = new Date(kissi.clock.now()).toISOString().slice(0, 10);
  const statement = { route: '/api/v1/me/statement', accept: '*/*', isPlain: true };
  const statements = ['json', 'csv', 'pdf'].map((format) => ({
    ...statement,
    target: `${statement.route}?from=${day}&to=${day}&format=${format}`,
  }));
  const visits = await visitAll(kissi, [...plainRequests(), ...statements], { authorization: `Bearer ${token}` });
  const own = visits.filter(({ status }) => status === 200);
  const routes = bearerReads(kissi).filter(({ endpoint }) => isOfCustomers(endpoint));
  const missed = routes.filter(({ route }) => !own.some((visit) => visit.route === route));
  assert.deepEqual(
    missed.map(({ route }) => route),
    [],
  );
  const known = (text: string) => text === PEP_NAME.first_name;
  const pattern = forbidden([world.pep.id, ...person().filter((text) => !known(text)), 'PEP_ACCESS_REQUIRED'], []);
  assert.deepEqual(leaks(visits, pattern), []);
});

test('an agent that names the PEP gets the same answers as for anybody', async () => {
  const token = await agentToken(kissi, world.agent);
  const answers = async ({ id, phone, card }: { id: string; phone: string; card: string }) => {
    const number = encodeURIComponent(phone);
    const replies = [
      await get(`/subscribers/${id}`, token),
      await kissi.call('POST', `/api/v1/subscribers/${id}/verify-pin`, { token, body: { pin: PIN } }),
      await get(`/subscribers?phone_number=${number}`, token),
      await get(`/search?q=${number}`, token),
      await get(`/search?q=${card}`, token),
    ];
    return replies.map(({ status, json }) => [status, shapeOf(json)]);
  };
  assert.deepEqual(await answers(world.pep), await answers(world.other));
});

test('the payments of the PEP have the same shape as those of anybody, for every party', async () => {
  const tokens = [
    await agentToken(kissi, world.agent),
    await merchantToken(kissi, world.terminal.merchant),
    world.ownTerminal.key.key,
    world.partner.key.key,
  ];
  const theirs = new Set(world.transactions);
  for (const token of tokens) {
    const { transactions } = (await get('/transactions?limit=100', token)).json;
    const details = async (isPep: boolean, type: string) => {
      const found = transactions.find((each: Json) => each.type === type && theirs.has(each.transaction_id) === isPep);
      if (!found) return null;
      const { json } = await get(`/transactions/${found.transaction_id}`, token);
      // What depends on how the payment was made, not on the customer.
      const { narration: _, request_id: __, related: ___, card: ____, terminal_id: _____, ...shown } = json.transaction;
      return [shapeOf({ ...found, narration: '', request_id: '', metadata: '' }), shapeOf({ ...shown, metadata: '' })];
    };
    const pairs = await Promise.all(
      ['agent_cashin', 'pos_payment', 'partner_cashin'].map(async (type) => [
        await details(true, type),
        await details(false, type),
      ]),
    );
    const both = pairs.filter(([pep, other]) => pep && other);
    assert.ok(both.length > 0);
    for (const [pep, other] of both) assert.deepEqual(pep, other);
  }
});

/** The names and types of all fields; an array by its first element. */
function shapeOf(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  if (Array.isArray(value)) return [value.length > 0, shapeOf(value[0])];
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]));
}

test("a counterparty's statement has neither the payments of the PEP nor balances around them", async () => {
  const pattern = forbidden(hidden, hiddenNumbers);
  const day = new Date(kissi.clock.now()).toISOString().slice(0, 10);
  for (const role of ['support_user', 'system_admin'] as const) {
    const authorization = `Bearer ${await staffToken(kissi, role)}`;
    for (const format of ['json', 'csv', 'pdf']) {
      const body = JSON.stringify({ subscriber_id: world.other.id, from: day, to: day, format });
      const headers = { authorization, 'content-type': 'application/json' };
      const reply = await fetch(`${kissi.url}/api/v1/wallet/account-statement`, { method: 'POST', headers, body });
      const bytes = Buffer.from(await reply.arrayBuffer());
      assert.equal(reply.status, 200, bytes.toString());
      const text = format === 'pdf' ? pdfText(bytes) : bytes.toString();
      assert.deepEqual([...new Set(text.match(pattern))], [], `${role} ${format}`);
    }
  }
});

test('with the right PIN the balance is answered to a key as for anybody', async () => {
  const [of, as] = await Promise.all(
    [world.pep, world.other].map(({ id }) => world.bank.post(`/wallet/balance/${id}`, { pin: PIN })),
  );
  assert.deepEqual([of?.status, Object.keys(of?.json)], [200, Object.keys(as?.json)]);
  assert.equal(of?.json.balance, await world.bank.balance(world.pep.id));
});

test('a cash-in by a partner is answered without the balance, for every customer', async () => {
  for (const { phone } of [world.pep, world.other]) {
    const reply = await world.partner.cashIn({ phone_number: phone });
    assert.deepEqual(Object.keys(reply.json).sort(), ['amount', 'currency', 'reference', 'success', 'transaction_id']);
  }
});
