// Starts what a benchmark needs: a PostgreSQL, the service as a separate process, an API key and test data.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Kissi } from '@kissi/client';
import { ownFolder, ownProcess } from '@kissi/testkit/guard';
import { type ApiKey, administrator, makeKey } from '@kissi/testkit/parties';
import { SECRETS, type StartedProcess, startProcess, UNLIMITED } from '@kissi/testkit/service';
import { withClient } from './client.ts';
import type { ClosedLoopResult } from './closed-loop.ts';
import { type CpuCost, clientTime, type ProcessTime, readProcesses, treeTime } from './cpu-time.ts';
import type { OpenLoopJob, OpenLoopResult } from './load/open-loop.ts';
import { EMPTY_LOAD, type Load, type LoadJob } from './load-job.ts';
import { readNodeFlags } from './node-flags.ts';
import { type PopulateOptions, type Population, populate } from './population.ts';
import { startServer } from './server.ts';

const SCOPES = ['payments:read', 'payments:write', 'subscribers:read', 'balance:read'] as const;

export type OpenLoopLoad = Load & Pick<OpenLoopJob, 'rate' | 'maxConnections'>;

export interface Bench {
  /** Base URL of the service. */
  address: string;
  databaseUrl: string;
  /** An empty database for the reference workload, on the same PostgreSQL server. */
  referenceUrl: string;
  /** PostgreSQL's version and build flags. */
  build: string;
  /** Inserts subscribers with PINs, cards and funded wallets. */
  populate(count: number, options?: Omit<PopulateOptions, 'count'>): Promise<Population>;
  /** Makes other parties. */
  admin: Kissi;
  /** Adds rules that examine every payment and never match, until `total` rules are enabled, including the default rules. */
  enableComplianceRules(total: number): Promise<void>;
  /** Transaction ids of the latest card payments, at most `limit`. */
  recentPosPayments(limit: number): Promise<string[]>;
  runClosedLoop(load: Load, url?: string): Promise<ClosedLoopResult>;
  /** Sends requests on a fixed schedule, regardless of the replies. `runId` is the prefix of every request id. */
  runOpenLoop(load: OpenLoopLoad): Promise<OpenLoopResult & { runId: string }>;
  /** Returns the base URL of a bare HTTP server in a separate process. */
  startReferenceServer(): Promise<string>;
  /** Resident memory now, or the most that it ever was. */
  serviceMemoryMb(which?: 'now' | 'peak'): Promise<number>;
  /** CPU time since the start of the service and of PostgreSQL, in microseconds. */
  cpuTime(): Promise<CpuCost>;
  /** The same with this process's time in place of the service's: for the references. */
  clientCpuTime(): Promise<CpuCost>;
  stop(): Promise<void>;
}

export interface BenchOptions {
  /** The checkout whose service is measured. Default: this one. */
  root?: string;
  /** The service's environment variables. */
  variables?: Record<string, string>;
  /** Node.js flags in addition to those of `npm start`. */
  nodeFlags?: readonly string[];
  /** Use the embedded PostgreSQL even if BENCH_DATABASE_URL names another. */
  embedded?: boolean;
}

export async function startBench({ root, variables, nodeFlags, embedded }: BenchOptions = {}): Promise<Bench> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kissi-bench-'));
  await chmod(dataDir, 0o755);
  ownFolder(dataDir);
  const server = await startServer(dataDir, embedded ? undefined : process.env.BENCH_DATABASE_URL);
  const children: StartedProcess[] = [];
  const main = root === undefined ? '../src/main.ts' : join(resolve(root), 'src/main.ts');
  const variablesOfService = { DATABASE_URL: server.url, DATA_DIR: dataDir, ...SECRETS, ...variables };
  const allFlags = [...readNodeFlags(root), ...(nodeFlags ?? [])];
  const service = await startChild(children, main, variablesOfService, { nodeFlags: allFlags }).catch(
    async (error: unknown) => {
      await server.stop();
      throw error;
    },
  );
  const cpuTime = async (ofGateway: (processes: ProcessTime[]) => number) => {
    const processes = await readProcesses();
    return { gateway: ofGateway(processes), postgres: server.cpuTime(processes) };
  };
  const admin = administrator(service.url);
  const key = await makeKey(admin, SCOPES);
  return {
    address: service.url,
    databaseUrl: server.url,
    referenceUrl: server.referenceUrl,
    build: server.build,
    populate: (count, options) => populate(server.url, SECRETS.PIN_PEPPER, { count, ...options }),
    admin,
    enableComplianceRules: (total) => enableComplianceRules(admin, total),
    recentPosPayments: (limit) => recentPosPayments(server.url, limit),
    runClosedLoop: (load, url = service.url) => runGenerator<ClosedLoopResult>('./closed-loop.ts', load, url, key),
    runOpenLoop: (load) => runGenerator<OpenLoopResult>('./load/open-loop.ts', load, service.url, key),
    startReferenceServer: async () =>
      (await startChild(children, './reference-server.ts', {}, { nodeFlags: readNodeFlags(), address: /(http\S+)/ }))
        .url,
    serviceMemoryMb: (which = 'now') => residentMemoryMb(service.child, which),
    cpuTime: () => cpuTime((processes) => treeTime(processes, service.child.pid ?? 0)),
    clientCpuTime: () => cpuTime(clientTime),
    async stop() {
      for (const child of children) await child.stop();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Resolves when the process has printed its address. */
async function startChild(
  children: StartedProcess[],
  file: string,
  variables: Record<string, string>,
  { nodeFlags, address }: { nodeFlags: readonly string[]; address?: RegExp },
): Promise<StartedProcess> {
  const started = await startProcess(
    fileURLToPath(new URL(file, import.meta.url)),
    { PATH: process.env.PATH ?? '', ...UNLIMITED, ...variables },
    {
      nodeFlags,
      stderr: 'ignore',
      ...(address ? { address } : {}),
    },
  );
  if (!started) throw new Error(`${file} did not start`);
  children.push(started);
  return started;
}

const RULE_TYPES = ['transfer_p2p', 'pos_payment', 'inbound_credit'] as const;
/** The thresholds are higher than any payment of a benchmark reaches. */
const RULES = [
  { kind: 'amount', threshold: 900_000_000 },
  { kind: 'velocity_count', threshold: 1_000_000, window_seconds: 3_600 },
  { kind: 'velocity_amount', threshold: 900_000_000_000, window_seconds: 86_400 },
] as const;

async function enableComplianceRules(admin: Kissi, total: number): Promise<void> {
  const { rules } = await admin.rules.list({ limit: 100 });
  for (let n = rules.filter(({ enabled }) => enabled).length; n < total; n++) {
    const rule = { ...(RULES[n % RULES.length] as (typeof RULES)[number]), transaction_types: [...RULE_TYPES] };
    await admin.rules.create({ name: `Bench ${n}`, ...rule, outcome: 'block', severity: 'HIGH' });
  }
}

async function recentPosPayments(url: string, limit: number): Promise<string[]> {
  const text = `select id from movements where type = 'pos_payment' order by id desc limit $1`;
  const { rows } = await withClient(url, (client) => client.query<{ id: string }>(text, [limit]));
  return rows.map(({ id }) => id);
}

async function runGenerator<Result>(
  file: string,
  load: Load | OpenLoopLoad,
  url: string,
  key: ApiKey,
): Promise<Result & { runId: string }> {
  const { hostname: host, port } = new URL(url);
  const runId = `${Date.now()}`;
  const job: LoadJob = { ...structuredClone(EMPTY_LOAD), ...load, host, port: Number(port), key, runId };
  const child = fork(fileURLToPath(new URL(file, import.meta.url)));
  ownProcess(child);
  child.send(job);
  const [result] = (await once(child, 'message')) as [Result];
  return { ...result, runId };
}

async function residentMemoryMb(child: ChildProcess, which: 'now' | 'peak'): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  const [, kilobytes] = (which === 'now' ? /VmRSS:\s+(\d+)/ : /VmHWM:\s+(\d+)/).exec(status) ?? [];
  return Math.round(Number(kilobytes) / 1_024);
}
