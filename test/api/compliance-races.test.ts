// Velocity rules while payments race, over two gateways, over many payments and over the rules' own changes: always exact.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { MINUTE_MS, SECOND_MS } from '../../src/kernel/clock.ts';
import { asOwner, assertClean } from '../ledger/books.ts';
import { type CallReply, type Json, type TestGateway, testGateway } from '../support/gateway.ts';
import { type Bank, createBank, PIN, type Wallet } from '../support/money.ts';
import { assertRefused } from '../support/staff.ts';

const RULES = '/api/v1/compliance/rules';
const HOUR_MS = 60 * MINUTE_MS;

let kissi: TestGateway;
let other: TestGateway;
let bank: Bank;
let recipient: Wallet;
before(async () => {
  kissi = await testGateway();
  other = await testGateway({ db: kissi.db, clock: kissi.clock });
  bank = await createBank(kissi);
  recipient = await bank.wallet();
});
after(async () => {
  await other.close();
  await assertClean(kissi.db.url);
  await kissi.close();
});

const asAdmin = async (method: string, path: string, body?: object): Promise<CallReply> =>
  kissi.call(method, path, { token: await kissi.adminToken(), ...(body ? { body } : {}) });

async function rule(terms: Record<string, unknown> = {}): Promise<Json> {
  const named = { name: 'Five an hour', transaction_types: ['transfer_p2p'], outcome: 'block' };
  const velocity = { kind: 'velocity_count', threshold: 5, window_seconds: 3_600 };
  const reply = await asAdmin('POST', RULES, { ...named, ...velocity, ...terms });
  assert.equal(reply.status, 201, reply.text);
  // The other gateway knows of it by then.
  kissi.clock.advance(SECOND_MS);
  return reply.json.rule;
}

const change = async ({ id }: Json, body: object) => {
  const reply = await asAdmin('PUT', `${RULES}/${id}`, body);
  assert.equal(reply.status, 200, reply.text);
};

/** No rule but those of the test. */
async function disableAll(): Promise<void> {
  await kissi.db.query('update compliance_rules set enabled = false');
  kissi.clock.advance(SECOND_MS);
}
beforeEach(disableAll);
afterEach(disableAll);

let requests = 0;

function transfer(from: Wallet, amount = 10, through = kissi): Promise<CallReply> {
  const body = { sender_id: from.id, recipient_id: recipient.id, amount, pin: PIN, request_id: `race-${++requests}` };
  return through.call('POST', '/api/v1/wallet/transfer', { body, token: bank.key });
}

async function paid(from: Wallet, amount = 10, through = kissi): Promise<Json> {
  const reply = await transfer(from, amount, through);
  assert.equal(reply.status, 200, reply.text);
  return reply.json;
}

const isPaid = ({ status }: CallReply) => status === 200;

async function alert(id: string): Promise<Json> {
  return (await kissi.db.query('select * from compliance_alerts where id = $1', [id])).rows[0];
}

async function recentOf({ id }: Wallet): Promise<string> {
  const { rows } = await kissi.db.query('select recent from accounts where id = $1', [id]);
  return rows[0].recent;
}

/** How many payments of the wallet are in the books, of the window that ends now. */
async function inWindow({ id }: Wallet): Promise<number> {
  const text = `select count(*)::int as n from movements where from_account = $1 and type = 'transfer_p2p' and at > $2`;
  return (await kissi.db.query(text, [id, new Date(kissi.clock.now() - HOUR_MS)])).rows[0].n;
}

describe('twenty racing transfers against a blocking limit', () => {
  const ways: [string, () => TestGateway[]][] = [
    ['one gateway', () => [kissi]],
    ['two gateways', () => [kissi, other]],
  ];
  for (const [name, gateways] of ways) {
    test(`of five in an hour, over ${name}: exactly five are paid, fifteen have an alert that exists`, async () => {
      const { id } = await rule();
      const wallet = await bank.wallet(100_000);
      const through = (n: number) => gateways()[n % gateways().length];
      const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => transfer(wallet, 10, through(n))));
      assert.equal(replies.filter(isPaid).length, 5);
      const refused = replies.filter((reply) => !isPaid(reply));
      for (const reply of refused) {
        assertRefused(reply, 422, 'COMPLIANCE_BLOCKED');
        const { rule_id, severity, figures } = await alert(reply.json.alert_id);
        assert.deepEqual([rule_id, severity, figures.rules[0].count], [id, 'CRITICAL', 6]);
      }
      assert.equal(new Set(refused.map(({ json }) => json.alert_id)).size, 15);
      assert.equal(await inWindow(wallet), 5);
      // So little that its fee rounds to nothing.
      assert.equal(await bank.balance(wallet.id), 100_000 - 5 * 10);
      kissi.clock.advance(HOUR_MS - 1);
      assertRefused(await transfer(wallet), 422, 'COMPLIANCE_BLOCKED');
      kissi.clock.advance(1);
      await paid(wallet);
    });

    test(`of a sum in an hour, over ${name}: as much is paid as the rule allows, to the unit`, async () => {
      await rule({ kind: 'velocity_amount', threshold: 1_005 });
      const wallet = await bank.wallet(100_000);
      const through = (n: number) => gateways()[n % gateways().length];
      const amounts = Array.from({ length: 20 }, (_, n) => 80 + 10 * (n % 5));
      const replies = await Promise.all(amounts.map((amount, n) => transfer(wallet, amount, through(n))));
      const sum = amounts.reduce((total, amount, n) => total + (isPaid(replies[n] as CallReply) ? amount : 0), 0);
      assert.ok(sum <= 1_000 && sum > 880, `${sum} were paid`);
      await paid(wallet, 1_005 - sum);
      assertRefused(await transfer(wallet, 1), 422, 'COMPLIANCE_BLOCKED');
    });
  }
});

test('what a gateway of an older version posts counts, though it keeps nothing of it on the account', async () => {
  await rule();
  const wallet = await bank.wallet(100_000);
  for (let n = 0; n < 3; n++) await paid(wallet);
  const columns = 'recent, recent_seq';
  const { rows } = await kissi.db.query(`select ${columns} from accounts where id = $1`, [wallet.id]);
  for (let n = 0; n < 2; n++) await paid(wallet, 10, other);
  // That version does not know these columns, and leaves them as they were.
  const asItWas = [wallet.id, rows[0].recent, rows[0].recent_seq];
  await kissi.db.query(`update accounts set (${columns}) = ($2, $3) where id = $1`, asItWas);
  await assertClean(kissi.db.url);
  assertRefused(await transfer(wallet), 422, 'COMPLIANCE_BLOCKED');
  kissi.clock.advance(HOUR_MS);
  await paid(wallet);
});

describe('an alert about what was flagged', () => {
  test('is written in the very commit of its payment', async () => {
    const { id } = await rule({ outcome: 'flag', threshold: 2 });
    const wallet = await bank.wallet(100_000);
    await Promise.all(Array.from({ length: 8 }, (_, n) => paid(wallet, 10, n % 2 === 0 ? kissi : other)));
    const text = `select a.xmin = m.xmin as together, a.figures->'rules'->0->>'count' as count
      from compliance_alerts a join movements m on m.id = a.transaction_id where a.rule_id = $1 order by 2`;
    const { rows } = await kissi.db.query(text, [id]);
    assert.deepEqual(
      rows,
      [3, 4, 5, 6, 7, 8].map((count) => ({ together: true, count: String(count) })),
    );
  });
});

describe('a change of the rules', () => {
  test('counts at once where it is made, and on another gateway within a second', async () => {
    const { id } = await rule({ kind: 'amount', threshold: 100, window_seconds: null, enabled: false });
    const wallet = await bank.wallet(100_000);
    await paid(wallet, 500);
    await paid(wallet, 500, other);
    await change({ id }, { enabled: true });
    assertRefused(await transfer(wallet, 500), 422, 'COMPLIANCE_BLOCKED');
    await paid(wallet, 500, other);
    kissi.clock.advance(SECOND_MS - 1);
    await paid(wallet, 500, other);
    kissi.clock.advance(1);
    assertRefused(await transfer(wallet, 500, other), 422, 'COMPLIANCE_BLOCKED');
    await change({ id }, { threshold: 500 });
    await paid(wallet, 500);
    assertRefused(await transfer(wallet, 500, other), 422, 'COMPLIANCE_BLOCKED');
    kissi.clock.advance(SECOND_MS);
    await paid(wallet, 500, other);
  });

  test('a rule that is made later counts what was paid before there was any', async () => {
    const wallet = await bank.wallet(100_000);
    for (let n = 0; n < 4; n++) await paid(wallet);
    assert.equal(await recentOf(wallet), '', 'nothing was kept while nothing looked back');
    await rule();
    await paid(wallet);
    assertRefused(await transfer(wallet), 422, 'COMPLIANCE_BLOCKED');
  });

  test('what one gateway does not keep yet is not lost to the other', async () => {
    const wallet = await bank.wallet(100_000);
    await transfer(wallet, 10, other);
    const body = { name: 'New', kind: 'velocity_count', threshold: 4, window_seconds: 3_600, outcome: 'block' };
    const made = await asAdmin('POST', RULES, { ...body, transaction_types: ['transfer_p2p'] });
    assert.equal(made.status, 201, made.text);
    await paid(wallet);
    await paid(wallet, 10, other);
    await paid(wallet);
    assertRefused(await transfer(wallet), 422, 'COMPLIANCE_BLOCKED');
    await paid(wallet, 10, other);
    kissi.clock.advance(SECOND_MS);
    assertRefused(await transfer(wallet, 10, other), 422, 'COMPLIANCE_BLOCKED');
  });

  test('a longer window and other types are exact from the first payment on', async () => {
    const { id } = await rule({ window_seconds: 60 });
    const wallet = await bank.wallet(100_000);
    for (let n = 0; n < 6; n++) {
      await paid(wallet);
      kissi.clock.advance(MINUTE_MS);
    }
    await change({ id }, { window_seconds: 3_600 });
    kissi.clock.advance(SECOND_MS);
    assertRefused(await transfer(wallet, 10, other), 422, 'COMPLIANCE_BLOCKED');
    await change({ id }, { threshold: 7 });
    await paid(wallet);
    assertRefused(await transfer(wallet), 422, 'COMPLIANCE_BLOCKED');
    await change({ id }, { transaction_types: ['transfer_p2p', 'vult_fund'], threshold: 8 });
    // The wallet itself was funded once, seven payments ago.
    assertRefused(await transfer(wallet), 422, 'COMPLIANCE_BLOCKED');
    await change({ id }, { threshold: 9 });
    await paid(wallet);
  });
});

describe('many payments', () => {
  test('more than are kept one by one: how many a window holds stays exact while it slides', async () => {
    const { id } = await rule({ threshold: 60 });
    const wallet = await bank.wallet(1_000_000);
    for (let n = 0; n < 120; n++) {
      const before = await inWindow(wallet);
      const reply = await transfer(wallet, 10, n % 2 === 0 ? kissi : other);
      assert.equal(isPaid(reply), before < 60, `payment ${n} after ${before}: ${reply.text}`);
      kissi.clock.advance(n % 7 === 0 ? 5 * MINUTE_MS : 20 * SECOND_MS);
    }
    assert.ok((await recentOf(wallet)).split(';').length <= 33);
    await change({ id }, { kind: 'velocity_amount', threshold: 10 * (await inWindow(wallet)) + 10 });
    await paid(wallet);
    assertRefused(await transfer(wallet, 1), 422, 'COMPLIANCE_BLOCKED');
  });

  test('one batch with more than are kept is counted one by one', async () => {
    await rule({ threshold: 50 });
    const wallet = await bank.wallet(1_000_000);
    const replies = await Promise.all(Array.from({ length: 80 }, () => transfer(wallet)));
    assert.equal(replies.filter(isPaid).length, 50);
    assert.equal(await inWindow(wallet), 50);
  });
});

test('when the rules cannot be read nothing moves, and it goes on when they can', async () => {
  const wallet = await bank.wallet(100_000);
  await paid(wallet);
  await asOwner(kissi.db.url, (owner) => owner.query('alter table compliance_rules rename to lost_rules'));
  kissi.clock.advance(SECOND_MS);
  const balance = await bank.balance(wallet.id);
  try {
    for (const through of [kissi, other]) assertRefused(await transfer(wallet, 10, through), 500, 'INTERNAL_ERROR');
    assert.equal(await bank.balance(wallet.id), balance);
  } finally {
    await asOwner(kissi.db.url, (owner) => owner.query('alter table lost_rules rename to compliance_rules'));
  }
  for (const through of [kissi, other]) await paid(wallet, 10, through);
});
