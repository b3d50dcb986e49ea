// The what-if of a monitoring rule equals what the rule really does to the same payments, and is bounded.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';
import { createHistoryReplay, type ReplayLimits } from '../../../src/ledger/queries/history-replay.ts';
import { testClock } from '../../support/clock.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { bankForFile, PIN, type Wallet } from '../../support/money.ts';
import { markPep } from '../../support/pep.ts';
import { assertRefused, openSession, type Staff, staffMember } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const START = Date.parse('2026-03-07T21:10:00Z');
const { kissi, bank } = await bankForFile({ clock: testClock(START), unauditedRecords: ['compliance_rule'] });
const officer = await staffMember(kissi, 'compliance_user');
const RULES = '/api/v1/compliance/rules';

/** Tokens expire as the clock moves, so each call has a new one. */
async function post(path: string, body: object, user: Staff = officer): Promise<CallReply> {
  const { token } = await openSession(kissi, user);
  return kissi.call('POST', path, { token, body });
}

async function posted(path: string, body: object): Promise<Json> {
  const reply = await post(path, body);
  assert.ok(reply.status < 300, reply.text);
  return reply.json;
}

const velocity = (extra: object) => ({
  ...{ name: 'Often', kind: 'velocity_count', transaction_types: ['transfer_p2p'] },
  ...{ threshold: 3, window_seconds: 7_200, outcome: 'flag', ...extra },
});

const transfer = (from: Wallet, to: Wallet, amount: number) =>
  bank.post('/wallet/transfer', { sender_id: from.id, recipient_id: to.id, amount, pin: PIN });

async function pay(from: Wallet, to: Wallet, amount: number): Promise<string> {
  return assertStatus(await transfer(from, to, amount), 200).json.transaction_id;
}

/** The gateway has read the rules a second later. */
async function enableOnly(id: string | null): Promise<void> {
  await kissi.db.query('update compliance_rules set enabled = id is not distinct from $1', [id]);
  kissi.clock.advance(SECOND_MS);
}

await enableOnly(null);
const rules = [
  velocity({}),
  velocity({ side: 'payee', threshold: 2, window_seconds: 10_800 }),
  velocity({ kind: 'velocity_amount', threshold: 9_000, transaction_types: ['transfer_p2p', 'pos_payment'] }),
  velocity({ kind: 'amount', threshold: 3_500, window_seconds: undefined }),
  velocity({
    kind: 'amount',
    side: 'payee',
    threshold: 2_500,
    window_seconds: undefined,
    transaction_types: ['pos_payment'],
  }),
  velocity({ kind: 'velocity_amount', transaction_types: ['vult_fund'], threshold: 1, window_seconds: 86_400 }),
];
const ids: string[] = [];
for (const rule of rules) ids.push((await posted(RULES, rule)).rule.id);
kissi.clock.advance(SECOND_MS);
const [alice, bob, carol] = [await bank.wallet(5_000_000), await bank.wallet(5_000_000), await bank.wallet()];
const card = await bank.card(alice);
const terminal = await terminalOf(kissi);
for (let n = 0; n < 36; n++) {
  kissi.clock.advance(([11, 3, 45, 17, 90][n % 5] as number) * MINUTE_MS);
  await pay(n % 3 === 0 ? bob : alice, n % 3 === 0 ? alice : n % 2 === 0 ? carol : bob, 1_000 + 110 * n);
  if (n % 6 === 1) assert.equal((await terminal.pay(card, { amount: 2_000 + 100 * n })).status, 200);
  if (n % 12 === 5) await bank.fund(carol, 5);
}
await enableOnly(null);

/** The payments whose alerts name the rule. */
async function flaggedBy(rule: string): Promise<string[]> {
  const text = `select transaction_id from compliance_alerts, json_array_elements((figures->'rules')::json) triggered
    where triggered->>'rule_id' = $1 order by transaction_id`;
  return (await kissi.db.query(text, [rule])).rows.map(({ transaction_id }) => transaction_id);
}

describe('the what-if of a rule', () => {
  test('counts exactly the payments that the same rule really flagged', async () => {
    for (const [index, rule] of rules.entries()) {
      const real = await flaggedBy(ids[index] as string);
      assert.ok(real.length > 1, `rule ${index} must be triggered for this test to mean something`);
      const found = await posted(`${RULES}/what-if`, rule);
      assert.equal(found.proposed.flagged, real.length, `rule ${index}`);
      assert.equal(found.proposed.blocked, 0);
      const examples = found.proposed.examples.map((each: Json) => each.transaction_id);
      assert.deepEqual(examples, real.toReversed().slice(0, 10));
      const days = found.days.reduce((sum: number, day: Json) => sum + day.flagged, 0);
      assert.deepEqual([days, found.days.length, found.truncated], [real.length, 31, false]);
      assert.equal(found.current, undefined);
    }
  });

  test('names the subjects, the share and the figures of each example', async () => {
    const found = await posted(`${RULES}/what-if`, rules[3] as object);
    const { rows } = await kissi.db.query(
      `select id, from_account, amount, at from movements where type = 'transfer_p2p' order by id desc`,
    );
    const large = rows.filter(({ amount }) => amount > 3_500);
    assert.equal(found.payments_checked, rows.length);
    assert.equal(found.proposed.share_percent, Math.round((large.length / rows.length) * 1e6) / 1e4);
    assert.equal(
      found.proposed.value,
      large.reduce((sum, { amount }) => sum + amount, 0),
    );
    const ofAlice = large.filter((row) => row.from_account === alice.id);
    const [top] = found.proposed.top_subjects;
    assert.deepEqual([top.id, top.kind, top.name], [alice.id, 'wallet', 'Aminata Kamara']);
    assert.deepEqual([top.payments, found.proposed.subjects], [ofAlice.length, 2]);
    const [newest] = large;
    assert.deepEqual(found.proposed.examples[0], {
      ...{ transaction_id: newest.id, at: newest.at.toISOString(), transaction_type: 'transfer_p2p' },
      ...{ amount: newest.amount, subject_id: newest.from_account, found: newest.amount },
    });
  });

  test('of a blocking rule predicts which of the same payments are refused', async () => {
    const rule = velocity({ outcome: 'block', threshold: 2, window_seconds: 3_600 });
    const series = async (payer: Wallet) => {
      const refused: boolean[] = [];
      for (const minutes of [0, 5, 10, 30, 20, 5, 40, 1, 1]) {
        kissi.clock.advance(minutes * MINUTE_MS);
        refused.push((await transfer(payer, carol, 100)).status === 422);
      }
      return refused;
    };
    const [first, second] = [await bank.wallet(10_000), await bank.wallet(10_000)];
    assert.ok(!(await series(first)).includes(true));
    const { proposed } = await posted(`${RULES}/what-if`, { ...rule, kind: 'velocity_count' });
    const predicted = proposed.top_subjects.find((each: Json) => each.id === first.id).payments;
    const { id } = (await posted(RULES, rule)).rule;
    const refused = (await series(second)).filter(Boolean).length;
    assert.equal(predicted, refused);
    const { current } = await posted(`${RULES}/${id}/what-if`, {});
    assert.equal(current.refused, refused);
    await enableOnly(null);
  });

  test('of a change compares it with the rule as it is', async () => {
    const id = ids[3] as string;
    await enableOnly(id);
    const { rows } = await kissi.db.query(`select amount from movements where type = 'transfer_p2p'`);
    const above = (amount: number) => rows.filter((row) => row.amount > amount).length;
    const lower = await posted(`${RULES}/${id}/what-if`, { threshold: 2_500, outcome: 'block' });
    assert.deepEqual([lower.rule.threshold, lower.rule.outcome, lower.rule.name], [2_500, 'block', 'Often']);
    assert.deepEqual([lower.proposed.blocked, lower.proposed.flagged], [above(2_500), 0]);
    assert.deepEqual([lower.current.flagged, lower.current.blocked, lower.current.refused], [above(3_500), 0, 0]);
    assert.deepEqual(lower.comparison, { newly_affected: above(2_500) - above(3_500), no_longer_affected: 0 });
    const off = await posted(`${RULES}/${id}/what-if`, { enabled: false });
    assert.deepEqual([off.proposed.flagged, off.comparison.no_longer_affected], [0, above(3_500)]);
    await enableOnly(null);
    const on = await posted(`${RULES}/${id}/what-if`, {});
    assert.deepEqual([on.proposed.flagged, on.current.flagged], [above(3_500), 0]);
    const stillOff = await posted(`${RULES}/${id}/what-if`, { enabled: false, threshold: 2_500 });
    assert.deepEqual([stillOff.proposed.flagged, stillOff.current.flagged], [0, 0]);
    assert.deepEqual(stillOff.comparison, { newly_affected: 0, no_longer_affected: 0 });
    assert.equal(stillOff.payments_checked, rows.length);
    const rare = { enabled: false, transaction_types: ['agent_transfer'] };
    assert.equal((await posted(`${RULES}/${id}/what-if`, rare)).payments_checked, 0);
  });

  test('changes nothing, and refuses what a rule cannot be', async () => {
    const counts = async () =>
      (
        await kissi.db.query(`select (select count(*) from compliance_rules) as rules, (select count(*) from compliance_alerts)
        as alerts, (select count(*) from movements) as movements`)
      ).rows[0];
    const before = await counts();
    await posted(`${RULES}/what-if`, rules[0] as object);
    assert.deepEqual(await counts(), before);
    assertRefused(await post(`${RULES}/what-if`, velocity({ window_seconds: undefined })), 400, 'INVALID_REQUEST');
    assertRefused(await post(`${RULES}/what-if`, velocity({ kind: 'amount' })), 400, 'INVALID_REQUEST');
    assertRefused(await post(`${RULES}/rule_0/what-if`, {}), 404, 'NOT_FOUND');
  });

  test('shows neither a politically exposed person nor their payments', async () => {
    const person = await bank.wallet(100_000);
    await pay(person, carol, 40_000);
    await markPep(kissi, person.id);
    const { proposed } = await posted(`${RULES}/what-if`, { ...rules[3], threshold: 39_999 });
    assert.deepEqual([proposed.top_subjects, proposed.examples], [[], []]);
  });

  test('counts payments before the period for its windows, and none before it', async () => {
    const payer = await bank.wallet(10_000);
    for (let n = 0; n < 3; n++) await pay(payer, carol, 100);
    kissi.clock.advance(29 * DAY_MS);
    await pay(payer, carol, 100);
    kissi.clock.advance(2 * DAY_MS);
    const rule = velocity({ window_seconds: 31 * 86_400, threshold: 3 });
    const { proposed, counts_are_minimum } = await posted(`${RULES}/what-if`, rule);
    const found = proposed.top_subjects.find((each: Json) => each.id === payer.id);
    assert.deepEqual([found.payments, counts_are_minimum], [1, false]);
    const shorter = await posted(`${RULES}/what-if`, { ...rule, window_seconds: 86_400 });
    assert.deepEqual([shorter.payments_checked, shorter.proposed.flagged], [1, 0]);
  });
});

interface Visited {
  id: string;
  at: number;
  isCounted: boolean;
}

describe('a replay of history', () => {
  const replayed = async (
    limits: Partial<ReplayLimits>,
    types: ('transfer_p2p' | 'vult_fund')[] = ['transfer_p2p'],
  ) => {
    const replay = createHistoryReplay(kissi.db.database, limits);
    const to = kissi.clock.now();
    const begin = (): Visited[] => [];
    const visit = (visited: Visited[], { id, at }: { id: string; at: number }, isCounted: boolean) =>
      void visited.push({ id, at, isCounted });
    const request = { types, from: to - 40 * DAY_MS, to, warmUpMs: 0, begin, visit };
    const result = await replay.run(request);
    assert.ok(!(result instanceof Refusal));
    return { result, visited: result.state, request, replay };
  };

  test('visits every movement once and in time order, whatever the size of its pages', async () => {
    for (const type of ['transfer_p2p', 'vult_fund'] as const) {
      const { rows } = await kissi.db.query('select id from movements where type = $1 order by at, id', [type]);
      const all = rows.map(({ id }) => id);
      for (const pageRows of [1, 7, 1_000]) {
        const { visited, result } = await replayed({ pageRows }, [type]);
        assert.deepEqual(
          visited.map(({ id }) => id),
          all,
        );
        assert.equal(result.truncated, false);
      }
    }
  });

  test('with too many movements covers the newest ones, and says which period', async () => {
    const all = await replayed({});
    const { result, visited } = await replayed({ maxRows: 12, pageRows: 4 });
    assert.ok(result.truncated);
    assert.equal(result.to, kissi.clock.now());
    assert.ok(visited.length > 0 && visited.length <= 12);
    assert.deepEqual(visited, all.visited.slice(-visited.length));
    assert.equal(all.visited.filter(({ at }) => at >= result.from).length, visited.length);
  });

  /** A clock that each reading moves by the next of these milliseconds, and further readings by the last. */
  const clockOf = (...steps: number[]) => {
    let [at, reading] = [0, 0];
    return () => {
      at += steps[Math.min(reading, steps.length - 1)] ?? 0;
      reading += 1;
      return at;
    };
  };

  test('that is too slow for its time starts again later, and covers the newest movements once', async () => {
    const all = await replayed({});
    const { result, visited } = await replayed({ maxMs: 100, pageRows: 2, now: clockOf(1) });
    assert.ok(result.truncated);
    assert.equal(result.to, kissi.clock.now());
    assert.ok(visited.length > 0 && visited.length < all.visited.length);
    assert.deepEqual(visited, all.visited.slice(-visited.length));
    assert.equal(all.visited.filter(({ at }) => at >= result.from).length, visited.length);
  });

  test('that becomes slow after it was measured ends, and says until when it came', async () => {
    const fast = new Array<number>(20).fill(0);
    const { result, visited } = await replayed({ maxMs: 1_000, pageRows: 2, now: clockOf(...fast, 1_000) });
    assert.ok(result.truncated && result.to < kissi.clock.now() - HOUR_MS);
    assert.ok(visited.length > 0 && visited.every(({ at }) => at <= result.to));
  });

  test('without any time ends after one page', async () => {
    const { result, visited } = await replayed({ maxMs: 0, pageRows: 10 });
    assert.ok(result.truncated && result.to < kissi.clock.now() - HOUR_MS);
    assert.ok(visited.length > 0 && visited.every(({ at }) => at <= result.to));
  });

  test('runs one at a time', async () => {
    const { replay, request } = await replayed({});
    const running = replay.run(request);
    const second = await replay.run(request);
    assert.ok(second instanceof Refusal && second.status === 429 && second.headers['retry-after'] === '10');
    assert.ok(!((await running) instanceof Refusal));
    assert.ok(!((await replay.run(request)) instanceof Refusal));
  });
});
