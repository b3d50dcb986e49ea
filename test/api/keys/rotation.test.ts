// The rotation of MASTER_KEY and PIN_PEPPER: two gateways with mixed keys, payments meanwhile, and what old keys can do afterwards.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, describe, test } from 'node:test';
import { countUses } from '../../../src/app/keys/counts.ts';
import { checkSecrets, WrongSecret } from '../../../src/app/keys/secret-checks.ts';
import { anchorKey, anchorSigners, chainHeads, makeAnchor, verifyAnchors } from '../../../src/audit/anchors.ts';
import { auditKeys, inboxMac } from '../../../src/audit/chain.ts';
import { createVault } from '../../../src/auth/vault.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { ringOf } from '../../../src/kernel/key-ring.ts';
import { SealChain } from '../../../src/ledger/seals/chain.ts';
import { sealKeys } from '../../../src/ledger/seals/format.ts';
import { reportOf } from '../../../src/ledger/verification/verify.ts';
import { asOwner } from '../../ledger/books.ts';
import { testDatabase } from '../../support/database.ts';
import { assertStatus, type CallReply, SECRETS } from '../../support/gateway.ts';
import {
  AFTER,
  assertVerified,
  BEFORE,
  BOTH,
  BOTH_PEPPERS,
  type KeyedGateway,
  keyedGateway,
  rotate,
  stopGateway,
  verifyWith,
} from '../../support/keys.ts';
import { createBank, PIN, type Wallet, WRONG_PIN } from '../../support/money.ts';
import { assertRefused } from '../../support/staff.ts';

const old = await keyedGateway(BEFORE);
const bank = await createBank(old);
const open: KeyedGateway[] = [];
after(async () => {
  for (const gateway of open.reverse()) await stopGateway(gateway);
  await stopGateway(old);
});

async function start(keys: typeof BEFORE): Promise<KeyedGateway> {
  const gateway = await keyedGateway(keys, old);
  open.push(gateway);
  return gateway;
}

let payments = 0;

function pay(gateway: KeyedGateway, from: Wallet, to: Wallet, pin = PIN): Promise<CallReply> {
  payments += 1;
  const body = { sender_id: from.id, recipient_id: to.id, amount: 1_000, pin, request_id: `pay-${payments}` };
  return gateway.call('POST', '/api/v1/wallet/transfer', { body, token: bank.key });
}

/** Pays on both gateways in turn until the work has ended. Returns how many were paid: at least one on each. */
async function payMeanwhile(gateways: KeyedGateway[], [from, to]: [Wallet, Wallet], work: () => Promise<unknown>) {
  let ended = false;
  const working = work().finally(() => {
    ended = true;
  });
  let paid = 0;
  for (const gateway of gateways.values()) {
    assertStatus(await pay(gateway, from, to), 200);
    paid += 1;
  }
  while (!ended) {
    const gateway = gateways[paid % gateways.length] as KeyedGateway;
    assertStatus(await pay(gateway, from, to), 200);
    paid += 1;
  }
  await working;
  return paid;
}

const pinHash = async ({ id }: Wallet): Promise<Buffer> =>
  (await old.db.query('select hash from pins where owner_id = $1', [id])).rows[0].hash;
const pepperOf = async (wallet: Wallet) => (await pinHash(wallet)).toString('latin1', 32);

async function rejectsOther(keys: typeof BEFORE, message: RegExp): Promise<void> {
  await assert.rejects(keyedGateway(keys, old), (error) => error instanceof WrongSecret && message.test(error.message));
}

describe('a rotation, step by step', () => {
  let [from, to, idle]: Wallet[] = [];
  let [a, b]: KeyedGateway[] = [];
  let linked: string;
  const wallets = (): [Wallet, Wallet] => [from as Wallet, to as Wallet];
  const both = () => [a as KeyedGateway, b as KeyedGateway];
  let balance: number;

  test('a gateway with the new key writes under the old one while another gateway lacks it', async () => {
    [from, to, idle] = [await bank.wallet(1_000_000), await bank.wallet(), await bank.wallet(10_000)];
    balance = 1_000_000;
    const sent = assertStatus(await pay(old, ...wallets()), 200);
    const found = assertStatus(await old.asAdmin.get(`/transactions/${sent.json.transaction_id}`), 200);
    linked = found.json.transaction.receipt_url;
    b = await start(BOTH);
    assert.equal(b.rings.MASTER_KEY.writing.id, 'k1');
    assertStatus(await pay(b, ...wallets()), 200);
    await assert.rejects(rotate(old), /does not have the key k2 of MASTER_KEY: restart it with both keys/);
    assert.equal((await old.db.query('select from key_closings')).rowCount, 0);
  });

  test('every gateway writes under the new key once all have it', async () => {
    await old.announcement.withdraw();
    a = await start(BOTH);
    assert.equal(a.rings.MASTER_KEY.writing.id, 'k2');
    await assert.rejects(rotate(old), /writes under the key k1 of MASTER_KEY/);
    await b?.announcement.renew();
    assert.equal(b?.rings.MASTER_KEY.writing.id, 'k2');
    await rejectsOther(BEFORE, /writes under the key k2 of MASTER_KEY, which this gateway does not have/);
    await assert.rejects(rotate(old, BOTH, { settledSeconds: 3_600 }), /has just begun to write under the key k2/);
    const key = (await old.db.query('select distinct key_id from seal_chains order by 1')).rows;
    assert.deepEqual(key, [{ key_id: 'k1' }]);
    for (const gateway of both()) assertStatus(await pay(gateway, ...wallets()), 200);
    const keys = (await old.db.query('select distinct key_id from seal_chains order by 1')).rows;
    assert.deepEqual(keys, [{ key_id: 'k1' }, { key_id: 'k2' }]);
    await assertVerified(old, BOTH.MASTER_KEY);
  });

  test('payments go on while the keys are rotated, twice at the same time and after an interruption', async () => {
    const interrupted = new AbortController();
    interrupted.abort();
    const first = await rotate(old, BOTH, { stopping: interrupted.signal });
    assert.equal(first.finished, false, 'the rows still need the old key');
    const paid = await payMeanwhile(both(), wallets(), () => Promise.all([rotate(old), rotate(old)]));
    assert.ok(paid >= 2);
    await assertVerified(old, BOTH.MASTER_KEY);
    const moved = (await old.db.query(`select count(*)::int as count from movements where type = 'transfer_p2p'`)).rows;
    assert.equal(moved[0].count, payments);
    assert.equal(await bank.balance((to as Wallet).id), 1_000 * payments);
    assert.ok((await bank.balance((from as Wallet).id)) <= balance - 1_000 * payments);
    const { rows } = await old.db.query('select chain, old_key, new_key from key_closings order by chain');
    const ended = { old_key: 'k1', new_key: 'k2' };
    assert.deepEqual(rows, [
      { chain: 'audit', ...ended },
      { chain: 'ledger', ...ended },
    ]);
  });

  test('no stored secret needs the old master key, which the database keeps encrypted for history', async () => {
    const uses = await countUses(old.db.database.queries, old.clock, ringOf(BOTH.MASTER_KEY));
    assert.deepEqual(
      uses.filter(({ name, id }) => name === 'MASTER_KEY' && id === 'k1'),
      [],
    );
    const [credential] = (await old.db.query('select key_id, sealed_secret from api_key_credentials')).rows;
    assert.ok(createVault(AFTER.MASTER_KEY).open(credential.sealed_secret, credential.key_id));
    assert.throws(() => createVault(BEFORE.MASTER_KEY).open(credential.sealed_secret, credential.key_id));
    await assertVerified(old, AFTER.MASTER_KEY);
  });

  test('a wrapped PIN needs both peppers until the right PIN is used', async () => {
    const holder = idle as Wallet;
    assert.equal(await pepperOf(holder), 'k2+k1');
    assertRefused(await pay(a as KeyedGateway, holder, to as Wallet, WRONG_PIN), 401, 'INVALID_PIN');
    assert.equal(await pepperOf(holder), 'k2+k1');
    assertStatus(await pay(a as KeyedGateway, holder, to as Wallet), 200);
    while ((await pepperOf(holder)) !== 'k2') await new Promise((resolve) => setImmediate(resolve));
    assertStatus(await pay(b as KeyedGateway, holder, to as Wallet), 200);
    await assertVerified(old, BOTH.MASTER_KEY);
  });

  test('the service starts without the old master key, and not without a pepper that a row names', async () => {
    await rejectsOther(BEFORE, /^The key k1 of MASTER_KEY was replaced/);
    assert.equal(await pepperOf(to as Wallet), 'k2+k1');
    await rejectsOther(AFTER, /still needs? the key k1 of PIN_PEPPER, such as in pins.hash: add k1:… to PIN_PEPPER/);
    const c = await start(BOTH_PEPPERS);
    assertStatus(await pay(c, ...wallets()), 200);
    const receipt = await c.call('GET', new URL(linked, 'http://x').pathname, {
      headers: { accept: 'application/json' },
    });
    assert.equal(receipt.status, 200, 'a link that was given out under the old key');
  });
});

describe('the commands', () => {
  const run = (script: string, keys = BOTH): Promise<{ code: number; out: string }> => {
    const env = { PATH: process.env.PATH ?? '', ...SECRETS, ...keys, DATABASE_URL: old.db.url };
    const path = new URL(`../../../scripts/${script}.ts`, import.meta.url).pathname;
    return new Promise((resolve) => {
      execFile(process.execPath, [path], { env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), out: stdout + stderr }),
      );
    });
  };

  test('keys:status counts what still needs an old key', async () => {
    const { code, out } = await run('keys-status');
    assert.equal(code, 1, out);
    assert.match(out, /^MASTER_KEY:\n {2}k2 \(first, for new values\)/m);
    assert.match(out, /^ {2}k1 \(retired: remove it from the configuration\): 0 stored values need it;/m);
    assert.match(out, /^ {2}k1 \(configured\): 1 stored value needs it; [^\n]+\n {4}pins\.hash: 1$/m);
  });

  test('keys:rotate says that old keys are still needed', async () => {
    for (const { announcement } of open) await announcement.withdraw();
    const { code, out } = await run('keys-rotate');
    assert.deepEqual([code, out], [1, 'Old keys are still needed: npm run keys:status says where.\n']);
  });

  test('keys:status does not ask to remove a retired key that neither it nor a gateway has', async () => {
    const { out } = await run('keys-status', BOTH_PEPPERS);
    assert.match(out, /^ {2}k1 \(retired and removed\): 0 stored values need it;/m);
    assert.doesNotMatch(out, /remove it from the configuration/);
  });
});

describe('the old key after the seal that ended it', () => {
  test('signs no anchor, and the anchors before stay valid', async () => {
    const { queries } = old.db.database;
    const key = anchorKey({ masterKey: ringOf(BEFORE.MASTER_KEY).first.value });
    const { audit } = await chainHeads(queries);
    const anchorAt = (at: number) => makeAnchor({ audit, seals: [] }, key, { now: () => at }, { linked: false });
    const [end] = (await old.db.query(`select at from key_closings where chain = 'audit'`)).rows;
    const signers = await anchorSigners(queries, ringOf(BOTH.MASTER_KEY));
    assert.deepEqual(await verifyAnchors(queries, [anchorAt(end.at.getTime())], signers), []);
    assert.deepEqual(await verifyAnchors(queries, [anchorAt(end.at.getTime() + 1)], signers), [
      'anchor 1: the signature is wrong',
    ]);
  });

  test('seals no batch', async () => {
    await old.db.database.ledgerPool.using(async (connection) => {
      const chain = new SealChain(sealKeys(BEFORE.MASTER_KEY), old.clock);
      await assert.rejects(async () => chain.ready(connection), /the key k1 of MASTER_KEY was replaced/);
    });
  });

  test('pays nothing at a gateway that was suspended, and missed the rotation', async () => {
    const before = (await old.db.query('select count(*)::int as count from movements')).rows;
    old.rings.MASTER_KEY.announcedUntil = 0;
    const wallets = (await old.db.query(`select owner_id as id from pins order by owner_id limit 2`)).rows;
    assert.ok((await pay(old, wallets[0], wallets[1])).status >= 500);
    assert.deepEqual((await old.db.query('select count(*)::int as count from movements')).rows, before);
  });

  for (const [what, change, rule] of [
    ['is removed', 'delete from key_closings', 'key_closing_missing'],
    ['is moved', `update key_closings set content = content || '{"chain": 999}'`, 'key_closing_differs'],
    ['names another successor', `update key_closings set new_key = 'k3'`, 'key_closing_differs'],
  ] as const) {
    test(`verification notices if its end ${what}: ${rule}`, async () => {
      await asOwner(old.db.url, async (owner) => {
        await owner.query('create temp table saved as table key_closings');
        await owner.query(change);
        const { books, audit } = await verifyWith(old, AFTER.MASTER_KEY);
        await owner.query('delete from key_closings');
        await owner.query('insert into key_closings table saved');
        assert.ok(books.broken.has(rule), reportOf(books));
        assert.equal(audit.chain.valid, false);
      });
    });
  }

  test('writes no audit entry: verification reports one that has its MAC', async () => {
    const entry = {
      ...{ id: newId('aud', old.clock), at: new Date(old.clock.now()), actor_type: 'system', actor_id: null },
      ...{ action: 'user.update', resource_type: null, resource_id: null, ip: null, request_id: null },
      ...{ details: {}, state: null },
    };
    const mac = inboxMac(auditKeys(BEFORE.MASTER_KEY), entry);
    await old.db.database.queries
      .insertInto('audit_inbox')
      .values({ ...entry, details: '{}', mac })
      .execute();
    await open[0]?.gateway.services.audit.seal();
    const { audit } = await verifyWith(old, AFTER.MASTER_KEY);
    assert.equal(audit.chain.valid, false);
  });
});

test('a new database begins with the key k1', async () => {
  const db = await testDatabase();
  try {
    const rings = { MASTER_KEY: ringOf(AFTER.MASTER_KEY), PIN_PEPPER: ringOf(AFTER.PIN_PEPPER) };
    await assert.rejects(checkSecrets(db.database.queries, rings), /The first key of a database has the id k1/);
  } finally {
    await db.close();
  }
});
