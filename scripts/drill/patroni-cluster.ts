// Runs a high-availability cluster on one machine: three PostgreSQL servers managed by Patroni as deploy/patroni/kissi.yml says, with etcd.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '@kissi/testkit/service';
import pg from 'pg';
import { parse } from 'yaml';
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
  superuserUrl: string;
  patroni: Daemon;
}

export type Failure = 'node' | 'postgres' | 'patroni';

/** What deploy/patroni/kissi.yml contains; the rest of it is used as it is. */
interface Example {
  bootstrap: { dcs: { ttl: number; loop_wait: number; retry_timeout: number; synchronous_mode: boolean } };
  restapi: { authentication: { username: string } };
  postgresql: { pg_hba: string[]; authentication: Record<'superuser' | 'replication', object> };
}

export interface Cluster {
  nodes: Node[];
  /** The settings that a failover depends on. */
  settings: Example['bootstrap']['dcs'];
  /** Multi-host connection URLs that list all three nodes, as the service's login and as the owner of the database. */
  url: string;
  ownerUrl: string;
  /** The current leader according to Patroni; null during an election. */
  leader(): Promise<Node | null>;
  /** Waits until all three nodes run and one of them is a synchronous standby. */
  waitUntilHealthy(): Promise<void>;
  /** kill -9 of PostgreSQL, Patroni or both. Without Patroni, PostgreSQL keeps running and does not learn of a new leader. */
  kill(node: Node, what: Failure): Promise<void>;
  /** Asks the leader to hand over to a standby, as patronictl switchover does. */
  switchOver(leader: Node): Promise<void>;
  /** Restarts a node that lost its Patroni, as a service manager would. */
  restore(node: Node): Promise<void>;
}

const EXAMPLE = join(import.meta.dirname, '../../deploy/patroni/kissi.yml');
const PASSWORD = 'drill-only';

export async function startCluster(sandbox: Sandbox, programs: Programs): Promise<Cluster> {
  const example: Example = parse(await readFile(EXAMPLE, 'utf8'));
  const etcdPort = await startEtcd(sandbox, programs.etcd);
  const ports = await freePorts(6);
  const nodes: Node[] = [];
  // Cleanups run newest first: Patroni, started later, is killed before this one and cannot restart PostgreSQL.
  sandbox.onClose(async () => {
    for (const node of nodes) await killPostgres(sandbox, node);
  });
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    const [port, restPort] = [ports[index] as number, ports[index + 3] as number];
    const superuserUrl = `postgresql://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
    const settings = nodeSettings(example, { name, port, restPort, etcdPort, sandbox, programs });
    await writeFile(join(sandbox.directory, `${name}.json`), JSON.stringify(settings, null, 2));
    nodes.push({ name, port, restPort, superuserUrl, patroni: await startPatroni(sandbox, programs, name) });
    // The first node initializes the database; the others clone it.
    if (index === 0) await waitUntil('the first server is leader', async () => (await findLeader(nodes)) !== null);
  }
  const cluster = createCluster(sandbox, programs, nodes, example);
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

/** The example with this node's addresses, folders and passwords. Patroni reads YAML, of which JSON is a subset. */
function nodeSettings(example: Example, { name, port, restPort, etcdPort, sandbox, programs }: NodeOptions) {
  const rest = `127.0.0.1:${restPort}`;
  const { superuser, replication } = example.postgresql.authentication;
  return {
    ...example,
    name,
    restapi: {
      listen: rest,
      connect_address: rest,
      authentication: { ...example.restapi.authentication, password: PASSWORD },
    },
    etcd3: { hosts: `127.0.0.1:${etcdPort}` },
    postgresql: {
      ...example.postgresql,
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(sandbox.directory, name),
      bin_dir: programs.postgresql,
      pgpass: join(sandbox.directory, `${name}.pgpass`),
      authentication: {
        superuser: { ...superuser, password: PASSWORD },
        replication: { ...replication, password: PASSWORD },
      },
      pg_hba: example.postgresql.pg_hba.map((line) => line.replace('10.0.0.0/24', '127.0.0.1/32')),
      parameters: { unix_socket_directories: sandbox.directory, shared_buffers: '64MB' },
    },
    // It would reset this machine.
    watchdog: { mode: 'off' },
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

function createCluster(sandbox: Sandbox, programs: Programs, nodes: Node[], example: Example): Cluster {
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const urlOf = (user: string) => `postgresql://${user}:${PASSWORD}@${hosts}/kissi?target_session_attrs=read-write`;
  return {
    nodes,
    settings: example.bootstrap.dcs,
    url: urlOf('kissi_service'),
    ownerUrl: urlOf('kissi'),
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
    async switchOver({ name, restPort }) {
      const body = JSON.stringify({ leader: name });
      const headers = { authorization: `Basic ${btoa(`${example.restapi.authentication.username}:${PASSWORD}`)}` };
      const reply = await fetch(`http://127.0.0.1:${restPort}/switchover`, { method: 'POST', body, headers });
      if (!reply.ok) throw new Error(`Patroni refused the switchover: ${await reply.text()}`);
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
async function createDatabase({ superuserUrl }: Node): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query(`create role kissi login createrole password '${PASSWORD}'`);
  await client.query('create database kissi owner kissi');
  await client.end();
}
