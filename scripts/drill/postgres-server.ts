// Runs one PostgreSQL server from Debian packages in a drill's sandbox: create, start, kill, query.

import { appendFile, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@kissi/testkit/service';
import pg from 'pg';
import { type Sandbox, waitUntil } from './sandbox.ts';

export interface PostgresServer {
  pgdata: string;
  /** As the service's database user. */
  url: string;
  superuserUrl: string;
  /** Runs a statement as superuser and returns the first column of the first row. */
  query(statement: string): Promise<unknown>;
  /** Waits until it accepts writes; a standby, until it accepts connections. */
  start(role?: 'primary' | 'standby'): Promise<void>;
  /** A clean shutdown. */
  stop(): Promise<void>;
  waitUntilPrimary(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
}

export const PASSWORD = 'drill-only';

/** `bin` is the directory of PostgreSQL's programs. Does not create the data directory. */
export async function serverAt(sandbox: Sandbox, bin: string, name: string): Promise<PostgresServer> {
  const pgdata = join(sandbox.directory, name);
  const port = await freePort();
  const urlOf = (user: string, database: string) => `postgresql://${user}:${PASSWORD}@127.0.0.1:${port}/${database}`;
  const server: PostgresServer = {
    pgdata,
    url: urlOf('kissi', 'kissi'),
    superuserUrl: urlOf('postgres', 'postgres'),
    query: (statement) => queryValue(server.superuserUrl, statement),
    async start(role = 'primary') {
      const options = `-p ${port} -k ${sandbox.directory} -c listen_addresses=127.0.0.1`;
      await sandbox.run(join(bin, 'pg_ctl'), 'start', '--wait', '-D', pgdata, '-l', `${pgdata}.log`, '-o', options);
      if (role === 'primary') await server.waitUntilPrimary();
    },
    async stop() {
      await sandbox.run(join(bin, 'pg_ctl'), 'stop', '--wait', '-m', 'fast', '-D', pgdata);
    },
    waitUntilPrimary: () =>
      waitUntil('the server accepts writes', async () => (await server.query('select pg_is_in_recovery()')) === false),
    async kill() {
      const file = await readFile(join(pgdata, 'postmaster.pid'), 'utf8').catch(() => '');
      const pid = Number(file.split('\n')[0]);
      const command = () => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (!(await command()).includes(pgdata)) return;
      process.kill(pid, 'SIGKILL');
      await waitUntil('the server process has exited', async () => !(await command()).includes(pgdata));
    },
  };
  sandbox.onClose(() => server.kill());
  return server;
}

/** Runs initdb, starts the server, and creates the service's user and an empty database. */
export async function initServer(
  sandbox: Sandbox,
  bin: string,
  name: string,
  settings: string,
): Promise<PostgresServer> {
  const server = await serverAt(sandbox, bin, name);
  const passwordFile = join(sandbox.directory, 'password');
  await writeFile(passwordFile, PASSWORD);
  const options = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '--data-checksums'];
  await sandbox.run(join(bin, 'initdb'), '-D', server.pgdata, ...options, '-E', 'UTF8', '--locale=C.UTF-8');
  await appendFile(join(server.pgdata, 'postgresql.conf'), `${settings}\n`);
  await server.start();
  await server.query(`create role kissi login createrole password '${PASSWORD}'`);
  await server.query('create database kissi owner kissi');
  return server;
}

async function queryValue(url: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query({ text: statement, rowMode: 'array' }).finally(() => client.end());
  return rows[0]?.[0];
}

/** Runs a statement as superuser in the service's database, and returns its rows. */
export async function inDatabase(
  { superuserUrl }: Pick<PostgresServer, 'superuserUrl'>,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const url = Object.assign(new URL(superuserUrl), { pathname: 'kissi' }).toString();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** Copies the data of a server that is stopped. */
export async function copyServer(
  sandbox: Sandbox,
  bin: string,
  from: PostgresServer,
  name: string,
): Promise<PostgresServer> {
  const copy = await serverAt(sandbox, bin, name);
  await sandbox.run('cp', '-a', from.pgdata, copy.pgdata);
  return copy;
}

/** Adds lines to the configuration of a server that is stopped, and creates a signal file. */
export async function configure(
  sandbox: Sandbox,
  { pgdata }: Pick<PostgresServer, 'pgdata'>,
  settings: readonly string[],
  signal?: 'standby.signal' | 'recovery.signal',
): Promise<void> {
  await appendFile(join(pgdata, 'postgresql.conf'), `${settings.join('\n')}\n`);
  if (signal) await sandbox.run('touch', join(pgdata, signal));
}

/** Creates a directory in the sandbox that PostgreSQL's user can write to. */
export async function makeDirectory({ directory, osUser }: Sandbox, name: string): Promise<string> {
  const path = join(directory, name);
  await mkdir(path, 0o700);
  await chown(path, osUser.uid, osUser.gid);
  return path;
}

export async function destroyServer(server: PostgresServer): Promise<void> {
  await server.kill();
  await rm(server.pgdata, { recursive: true, force: true, maxRetries: 10 });
}
