// Tests the daily close: its figures, that a day closes once, corrections, the automatic close, keys and access.
import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { describe, test } from 'node:test';
import { DAY_MS, iso } from '../../../src/kernel/clock.ts';
import { fundAgent, newAgent } from '../../support/agents.ts';
import { csvFile, newTrustAccount, uploadStatement } from '../../support/bank-files.ts';
import { testClock } from '../../support/clock.ts';
import { balancesOf, closableFrom, close, dayOf, endOf, getClose, replayedBalances } from '../../support/closes.ts';
import { CSV, parseCsv } from '../../support/csv.ts';
import { assertStatus, type Json, SECRETS, testGateway } from '../../support/gateway.ts';
import { scrape } from '../../support/metrics.ts';
import { assertLedgerConsistent, bankForFile, PIN } from '../../support/money.ts';
import { partnerBank, webhookHeaders } from '../../support/partner.ts';
import { assertRefused, auditLogs, runChore, staffToken } from '../../support/staff.ts';

const SECRET = 'a-webhook-secret-shared-with-one-partner';
const { kissi, bank } = await bankForFile({ env: { PARTNER_CASHIN_WEBHOOK_SECRET: SECRET } });
const { clock } = kissi;

const moveTo = (at: number) => clock.advance(at - clock.now());
const today = () => dayOf(clock.now());
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const closesCount = async () => (await kissi.db.query('select count(*)::int as n from closes')).rows[0].n;

/** Moves past the end of the current day, to when it can be closed; returns the day. */
function endDay(): string {
  const date = today();
  moveTo(closableFrom(date));
  return date;
}

async function deposit(amount: number): Promise<string> {
  const raw = JSON.stringify({ card_serial: await bank.card(await bank.wallet()), amount });
  const reply = await kissi.call('POST', '/webhooks/partner/cashin', { raw, headers: webhookHeaders(SECRET, raw) });
  assert.equal(reply.status, 200, reply.text);
  return reply.json.transaction_id;
}

describe('POST /admin/closes', () => {
  test('signs the figures of the end of the day, whatever happened since', async () => {
    const [alice, bob] = [await bank.wallet(90_000), await bank.wallet()];
    const rokel = await partnerBank(kissi);
    await rokel.cashIn({ phone_number: bob.phone, amount: 1_200 });
    await deposit(700);
    const transfer = { sender_id: alice.id, recipient_id: bob.id, amount: 500, pin: PIN };
    assert.equal((await bank.post('/wallet/transfer', transfer)).status, 200);
    const date = today();
    moveTo(endOf(date) - 1);
    assert.equal((await bank.post('/wallet/transfer', { ...transfer, amount: 501 })).status, 200);
    moveTo(endOf(date));
    await bank.fund(bob, 33_333);
    await rokel.cashIn({ phone_number: bob.phone, amount: 9_999 });
    await deposit(11);
    moveTo(closableFrom(date));
    const reply = assertStatus(await close(kissi, { date }), 201);
    const { close: made, message, success } = reply.json;
    assert.deepEqual([success, message], [true, 'The day was closed.']);
    const stored = await getClose(kissi, date);
    const { content, ...view } = stored;
    assert.deepEqual(view, made);
    assert.deepEqual(balancesOf(stored), await replayedBalances(kissi, endOf(date)));
    assert.equal(content.e_money.total, 90_000 + 1_200 + 700);
    assert.deepEqual(
      content.partners.partners.map(({ id, outstanding }: Json) => [id, outstanding]),
      [
        [bank.partnerId, 90_000],
        [rokel.id, 1_200],
      ].toSorted(),
    );
    assert.deepEqual(content.suspense.by_age.under_1_day, { count: 1, amount: 700 });
    assert.deepEqual([content.suspense.count, content.suspense.amount], [1, 700]);
    const transfers = content.movements.find(({ type }: Json) => type === 'transfer_p2p');
    assert.deepEqual([transfers.count, transfers.amount], [2, 1_001]);
    assert.deepEqual(
      [content.version, content.number, content.date, content.instant, content.closed_at, content.previous_sha256],
      [1, 1, date, iso(endOf(date)), iso(closableFrom(date)), null],
    );
    assert.deepEqual([content.cover_ratio, content.cover_difference, content.corrects], [null, null, null]);
    assert.ok(content.seals.heads.length > 0 && content.seals.chain.id > 0);
  });

  test('writes one document, whose bytes the published key verifies', async () => {
    const { document, signature, key_id, ...made } = await getClose(kissi, (await lastClose()).date);
    assert.equal(made.sha256, sha256(document));
    const keys = assertStatus(await kissi.call('GET', '/.well-known/kissi-keys.json'), 200);
    assert.match(keys.headers.get('cache-control') ?? '', /^public, max-age=\d+$/);
    const jwk = keys.json.keys.find(({ kid }: Json) => kid === key_id);
    const { kid: _kid, ...rest } = jwk;
    assert.deepEqual(Object.keys(rest), ['kty', 'crv', 'x', 'use', 'alg']);
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    assert.ok(verify(null, Buffer.from(document), key, Buffer.from(signature, 'base64')));
    assert.ok(!verify(null, Buffer.from(document.replace('700', '701')), key, Buffer.from(signature, 'base64')));
    assert.ok(!keys.text.includes(SECRETS.CLOSE_SIGNING_KEY));
  });

  test('is audited, and recorded by who closed the day', async () => {
    const made = await lastClose();
    const [entry, ...others] = await auditLogs(kissi, { action: 'close.create', resource_id: made.id });
    assert.equal(others.length, 0);
    assert.deepEqual(entry.details, { date: made.date, sha256: made.sha256, key_id: made.key_id });
    assert.deepEqual([entry.actor_type, entry.actor_id], ['user', made.created_by]);
  });

  test('closes a day once, in order, and not before its last payments can have been committed', async () => {
    const { date, id, sha256: hash } = await lastClose();
    const again = assertRefused(await close(kissi, { date }), 409, 'ALREADY_CLOSED');
    assert.equal(again.json.close_id, id);
    const next = today();
    const early = assertRefused(await close(kissi, { date: next }), 422, 'DAY_NOT_OVER');
    assert.equal(early.json.closable_from, iso(closableFrom(next)));
    moveTo(closableFrom(next) - 1);
    assertRefused(await close(kissi, { date: next }), 422, 'DAY_NOT_OVER');
    moveTo(closableFrom(next) + DAY_MS);
    const skipping = assertRefused(await close(kissi, { date: dayOf(endOf(next)) }), 409, 'CLOSE_OUT_OF_ORDER');
    assert.equal(skipping.json.next_date, next);
    assertRefused(await close(kissi, { date: dayOf(endOf(date) - 2 * DAY_MS) }), 409, 'CLOSE_OUT_OF_ORDER');
    for (const bad of ['2026-02-30', 'today', '2026-1-1', '']) {
      assertRefused(await close(kissi, { date: bad }), 400, 'INVALID_REQUEST', bad);
    }
    const made = assertStatus(await close(kissi, { date: next }), 201);
    assert.equal(made.json.close.previous_sha256, hash);
  });

  test('is for finance; auditors read, and others do neither', async () => {
    const { date } = await lastClose();
    for (const [role, reads] of [
      ['audit_user', 200],
      ['support_user', 403],
    ] as const) {
      const token = await staffToken(kissi, role);
      assertRefused(await close(kissi, { date: today() }, token), 403, 'FORBIDDEN');
      for (const path of ['', `/${date}`, `/${date}.pdf`]) {
        assert.equal((await kissi.call('GET', `/api/v1/admin/closes${path}`, { token })).status, reads, path);
      }
    }
  });
});

async function lastClose(): Promise<Json> {
  const token = await staffToken(kissi, 'audit_user');
  return (await kissi.call('GET', '/api/v1/admin/closes?limit=1', { token })).json.closes[0];
}

describe('a correction', () => {
  test('is a new document that names the one it corrects, and becomes the close of the day', async () => {
    const { date, id, number, sha256: hash } = await lastClose();
    assertStatus(await close(kissi, { date, corrects: id, reason: ' The statement arrived\nlate ' }), 201);
    const corrected = await getClose(kissi, date);
    assert.deepEqual(corrected.content.corrects, { id, sha256: hash, reason: 'The statement arrived late' });
    assert.deepEqual([corrected.number, corrected.previous_sha256, corrected.corrects], [number + 1, hash, id]);
    assert.equal((await getClose(kissi, id)).sha256, hash, 'the corrected one stays readable by its id');
    const again = assertRefused(await close(kissi, { date, corrects: id, reason: 'Once more' }), 409, 'ALREADY_CLOSED');
    assert.equal(again.json.close_id, corrected.id);
    assert.equal((await close(kissi, { date, corrects: corrected.id, reason: 'Once more' })).status, 201);
  });

  test('needs a reason, a close of the same day, and is refused otherwise', async () => {
    const { date, id } = await lastClose();
    const before = await closesCount();
    assertRefused(await close(kissi, { date, corrects: id }), 400, 'INVALID_REQUEST');
    assertRefused(await close(kissi, { date, corrects: id, reason: ' ' }), 400, 'INVALID_REQUEST');
    assertRefused(await close(kissi, { date, reason: 'x' }), 400, 'INVALID_REQUEST');
    assertRefused(await close(kissi, { date, corrects: 'close_none', reason: 'x' }), 404, 'NOT_FOUND');
    const other = dayOf(endOf(date) - 2 * DAY_MS);
    assertRefused(await close(kissi, { date: other, corrects: id, reason: 'x' }), 400, 'INVALID_REQUEST');
    assert.equal(await closesCount(), before);
  });

  test('happens once when several users correct a close at the same moment', async () => {
    const { date, id } = await lastClose();
    const second = await testGateway({ db: kissi.db, clock });
    const token = await staffToken(kissi, 'finance_user');
    const gateways = [kissi, second, kissi, second];
    const replies = await Promise.all(
      gateways.map((gateway) => close(gateway, { date, corrects: id, reason: 'Both' }, token)),
    );
    await second.close();
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [201, 409, 409, 409]);
  });
});

describe('the list of closes', () => {
  test('has every document, newest first, with filters, pages and CSV', async () => {
    const token = await staffToken(kissi, 'audit_user');
    const get = async (query: string) => (await kissi.call('GET', `/api/v1/admin/closes${query}`, { token })).json;
    const { closes, total_count } = await get('?limit=100');
    assert.equal(total_count, await closesCount());
    assert.deepEqual(
      closes.map(({ number }: Json) => number),
      closes.map((_: Json, index: number) => closes.length - index),
    );
    const first = closes.at(-1);
    assert.deepEqual((await get(`?to=${first.date}`)).closes, [first]);
    assert.deepEqual((await get(`?from=${first.date}&limit=1&offset=${total_count - 1}`)).closes, [first]);
    const csv = await kissi.call('GET', '/api/v1/admin/closes', { token, headers: CSV });
    assert.equal(parseCsv(csv.text).rows.length, total_count);
    assertRefused(await kissi.call('GET', '/api/v1/admin/closes?from=x', { token }), 400, 'INVALID_REQUEST');
    assertRefused(await kissi.call('GET', '/api/v1/admin/closes/2020-01-01', { token }), 404, 'NOT_FOUND');
    assertRefused(await kissi.call('GET', '/api/v1/admin/closes/2020-01-01.pdf', { token }), 404, 'NOT_FOUND');
    assertRefused(await kissi.call('GET', '/api/v1/admin/closes/close_x', { token }), 404, 'NOT_FOUND');
  });
});

describe('the automatic close', () => {
  const run = (gateway = kissi) => runChore(gateway, 'close days');

  test('closes the day ten minutes after its end, once, on one of several gateways', async () => {
    const second = await testGateway({ db: kissi.db, clock });
    await run();
    const before = await closesCount();
    const date = today();
    moveTo(closableFrom(date) - 1);
    await Promise.all([run(), run(second)]);
    assert.equal(await closesCount(), before);
    moveTo(closableFrom(date));
    await Promise.all([run(), run(second), run(), run(second)]);
    await second.close();
    assert.equal(await closesCount(), before + 1);
    const made = await getClose(kissi, date);
    assert.deepEqual([made.created_by, made.content.closed_by], ['system', { type: 'system', id: null }]);
    const entries = await auditLogs(kissi, { action: 'close.create', resource_id: made.id });
    assert.deepEqual(
      entries.map(({ actor_type }) => actor_type),
      ['system'],
    );
  });

  test('closes the days that passed while no gateway ran, in order, each with its own figures', async () => {
    const first = today();
    const wallet = await bank.wallet(1_000);
    moveTo(endOf(first) + 1_000);
    await bank.fund(wallet, 2_000);
    moveTo(endOf(dayOf(endOf(first))) + 1_000);
    await bank.fund(wallet, 4_000);
    const before = await closesCount();
    moveTo(closableFrom(dayOf(clock.now())));
    await run();
    assert.equal(await closesCount(), before + 3);
    const days = [0, 1, 2].map((offset) => dayOf(endOf(first) - 1 + offset * DAY_MS));
    for (const date of days) {
      assert.deepEqual(balancesOf(await getClose(kissi, date)), await replayedBalances(kissi, endOf(date)), date);
    }
    const fundings = await Promise.all(days.map(async (date) => fundedOn(await getClose(kissi, date))));
    assert.deepEqual(fundings, [1_000, 2_000, 4_000]);
  });

  test('begins with the last day on a database with a history, and waits on an empty one', async () => {
    const fresh = await testGateway({ clock: testClock() });
    const count = async () => (await fresh.db.query('select date::text from closes')).rows.map(({ date }) => date);
    try {
      fresh.clock.advance(5 * DAY_MS);
      await run(fresh);
      assert.deepEqual(await count(), []);
      await fresh.db.query(
        `insert into movements (id, type, from_account, to_account, amount, fee, details, at)
        values ('txn_00000000000000000000000001', 'agent_fund', 'a', 'b', 1, 0, '{}', $1)`,
        [new Date(fresh.clock.now())],
      );
      await run(fresh);
      assert.deepEqual(await count(), []);
      const last = fresh.clock.now() + 30 * DAY_MS;
      fresh.clock.advance(closableFrom(dayOf(last)) - fresh.clock.now());
      await run(fresh);
      assert.deepEqual(await count(), [dayOf(last)]);
    } finally {
      await fresh.close();
    }
  });
});

test('the first close is of no day before the books: every later day would be closed without a movement', async () => {
  const fresh = await testGateway({ clock: testClock() });
  try {
    const yesterday = dayOf(fresh.clock.now() - DAY_MS);
    for (const date of ['0001-01-01', '1970-01-01', dayOf(fresh.clock.now() - 2 * DAY_MS)]) {
      const reply = assertRefused(await close(fresh, { date }), 409, 'CLOSE_OUT_OF_ORDER', date);
      assert.equal(reply.json.next_date, yesterday);
    }
    await fundAgent(fresh, await newAgent(fresh), 1_000);
    const first = dayOf(fresh.clock.now());
    fresh.clock.advance(5 * DAY_MS);
    assert.equal((await close(fresh, { date: yesterday })).json.next_date, first);
    assert.equal((await close(fresh, { date: first })).status, 201);
  } finally {
    await fresh.close();
  }
});

const fundedOn = ({ content }: Json) => content.movements.find(({ type }: Json) => type === 'vult_fund')?.amount;

describe('a close while payments go on, on two gateways,', () => {
  test('equals a replay of all postings to its instant', async () => {
    const second = await testGateway({ db: kissi.db, clock });
    const wallets = await Promise.all([1, 2, 3, 4].map(() => bank.wallet(100_000)));
    const date = today();
    moveTo(endOf(date) - 40);
    let isRunning = true;
    const pay = async (gateway: typeof kissi, index: number) => {
      for (let n = 0; isRunning; n++) {
        const [from, to] = [wallets[(index + n) % 4], wallets[(index + n + 1) % 4]];
        const body = { sender_id: from?.id, recipient_id: to?.id, amount: 1 + n, pin: PIN };
        assertStatus(await gateway.call('POST', '/api/v1/wallet/transfer', { body, token: bank.key }), 200);
        clock.advance(1);
      }
    };
    const paying = [pay(kissi, 0), pay(second, 1), pay(kissi, 2), pay(second, 3)];
    while (clock.now() < endOf(date) + 20) await new Promise((resolve) => setImmediate(resolve));
    moveTo(closableFrom(date));
    const token = await staffToken(kissi, 'finance_user');
    const replies = await Promise.all([kissi, second].map((gateway) => close(gateway, { date }, token)));
    isRunning = false;
    await Promise.all(paying);
    await second.close();
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [201, 409]);
    const made = await getClose(kissi, date);
    assert.deepEqual(balancesOf(made), await replayedBalances(kissi, endOf(date)));
    const { rows } = await kissi.db.query(
      `select count(*)::int as n, sum(amount)::int as amount from movements where type = 'transfer_p2p' and at >= $1 and at < $2`,
      [new Date(endOf(date) - DAY_MS), new Date(endOf(date))],
    );
    const transfers = made.content.movements.find(({ type }: Json) => type === 'transfer_p2p');
    assert.deepEqual([transfers.count, transfers.amount], [rows[0].n, rows[0].amount]);
    const after = await kissi.db.query('select count(*)::int as n from movements where at >= $1', [
      new Date(endOf(date)),
    ]);
    assert.ok(rows[0].n > 0 && after.rows[0].n > 0, 'payments before and after the instant');
    await assertLedgerConsistent(kissi);
  });
});

describe('unmatched items', () => {
  test('are counted by age on both sides, until they are matched', async () => {
    const token = await staffToken(kissi, 'finance_user');
    const agent = await newAgent(kissi);
    await fundAgent(kissi, agent, 4_000);
    const account = await newTrustAccount(kissi, token);
    const file = csvFile({ from: today(), entries: [{ amount: 4_000 }, { amount: -70 }] });
    assert.equal((await uploadStatement(kissi, token, account.id, ['text/csv', file])).status, 201);
    const date = endDay();
    await runChore(kissi, 'close days');
    const { content } = await getClose(kissi, date);
    assert.deepEqual(content.unmatched.bank.by_age.under_1_day, { count: 2, amount: 4_070 });
    assert.deepEqual(content.unmatched.books.by_age.under_1_day, { count: 1, amount: 4_000 });
    assert.deepEqual([content.trust.total, content.trust.accounts[0].balance_date], [3_930, date]);
    assert.match(content.cover_ratio, /^0\.\d{4}$/);
    const finance = { token: await staffToken(kissi, 'finance_user') };
    const entry = (await kissi.db.query('select id from bank_entries where amount = 4000')).rows[0].id;
    const movement = (await kissi.db.query(`select id from movements where type = 'agent_fund' and amount = 4000`))
      .rows[0].id;
    const body = { bank_entry_ids: [entry], transaction_ids: [movement] };
    assertStatus(await kissi.call('POST', '/api/v1/admin/reconciliation/matches', { body, ...finance }), 201);
    const next = endDay();
    await runChore(kissi, 'close days');
    const { unmatched } = (await getClose(kissi, next)).content;
    assert.deepEqual(
      [unmatched.bank.count, unmatched.bank.by_age.under_3_days.amount, unmatched.books.count],
      [1, 70, 0],
    );
    await assertLedgerConsistent(kissi);
  });
});

describe('a new signing key', () => {
  test('signs later closes, and the old one stays published', async () => {
    const old = (await lastClose()).key_id;
    const { CLOSE_SIGNING_KEY } = { CLOSE_SIGNING_KEY: 'ab'.repeat(32) };
    const rotated = await testGateway({ db: kissi.db, clock, secrets: { ...SECRETS, CLOSE_SIGNING_KEY } });
    const date = endDay();
    await runChore(rotated, 'close days');
    const made = await getClose(kissi, date);
    assert.notEqual(made.key_id, old);
    const published = await rotated.call('GET', '/.well-known/kissi-keys.json');
    const forCloses = published.json.keys.filter(({ purpose }: Json) => purpose === undefined);
    assert.deepEqual(forCloses.map(({ kid }: Json) => kid).toSorted(), [old, made.key_id].toSorted());
    await rotated.close();
    await assertLedgerConsistent(kissi);
  });
});

describe('the gauges', () => {
  test('show cover, statements, suspense and missing closes as the background task read them', async () => {
    const read = async () => {
      await runChore(kissi, 'watch cover and closes');
      const { series } = await scrape(kissi);
      return ['cover_ratio', 'trust_statement_age_seconds', 'suspense_oldest_seconds', 'close_overdue_seconds'].map(
        (name) => series.get(`kissi_${name}`),
      );
    };
    await runChore(kissi, 'close days');
    const [ratio, statement, suspense, overdue] = await read();
    assert.ok(ratio !== undefined && ratio > 0 && ratio < 1, String(ratio));
    assert.ok(statement !== undefined && statement > 0);
    assert.ok(suspense !== undefined && suspense > 0);
    assert.equal(overdue, 0);
    moveTo(closableFrom(today()) + 3_600_000);
    const later = await read();
    assert.equal(later[3], 3_600);
    assert.ok((later[1] ?? 0) > statement && (later[2] ?? 0) > suspense);
    await runChore(kissi, 'close days');
    assert.equal((await read())[3], 0);
  });
});
