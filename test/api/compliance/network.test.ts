// The payment network of a subject: counterparties both ways, links among them, bounds and hidden persons.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS, iso } from '../../../src/kernel/clock.ts';
import { paymentLinks } from '../../../src/ledger/queries/counterparties.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { bankForFile, PIN, type Wallet } from '../../support/money.ts';
import { markPep } from '../../support/pep.ts';
import { assertRefused, openSession, staffMember } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const officer = await staffMember(kissi, 'compliance_user');

async function get(id: string, query = ''): Promise<CallReply> {
  const { token } = await openSession(kissi, officer);
  return kissi.call('GET', `/api/v1/compliance/network/${id}${query}`, { token });
}

async function network(id: string, query = ''): Promise<Json> {
  return assertStatus(await get(id, query), 200).json;
}

async function pay(from: Wallet, to: Wallet, amount: number): Promise<void> {
  const body = { sender_id: from.id, recipient_id: to.id, amount, pin: PIN };
  assertStatus(await bank.post('/wallet/transfer', body), 200);
}

const wallets: Wallet[] = [];
for (let n = 0; n < 4; n++) wallets.push(await bank.wallet(100_000));
const [alice, bob, carol, dora] = wallets as [Wallet, Wallet, Wallet, Wallet];
const terminal = await terminalOf(kissi);
const card = await bank.card(alice);
kissi.clock.advance(40 * DAY_MS);
const start = kissi.clock.now();
await pay(alice, bob, 100);
kissi.clock.advance(HOUR_MS);
await pay(alice, bob, 250);
await pay(bob, alice, 70);
await pay(carol, alice, 500);
await pay(bob, carol, 33);
await pay(carol, dora, 9_000);
assert.equal((await terminal.pay(card, { amount: 40 })).status, 200);

const sums = (links: Json[]) => links.map(({ from, to, payments, value }) => [from, to, payments, value]);

test('lists counterparties both ways, and the payments among them', async () => {
  const found = await network(alice.id);
  const shop = terminal.merchant.id;
  assert.deepEqual(
    found.nodes.map(({ id, kind, is_subject }: Json) => [id, kind, is_subject]),
    [
      [alice.id, 'wallet', true],
      [carol.id, 'wallet', false],
      [bob.id, 'wallet', false],
      [shop, 'processor', false],
    ],
  );
  const [first_at, last_at] = [iso(start), iso(start + HOUR_MS)];
  assert.deepEqual(found.nodes[2].paid_by_subject, { payments: 2, value: 350, first_at, last_at });
  assert.deepEqual(found.nodes[2].paid_to_subject, { payments: 1, value: 70, first_at: last_at, last_at });
  assert.deepEqual(found.nodes[3].paid_to_subject, { payments: 0, value: 0, first_at: null, last_at: null });
  assert.equal(found.nodes[1].name, 'Aminata Kamara');
  assert.deepEqual(sums(found.links), [
    [carol.id, alice.id, 1, 500],
    [alice.id, bob.id, 2, 350],
    [bob.id, alice.id, 1, 70],
    [alice.id, shop, 1, 40],
    [bob.id, carol.id, 1, 33],
  ]);
  assert.deepEqual([found.counterparty_count, found.truncated], [3, false]);
});

test('covers 30 days by default, and the days that are asked for', async () => {
  const kinds = async (query: string) => (await network(alice.id, query)).nodes.map(({ kind }: Json) => kind);
  assert.ok(!(await kinds('')).includes('partner_clearing'));
  assert.ok((await kinds('?days=41')).includes('partner_clearing'));
  for (const days of ['0', '91', 'x', '1.5'])
    assertRefused(await get(alice.id, `?days=${days}`), 400, 'INVALID_REQUEST');
});

test('covers the payments between two dates, both included', async () => {
  const paidToBob = async (from: number, to: number) => {
    const found = await network(alice.id, `?from=${iso(from)}&to=${iso(to)}`);
    assert.deepEqual(found.period, { from: iso(from), to: iso(to) });
    return found.nodes.find(({ id }: Json) => id === bob.id)?.paid_by_subject;
  };
  const first = { payments: 1, value: 100, first_at: iso(start), last_at: iso(start) };
  assert.deepEqual(await paidToBob(start, start), first);
  assert.deepEqual(await paidToBob(start - DAY_MS, start + HOUR_MS - 1), first);
  assert.equal((await paidToBob(start, start + HOUR_MS)).payments, 2);
  assert.equal(await paidToBob(start - DAY_MS, start - 1), undefined);
  // Those among the counterparties too: bob paid carol an hour after he was paid first.
  const { links } = await network(alice.id, `?from=${iso(start)}&to=${iso(start)}`);
  assert.deepEqual(sums(links), [[alice.id, bob.id, 1, 100]]);
  const whole = await network(alice.id, `?to=${iso(start).slice(0, 10)}`);
  assert.deepEqual(Date.parse(whole.period.to) - Date.parse(whole.period.from), 30 * DAY_MS);
});

test('refuses periods that contradict each other or are too long', async () => {
  for (const query of [
    'days=7&from=2026-01-01',
    'from=2026-02-01&to=2026-01-01',
    'from=2024-01-01&to=2026-01-01',
    'from=1',
    'to=x',
  ]) {
    assertRefused(await get(alice.id, `?${query}`), 400, 'INVALID_REQUEST');
  }
});

test('works for a processor, and not for accounts of the operator or unknown ids', async () => {
  const { nodes, links } = await network(terminal.merchant.id);
  assert.deepEqual([nodes[0].kind, sums(links)], ['processor', [[alice.id, terminal.merchant.id, 1, 40]]]);
  for (const id of ['sys_fees_00', 'sub_0']) assertRefused(await get(id), 404, 'NOT_FOUND');
});

test('reads the newest postings of an account with many, and says that there are more', async () => {
  const period = { from: kissi.clock.now() - DAY_MS, to: kissi.clock.now() };
  const all = await paymentLinks(kissi.db.database.queries, [alice.id], { period, maxPostings: 100 });
  const newest = await paymentLinks(kissi.db.database.queries, [alice.id], { period, maxPostings: 2 });
  assert.deepEqual([all.isMinimum, newest.isMinimum], [false, true]);
  assert.deepEqual(sums(newest.links), [
    [carol.id, alice.id, 1, 500],
    [alice.id, terminal.merchant.id, 1, 40],
  ]);
});

test('shows at most 40 accounts, those with the highest value', async () => {
  const hub = await bank.wallet(100_000);
  for (let n = 0; n < 41; n++) await pay(hub, await bank.wallet(), 100 + n);
  const { nodes, links, counterparty_count, truncated } = await network(hub.id, '?days=1');
  // The partner that funded the wallet is one too.
  assert.deepEqual([nodes.length, links.length, counterparty_count, truncated], [40, 39, 42, true]);
  assert.equal(nodes[2].paid_by_subject.value, 140);
});

test('hides politically exposed persons, and refuses the network of one', async () => {
  await markPep(kissi, bob.id);
  const { nodes, links } = await network(alice.id);
  assert.ok(nodes.length > 1);
  const dated = await network(alice.id, `?from=${iso(start)}&to=${iso(start)}`);
  assert.deepEqual([dated.counterparty_count, dated.nodes.length, dated.links], [0, 1, []]);
  assert.ok(!JSON.stringify([nodes, links]).includes(bob.id));
  assertRefused(await get(bob.id), 403, 'PEP_ACCESS_REQUIRED');
});
