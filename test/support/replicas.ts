// Starts a PostgreSQL primary and standbys on Unix sockets only, from the embedded binaries or from Debian's.
import assert from 'node:assert/strict';
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseOsUser, prepareBinaries, runCommand } from '@kissi/embedded-postgres';
import pg from 'pg';
import { findPostgresql } from '../../scripts/drill/sandbox.ts';
import { waitFor } from './wait.ts';

export interface Replica {
  /** Runs a statement on this server, whether it is the primary or the standby. */
  query(statement: string): Promise<unknown>;
  /** Stops the server with kill -9. */
  kill(): Promise<void>;
}

type Name = 'a' | 'b' | 'c';

export interface Replicas {
  primary: Replica;
  standby: Replica;
  /** `a` is the primary. */
  server(name: Name): Replica;
  /** The folder with its data and socket. */
  folderOf(name: Name): string;
  /** Connection URL with these servers in this order. */
  address(...names: Name[]): string;
  remove(): Promise<void>;
}

export interface ReplicaServers {
  /** Debian's PostgreSQL, if it is installed. */
  debian?: boolean;
  /** A second standby, `c`. */
  third?: boolean;
}

const SETTINGS = [
  "listen_addresses = ''",
  'fsync = off',
  'logging_collector = off',
  'shared_buffers = 16MB',
  'wal_retrieve_retry_interval = 200ms',
].join('\n');

// $1 is the folder, $2 the folder with the binaries, $3 the settings, $4 the standbys. Each data folder also contains the server's socket.
const SCRIPT = `set -e; cd "$1"
"$2/initdb" -D a -U kissi --auth=trust --no-sync --no-locale -E UTF8 >/dev/null
echo "$3" >> a/postgresql.conf
for name in $4; do cp -a a $name; done
for name in a $4; do echo "unix_socket_directories = '$1/$name'" >> $name/postgresql.conf; done
for name in $4; do echo "primary_conninfo = 'host=$1/a user=kissi'" >> $name/postgresql.conf; touch $name/standby.signal; done
for name in a $4; do "$2/pg_ctl" start --wait --silent -D $name -l $name.log; done`;

export async function startReplicas({ debian = false, third = false }: ReplicaServers = {}): Promise<Replicas> {
  const account = await chooseOsUser(undefined);
  const folder = await mkdtemp(join(tmpdir(), 'kissi-ha-'));
  await chown(folder, account.uid, account.gid);
  const installed = debian ? await findPostgresql() : null;
  const binaries = installed ?? join((await prepareBinaries(account, folder)).directory, 'bin');
  const standbys: Name[] = third ? ['b', 'c'] : ['b'];
  const args = ['-c', SCRIPT, 'sh', folder, binaries, SETTINGS, standbys.join(' ')];
  const folderOf = (name: Name) => join(folder, name);
  const server = (name: Name) => replica(folderOf(name));
  const [primary, standby] = [server('a'), server('b')];
  const remove = async () => {
    for (const name of ['a', ...standbys] as const) await server(name).kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const result = await runCommand(account, '/bin/sh', args, { cwd: folder, timeoutMs: 60_000 });
  if (result.exitCode !== 0) await remove();
  assert.equal(result.exitCode, 0, result.output);
  await primary.query('create database kissi');
  const hostOf = (name: Name) => encodeURIComponent(folderOf(name));
  const address = (...names: Name[]) =>
    `postgresql://kissi@${names.map(hostOf).join(',')}/kissi?target_session_attrs=read-write`;
  return { primary, standby, server, folderOf, address, remove };
}

function replica(folder: string): Replica {
  return {
    async query(statement) {
      // Allows writes even if default_transaction_read_only is on.
      const options = '-c default_transaction_read_only=off';
      const client = new pg.Client({ host: folder, user: 'kissi', database: 'postgres', options });
      await client.connect();
      const { rows } = await client.query({ text: statement, rowMode: 'array' }).finally(() => client.end());
      return rows[0]?.[0];
    },
    async kill() {
      const file = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '');
      const pid = Number(file.split('\n')[0]);
      const alive = async () => pid > 0 && !/\) Z /.test(await readFile(`/proc/${pid}/stat`, 'utf8'));
      if (!(await alive().catch(() => false))) return;
      process.kill(pid, 'SIGKILL');
      await waitFor('the server has stopped', async () => !(await alive().catch(() => false)));
    },
  };
}
