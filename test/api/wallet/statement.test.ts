// Tests account statements as JSON, CSV and PDF: balances and entries are consistent, even during payments.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';
import type { MovementType } from '../../../src/ledger/movement-types.ts';
import { createPayments } from '../../../src/payments/execute.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { TEST_ACTOR, testLedger } from '../../support/ledger.ts';
import { bankForFile, PIN, type Wallet } from '../../support/money.ts';

const { kissi, bank } = await bankForFile({ brokenRules: ['movement_without_inbound'] });

const today = () => new Date(kissi.clock.now()).toISOString().slice(0, 10);

const requestStatement = (body: object) =>
  bank.post('/wallet/account-statement', { from: today(), to: today(), ...body });

async function transfer(from: Wallet, to: Wallet, amount: number, description?: string): Promise<void> {
  const body = { sender_id: from.id, recipient_id: to.id, amount, pin: PIN, ...(description ? { description } : {}) };
  assertStatus(await bank.post('/wallet/transfer', body), 200);
}

/** Posts a credit through the payments layer, as the partner features do. */
async function creditByPartner({ id }: Wallet, type: MovementType, metadata: string | null): Promise<void> {
  const { clock, db, gateway } = kissi;
  const ledger = testLedger({ pool: db.database.pool, clock });
  const feeSettings = gateway.services.fees.settings;
  const nothing = async () => null;
  const payments = createPayments({ ledger, clock, answered: nothing, rules: nothing, feeSettings, stripe: 0 });
  const payer = { accountId: bank.partnerId, party: 'sender' } as const;
  const payment = { type, actor: TEST_ACTOR, payer, amount: 500, key: null, metadata };
  const payee = { accountId: id, party: 'recipient' } as const;
  const plan = { ...payment, payee, onPosted: () => ({ reply: {} }) };
  assert.ok(!((await payments.execute(plan, await payments.policy(type))) instanceof Refusal));
}

/** Asserts that opening balance plus entries is the closing balance, with a consistent balance after each entry. */
function assertAddsUp(statement: Json): void {
  let balance = statement.opening_balance;
  for (const { debit, credit, balance_after, direction, amount, fee } of statement.entries) {
    balance += credit - debit;
    assert.equal(balance_after, balance);
    assert.equal(credit - debit, direction === 'debit' ? -amount - fee : amount - fee);
  }
  assert.equal(statement.closing_balance, balance);
  assert.equal(statement.opening_balance + statement.total_credits - statement.total_debits, balance);
  assert.equal(statement.entry_count, statement.entries.length);
}

/** Parses the subset of RFC 4180 that statements use. */
function linesOf(csv: string): string[][] {
  assert.ok(csv.endsWith('\r\n'));
  return csv
    .slice(0, -2)
    .split('\r\n')
    .map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(unquoted));
}

function unquoted([, quoted, plain]: string[]): string {
  return quoted?.replaceAll('""', '"') ?? plain ?? '';
}

/** Three days with one funding, two outgoing payments and one incoming payment each. */
async function history(): Promise<{ wallet: Wallet; days: string[] }> {
  const [wallet, other] = [
    await bank.wallet(0, { first_name: 'Fatmata', last_name: 'Sesay' }),
    await bank.wallet(90_000),
  ];
  const days: string[] = [];
  for (let day = 0; day < 3; day++) {
    days.push(today());
    await bank.fund(wallet, 100_000);
    await transfer(wallet, other, 10_000, 'Rent, "March"');
    await transfer(wallet, other, 333);
    await transfer(other, wallet, 5_000, '=HYPERLINK("http://x")');
    kissi.clock.advance(DAY_MS);
  }
  return { wallet, days };
}

describe('a JSON statement', () => {
  test('has the holder, the period, both balances and every entry with a readable description', async () => {
    const { wallet, days } = await history();
    const reply = assertStatus(await requestStatement({ subscriber_id: wallet.id, from: days[1], to: days[1] }), 200);
    const { entries, ...head } = reply.json;
    const opening = 100_000 - 10_150 - 338 + 5_000;
    assert.match(head.account_number, /^\*{6}\d{4}$/);
    assert.deepEqual(
      { ...head, account_number: '' },
      {
        success: true,
        subscriber_id: wallet.id,
        holder_name: 'Fatmata Sesay',
        account_number: '',
        currency: 'SLE',
        from: `${days[1]}T00:00:00.000Z`,
        to: `${days[1]}T23:59:59.999Z`,
        generated_at: new Date(kissi.clock.now()).toISOString(),
        opening_balance: opening,
        opening_balance_formatted: '945.12 SLE',
        closing_balance: 2 * opening,
        closing_balance_formatted: '1,890.24 SLE',
        closing_held: 0,
        total_credits: 105_000,
        total_debits: 10_488,
        entry_count: 4,
      },
    );
    const lines = entries.map((entry: Json) => [entry.description, entry.narration, entry.debit, entry.credit]);
    assert.deepEqual(lines, [
      ['Funding from Rokel Test Bank', null, 0, 100_000],
      ['Transfer to Aminata K.', 'Rent, "March"', 10_150, 0],
      ['Transfer to Aminata K.', null, 338, 0],
      ['Transfer from Aminata K.', '=HYPERLINK("http://x")', 0, 5_000],
    ]);
    assertAddsUp(reply.json);
    assert.deepEqual(
      (await requestStatement({ subscriber_id: wallet.id, from: days[1], to: days[1], format: 'json' })).json,
      reply.json,
    );
  });

  test('shows the metadata of inbound credits byte for byte, and no other metadata', async () => {
    const wallet = await bank.wallet();
    const metadata = '{ "invoice":"7","rate":1.0, "huge":1e400,"1":[ ] }';
    for (const [type, sent] of [
      ['inbound_credit', metadata],
      ['inbound_credit', null],
      ['partner_cashin', '{"a":1}'],
    ] as const) {
      await creditByPartner(wallet, type, sent);
    }
    const { text, json } = await requestStatement({ subscriber_id: wallet.id });
    assertAddsUp(json);
    const kinds = json.entries.map((entry: Json) => [entry.type, 'metadata' in entry]);
    assert.deepEqual(kinds, [
      ['inbound_credit', true],
      ['inbound_credit', false],
      ['partner_cashin', false],
    ]);
    assert.ok(text.includes(`"metadata":${metadata}}`), text);
  });

  test('is consistent for any period: before, within, after and over all entries', async () => {
    const { wallet, days } = await history();
    const complete = await requestStatement({ subscriber_id: wallet.id, from: days[0], to: today() });
    assertAddsUp(complete.json);
    assert.deepEqual([complete.json.opening_balance, complete.json.entry_count], [0, 12]);
    const before = await requestStatement({ subscriber_id: wallet.id, from: '2020-01-01', to: '2020-12-31' });
    assert.deepEqual([before.json.opening_balance, before.json.closing_balance, before.json.entries], [0, 0, []]);
    const afterwards = await requestStatement({ subscriber_id: wallet.id });
    assert.equal(afterwards.json.opening_balance, complete.json.closing_balance);
    assert.equal(afterwards.json.closing_balance, complete.json.closing_balance);
    const noon = await requestStatement({
      subscriber_id: wallet.id,
      from: `${days[1]}T00:00:00Z`,
      to: `${days[2]}T23:59:59+00:00`,
    });
    assertAddsUp(noon.json);
    assert.equal(noon.json.entry_count, 8);
  });

  test('is consistent while payments are posted', async () => {
    const [wallet, other] = [await bank.wallet(1_000_000), await bank.wallet(1_000_000)];
    let paying = true;
    const payments = (async () => {
      while (paying) {
        await Promise.all([
          ...Array.from({ length: 10 }, () => transfer(wallet, other, 7)),
          ...Array.from({ length: 10 }, () => transfer(other, wallet, 9)),
        ]);
      }
    })();
    const counts: number[] = [];
    for (let round = 0; round < 30; round++) {
      const { json } = await requestStatement({ subscriber_id: wallet.id });
      assertAddsUp(json);
      counts.push(json.entry_count);
    }
    paying = false;
    await payments;
    assert.ok((counts.at(-1) ?? 0) > (counts[0] ?? 0), 'payments were posted during the test');
    assertAddsUp((await requestStatement({ subscriber_id: wallet.id })).json);
  });

  test('with more entries than one read returns, in any script, is complete and in order', async () => {
    const [wallet, other] = [await bank.wallet(3_000_000), await bank.wallet(0, { first_name: 'Zoë' })];
    // 100 at a time: fetch gives up on a connection that is not accepted within ten seconds.
    for (let sent = 0; sent < 1_200; sent += 100) {
      const pay = (_: unknown, index: number) => transfer(wallet, other, 1 + sent + index, 'Loyer – août');
      await Promise.all(Array.from({ length: 100 }, pay));
    }
    const { json } = await requestStatement({ subscriber_id: wallet.id });
    assertAddsUp(json);
    assert.equal(json.entry_count, 1_201);
    assert.equal(new Set(json.entries.map((entry: Json) => entry.transaction_id)).size, 1_201);
    const csv = await requestStatement({ subscriber_id: wallet.id, format: 'csv' });
    assert.equal(linesOf(csv.text).length, 1_204, 'header, opening balance, entries, closing balance');
    const pdf = await requestStatement({ subscriber_id: wallet.id, format: 'pdf' });
    assert.match(pdf.text, /^%PDF-/);
    assert.equal(pdf.text.match(/\/Type \/Page\n/g)?.length, 1 + Math.ceil((1_203 - 18) / 25));
  });
});

describe('a CSV statement', () => {
  test('is a file whose lines add up from the opening to the closing balance', async () => {
    const { wallet, days } = await history();
    const reply = await requestStatement({ subscriber_id: wallet.id, from: days[1], to: days[2], format: 'csv' });
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.match(
      reply.headers.get('content-disposition') ?? '',
      new RegExp(`^attachment; filename="kissi-statement-\\d{4}-${days[1]}-${days[2]}\\.csv"$`),
    );
    const [names = [], ...records] = linesOf(reply.text);
    const lines = records.map((record): Json => Object.fromEntries(names.map((name, at) => [name, record[at]])));
    assert.deepEqual([lines[0].type, lines.at(-1)?.type], ['opening_balance', 'closing_balance']);
    const cents = (amount: string) => Math.round(Number(amount) * 100);
    let balance = cents(lines[0].balance);
    for (const line of lines.slice(1)) {
      balance += cents(line.credit) - cents(line.debit);
      assert.equal(cents(line.balance), balance);
      assert.equal(line.currency, 'SLE');
    }
    assert.equal(lines.length, 10);
    assert.equal(lines[2].narration, 'Rent, "March"');
    assert.equal(lines[4].narration, `'=HYPERLINK("http://x")`, 'escaped so that spreadsheets do not evaluate it');
    assert.equal(lines.at(-1)?.balance, '2835.36');
  });
});

describe('a PDF statement', () => {
  test('is a complete PDF file with the holder, the period and the amounts', async () => {
    const { wallet, days } = await history();
    const response = await fetch(`${kissi.url}/api/v1/wallet/account-statement`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bank.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ subscriber_id: wallet.id, from: days[0], to: days[2], format: 'pdf' }),
    });
    assert.equal(response.headers.get('content-type'), 'application/pdf');
    assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="kissi-statement-.*\.pdf"$/);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.ok(bytes.subarray(0, 8).equals(Buffer.from('%PDF-1.3')));
    assert.match(bytes.toString('latin1').trimEnd(), /%%EOF$/);
    const text = textOf(bytes);
    for (const phrase of ['Kissi', 'Account statement', 'Fatmata Sesay', 'Transfer to Aminata K.', 'Page 1 of 1']) {
      assert.ok(text.includes(phrase), phrase);
    }
    assert.ok(text.includes('2,835.36 SLE'), 'the closing balance');
    assert.ok(text.includes('incl. fee 1.50'));
  });

  /** Extracts the text of the pages: hex strings in brackets, possibly split by kerning. */
  function textOf(pdf: Buffer): string {
    const streams = [...pdf.toString('latin1').matchAll(/FlateDecode\n>>\nstream\n([\s\S]*?)\nendstream/g)];
    const drawn = streams.map(([, deflated = '']) => inflateSync(Buffer.from(deflated, 'latin1')).toString('latin1'));
    const lines = drawn.join('\n').matchAll(/\[(.*?)\] TJ/g);
    return [...lines]
      .map(([, line = '']) => [...line.matchAll(/<([0-9a-f]+)>/g)].map(([, hex = '']) => hex).join(''))
      .map((hex) => Buffer.from(hex, 'hex').toString('latin1'))
      .join('\n');
  }
});

test('an invalid field is rejected with 400 by name; an unknown subscriber with 404', async () => {
  const { id } = await bank.wallet();
  const cases: [object, RegExp][] = [
    [{ from: undefined }, /from/],
    [{ to: 'tomorrow' }, /to/],
    [{ from: '2026-03-02', to: '2026-03-01' }, /from/],
    [{ from: '2024-01-01', to: '2025-01-02' }, /366 days after from/],
    [{ from: '2024-01-01T00:00:00Z', to: '2025-01-01T00:00:00.001Z' }, /366 days after from/],
    [{ from: '2024-01-01T00:00:00.001Z', to: '2025-01-03' }, /366 days after from/],
    [{ format: 'xlsx' }, /format/],
    [{ subscriber_id: 7 }, /subscriber_id/],
  ];
  for (const [change, message] of cases) {
    const reply = await requestStatement({ subscriber_id: id, ...change });
    assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_REQUEST'], JSON.stringify(change));
    assert.match(reply.json.error, message);
  }
  const unknown = await requestStatement({ subscriber_id: 'sub_unknown', format: 'pdf' });
  assert.deepEqual([unknown.status, unknown.json.code], [404, 'SUBSCRIBER_NOT_FOUND']);
});

test('to may be exactly 366 days after from, as a day, which is included, or as an instant', async () => {
  const { id } = await bank.wallet();
  const instants = { from: '2024-01-01T00:00:00Z', to: '2025-01-01T00:00:00Z' };
  for (const period of [{ from: '2024-01-01', to: '2025-01-01' }, { from: '2025-01-01', to: '2026-01-02' }, instants]) {
    const reply = await requestStatement({ subscriber_id: id, ...period });
    assert.equal(reply.status, 200, `${JSON.stringify(period)} ${reply.text}`);
  }
  const whole = await requestStatement({ subscriber_id: id, from: '2024-01-01', to: '2025-01-01' });
  assert.deepEqual([whole.json.from, whole.json.to], ['2024-01-01T00:00:00.000Z', '2025-01-01T23:59:59.999Z']);
});
