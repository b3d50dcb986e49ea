// Velocity rules under concurrency: two gateways, long histories and rule changes; counts stay exact.
import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { asOwner, assertClean } from '../../ledger/books.ts';
import { TEST_SHARDS } from '../../support/citus.ts';
import { assertStatus, type CallReply, type Json, type TestGateway, testGateway } from '../../support/gateway.ts';
import { createBank, PIN, type Wallet } from '../../support/money.ts';
import { assertRefused } from '../../support/staff.ts';

const RULES = '/api/v1/compliance/rules';
const HOUR_MS = 60 * MINUTE_MS;
const kissi = await testGateway();
const secondGateway = await testGateway({ db: kissi.db, clock: kissi.clock });
const bank = await createBank(kissi);
const recipient = await bank.wallet();
after(async () => {
  await secondGateway.close();
  await assertClean(kissi.db.url);
  await kissi.close();
});

const asAdmin = async (method: string, path: string, body?: object): Promise<CallReply> =>
  kissi.call(method, path, { token: await kissi.adminToken(), ...(body ? { body } : {}) });

async function addRule(properties: Record<string, unknown> = {}): Promise<Json> {
  const base = { name: 'Five an hour', transaction_types: ['transfer_p2p'], outcome: 'block' };
  const velocity = { kind: 'velocity_count', threshold: 5, window_seconds: 3_600 };
  const reply = assertStatus(await asAdmin('POST', RULES, { ...base, ...velocity, ...properties }), 201);
  // By now the second gateway has loaded the rule.
  kissi.clock.advance(SECOND_MS);
  return reply.json.rule;
}

const changeRule = async ({ id }: Json, body: object) => {
  assertStatus(await asAdmin('PUT', `${RULES}/${id}`, body), 200);
};

/** Disables all rules, so that only those of the test apply. */
async function disableAll(): Promise<void> {
  await kissi.db.query('update compliance_rules set enabled = false');
  kissi.clock.advance(SECOND_MS);
}
beforeEach(disableAll);
afterEach(disableAll);

let requests = 0;

function transfer(from: Wallet, amount = 10, gateway = kissi): Promise<CallReply> {
  const body = { sender_id: from.id, recipient_id: recipient.id, amount, pin: PIN, request_id: `race-${++requests}` };
  return gateway.call('POST', '/api/v1/wallet/transfer', { body, token: bank.key });
}

async function pay(from: Wallet, amount = 10, gateway = kissi): Promise<Json> {
  return assertStatus(await transfer(from, amount, gateway), 200).json;
}

const isPaid = ({ status }: CallReply) => status === 200;

async function findAlert(id: string): Promise<Json> {
  return (await kissi.db.query('select * from compliance_alerts where id = $1', [id])).rows[0];
}

async function activityWindowOf({ id }: Wallet): Promise<string> {
  const { rows } = await kissi.db.query('select recent from accounts where id = $1', [id]);
  return rows[0].recent;
}

/** Counts the wallet's transfers of the last hour in the ledger. */
async function countInWindow({ id }: Wallet): Promise<number> {
  const text = `select count(*)::int as n from movements where from_account = $1 and type = 'transfer_p2p' and at > $2`;
  return (await kissi.db.query(text, [id, new Date(kissi.clock.now() - HOUR_MS)])).rows[0].n;
}

describe('twenty concurrent transfers under a blocking rule', () => {
  const topologies: [string, () => TestGateway[]][] = [
    ['one gateway', () => [kissi]],
    ['two gateways', () => [kissi, secondGateway]],
  ];
  for (const [name, gateways] of topologies) {
    test(`five per hour over ${name}: five are posted, fifteen are refused with a stored alert`, async () => {
      const { id } = await addRule();
      const wallet = await bank.wallet(100_000);
      const gatewayOf = (n: number) => gateways()[n % gateways().length];
      const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => transfer(wallet, 10, gatewayOf(n))));
      assert.equal(replies.filter(isPaid).length, 5);
      const refused = replies.filter((reply) => !isPaid(reply));
      for (const reply of refused) {
        assertRefused(reply, 422, 'COMPLIANCE_BLOCKED');
        const { rule_id, severity, figures } = await findAlert(reply.json.alert_id);
        assert.deepEqual([rule_id, severity, figures.rules[0].count], [id, 'CRITICAL', 6]);
      }
      assert.equal(new Set(refused.map(({ json }) => json.alert_id)).size, 15);
      assert.equal(await countInWindow(wallet), 5);
      // The amounts are so small that their fees round to zero.
      assert.equal(await bank.balance(wallet.id), 100_000 - 5 * 10);
      kissi.clock.advance(HOUR_MS - 1);
      assertRefused(await transfer(wallet), 422, 'COMPLIANCE_BLOCKED');
      kissi.clock.advance(1);
      await pay(wallet);
    });

    test(`a sum per hour over ${name}: exactly the allowed sum is posted`, async () => {
      await addRule({ kind: 'velocity_amount', threshold: 1_005 });
      const wallet = await bank.wallet(100_000);
      const gatewayOf = (n: number) => gateways()[n % gateways().length];
      const amounts = Array.from({ length: 20 }, (_, n) => 80 + 10 * (n % 5));
      const replies = await Promise.all(amounts.map((amount, n) => transfer(wallet, amount, gatewayOf(n))));
      const sum = amounts.reduce((total, amount, n) => total + (isPaid(replies[n] as CallReply) ? amount : 0), 0);
      assert.ok(sum <= 1_000 && sum > 880, `${sum} was paid`);
      await pay(wallet, 1_005 - sum);
      assertRefused(await transfer(wallet, 1), 422, 'COMPLIANCE_BLOCKED');
    });
  }
});

test('counts payments of an older gateway version that does not maintain the activity window', async () => {
  await addRule();
  const wallet = await bank.wallet(100_000);
  for (let n = 0; n < 3; n++) await pay(wallet);
  const columns = 'recent, recent_seq';
  const { rows } = await kissi.db.query(`select ${columns} from accounts where id = $1`, [wallet.id]);
  for (let n = 0; n < 2; n++) await pay(wallet, 10, secondGateway);
  // The older version does not know these columns and leaves them unchanged.
  const unchanged = [wallet.id, rows[0].recent, rows[0].recent_seq];
  await kissi.db.query(`update accounts set (${columns}) = ($2, $3) where id = $1`, unchanged);
  await assertClean(kissi.db.url);
  assertRefused(await transfer(wallet), 422, 'COMPLIANCE_BLOCKED');
  kissi.clock.advance(HOUR_MS);
  await pay(wallet);
});

describe('the alert of a flagged payment', () => {
  const oneServer = {
    skip: TEST_SHARDS !== null && 'compares transaction numbers, which each server of a cluster has of its own',
  };
  test('is written in the same transaction as the payment', oneServer, async () => {
    const { id } = await addRule({ outcome: 'flag', threshold: 2 });
    const wallet = await bank.wallet(100_000);
    await Promise.all(Array.from({ length: 8 }, (_, n) => pay(wallet, 10, n % 2 === 0 ? kissi : secondGateway)));
    const text = `select a.xmin = m.xmin as "sameTransaction", a.figures->'rules'->0->>'count' as count
      from compliance_alerts a join movements m on m.id = a.transaction_id where a.rule_id = $1 order by 2`;
    const { rows } = await kissi.db.query(text, [id]);
    assert.deepEqual(
      rows,
      [3, 4, 5, 6, 7, 8].map((count) => ({ sameTransaction: true, count: String(count) })),
    );
  });
});

describe('a rule change', () => {
  test('applies immediately on the same gateway, and within one second on another', async () => {
    const { id } = await addRule({ kind: 'amount', threshold: 100, window_seconds: null, enabled: false });
    const wallet = await bank.wallet(100_000);
    await pay(wallet, 500);
    await pay(wallet, 500, secondGateway);
    await changeRule({ id }, { enabled: true });
    assertRefused(await transfer(wallet, 500), 422, 'COMPLIANCE_BLOCKED');
    await pay(wallet, 500, secondGateway);
    kissi.clock.advance(SECOND_MS - 1);
    await pay(wallet, 500, secondGateway);
    kissi.clock.advance(1);
    assertRefused(await transfer(wallet, 500, secondGateway), 422, 'COMPLIANCE_BLOCKED');
    await changeRule({ id }, { threshold: 500 });
    await pay(wallet, 500);
    assertRefused(await transfer(wallet, 500, secondGateway), 422, 'COMPLIANCE_BLOCKED');
    kissi.clock.advance(SECOND_MS);
    await pay(wallet, 500, secondGateway);
  });

  test('a new rule counts payments made before it existed', async () => {
    const wallet = await bank.wallet(100_000);
    for (let n = 0; n < 4; n++) await pay(wallet);
    assert.equal(await activityWindowOf(wallet), '', 'no window is kept without velocity rules');
    await addRule();
    await pay(wallet);
    assertRefused(await transfer(wallet), 422, 'COMPLIANCE_BLOCKED');
  });

  test('a gateway counts payments that the other gateway posted before it knew the rule', async () => {
    const wallet = await bank.wallet(100_000);
    await transfer(wallet, 10, secondGateway);
    const body = { name: 'New', kind: 'velocity_count', threshold: 4, window_seconds: 3_600, outcome: 'block' };
    assertStatus(await asAdmin('POST', RULES, { ...body, transaction_types: ['transfer_p2p'] }), 201);
    await pay(wallet);
    await pay(wallet, 10, secondGateway);
    await pay(wallet);
    assertRefused(await transfer(wallet), 422, 'COMPLIANCE_BLOCKED');
    await pay(wallet, 10, secondGateway);
    kissi.clock.advance(SECOND_MS);
    assertRefused(await transfer(wallet, 10, secondGateway), 422, 'COMPLIANCE_BLOCKED');
  });

  test('a longer window and additional types count correctly from the first payment', async () => {
    const { id } = await addRule({ window_seconds: 60 });
    const wallet = await bank.wallet(100_000);
    for (let n = 0; n < 6; n++) {
      await pay(wallet);
      kissi.clock.advance(MINUTE_MS);
    }
    await changeRule({ id }, { window_seconds: 3_600 });
    kissi.clock.advance(SECOND_MS);
    assertRefused(await transfer(wallet, 10, secondGateway), 422, 'COMPLIANCE_BLOCKED');
    await changeRule({ id }, { threshold: 7 });
    await pay(wallet);
    assertRefused(await transfer(wallet), 422, 'COMPLIANCE_BLOCKED');
    await changeRule({ id }, { transaction_types: ['transfer_p2p', 'vult_fund'], threshold: 8 });
    // The funding of the wallet also counts now.
    assertRefused(await transfer(wallet), 422, 'COMPLIANCE_BLOCKED');
    await changeRule({ id }, { threshold: 9 });
    await pay(wallet);
  });
});

describe('many payments', () => {
  test('more payments than single entries in the activity window are still counted exactly', async () => {
    const { id } = await addRule({ threshold: 60 });
    const wallet = await bank.wallet(1_000_000);
    for (let n = 0; n < 120; n++) {
      const before = await countInWindow(wallet);
      const reply = await transfer(wallet, 10, n % 2 === 0 ? kissi : secondGateway);
      assert.equal(isPaid(reply), before < 60, `payment ${n} after ${before}: ${reply.text}`);
      kissi.clock.advance(n % 7 === 0 ? 5 * MINUTE_MS : 20 * SECOND_MS);
    }
    assert.ok((await activityWindowOf(wallet)).split(';').length <= 33);
    await changeRule({ id }, { kind: 'velocity_amount', threshold: 10 * (await countInWindow(wallet)) + 10 });
    await pay(wallet);
    assertRefused(await transfer(wallet, 1), 422, 'COMPLIANCE_BLOCKED');
  });

  test('a single batch with more payments than window entries is counted exactly', async () => {
    await addRule({ threshold: 50 });
    const wallet = await bank.wallet(1_000_000);
    const replies = await Promise.all(Array.from({ length: 80 }, () => transfer(wallet)));
    assert.equal(replies.filter(isPaid).length, 50);
    assert.equal(await countInWindow(wallet), 50);
  });
});

test('when the rules cannot be read, no payment is posted; payments resume when they can', async () => {
  const wallet = await bank.wallet(100_000);
  await pay(wallet);
  await asOwner(kissi.db.url, (owner) => owner.query('alter table compliance_rules rename to unreadable_rules'));
  kissi.clock.advance(SECOND_MS);
  const balance = await bank.balance(wallet.id);
  try {
    for (const gateway of [kissi, secondGateway])
      assertRefused(await transfer(wallet, 10, gateway), 500, 'INTERNAL_ERROR');
    assert.equal(await bank.balance(wallet.id), balance);
  } finally {
    await asOwner(kissi.db.url, (owner) => owner.query('alter table unreadable_rules rename to compliance_rules'));
  }
  for (const gateway of [kissi, secondGateway]) await pay(wallet, 10, gateway);
});
