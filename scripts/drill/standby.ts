// A PostgreSQL primary and a standby that streams from it, for drills.
import { configure, copyServer, initServer, PASSWORD, type PostgresServer } from './postgres-server.ts';
import { type Sandbox, waitUntil } from './sandbox.ts';

const NAME = 'standby';

export interface PairOptions {
  bin: string;
  /** The beginning of the servers' names. */
  name: string;
  /** A payment is acknowledged when the standby has it on its disk. */
  isSynchronous: boolean;
  /** The port at which the standby reaches the primary, given the primary's. */
  line?: (port: number) => Promise<number>;
}

export interface Pair {
  primary: PostgresServer;
  standby: PostgresServer;
}

export async function startPair(sandbox: Sandbox, options: PairOptions): Promise<Pair> {
  const { bin, name, isSynchronous, line = async (port) => port } = options;
  const primary = await initServer(sandbox, bin, `${name}-primary`, '');
  await primary.stop();
  const standby = await copyServer(sandbox, bin, primary, `${name}-standby`);
  await primary.start();
  const port = await line(Number(new URL(primary.url).port));
  const source = `host=127.0.0.1 port=${port} user=postgres password=${PASSWORD} application_name=${NAME}`;
  await configure(sandbox, standby, [`primary_conninfo = '${source}'`], 'standby.signal');
  await standby.start('standby');
  if (isSynchronous) {
    await primary.query(`alter system set synchronous_standby_names = '${NAME}'`);
    await primary.query('select pg_reload_conf()');
  }
  const wanted = isSynchronous ? 'sync' : 'async';
  const state = () => primary.query('select sync_state from pg_stat_replication');
  await waitUntil(`the standby is ${wanted}`, async () => (await state()) === wanted);
  return { primary, standby };
}

export async function promote(standby: PostgresServer): Promise<void> {
  await standby.query('select pg_promote()');
  await standby.waitUntilPrimary();
}
