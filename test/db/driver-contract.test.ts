// Contract with pg: the database layer uses private parts of the driver, and a change to any of them fails here.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { textArray } from '../../src/db/driver/binary-arrays.ts';
import { clientWithTimeout } from '../../src/db/driver/client.ts';
import { Connection } from '../../src/db/driver/connection.ts';
import { onServerError, setAddress, socketOf, type WireConnection, wireOf } from '../../src/db/driver/pg-internals.ts';
import { statement } from '../../src/db/driver/statement.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import {
  type Call,
  handlersOf,
  int16,
  int32,
  recorded,
  recordWrites,
  statements,
  typesOf,
} from '../support/driver-recorders.ts';

/**
 * The versions whose source was read when this contract was written. To upgrade: read the diff of lib/client.js,
 * lib/connection.js and lib/query.js of pg and of serializer.js and parser.js of pg-protocol, run this file, then change this.
 */
const TESTED = { pg: '8.23.1', protocol: '1.16.1' };

let db: TestDatabase;
let client: pg.Client;

before(async () => {
  db = await testDatabase();
});
after(() => db.close());

// Each test uses a new connection, on which no statement is parsed yet.
beforeEach(async () => {
  client = new pg.Client({ connectionString: db.url, pipeline: true } as pg.ClientConfig);
  client.on('error', () => undefined);
  await client.connect();
});
afterEach(() => client.end());

describe('versions', () => {
  test('package.json pins pg to the tested version, without a range', async () => {
    const { dependencies } = await readJson('../../package.json');
    assert.equal(dependencies.pg, TESTED.pg);
  });

  test('pg and pg-protocol are installed and locked in the tested versions', async () => {
    const driver = pathToFileURL(findPackageJSON('pg', import.meta.url) ?? '');
    const protocol = pathToFileURL(findPackageJSON('pg-protocol', driver) ?? '');
    assert.equal((await readJson(driver)).version, TESTED.pg);
    assert.equal((await readJson(protocol)).version, TESTED.protocol);
    // pg accepts a range of pg-protocol versions; only the lock file pins it.
    const { packages } = await readJson('../../package-lock.json');
    assert.equal(packages['node_modules/pg-protocol'].version, TESTED.protocol);
  });
});

async function readJson(path: string | URL) {
  return JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8'));
}

const connectionOf = () => new Connection(client, () => undefined);
const ECHO = statement('echo', 'select $1::text[], $2::text, $3::text');
const echo = (text = 'b') => connectionOf().run(ECHO, [textArray(['a']), text, null]);

describe('messages of a connection', () => {
  test('a statement is parsed once: Parse, Bind, Execute, Sync, and from then on Bind, Execute, Sync', async () => {
    const sent = recordWrites(client);
    assert.deepEqual(await echo(), [['{a}', 'b', null]]);
    assert.equal(typesOf(sent.splice(0)), 'PBES');
    assert.deepEqual(await echo(), [['{a}', 'b', null]]);
    assert.equal(typesOf(sent), 'BES');
  });

  test('Parse names the statement and declares no parameter types', async () => {
    const sent = recordWrites(client);
    await echo();
    assert.deepEqual(sent[0]?.body, Buffer.concat([Buffer.from(`${ECHO.name}\0${ECHO.text}\0`), int16(0)]));
  });

  test('Bind sends a Buffer in binary format, a string and null in text format, and asks for text columns', async () => {
    const sent = recordWrites(client);
    await echo();
    const array = textArray(['a']);
    const values = [int32(array.length), array, int32(1), Buffer.from('b'), int32(-1)];
    const expected = [
      Buffer.from(`\0${ECHO.name}\0`),
      ...[int16(3), int16(1), int16(0), int16(0)],
      ...[int16(3), ...values],
      ...[int16(1), int16(0)],
    ];
    assert.deepEqual(sent[1]?.body, Buffer.concat(expected));
  });

  test('Execute asks for all rows of the unnamed portal, Sync has no content', async () => {
    const sent = recordWrites(client);
    await echo();
    assert.deepEqual(sent[2]?.body, Buffer.concat([Buffer.from('\0'), int32(0)]));
    assert.equal(sent[3]?.body.length, 0);
  });

  test('statements that are sent together are one corked write with one Sync at its end', async () => {
    const connection = connectionOf();
    await Promise.all([echo(), connection.begin(), connection.commit()]);
    const sent = recordWrites(client);
    const replies = await connection.pipeline(() =>
      Promise.all([connection.begin(), echo('1'), echo('2'), connection.commit()]),
    );
    assert.deepEqual(replies.slice(1, 3), [[['{a}', '1', null]], [['{a}', '2', null]]]);
    assert.equal(typesOf(sent), 'BEBEBEBES');
    assert.ok(sent.every(({ corked }) => corked));
  });
});

describe('names of prepared statements', () => {
  const registers = (name: string) => {
    const { parsedStatements, submittedNamedStatements } = wireOf(client);
    return { submitted: submittedNamedStatements[name], parsed: parsedStatements[name] };
  };

  test('a name is in submittedNamedStatements until the server has parsed it, then in parsedStatements', async () => {
    assert.deepEqual(registers(ECHO.name), { submitted: undefined, parsed: undefined });
    const answered = echo();
    assert.deepEqual(registers(ECHO.name), { submitted: ECHO.text, parsed: undefined });
    await answered;
    assert.deepEqual(registers(ECHO.name), { submitted: undefined, parsed: ECHO.text });
  });

  test('a name that could not be parsed is in neither, and can be parsed later', async () => {
    const missing = () => connectionOf().run(statement('missing', 'select n from made_later'));
    await assert.rejects(missing(), { code: '42P01' });
    assert.deepEqual(registers('missing'), { submitted: undefined, parsed: undefined });
    await client.query('create table made_later (n bigint)');
    assert.deepEqual(await missing(), []);
  });

  test('a statement that was parsed stays parsed when it fails', async () => {
    const divide = (by: string) => connectionOf().run(statement('divide', 'select 6 / $1::bigint'), [by]);
    await assert.rejects(divide('0'), { code: '22012' });
    const sent = recordWrites(client);
    assert.deepEqual(await divide('2'), [['3']]);
    assert.equal(typesOf(sent), 'BES');
  });

  test('queries of pg and of Connection share prepared statements', async () => {
    await client.query({ name: ECHO.name, text: ECHO.text, values: [['a'], 'b', null] });
    const sent = recordWrites(client);
    await echo();
    assert.equal(typesOf(sent.splice(0)), 'BES');
    await client.query({ name: ECHO.name, text: ECHO.text, values: [['a'], 'b', null] });
    assert.ok(!typesOf(sent).includes('P'));
  });
});

async function run(submit: (connection: WireConnection) => Error | null, prototype?: object): Promise<Call[]> {
  const { query, calls, ended } = recorded(submit, prototype);
  client.query(query);
  await ended;
  // Any further message on the connection is recorded before this query is answered.
  await client.query('select 1');
  return calls;
}

describe('callbacks of a query', () => {
  test('are handleDataRow per row, handleCommandComplete per statement and handleReadyForQuery per Sync, and no others', async () => {
    const calls = await run(statements('select 1 as n, null as z union all select 2, null', 'select true'));
    const ROW = 'handleDataRow';
    const DONE = 'handleCommandComplete';
    assert.deepEqual(handlersOf(calls), [ROW, ROW, DONE, ROW, DONE, 'handleReadyForQuery']);
    const rows = calls.filter(({ handler }) => handler === ROW).map(({ message }) => message as { fields: unknown });
    assert.deepEqual(
      rows.map(({ fields }) => fields),
      [['1', null], ['2', null], ['t']],
    );
    const done = calls.filter(({ handler }) => handler === DONE).map(({ message }) => message as { text: string });
    assert.deepEqual(
      done.map(({ text }) => text),
      ['SELECT 2', 'SELECT 1'],
    );
  });

  test('after an error only handleError is called, once, and later statements up to the Sync are not executed', async () => {
    const calls = await run(statements('select 1', 'select 1 / 0', 'create table not_made ()'));
    assert.deepEqual(handlersOf(calls), ['handleDataRow', 'handleCommandComplete', 'handleError']);
    const error = calls.at(-1)?.message;
    assert.ok(error instanceof pg.DatabaseError && error.code === '22012');
    const { rows } = await client.query(`select to_regclass('not_made') as found`);
    assert.deepEqual(rows, [{ found: null }]);
  });

  test('an error that submit returns goes to handleError, and the connection stays usable', async () => {
    const unsendable = new Error('cannot be sent');
    const calls = await run(() => unsendable);
    assert.deepEqual(calls, [{ handler: 'handleError', message: unsendable }]);
  });

  test('a socket destroyed with an error fails every query in flight with that error, once', async () => {
    const sleeping = [1, 2, 3].map(() => recorded(statements('select pg_sleep(60)')));
    for (const { query } of sleeping) client.query(query);
    const reason = new Error('given up');
    const ended = new Promise((resolve) => client.once('end', resolve));
    socketOf(client).destroy(reason);
    await Promise.all([...sleeping.map((query) => query.ended), ended]);
    for (const { calls } of sleeping) assert.deepEqual(calls, [{ handler: 'handleError', message: reason }]);
    const late = recorded(statements('select 1'));
    client.query(late.query);
    await late.ended;
    assert.deepEqual(handlersOf(late.calls), ['handleError']);
  });

  test('pg.Query defines the known handlers and no others', () => {
    const handlers = Object.getOwnPropertyNames(pg.Query.prototype).filter((name) => name.startsWith('handle'));
    assert.deepEqual(handlers.sort(), [
      'handleCommandComplete',
      'handleCopyData',
      'handleCopyInResponse',
      'handleDataRow',
      'handleEmptyQuery',
      'handleError',
      'handlePortalSuspended',
      'handleReadyForQuery',
      'handleRowDescription',
    ]);
  });

  test('a pipelining client refuses queries that do not inherit from pg.Query, and sends none of them', async () => {
    const sent = recordWrites(client);
    const { query, calls, ended } = recorded(statements('select 1'), Object.prototype);
    client.query(query);
    await ended;
    assert.match(String(calls[0]?.message), /not supported in pipeline mode/);
    assert.deepEqual(sent, []);
  });

  test('a pipelining client sends the next query before the last is answered', async () => {
    const sent = recordWrites(client);
    const answers = [echo('1'), echo('2')];
    assert.equal(typesOf(sent), 'PBESBES');
    assert.deepEqual(await Promise.all(answers), [[['{a}', '1', null]], [['{a}', '2', null]]]);
  });
});

describe('internals that the query timeout and the failover rely on', () => {
  test('a pool hands queries to its client with a callback as the last argument', async () => {
    const lastArguments: unknown[] = [];
    class RecordingClient extends clientWithTimeout(30_000) {
      override query(...args: unknown[]): never {
        lastArguments.push(args.at(-1));
        return (super.query as (...given: unknown[]) => never)(...args);
      }
    }
    const pool = new pg.Pool({ connectionString: db.url, Client: RecordingClient, max: 1 } as pg.PoolConfig);
    await pool.query('select $1::int', [1]);
    await pool.end();
    assert.deepEqual(
      lastArguments.map((argument) => typeof argument),
      ['function'],
    );
  });

  test('a connection emits errorMessage with the code of every error the server reports', async () => {
    const codes: unknown[] = [];
    onServerError(client, (code) => codes.push(code));
    await assert.rejects(client.query('select 1 / 0'));
    await assert.rejects(echo('\0'));
    assert.deepEqual(codes, ['22012', '22021']);
  });

  test('a client connects to the host and port set at the time of connecting, not of construction', async () => {
    const redirected = new pg.Client({ connectionString: db.url });
    setAddress(redirected, { host: '/nowhere', port: 5_433 });
    await assert.rejects(redirected.connect(), { code: 'ENOENT', address: '/nowhere/.s.PGSQL.5433' });
  });
});
