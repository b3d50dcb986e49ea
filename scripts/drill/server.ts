// One PostgreSQL of Debian's in a folder of the drill, made, started, killed, and restored from a backup.
import { appendFile, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { freePorts, until, type Workshop } from './workshop.ts';

export interface Server {
  folder: string;
  /** As the service's user, and as the owner of the server. */
  url: string;
  ownerUrl: string;
  ask(statement: string): Promise<unknown>;
  start(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
}

const PASSWORD = 'drill-only';

export async function serverIn(workshop: Workshop, programs: string, name: string): Promise<Server> {
  const folder = join(workshop.folder, name);
  const [port] = await freePorts(1);
  const urlOf = (user: string, database: string) => `postgresql://${user}:${PASSWORD}@127.0.0.1:${port}/${database}`;
  const server: Server = {
    folder,
    url: urlOf('kissi', 'kissi'),
    ownerUrl: urlOf('postgres', 'postgres'),
    ask: (statement) => ask(server.ownerUrl, statement),
    async start() {
      const options = `-p ${port} -k ${workshop.folder} -c listen_addresses=127.0.0.1`;
      await workshop.run(
        join(programs, 'pg_ctl'),
        'start',
        '--wait',
        '-D',
        folder,
        '-l',
        `${folder}.log`,
        '-o',
        options,
      );
      await until('it takes writes', async () => (await server.ask('select pg_is_in_recovery()')) === false);
    },
    async kill() {
      const file = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '');
      const pid = Number(file.split('\n')[0]);
      const command = () => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (!(await command()).includes(folder)) return;
      process.kill(pid, 'SIGKILL');
      await until('it is gone', async () => !(await command()).includes(folder));
    },
  };
  workshop.atEnd(() => server.kill());
  return server;
}

/** A new one, with the service's user and an empty database of its own. */
export async function newServer(workshop: Workshop, programs: string, name: string, settings: string): Promise<Server> {
  const server = await serverIn(workshop, programs, name);
  const passwordFile = join(workshop.folder, 'password');
  await writeFile(passwordFile, PASSWORD);
  const made = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '--data-checksums'];
  await workshop.run(join(programs, 'initdb'), '-D', server.folder, ...made, '-E', 'UTF8', '--locale=C.UTF-8');
  await appendFile(join(server.folder, 'postgresql.conf'), `${settings}\n`);
  await server.start();
  await server.ask(`create role kissi login createrole password '${PASSWORD}'`);
  await server.ask('create database kissi owner kissi');
  return server;
}

export async function ask(url: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query({ text: statement, rowMode: 'array' }).finally(() => client.end());
  return rows[0]?.[0];
}

/** A folder that PostgreSQL's user may write to. */
export async function makeFolder({ folder, account }: Workshop, name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path, 0o700);
  await chown(path, account.uid, account.gid);
  return path;
}

export async function destroy(server: Server): Promise<void> {
  await server.kill();
  await rm(server.folder, { recursive: true, force: true, maxRetries: 10 });
}
