// The commit proxy of the fault tests: it loses, hides or delays the chosen COMMIT and changes nothing else.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { Connection } from '../../src/db/driver/connection.ts';
import { statement } from '../../src/db/driver/statement.ts';
import { serverAddress, type TestDatabase, testDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait.ts';
import { type CommitProxy, type Cut, startProxy } from './proxy.ts';

/** Generous, because a loaded machine may take long to send a commit. */
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

const rowExists = async (n: number) => (await direct(`select from cuts where n = ${n}`)).length === 1;

const someSessionWaits = async () =>
  (await direct(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
    .length === 1;

interface CommitStyle {
  /** Only a commit of the ledger is cut. */
  ledgerOnly: boolean;
  write(client: pg.Client, n: number): Promise<unknown>;
  commit(client: pg.Client): Promise<unknown>;
}

const connectionOf = (client: pg.Client) => new Connection(client, () => undefined);
const LEDGER_WRITE = statement('ledger-write', 'insert into cuts values ($1)');

/** Commits as text, as most of the service sends them, and as prepared statements of the ledger. */
const COMMIT_STYLES: Record<string, CommitStyle> = {
  'sent as text': {
    ledgerOnly: false,
    write: (client, n) => client.query('insert into cuts values ($1)', [n]),
    commit: (client) => client.query('commit'),
  },
  "prepared, the ledger's": {
    ledgerOnly: true,
    write: (client, n) => connectionOf(client).run(LEDGER_WRITE, [n]),
    commit: (client) => connectionOf(client).commit(),
  },
};
const DEFAULT_STYLE = COMMIT_STYLES['sent as text'] as CommitStyle;

/** Inserts a row and commits; resolves to whether the client received the confirmation. */
async function insert(
  n: number,
  cut?: Cut,
  { ledgerOnly, write, commit }: CommitStyle = DEFAULT_STYLE,
): Promise<boolean> {
  const client = await throughProxy();
  await client.query('begin');
  await write(client, n);
  const wasCut = cut ? proxy.cutNext(cut, { ledgerOnly, withinMs: LONG_MS }) : null;
  const isConfirmed = await commit(client).then(
    () => true,
    () => false,
  );
  if (wasCut) assert.equal(await wasCut, true);
  await client.end().catch(() => undefined);
  return isConfirmed;
}

let rows = 0;
for (const [name, style] of Object.entries(COMMIT_STYLES)) {
  describe(`a COMMIT through the proxy, ${name}`, () => {
    test('that is not cut succeeds and is confirmed', async () => {
      const n = ++rows;
      assert.equal(await insert(n, undefined, style), true);
      assert.equal(await rowExists(n), true);
    });

    test('that is lost has no effect, and its sender sees the connection break', async () => {
      const n = ++rows;
      assert.equal(await insert(n, { how: 'lost' }, style), false);
      assert.equal(await rowExists(n), false);
      assert.equal(await insert(n, undefined, style), true, 'its locks are released');
    });

    test('that is unacknowledged takes effect, and its sender sees the connection break', async () => {
      const n = ++rows;
      assert.equal(await insert(n, { how: 'unacknowledged' }, style), false);
      await waitFor('the row exists', () => rowExists(n));
    });

    test('that is delayed takes effect after its connection broke, and keeps its locks until then', async () => {
      const n = ++rows;
      const { promise: until, resolve: release } = Promise.withResolvers<void>();
      assert.equal(await insert(n, { how: 'delayed', until }, style), false);
      assert.equal(await rowExists(n), false);
      const second = insert(n, undefined, style);
      await waitFor('the second waits for the locks of the first', someSessionWaits);
      release();
      await assert.rejects(second, { code: '23505' }, 'the row of the first insert exists');
    });
  });
}

test('does not cut another COMMIT when only the ledger is targeted, and resolves to false after the time limit', async () => {
  const none = proxy.cutNext({ how: 'lost' }, { ledgerOnly: true, withinMs: 300 });
  assert.equal(await insert(++rows), true);
  assert.equal(await none, false);
});
