// The proxy does to a COMMIT what it says: lost, unheard or late; and nothing to anything else.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { eventually } from '../support/service.ts';
import { type CommitProxy, type Cut, startProxy } from './proxy.ts';

let db: TestDatabase;
let proxy: CommitProxy;
before(async () => {
  db = await testDatabase();
  const folder = new URL(db.url).searchParams.get('host') ?? '';
  proxy = await startProxy(() => join(folder, '.s.PGSQL.5432'));
  await direct('create table cuts (n integer primary key)');
});
after(async () => {
  await proxy.close();
  await db.close();
});

async function direct(text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: db.url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function throughProxy(): Promise<pg.Client> {
  const { username, password, pathname } = new URL(db.url);
  const client = new pg.Client(`postgresql://${username}:${password}@127.0.0.1:${proxy.port}${pathname}`);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const isThere = async (n: number) => (await direct(`select from cuts where n = ${n}`)).length === 1;

/** Inserts and commits; whether the client was told that it did. */
async function insert(n: number, cut?: Cut): Promise<boolean> {
  const client = await throughProxy();
  await client.query('begin');
  await client.query('insert into cuts values ($1)', [n]);
  const wasCut = cut ? proxy.cutNext(cut, { money: false, withinMs: 5_000 }) : null;
  const told = await client.query('commit').then(
    () => true,
    () => false,
  );
  if (wasCut) assert.equal(await wasCut, true);
  await client.end().catch(() => undefined);
  return told;
}

describe('a COMMIT through the proxy', () => {
  test('arrives, and is heard of, unless it is cut', async () => {
    assert.equal(await insert(1), true);
    assert.equal(await isThere(1), true);
  });

  test('that is lost did not happen, and its sender sees the connection break', async () => {
    assert.equal(await insert(2, { how: 'lost' }), false);
    assert.equal(await isThere(2), false);
    assert.equal(await insert(2), true, 'its locks are gone with it');
  });

  test('that is unheard happened, and its sender sees the connection break', async () => {
    assert.equal(await insert(3, { how: 'unheard' }), false);
    await eventually('it is there', () => isThere(3));
  });

  test('that is late happens after its sender was cut off, and keeps its locks until then', async () => {
    const begun = performance.now();
    assert.equal(await insert(4, { how: 'late', afterMs: 400 }), false);
    assert.equal(await isThere(4), false);
    await assert.rejects(insert(4), { code: '23505' }, 'waits for the first, and finds it');
    assert.ok(performance.now() - begun >= 390);
  });

  test('of other work passes where one of the ledger is waited for; none in time is said', async () => {
    const none = proxy.cutNext({ how: 'lost' }, { money: true, withinMs: 300 });
    assert.equal(await insert(5), true);
    assert.equal(await none, false);
  });
});
