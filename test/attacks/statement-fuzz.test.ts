// Account statements and histories with a clock that jumps, unusual text and concurrent postings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { asOwner } from '../ledger/books.ts';
import { assertStatus, type Json } from '../support/gateway.ts';
import { bankForFile, PIN, type Wallet } from '../support/money.ts';

/** Parses RFC 4180 CSV whose first record is the header. */
function parse(text: string, _: object): Record<string, string>[] {
  const records: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') records.push([]);
    if (end === '') break;
  }
  const [names = [], ...rows] = records.filter((record) => record.length > 1);
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])));
}

let seed = 7;
const random = (n: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return Math.floor(seed / 65_536) % n;
};
const { kissi, bank } = await bankForFile({ brokenRules: ['account_terms_differ'] });

const statement = (wallet: Wallet, from: string, to: string, format = 'json') =>
  bank.post('/wallet/account-statement', { subscriber_id: wallet.id, from, to, format });

const UNUSUAL_TEXTS = [
  '=1+1',
  '+SUM(A1)',
  '-2',
  '@x',
  '"quoted", and ; more',
  "'",
  'ẞß\u0301',
  '🙂👨‍👩‍👧',
  'שלום',
  'a'.repeat(200),
  'ɓɔŋ',
  '%00',
  '＝１',
];

async function assertAddsUp(wallet: Wallet, from: string, to: string): Promise<void> {
  const { json } = assertStatus(await statement(wallet, from, to), 200);
  let balance = json.opening_balance;
  for (const entry of json.entries) {
    balance += entry.credit - entry.debit;
    assert.equal(entry.balance_after, balance);
  }
  assert.equal(balance, json.closing_balance);
  assert.equal(json.entries.length, json.entry_count);
  assert.equal(json.opening_balance + json.total_credits - json.total_debits, json.closing_balance);
  const csv = parse((await statement(wallet, from, to, 'csv')).text, { columns: true }) as Record<string, string>[];
  assert.equal(csv.length, json.entries.length + 2);
  for (const text of csv.flatMap((row) => Object.values(row)))
    assert.doesNotMatch(text, /^(?:[=+@\t\r]|-(?!\d+(?:\.\d+)?$))/);
}

test('opening balance + entries = closing balance for any period, even after clock jumps', async () => {
  const [a, b] = [
    await bank.wallet(5_000_000),
    await bank.wallet(100_000, { first_name: '=HYPERLINK("x")', last_name: 'Ɛ🙂שלום' }),
  ];
  const base = kissi.clock.now();
  for (let n = 0; n < 60; n++) {
    kissi.clock.advance([1, 0, 1_000, 3_600_000, -1, -60_000, -DAY_MS, DAY_MS][random(8)] ?? 0);
    const [from, to] = random(2) ? [a, b] : [b, a];
    const reply = await bank.post('/wallet/transfer', {
      sender_id: from.id,
      recipient_id: to.id,
      amount: 1 + random(500),
      pin: PIN,
      description: UNUSUAL_TEXTS[n % UNUSUAL_TEXTS.length],
    });
    assert.equal(reply.status, 200, reply.text);
  }
  const all = await statement(
    a,
    new Date(base - 30 * DAY_MS).toISOString(),
    new Date(base + 60 * DAY_MS).toISOString(),
  );
  const instants = all.json.entries.map((entry: Json) => Date.parse(entry.created_at));
  for (let n = 0; n < 60; n++) {
    const pick = () =>
      (random(3) ? instants[random(instants.length)] : base + random(10 * DAY_MS) - 5 * DAY_MS) + random(3) - 1;
    const [from, to] = [pick(), pick()].toSorted((x, y) => x - y).map((ms) => new Date(ms).toISOString()) as [
      string,
      string,
    ];
    for (const wallet of [a, b]) await assertAddsUp(wallet, from, to);
  }
  const pdf = await statement(
    b,
    new Date(base - 30 * DAY_MS).toISOString(),
    new Date(base + 60 * DAY_MS).toISOString(),
    'pdf',
  );
  assert.equal(pdf.status, 200);
  assert.match(pdf.text, /^%PDF/);
  assert.match(pdf.text.trimEnd(), /%%EOF$/);
});

test('a negative balance is a plain number in the CSV', async () => {
  const wallet = await bank.wallet(1_000);
  await asOwner(kissi.db.url, (client) => client.query('update accounts set floor = null where id = $1', [wallet.id]));
  const other = await bank.wallet();
  assert.equal(
    (await bank.post('/wallet/transfer', { sender_id: wallet.id, recipient_id: other.id, amount: 5_000, pin: PIN }))
      .status,
    200,
  );
  const from = new Date(kissi.clock.now() - DAY_MS).toISOString();
  const { text } = await statement(wallet, from, new Date(kissi.clock.now()).toISOString(), 'csv');
  const rows = parse(text, { columns: true }) as Record<string, string>[];
  const last = rows.at(-1);
  assert.ok(Number.isFinite(Number(last?.balance)), `balance in the CSV: ${last?.balance}`);
});

test('paging by cursor during postings returns each earlier transaction exactly once', async () => {
  const [a, b] = [await bank.wallet(1_000_000), await bank.wallet()];
  const send = () => bank.post('/wallet/transfer', { sender_id: a.id, recipient_id: b.id, amount: 1, pin: PIN });
  for (let n = 0; n < 45; n++) await send();
  for (const path of [
    `/transactions?subscriber_id=${a.id}&limit=7`,
    '/transactions?limit=7',
    '/transactions?limit=7&type=transfer_p2p',
  ]) {
    const { rows } = await kissi.db.query('select id from movements where from_account = $1', [a.id]);
    const expected = new Set(rows.map(({ id }) => id));
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const [{ json }] = await Promise.all([bank.get(`${path}${cursor}`), send(), send()]);
      for (const { transaction_id } of json.transactions) seen.push(transaction_id);
      if (json.next_cursor === null) break;
      cursor = `&cursor=${json.next_cursor}`;
    }
    assert.equal(new Set(seen).size, seen.length, 'no transaction is returned twice');
    for (const id of expected) assert.ok(seen.includes(id), `${id} is missing`);
  }
});

test('answers forged cursors and extreme pages with 200 or 400, never 500', async () => {
  const a = await bank.wallet(1_000);
  const cursors = [
    'x',
    'OQ',
    Buffer.from('9007199254740993.1').toString('base64url'),
    Buffer.from('9999999999999999.1').toString('base64url'),
    Buffer.from(`txn_${'Z'.repeat(26)}.999999999999999`).toString('base64url'),
    Buffer.from('0.0').toString('base64url'),
  ];
  for (const cursor of cursors) {
    for (const path of [`/transactions?subscriber_id=${a.id}`, '/transactions?']) {
      const { status } = await bank.get(`${path}&cursor=${cursor}`);
      assert.ok(status === 200 || status === 400, `${cursor} ${status}`);
    }
  }
  for (const query of [
    'limit=0',
    'offset=100000',
    'limit=0&offset=0',
    'from=0001-01-01&to=9999-12-31',
    'from=9999-12-31',
    'to=0001-01-01',
    'to=1969-12-31',
  ]) {
    for (const path of [`/transactions?subscriber_id=${a.id}&`, '/transactions?']) {
      const { status, text } = await bank.get(path + query);
      assert.equal(status, 200, `${query} ${text}`);
    }
  }
  for (const [from, to] of [
    ['0001-01-01', '0001-12-31'],
    ['9999-01-01', '9999-12-31'],
    ['1969-06-01', '1970-01-02'],
  ]) {
    assert.equal((await statement(a, from as string, to as string)).status, 200);
  }
});
