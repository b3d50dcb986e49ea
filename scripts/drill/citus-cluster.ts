// A Citus cluster for a drill: a coordinator and workers on one machine, with the ledger's extension installed in each.
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inDatabase, initServer, type PostgresServer } from './postgres-server.ts';
import { findPostgresql, type Sandbox, waitUntil } from './sandbox.ts';

export interface CitusCluster {
  coordinator: PostgresServer;
  workers: PostgresServer[];
  /** The coordinator's, as the owner of the tables. */
  url: string;
}

const SETTINGS = [
  "shared_preload_libraries = 'citus'",
  'max_connections = 200',
  'max_prepared_transactions = 200',
  "citus.node_conninfo = 'sslmode=prefer'",
  // Transactions that a killed server left prepared are ended after this time. Their accounts are locked until then.
  'citus.recover_2pc_interval = 2s',
].join('\n');

/** The bin directory of a PostgreSQL that has the extension: POSTGRESQL_BIN, or the newest of Debian. Null if there is none. */
export async function findCitus(): Promise<string | null> {
  const bin = process.env.POSTGRESQL_BIN ?? (await findPostgresql());
  if (bin === null) return null;
  const share = bin.replace('/lib/postgresql/', '/share/postgresql/').replace(/bin$/, 'extension');
  return access(join(share, 'citus.control')).then(
    () => bin,
    () => null,
  );
}

export async function startCitus(sandbox: Sandbox, bin: string, workerCount: number): Promise<CitusCluster> {
  const { coordinator, workers } = await startNodes(sandbox, bin, workerCount);
  await inDatabase(coordinator, `select citus_set_coordinator_host('127.0.0.1', ${portOf(coordinator)})`);
  for (const worker of workers) await inDatabase(coordinator, `select citus_add_node('127.0.0.1', ${portOf(worker)})`);
  return { coordinator, workers, url: coordinator.url };
}

/** Servers with the extension, which do not know each other yet. */
export async function startNodes(
  sandbox: Sandbox,
  bin: string,
  workerCount: number,
  settings = '',
): Promise<Pick<CitusCluster, 'coordinator' | 'workers'>> {
  const names = ['coordinator', ...Array.from({ length: workerCount }, (_, n) => `worker${n + 1}`)];
  const servers: PostgresServer[] = [];
  for (const name of names) servers.push(await startNode(sandbox, bin, name, `${SETTINGS}\n${settings}`));
  const [coordinator, ...workers] = servers as [PostgresServer, ...PostgresServer[]];
  return { coordinator, workers };
}

async function startNode(sandbox: Sandbox, bin: string, name: string, settings: string): Promise<PostgresServer> {
  const server = await initServer(sandbox, bin, name, settings);
  const file = join(server.pgdata, 'pg_hba.conf');
  // The servers of a cluster log in to each other.
  await writeFile(file, `host all all 127.0.0.1/32 trust\n${await readFile(file, 'utf8')}`);
  await server.query('select pg_reload_conf()');
  await waitUntil('the extension is created', async () => {
    await inDatabase(server, 'create extension if not exists citus');
    return true;
  });
  return server;
}

function portOf({ url }: PostgresServer): number {
  return Number(new URL(url).port);
}
