// Three PostgreSQL servers under Patroni, and etcd, on one machine: the cluster that the drill of failures breaks.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type Daemon, freePorts, until, type Workshop } from './workshop.ts';

export interface Programs {
  /** The folder of PostgreSQL's. */
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
  /** The address that names all three. */
  url: string;
  /** Who leads now, by etcd; null while nobody does. */
  leader(): Promise<Node | null>;
  /** All three run, one of them in step with the leader. */
  healthy(): Promise<void>;
  /** kill -9 of both, or of one. PostgreSQL without Patroni goes on, with nobody to tell it that it was deposed. */
  kill(node: Node, what: 'node' | 'postgres' | 'patroni'): Promise<void>;
  /** Brings a node back that lost its Patroni, as a service manager does. */
  revive(node: Node): Promise<void>;
}

/** How long a leader may be silent before another is chosen. */
export const TTL_SECONDS = 10;
const PASSWORD = 'drill-only';

export async function startCluster(workshop: Workshop, programs: Programs): Promise<Cluster> {
  const etcdPort = await startEtcd(workshop, programs.etcd);
  const ports = await freePorts(6);
  const nodes: Node[] = [];
  // By then their Patroni is gone.
  workshop.atEnd(async () => {
    for (const node of nodes) await killPostgres(workshop, node);
  });
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    const [port, restPort] = [ports[index] as number, ports[index + 3] as number];
    const settings = nodeSettings({ name, port, restPort, etcdPort, workshop, programs });
    await writeFile(join(workshop.folder, `${name}.json`), JSON.stringify(settings, null, 2));
    nodes.push({ name, port, restPort, patroni: await startPatroni(workshop, programs, name) });
    // The first one makes the database; the others copy it.
    if (index === 0) await until('the first server leads', async () => (await leaderOf(nodes)) !== null);
  }
  const cluster = clusterOf(workshop, programs, nodes);
  await cluster.healthy();
  await createDatabase((await cluster.leader()) as Node);
  return cluster;
}

async function startEtcd(workshop: Workshop, etcd: string): Promise<number> {
  const [port, peerPort] = (await freePorts(2)) as [number, number];
  const client = `http://127.0.0.1:${port}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const listen = ['--listen-client-urls', client, '--listen-peer-urls', peer];
  const advertise = ['--advertise-client-urls', client, '--initial-advertise-peer-urls', peer];
  const rest = ['--name', 'drill', '--initial-cluster', `drill=${peer}`, '--data-dir', join(workshop.folder, 'etcd')];
  await workshop.start('etcd', etcd, ...listen, ...advertise, ...rest);
  await until('etcd answers', async () => (await fetch(`${client}/health`)).ok);
  return port;
}

interface NodeWish {
  name: string;
  port: number;
  restPort: number;
  etcdPort: number;
  workshop: Workshop;
  programs: Programs;
}

/** As docs/operations.md has it; JSON is YAML too. */
function nodeSettings({ name, port, restPort, etcdPort, workshop, programs }: NodeWish) {
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
        // A crashed leader is not brought back as the leader: what it committed for itself alone would be seen.
        primary_start_timeout: 0,
        postgresql: { use_pg_rewind: true, parameters: { restart_after_crash: 'off', wal_keep_size: '256MB' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(workshop.folder, name),
      bin_dir: programs.postgresql,
      pgpass: join(workshop.folder, `${name}.pgpass`),
      authentication: {
        superuser: { username: 'postgres', password: PASSWORD },
        replication: { username: 'replicator', password: PASSWORD },
      },
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication replicator 127.0.0.1/32 scram-sha-256'],
      parameters: { unix_socket_directories: workshop.folder, shared_buffers: '64MB' },
      basebackup: [{ checkpoint: 'fast' }],
    },
  };
}

function startPatroni(workshop: Workshop, { patroni }: Programs, name: string): Promise<Daemon> {
  return workshop.start(name, patroni, join(workshop.folder, `${name}.json`));
}

interface Member {
  name: string;
  role: string;
  state: string;
}

/** Any of them can be asked. */
async function membersBy(nodes: Node[]): Promise<Member[]> {
  const asked = nodes.map(async ({ restPort }) => {
    const reply = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(2_000) });
    return ((await reply.json()) as { members: Member[] }).members;
  });
  return Promise.any(asked);
}

async function leaderOf(nodes: Node[]): Promise<Node | null> {
  const members = await membersBy(nodes).catch(() => []);
  const leading = members.find(({ role, state }) => role === 'leader' && state === 'running');
  return nodes.find(({ name }) => name === leading?.name) ?? null;
}

function clusterOf(workshop: Workshop, programs: Programs, nodes: Node[]): Cluster {
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    nodes,
    url: `postgresql://kissi:${PASSWORD}@${hosts}/kissi?target_session_attrs=read-write`,
    leader: () => leaderOf(nodes),
    healthy: () =>
      until('all servers run, one of them in step with the leader', async () => {
        const members = await membersBy(nodes);
        const running = members.filter(({ state }) => state === 'running' || state === 'streaming');
        return running.length === nodes.length && running.some(({ role }) => role === 'sync_standby');
      }),
    async kill(node, what) {
      if (what !== 'postgres') await node.patroni.kill();
      if (what !== 'patroni') await killPostgres(workshop, node);
    },
    async revive(node) {
      if (node.patroni.isRunning()) return;
      await killPostgres(workshop, node);
      node.patroni = await startPatroni(workshop, programs, node.name);
    },
  };
}

async function killPostgres({ folder }: Workshop, { name }: Node): Promise<void> {
  const data = join(folder, name);
  const file = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(file.split('\n')[0]);
  // The number may have gone to another process meanwhile.
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  if (command.includes(data)) process.kill(pid, 'SIGKILL');
}

/** What the operator does once: the service's user may create roles and owns its database, and is no superuser. */
async function createDatabase({ port }: Node): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password: PASSWORD, database: 'postgres' });
  await client.connect();
  await client.query(`create role kissi login createrole password '${PASSWORD}'`);
  await client.query('create database kissi owner kissi');
  await client.end();
}
