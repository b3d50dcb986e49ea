// ledger:verify: intact data passes, and each kind of corruption is detected and named.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startEmbeddedServer } from '@kissi/embedded-postgres';
import { temporaryFolder } from '@kissi/testkit/service';
import { checkSecrets } from '../../src/app/keys/secret-checks.ts';
import { openConnection } from '../../src/db/database.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import type { MovementType } from '../../src/ledger/movement-types.ts';
import type { Ledger } from '../../src/ledger/posting/ledger.ts';
import { createCheckpoints } from '../../src/ledger/queries/checkpoints.ts';
import { refundsOf } from '../../src/ledger/queries/movement-lookup.ts';
import type { Movement } from '../../src/ledger/types.ts';
import {
  beginVerification,
  type Rule,
  reportOf,
  verifyLedger,
  verifyOn,
} from '../../src/ledger/verification/verify.ts';
import { changeRows, isOnCluster } from '../support/citus.ts';
import { testClock } from '../support/clock.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { testLedger } from '../support/ledger.ts';
import { SECRETS } from '../support/secrets.ts';
import { asOwner, assertClean, type OrderSpec, open, orderOf, VERIFY_OPTIONS } from './books.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/ledger-verify.ts', import.meta.url));
const TABLES = ['accounts', 'movements', 'postings', 'requests', 'allowances', 'account_checkpoints'];

let db: TestDatabase;

before(async () => {
  db = await testDatabase();
  await open(db.database.queries, ['sub_a', 'sub_b', 'sub_empty']);
  await open(db.database.queries, ['ptn_bank'], { kind: 'partner_clearing', floor: null });
  const clock = testClock();
  const ledger = testLedger({ pool: db.database.pool, clock, maxBatch: 4 });
  await ledger.post(orderOf({ from: 'ptn_bank', to: 'sub_a', amount: 100_000, request: { id: 'fund' } }));
  const specs = Array.from({ length: 10 }, (_, n) => ({ from: 'sub_a', to: 'sub_b', amount: 100 + n, fee: 2 }));
  await Promise.all(specs.map((spec, n) => ledger.post(orderOf({ ...spec, request: { id: `r${n}` } }))));
  clock.advance(60_000);
  await ledger.post(orderOf({ from: 'sub_b', to: 'sub_a', amount: 500 }));
  await payAndRefund(ledger);
  await asOwner(db.url, async (client) => {
    await client.query('create schema saved');
    for (const table of TABLES) await client.query(`create table saved.${table} as table ${table}`);
  });
});

after(() => db.close());

/** Three payments of 1,000 to a shop: 500 of the first is refunded in two parts, the second in full. */
async function payAndRefund(ledger: Ledger): Promise<void> {
  await open(db.database.queries, ['proc_shop'], { kind: 'processor' });
  const move = async (type: MovementType, spec: OrderSpec, related: Partial<Movement> = {}): Promise<string> => {
    const { movement, ...order } = orderOf(spec);
    await ledger.post({ ...order, movement: { ...movement, type, ...related } });
    return movement.id;
  };
  const pay = () => move('pos_payment', { from: 'sub_a', to: 'proc_shop', amount: 1_000 });
  const refund = (relatedId: string, amount: number) => {
    const allowances = [{ id: refundsOf(relatedId), amount, limit: 1_000 }];
    return move('pos_refund', { from: 'proc_shop', to: 'sub_a', amount }, { relatedId, allowances });
  };
  const [first, second] = [await pay(), await pay(), await pay()];
  await refund(first, 400);
  await refund(first, 100);
  await refund(second, 1_000);
  const { movement, ...order } = orderOf({ from: 'sub_empty', to: 'sub_b', amount: 1, request: { id: 'refused' } });
  await ledger.post({ ...order, movement: { ...movement, storesRefusal: true }, onRefused: () => REFUSED });
  await createCheckpoints(db.database.pool, { every: 2 }).write();
}

/** The rules of the books alone. Most of these corruptions break a seal too (tampering.test.ts). */
const verifiedWithoutSeals = () => verifyLedger(db.url, { ...VERIFY_OPTIONS, sealKeys: null });

const REFUSED = { reply: '{"success":false}', rows: [] };

/** Corrupts the data with the SQL, runs the work and restores the data. */
async function whileCorrupted<T>(sql: string, work: () => Promise<T>): Promise<T> {
  return asOwner(db.url, async (client) => {
    await changeRows(client, sql);
    try {
      return await work();
    } finally {
      await client.query(`begin; truncate ${TABLES}; ${TABLES.map((t) => `insert into ${t} table saved.${t}`).join(';')};
        alter table requests drop constraint if exists requests_pkey; alter table requests add primary key (request_id, scope);
        alter table postings drop constraint if exists postings_pkey; alter table postings add primary key (account_id, seq);
        commit`);
    }
  });
}

describe('verification', () => {
  test('intact data passes, with its counts and a trial balance of zero', async () => {
    const { counts, trialBalance, total, outside } = await assertClean(db.url);
    assert.deepEqual(counts, { accounts: 39, movements: 18, postings: 46, requests: 12 });
    assert.equal(total, 0n);
    assert.deepEqual(
      trialBalance.filter((each) => each.total !== 0n),
      [
        { kind: 'fee_income', accounts: 16, total: 20n },
        { kind: 'partner_clearing', accounts: 1, total: -100_000n },
        { kind: 'processor', accounts: 1, total: 1_500n },
        { kind: 'wallet', accounts: 3, total: 98_480n },
      ],
    );
    assert.equal(outside.count, 0);
  });

  const one = `(select id from movements where type = 'transfer_p2p' and fee = 2 order by id limit 1)`;
  const middle = `account_id = 'sub_a' and seq = (select seq from postings where account_id = 'sub_a' order by seq offset 4 limit 1)`;
  const payment = (n: number) =>
    `(select movement_id from postings where account_id = 'proc_shop' order by seq offset ${n} limit 1)`;
  const [paid, paidThird] = [payment(0), payment(2)];
  const shop = (n: number) => `(select distinct seq from account_checkpoints order by seq offset ${n} limit 1)`;
  const checkpoint = `seq = ${shop(1)} and paid`;
  const newest = `account_id = 'sub_b' and seq = (select max(seq) from postings where account_id = 'sub_b')`;
  const corruptions: [string, string, Rule[]][] = [
    [
      'a balance was raised',
      `update accounts set balance = balance + 1 where id = 'sub_a'`,
      ['balance_differs', 'last_balance_differs', 'trial_balance'],
    ],
    [
      'money moved between balances without postings',
      `update accounts set balance = balance + case id when 'sub_a' then 5 else -5 end where id in ('sub_a', 'sub_b')`,
      ['balance_differs', 'last_balance_differs'],
    ],
    [
      'an account without postings has a balance',
      `update accounts set balance = 7 where id = 'sub_empty'`,
      ['balance_differs', 'last_balance_differs', 'trial_balance'],
    ],
    [
      'an amount was changed',
      `update postings set amount = amount + 1 where ${middle}`,
      ['chain_broken', 'balance_differs', 'movement_unbalanced', 'movement_amount_differs'],
    ],
    [
      'an activity window contains a payment that was never made',
      `update accounts set recent = '0;transfer_p2p:a,1' where id = 'sub_empty'`,
      ['recent_differs'],
    ],
    [
      'an activity window lacks payments that were made',
      `update accounts set recent = '0' where id = 'sub_a'`,
      ['recent_differs'],
    ],
    ['an activity window cannot be decoded', `update accounts set recent = 'x' where id = 'sub_a'`, ['recent_differs']],
    ['an activity window is truncated', `update accounts set recent = '9;p:' where id = 'sub_a'`, ['recent_differs']],
    [
      'a window of received payments contains one that was never made',
      `update accounts set received = '0;transfer_p2p:a,1' where id = 'sub_empty'`,
      ['received_differs'],
    ],
    ['a balance_after was changed', `update postings set balance_after = 1 where ${middle}`, ['chain_broken']],
    [
      'the last balance_after was changed',
      `update postings set balance_after = 1 where ${newest}`,
      ['chain_broken', 'last_balance_differs'],
    ],
    [
      'a posting was deleted',
      `delete from postings where ${middle}`,
      [
        'chain_broken',
        'balance_differs',
        'posting_count_differs',
        'movement_unbalanced',
        'movement_fee_differs',
        'movement_amount_differs',
      ],
    ],
    [
      'the order of postings was changed',
      `update postings set seq = 1 where ${newest}`,
      ['chain_broken', 'last_seq_differs', 'last_balance_differs'],
    ],
    ['a last_seq was changed', `update accounts set last_seq = 9 where id = 'sub_a'`, ['last_seq_differs']],
    [
      'a posting_count was changed',
      `update accounts set posting_count = posting_count - 1 where id = 'sub_a'`,
      ['posting_count_differs'],
    ],
    ['an account was deleted', `delete from accounts where id = 'sub_b'`, ['posting_without_account', 'trial_balance']],
    [
      'the account of the last postings was deleted',
      `delete from accounts where id > 'sub_a'`,
      ['posting_without_account', 'trial_balance'],
    ],
    [
      'a movement was deleted',
      `delete from movements where id = ${one}`,
      ['posting_without_movement', 'request_without_movement'],
    ],
    [
      'a movement has no postings',
      `insert into movements select 'txn_ghost', type, from_account, to_account, amount, 0, null, null, null, null, null, '{}', at
        from movements where id = ${one}`,
      ['movement_without_postings', 'movement_amount_differs'],
    ],
    [
      'a movement has a single posting of zero',
      `insert into movements values ('txn_one', 't', 'sub_a', 'sub_b', 1, 0, null, null, null, null, null, '{}', now());
       update accounts set posting_count = 1, last_seq = 5 where id = 'sub_empty';
       insert into postings values ('sub_empty', 5, 'txn_one', 0, 0, 0)`,
      ['movement_without_postings', 'movement_amount_differs', 'third_account'],
    ],
    [
      'postings between third accounts were added to an old movement',
      `insert into postings select a.id, a.last_seq + 1, (select movement_id from postings where account_id = 'ptn_bank'),
         moved.by, 0, a.balance + moved.by
       from (values ('proc_shop', -100), ('sub_b', 100)) as moved (id, by) join accounts a on a.id = moved.id;
       update accounts set balance = balance + moved.by, last_seq = last_seq + 1, posting_count = posting_count + 1
       from (values ('proc_shop', -100), ('sub_b', 100)) as moved (id, by) where accounts.id = moved.id`,
      ['third_account'],
    ],
    ['a fee was changed', `update movements set fee = fee + 1 where id = ${one}`, ['movement_fee_differs']],
    [
      'an amount of a movement was raised',
      `update movements set amount = amount + 1 where id = ${one}`,
      ['movement_amount_differs'],
    ],
    [
      'an amount of a movement was lowered',
      `update movements set amount = amount - 1 where id = ${one}`,
      ['movement_amount_differs'],
    ],
    [
      'a payee was changed',
      `update movements set to_account = 'sub_empty' where id = ${one}`,
      ['movement_amount_differs', 'third_account'],
    ],
    ['a request was deleted', `delete from requests where request_id = 'r3'`, ['movement_without_request']],
    [
      'a request refers to a missing movement',
      `update requests set movement_id = 'txn_nowhere' where request_id = 'r3'`,
      ['request_without_movement', 'movement_without_request'],
    ],
    [
      'the id of a request was changed',
      `update requests set request_id = 'other' where request_id = 'r3'`,
      ['request_differs'],
    ],
    [
      'a request is stored twice',
      `alter table requests drop constraint requests_pkey; insert into requests select * from requests where request_id = 'r3'`,
      ['request_repeated', 'movement_of_two_requests'],
    ],
    [
      'a movement has a second request',
      `insert into requests select request_id, 'key_2', hash, movement_id, reply from requests where request_id = 'r3'`,
      ['movement_of_two_requests'],
    ],
    [
      'a posting is stored twice',
      `alter table postings drop constraint postings_pkey; insert into postings select * from postings where ${newest}`,
      [
        'seq_not_increasing',
        'chain_broken',
        'balance_differs',
        'posting_count_differs',
        'movement_unbalanced',
        'movement_amount_differs',
      ],
    ],
    [
      'an amount exceeds every valid amount',
      `update postings set amount = 9223372036854775807, fee = 9223372036854775807 where ${newest}`,
      ['chain_broken', 'balance_differs', 'movement_unbalanced', 'movement_fee_differs', 'movement_amount_differs'],
    ],
    [
      'a posted request is marked as refused',
      `update requests set refused = true where request_id = 'r3'`,
      ['refused_request_with_movement'],
    ],
    [
      'a refused request has a movement',
      `update requests set movement_id = ${one} where refused`,
      ['refused_request_with_movement', 'movement_of_two_requests'],
    ],
    [
      'the counted refunds are too low',
      `update allowances set used = used - 1 where id = 'refund:' || ${paid}`,
      ['refund_total_differs'],
    ],
    ['refunds are not counted', `delete from allowances`, ['refund_total_differs']],
    [
      'the counted refunds are too high',
      `insert into allowances values ('refund:' || ${paidThird}, 1)`,
      ['refund_total_differs'],
    ],
    [
      'a refund refers to another payment',
      `update movements set related_id = ${paidThird} where type = 'pos_refund' and amount = 400`,
      ['refund_total_differs'],
    ],
    [
      'a refund refers to no payment',
      `update movements set related_id = null where type = 'pos_refund' and amount = 400`,
      ['refund_without_payment', 'refund_total_differs'],
    ],
    [
      'a refund refers to a movement that is not a card payment',
      `update movements set related_id = ${one} where type = 'pos_refund' and amount = 400`,
      ['refund_without_payment', 'refund_total_differs'],
    ],
    [
      'refunds and their count exceed the payment',
      `update movements set related_id = ${paid} where type = 'pos_refund';
       update allowances set used = case id when 'refund:' || ${paid} then 1500 else 0 end`,
      ['refunds_exceed_payment'],
    ],
    ...['count', 'amount', 'fee', 'change', 'newest'].map((column): [string, string, Rule[]] => [
      `the ${column} of a checkpoint was changed`,
      `update account_checkpoints set ${column} = ${column} + 1 where ${checkpoint}`,
      ['checkpoint_differs'],
    ]),
    ['a row of a checkpoint is missing', `delete from account_checkpoints where ${checkpoint}`, ['checkpoint_differs']],
    [
      'a checkpoint has an extra row',
      `insert into account_checkpoints values ('proc_shop', ${shop(0)}, 'gift', true, 1, 1, 0, -1, 5)`,
      ['checkpoint_differs'],
    ],
    [
      'the seq of a checkpoint was changed',
      `update account_checkpoints set seq = ${shop(2)} - 1 where seq = ${shop(2)}`,
      ['checkpoint_differs'],
    ],
    [
      'a checkpoint belongs to an account without postings',
      `update account_checkpoints set account_id = 'sub_empty' where seq = ${shop(2)}`,
      ['checkpoint_differs'],
    ],
    [
      'a posting was moved below a checkpoint',
      `update postings set seq = ${shop(0)} - 10 where account_id = 'proc_shop' and seq = ${shop(2)}`,
      ['checkpoint_differs', 'chain_broken', 'last_seq_differs', 'last_balance_differs'],
    ],
  ];
  for (const [name, sql, rules] of corruptions) {
    test(`${name}: ${rules.join(', ')}`, async () => {
      const verification = await whileCorrupted(sql, () => verifiedWithoutSeals());
      assert.deepEqual([...verification.broken.keys()].toSorted(), rules.toSorted(), reportOf(verification));
      const report = reportOf(verification);
      for (const rule of rules) assert.match(report, new RegExp(`FAULT ${rule} \\(\\d+\\): `));
      assert.match(report, /NOT in order/);
    });
  }

  test('the data is intact again after all corruptions', async () => void (await assertClean(db.url)));

  test('an account outside its bounds is a note, not a fault', async () => {
    const sql = `update accounts set floor = balance + 1 where id = 'sub_a'; update accounts set ceiling = 1 where id = 'sub_b'`;
    const { clean, outside } = await whileCorrupted(sql, () => verifiedWithoutSeals());
    assert.ok(clean);
    assert.equal(outside.count, 2);
    assert.match(outside.examples.join(), /sub_a has \d+, its floor is \d+,sub_b has \d+, its ceiling is 1/);
  });

  test('the report shows the first faults of a kind and counts all of them', async () => {
    const sql = `update movements set fee = fee + 1`;
    const verification = await whileCorrupted(sql, () => verifiedWithoutSeals());
    assert.equal(verification.broken.get('movement_fee_differs'), 18);
    assert.equal(verification.faults.length, 5);
    assert.match(reportOf(verification), /and 13 more/);
  });

  const skip = !isOnCluster && 'one PostgreSQL has no shards';
  test("a row in another shard than its key's is found", { skip }, async () => {
    const verification = await whileCorrupted('select 1', async () => {
      await asOwner(db.url, async (client) => {
        const { rows } = await client.query(`select to_json(r)::text as row from requests r where request_id = 'r3'`);
        await client.query(
          `select run_command_on_shards('requests', format(
            'insert into %%s select * from json_populate_record(null::requests, %L) on conflict do nothing', $1::text))`,
          [rows[0].row],
        );
        // Only where it belongs.
        await client.query(`delete from requests where request_id = 'r3'`);
      });
      return verifyLedger(db.url, VERIFY_OPTIONS);
    });
    assert.deepEqual([...verification.broken], [['row_misplaced', 1]], reportOf(verification));
    assert.match(reportOf(verification), /requests_\d+: the hash of a row's request_id/);
  });

  test('verification reads one snapshot while movements are posted, and changes nothing', async () => {
    const ledger = testLedger({ pool: db.database.pool, clock: testClock() });
    const connection = await openConnection(db.url, 'test');
    const execute = connection.execute.bind(connection);
    // Posts a movement after the postings are replayed and before the movements are checked.
    connection.execute = async (statement, values) => {
      if (statement.name === 'declare-suspect_movements') {
        await ledger.post(orderOf({ from: 'sub_a', to: 'sub_b', amount: 1, request: { id: 'meanwhile' } }));
      }
      return execute(statement, values);
    };
    const verification = await verifyOn(connection, VERIFY_OPTIONS, () => beginVerification(db.url, connection));
    connection.discard();
    assert.ok(verification.clean, reportOf(verification));
    assert.equal((await assertClean(db.url)).counts.movements, verification.counts.movements + 1);
  });
});

describe('the command', () => {
  function run(env: Record<string, string>, options: string[] = []): Promise<{ code: number; out: string }> {
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [SCRIPT, ...options],
        { env: { PATH: process.env.PATH ?? '', ...env } },
        (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), out: stdout + stderr }),
      );
    });
  }

  test('exits with 2 and a message when it cannot read the database', async () => {
    const nowhere = await run({ ...SECRETS, DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' });
    assert.equal(nowhere.code, 2);
    assert.match(nowhere.out, /^The ledger could not be verified: /);
    const folder = await temporaryFolder();
    const empty = await run({ DATA_DIR: folder.path, ...SECRETS });
    const emptyWithoutKey = await run({ DATA_DIR: folder.path });
    await folder.remove();
    for (const { code, out } of [empty, emptyWithoutKey]) {
      assert.equal(code, 2);
      assert.match(out, /there is no database in .*: set DATA_DIR or DATABASE_URL/);
    }
  });

  test("exits with 2 if MASTER_KEY is not the database's", async () => {
    const db = await testDatabase();
    try {
      await checkSecrets(db.database.queries, SECRETS);
      const wrong = await run({ ...SECRETS, DATABASE_URL: db.url, MASTER_KEY: 'x'.repeat(40) });
      assert.equal(wrong.code, 2, wrong.out);
      assert.match(
        wrong.out,
        /^The ledger could not be verified: MASTER_KEY is not the one this database was created with/,
      );
      const right = await run({ ...SECRETS, DATABASE_URL: db.url });
      assert.equal(right.code, 0, right.out);
    } finally {
      await db.close();
    }
  });

  test('uses the running server under DATA_DIR and starts it when it is stopped', async () => {
    const folder = await temporaryFolder();
    const settings = { fsync: 'off' };
    const server = await startEmbeddedServer({ dataDir: folder.path, settings, report: () => undefined });
    try {
      await migrate(server.url);
      const withoutKey = await run({ DATA_DIR: folder.path });
      assert.equal(withoutKey.code, 2);
      assert.match(withoutKey.out, /MASTER_KEY is not set, and seals cannot be verified without it/);
      const withoutSeals = await run({ DATA_DIR: folder.path }, ['--without-seals']);
      assert.equal(withoutSeals.code, 0, withoutSeals.out);
      assert.match(withoutSeals.out, /Note: Seals were NOT verified/);
      const running = await run({ DATA_DIR: folder.path, ...SECRETS });
      assert.equal(running.code, 0, running.out);
      await server.stop();
      const stopped = await run({ DATA_DIR: folder.path, ...SECRETS });
      assert.equal(stopped.code, 0, stopped.out);
    } finally {
      await server.stop();
      await folder.remove();
    }
  });
});
