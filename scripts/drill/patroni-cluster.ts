// Runs a high-availability cluster on one machine: three PostgreSQL servers managed by Patroni, with etcd.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '@kissi/testkit/service';
import pg from 'pg';
import { type Daemon, type Sandbox, waitUntil } from './sandbox.ts';

export interface Programs {
  /** PostgreSQL's bin directory. */
  postgresql: string;
  patroni: string;
  etcd: string;
}

export interface Node {
  name: string;
  port: number;
  restPort: number;
  patroni: Daemon;
}

export interface Cluster {
  nodes: Node[];
  /** A multi-host connection URL that lists all three nodes. */
  url: string;
  /** The current leader according to Patroni; null during an election. */
  leader(): Promise<Node | null>;
  /** Waits until all three nodes run and one of them is a synchronous standby. */
  waitUntilHealthy(): Promise<void>;
  /** kill -9 of PostgreSQL, Patroni or both. Without Patroni, PostgreSQL keeps running and does not learn of a new leader. */
  kill(node: Node, what: 'node' | 'postgres' | 'patroni'): Promise<void>;
  /** Restarts a node that lost its Patroni, as a service manager would. */
  restore(node: Node): Promise<void>;
}

/** How long the leader key in etcd is valid without renewal, before a new leader is elected. */
export const TTL_SECONDS = 10;
const PASSWORD = 'drill-only';

export async function startCluster(sandbox: Sandbox, programs: Programs): Promise<Cluster> {
  const etcdPort = await startEtcd(sandbox, programs.etcd);
  const ports = await freePorts(6);
  const nodes: Node[] = [];
  // Cleanups run newest first: Patroni, started later, is killed before this one and cannot restart PostgreSQL.
  sandbox.onClose(async () => {
    for (const node of nodes) await killPostgres(sandbox, node);
  });
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    const [port, restPort] = [ports[index] as number, ports[index + 3] as number];
    const settings = nodeSettings({ name, port, restPort, etcdPort, sandbox, programs });
    await writeFile(join(sandbox.directory, `${name}.json`), JSON.stringify(settings, null, 2));
    nodes.push({ name, port, restPort, patroni: await startPatroni(sandbox, programs, name) });
    // The first node initializes the database; the others clone it.
    if (index === 0) await waitUntil('the first server is leader', async () => (await findLeader(nodes)) !== null);
  }
  const cluster = createCluster(sandbox, programs, nodes);
  await cluster.waitUntilHealthy();
  await createDatabase((await cluster.leader()) as Node);
  return cluster;
}

async function startEtcd(sandbox: Sandbox, etcd: string): Promise<number> {
  const [port, peerPort] = (await freePorts(2)) as [number, number];
  const client = `http://127.0.0.1:${port}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const listen = ['--listen-client-urls', client, '--listen-peer-urls', peer];
  const advertise = ['--advertise-client-urls', client, '--initial-advertise-peer-urls', peer];
  const rest = ['--name', 'drill', '--initial-cluster', `drill=${peer}`, '--data-dir', join(sandbox.directory, 'etcd')];
  await sandbox.start('etcd', etcd, ...listen, ...advertise, ...rest);
  await waitUntil('etcd is healthy', async () => (await fetch(`${client}/health`)).ok);
  return port;
}

interface NodeOptions {
  name: string;
  port: number;
  restPort: number;
  etcdPort: number;
  sandbox: Sandbox;
  programs: Programs;
}

/** The settings that docs/operations/high-availability.md recommends. Patroni reads YAML, of which JSON is a subset. */
function nodeSettings({ name, port, restPort, etcdPort, sandbox, programs }: NodeOptions) {
  const rest = `127.0.0.1:${restPort}`;
  return {
    scope: 'kissi',
    name,
    restapi: { listen: rest, connect_address: rest },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: TTL_SECONDS,
        loop_wait: 1,
        retry_timeout: 3,
        synchronous_mode: true,
        // Never restart a crashed leader as leader: commits that reached only its own disk would become visible.
        primary_start_timeout: 0,
        postgresql: { use_pg_rewind: true, parameters: { restart_after_crash: 'off', wal_keep_size: '256MB' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(sandbox.directory, name),
      bin_dir: programs.postgresql,
      pgpass: join(sandbox.directory, `${name}.pgpass`),
      authentication: {
        superuser: { username: 'postgres', password: PASSWORD },
        replication: { username: 'replicator', password: PASSWORD },
      },
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication replicator 127.0.0.1/32 scram-sha-256'],
      parameters: { unix_socket_directories: sandbox.directory, shared_buffers: '64MB' },
      basebackup: [{ checkpoint: 'fast' }],
    },
  };
}

function startPatroni(sandbox: Sandbox, { patroni }: Programs, name: string): Promise<Daemon> {
  return sandbox.start(name, patroni, join(sandbox.directory, `${name}.json`));
}

interface Member {
  name: string;
  role: string;
  state: string;
}

/** Asks all nodes and takes the first reply: some may be down. */
async function listMembers(nodes: Node[]): Promise<Member[]> {
  const replies = nodes.map(async ({ restPort }) => {
    const reply = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(2_000) });
    return ((await reply.json()) as { members: Member[] }).members;
  });
  return Promise.any(replies);
}

async function findLeader(nodes: Node[]): Promise<Node | null> {
  const members = await listMembers(nodes).catch(() => []);
  const leader = members.find(({ role, state }) => role === 'leader' && state === 'running');
  return nodes.find(({ name }) => name === leader?.name) ?? null;
}

function createCluster(sandbox: Sandbox, programs: Programs, nodes: Node[]): Cluster {
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    nodes,
    url: `postgresql://kissi:${PASSWORD}@${hosts}/kissi?target_session_attrs=read-write`,
    leader: () => findLeader(nodes),
    waitUntilHealthy: () =>
      waitUntil('all servers run and one is a synchronous standby', async () => {
        const members = await listMembers(nodes);
        const running = members.filter(({ state }) => state === 'running' || state === 'streaming');
        return running.length === nodes.length && running.some(({ role }) => role === 'sync_standby');
      }),
    async kill(node, what) {
      if (what !== 'postgres') await node.patroni.kill();
      if (what !== 'patroni') await killPostgres(sandbox, node);
    },
    async restore(node) {
      if (node.patroni.isRunning()) return;
      await killPostgres(sandbox, node);
      node.patroni = await startPatroni(sandbox, programs, node.name);
    },
  };
}

async function killPostgres({ directory }: Sandbox, { name }: Node): Promise<void> {
  const pgdata = join(directory, name);
  const file = await readFile(join(pgdata, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(file.split('\n')[0]);
  // The pid may have been reused by another process.
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  if (command.includes(pgdata)) process.kill(pid, 'SIGKILL');
}

/** The operator's one-time setup: the service's user owns the database and may create roles, but is not a superuser. */
async function createDatabase({ port }: Node): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password: PASSWORD, database: 'postgres' });
  await client.connect();
  await client.query(`create role kissi login createrole password '${PASSWORD}'`);
  await client.query('create database kissi owner kissi');
  await client.end();
}
