// Starts what a benchmark needs: an embedded PostgreSQL, the service as a separate process, an API key and test data.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedServer } from '@kissi/embedded-postgres';
import { ADMIN, SECRETS, type StartedProcess, startProcess, UNLIMITED } from '@kissi/testkit/service';
import pg from 'pg';
import type { ClosedLoopResult } from './closed-loop.ts';
import { type CpuCost, clientTime, type ProcessTime, readProcesses, treeTime } from './cpu-time.ts';
import type { OpenLoopJob, OpenLoopResult } from './load/open-loop.ts';
import type { LoadJob, Merchant, SigningKey } from './load-job.ts';
import { NODE_FLAGS } from './node-flags.ts';
import { type PopulateOptions, type Population, populate } from './population.ts';

const SCOPES = ['payments:read', 'payments:write', 'subscribers:read', 'balance:read'];

/** The fields of a job that the bench fills in itself. */
type SuppliedFields = 'host' | 'port' | 'bearerToken' | 'signingKey' | 'runId';
export type Load = Omit<LoadJob, SuppliedFields>;
export type OpenLoopLoad = Omit<OpenLoopJob, SuppliedFields>;

export interface Bench {
  /** Base URL of the service. */
  address: string;
  databaseUrl: string;
  /** An empty database for the reference workload, on the same PostgreSQL server. */
  referenceUrl: string;
  /** Inserts subscribers with PINs, cards and funded wallets. */
  populate(count: number, options?: Omit<PopulateOptions, 'count'>): Promise<Population>;
  createMerchants(count: number): Promise<Merchant[]>;
  /** Creates partner banks with a practically unlimited outstanding limit, each with an API key. */
  createPartnerKeys(count: number): Promise<SigningKey[]>;
  /** Adds rules that examine every payment and never match, until `total` rules are enabled, including the default rules. */
  enableComplianceRules(total: number): Promise<void>;
  /** Transaction ids of the latest card payments, at most `limit`. */
  recentPosPayments(limit: number): Promise<string[]>;
  runClosedLoop(load: Load, url?: string): Promise<ClosedLoopResult>;
  /** Sends requests on a fixed schedule, regardless of the replies. `runId` is the prefix of every request id. */
  runOpenLoop(load: OpenLoopLoad): Promise<OpenLoopResult & { runId: string }>;
  /** Returns the base URL of a bare HTTP server in a separate process. */
  startReferenceServer(): Promise<string>;
  serviceMemoryMb(): Promise<number>;
  /** Processor time since the start of the service and of PostgreSQL, in microseconds. */
  cpuTime(): Promise<CpuCost>;
  /** The same with the time of this process in place of the service's: for the references. */
  clientCpuTime(): Promise<CpuCost>;
  stop(): Promise<void>;
}

export interface BenchOptions {
  /** The checkout whose service is measured. Default: this one. */
  root?: string;
  /** Environment variables of the service. */
  variables?: Record<string, string>;
  /** Flags of Node.js besides those of `npm start`. */
  nodeFlags?: readonly string[];
}

export async function startBench({ root, variables, nodeFlags }: BenchOptions = {}): Promise<Bench> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kissi-bench-'));
  await chmod(dataDir, 0o755);
  const server = await startEmbeddedServer({ dataDir, report: () => undefined });
  const children: ChildProcess[] = [];
  const referenceUrl = await createReferenceDatabase(server.url);
  const main = root === undefined ? '../src/main.ts' : join(resolve(root), 'src/main.ts');
  const variablesOfService = { DATABASE_URL: server.url, DATA_DIR: dataDir, ...SECRETS, ...variables };
  const service = await startChild(children, main, variablesOfService, nodeFlags ? { nodeFlags } : {});
  const postmaster = await postmasterPid(server.url);
  const cpuTime = async (ofGateway: (processes: ProcessTime[]) => number) => {
    const processes = await readProcesses();
    return { gateway: ofGateway(processes), postgres: treeTime(processes, postmaster) };
  };
  const api = await logInAsAdmin(service.url);
  const key = await createKey(api);
  return {
    address: service.url,
    databaseUrl: server.url,
    referenceUrl,
    populate: (count, options) => populate(server.url, SECRETS.PIN_PEPPER, { count, ...options }),
    createMerchants: (count) => createMerchants(api, count),
    createPartnerKeys: (count) => createPartnerKeys(api, count),
    enableComplianceRules: (total) => enableComplianceRules(server.url, api, total),
    recentPosPayments: (limit) => recentPosPayments(server.url, limit),
    runClosedLoop: (load, url = service.url) => runGenerator<ClosedLoopResult>('./closed-loop.ts', load, url, key),
    runOpenLoop: (load) => runGenerator<OpenLoopResult>('./load/open-loop.ts', load, service.url, key),
    startReferenceServer: async () =>
      (await startChild(children, './reference-server.ts', {}, { address: /(http\S+)/ })).url,
    serviceMemoryMb: () => residentMemoryMb(service.child),
    cpuTime: () => cpuTime((processes) => treeTime(processes, service.child.pid ?? 0)),
    clientCpuTime: () => cpuTime(clientTime),
    async stop() {
      for (const child of children) {
        child.kill('SIGTERM');
        if (child.exitCode === null) await once(child, 'exit');
      }
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Resolves when the process has printed its address. */
async function startChild(
  children: ChildProcess[],
  file: string,
  variables: Record<string, string>,
  { nodeFlags = [], address }: { nodeFlags?: readonly string[]; address?: RegExp } = {},
): Promise<StartedProcess> {
  const started = await startProcess(
    fileURLToPath(new URL(file, import.meta.url)),
    { PATH: process.env.PATH ?? '', ...UNLIMITED, ...variables },
    {
      nodeFlags: [...NODE_FLAGS, ...nodeFlags],
      stderr: 'ignore',
      onSpawn: (child) => children.push(child),
      ...(address ? { address } : {}),
    },
  );
  if (!started) throw new Error(`${file} did not start`);
  return started;
}

async function createReferenceDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create database bench');
  await client.end();
  return Object.assign(new URL(url), { pathname: 'bench' }).toString();
}

/** The parent of the process that serves a connection. */
async function postmasterPid(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const backend = (await readProcesses()).find(({ pid }) => pid === rows[0]?.pid);
  await client.end();
  return backend?.parent ?? 0;
}

type Api = (path: string, body: object) => Promise<Record<string, unknown>>;

/** Returns a function that calls the API as the bootstrap administrator. */
async function logInAsAdmin(url: string): Promise<Api> {
  const post = async (path: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const { token } = await post('/api/v1/admin/login', ADMIN);
  return (path, body) => post(path, body, String(token));
}

interface ApiKey extends SigningKey {
  bearerToken: string;
}

async function createKey(api: Api): Promise<ApiKey> {
  const { api_key, key, secret } = await api('/api/v1/admin/api-keys', { name: 'bench', scopes: SCOPES });
  return { bearerToken: String(key), keyId: (api_key as { id: string }).id, secret: String(secret) };
}

async function createMerchants(api: Api, count: number): Promise<Merchant[]> {
  const merchants: Merchant[] = [];
  for (let n = 0; n < count; n++) {
    const contact = { contact_name: 'Fatmata Sesay', phone_number: `+23231${String(n).padStart(6, '0')}` };
    const body = { business_name: `Shop ${n}`, merchant_id: `SHOP-${n}`, email: `shop${n}@example.com`, ...contact };
    const { processor_id } = await api('/api/v1/processors', body);
    merchants.push({ processorId: String(processor_id), merchantId: body.merchant_id });
  }
  return merchants;
}

async function createPartnerKeys(api: Api, count: number): Promise<SigningKey[]> {
  const keys: SigningKey[] = [];
  for (let n = 0; n < count; n++) {
    const settings = { name: `Bank ${n}`, outstanding_limit: Number.MAX_SAFE_INTEGER };
    const { partner } = await api('/api/v1/admin/partners', settings);
    const key = { name: 'bench', scopes: ['inbound:write'], partner_id: (partner as { id: string }).id };
    const { api_key, secret } = await api('/api/v1/admin/api-keys', key);
    keys.push({ keyId: (api_key as { id: string }).id, secret: String(secret) });
  }
  return keys;
}

const RULE_TYPES = ['transfer_p2p', 'pos_payment', 'inbound_credit'];
/** The thresholds are higher than any payment of a benchmark reaches. */
const RULES = [
  { kind: 'amount', threshold: 900_000_000 },
  { kind: 'velocity_count', threshold: 1_000_000, window_seconds: 3_600 },
  { kind: 'velocity_amount', threshold: 900_000_000_000, window_seconds: 86_400 },
];

async function enableComplianceRules(url: string, api: Api, total: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ n: string }>('select count(*) as n from compliance_rules where enabled');
  await client.end();
  for (let n = Number(rows[0]?.n); n < total; n++) {
    const rule = { ...RULES[n % RULES.length], transaction_types: RULE_TYPES, outcome: 'block', severity: 'HIGH' };
    await api('/api/v1/compliance/rules', { name: `Bench ${n}`, ...rule });
  }
}

async function recentPosPayments(url: string, limit: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const text = `select id from movements where type = 'pos_payment' order by id desc limit $1`;
  const { rows } = await client.query<{ id: string }>(text, [limit]);
  await client.end();
  return rows.map(({ id }) => id);
}

async function runGenerator<Result>(
  file: string,
  load: Load | OpenLoopLoad,
  url: string,
  { bearerToken, ...signingKey }: ApiKey,
): Promise<Result & { runId: string }> {
  const { hostname: host, port } = new URL(url);
  const job: LoadJob = { ...load, host, port: Number(port), bearerToken, signingKey, runId: `${Date.now()}` };
  const child = fork(fileURLToPath(new URL(file, import.meta.url)));
  child.send(job);
  const [result] = (await once(child, 'message')) as [Result];
  return { ...result, runId: job.runId };
}

async function residentMemoryMb(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024);
}
