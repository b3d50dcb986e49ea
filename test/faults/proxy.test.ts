// The proxy does to a COMMIT what it says: lost, unheard or late; and nothing to anything else.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { Connection } from '../../src/db/driver/connection.ts';
import { statement } from '../../src/db/driver/statement.ts';
import { serverAddress, type TestDatabase, testDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait.ts';
import { type CommitProxy, type Cut, startProxy } from './proxy.ts';

/** A loaded machine takes long to send a commit. */
const LONG_MS = 120_000;

let db: TestDatabase;
let proxy: CommitProxy;
before(async () => {
  db = await testDatabase();
  proxy = await startProxy(() => serverAddress(db.url));
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

const someoneWaits = async () =>
  (await direct(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
    .length === 1;

interface Way {
  /** Whether what is cut has to be the ledger's. */
  money: boolean;
  write(client: pg.Client, n: number): Promise<unknown>;
  commit(client: pg.Client): Promise<unknown>;
}

const held = (client: pg.Client) => new Connection(client, () => undefined);
const LEDGER_WRITE = statement('ledger-write', 'insert into cuts values ($1)');

/** As most of the service does it, and as the ledger does. */
const WAYS: Record<string, Way> = {
  'sent as text': {
    money: false,
    write: (client, n) => client.query('insert into cuts values ($1)', [n]),
    commit: (client) => client.query('commit'),
  },
  "prepared, the ledger's": {
    money: true,
    write: (client, n) => held(client).run(LEDGER_WRITE, [n]),
    commit: (client) => held(client).commit(),
  },
};
const ORDINARY = WAYS['sent as text'] as Way;

/** Inserts and commits; whether the client was told that it did. */
async function insert(n: number, cut?: Cut, { money, write, commit }: Way = ORDINARY): Promise<boolean> {
  const client = await throughProxy();
  await client.query('begin');
  await write(client, n);
  const wasCut = cut ? proxy.cutNext(cut, { money, withinMs: LONG_MS }) : null;
  const told = await commit(client).then(
    () => true,
    () => false,
  );
  if (wasCut) assert.equal(await wasCut, true);
  await client.end().catch(() => undefined);
  return told;
}

let rows = 0;
for (const [name, way] of Object.entries(WAYS)) {
  describe(`a COMMIT through the proxy, ${name}`, () => {
    test('arrives, and is heard of, unless it is cut', async () => {
      const n = ++rows;
      assert.equal(await insert(n, undefined, way), true);
      assert.equal(await isThere(n), true);
    });

    test('that is lost did not happen, and its sender sees the connection break', async () => {
      const n = ++rows;
      assert.equal(await insert(n, { how: 'lost' }, way), false);
      assert.equal(await isThere(n), false);
      assert.equal(await insert(n, undefined, way), true, 'its locks are gone with it');
    });

    test('that is unheard happened, and its sender sees the connection break', async () => {
      const n = ++rows;
      assert.equal(await insert(n, { how: 'unheard' }, way), false);
      await waitFor('it is there', () => isThere(n));
    });

    test('that is late happens after its sender was cut off, and keeps its locks until then', async () => {
      const n = ++rows;
      const { promise: until, resolve: release } = Promise.withResolvers<void>();
      assert.equal(await insert(n, { how: 'late', until }, way), false);
      assert.equal(await isThere(n), false);
      const second = insert(n, undefined, way);
      await waitFor('the second waits for the locks of the first', someoneWaits);
      release();
      await assert.rejects(second, { code: '23505' }, 'it finds the row of the first');
    });
  });
}

test('a COMMIT of other work passes where one of the ledger is waited for; none in time is said', async () => {
  const none = proxy.cutNext({ how: 'lost' }, { money: true, withinMs: 300 });
  assert.equal(await insert(++rows), true);
  assert.equal(await none, false);
});
