// Starts a PostgreSQL primary and a standby from the embedded binaries, on Unix sockets only.
import assert from 'node:assert/strict';
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseOsUser, prepareBinaries, runCommand } from '@kissi/embedded-postgres';
import pg from 'pg';
import { waitFor } from './wait.ts';

export interface Replica {
  /** Runs a statement on this server, whether it is the primary or the standby. */
  query(statement: string): Promise<unknown>;
  /** kill -9 of the server. */
  kill(): Promise<void>;
}

export interface Replicas {
  primary: Replica;
  standby: Replica;
  /** Connection URL with these servers in this order; `a` is the primary. */
  address(...names: ('a' | 'b')[]): string;
  remove(): Promise<void>;
}

const SETTINGS = [
  "listen_addresses = ''",
  'fsync = off',
  'logging_collector = off',
  'shared_buffers = 16MB',
  'wal_retrieve_retry_interval = 200ms',
].join('\n');

// $1 is the folder, $2 the folder of the binaries, $3 the settings. Each data folder also contains the server's socket.
const SCRIPT = `set -e; cd "$1"
"$2/initdb" -D a -U kissi --auth=trust --no-sync --no-locale -E UTF8 >/dev/null
echo "$3" >> a/postgresql.conf
cp -a a b
for name in a b; do echo "unix_socket_directories = '$1/$name'" >> $name/postgresql.conf; done
echo "primary_conninfo = 'host=$1/a user=kissi'" >> b/postgresql.conf
touch b/standby.signal
for name in a b; do "$2/pg_ctl" start --wait --silent -D $name -l $name.log; done`;

export async function startReplicas(): Promise<Replicas> {
  const account = await chooseOsUser(undefined);
  const folder = await mkdtemp(join(tmpdir(), 'kissi-ha-'));
  await chown(folder, account.uid, account.gid);
  const { directory: binaries } = await prepareBinaries(account, folder);
  const args = ['-c', SCRIPT, 'sh', folder, join(binaries, 'bin'), SETTINGS];
  const [primary, standby] = [replica(join(folder, 'a')), replica(join(folder, 'b'))];
  const remove = async () => {
    for (const { kill } of [primary, standby]) await kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const result = await runCommand(account, '/bin/sh', args, { cwd: folder, timeoutMs: 60_000 });
  if (result.exitCode !== 0) await remove();
  assert.equal(result.exitCode, 0, result.output);
  await primary.query('create database kissi');
  const hostOf = (name: string) => encodeURIComponent(join(folder, name));
  const address = (...names: string[]) =>
    `postgresql://kissi@${names.map(hostOf).join(',')}/kissi?target_session_attrs=read-write`;
  return { primary, standby, address, remove };
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
