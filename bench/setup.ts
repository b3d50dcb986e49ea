// The stage: an embedded PostgreSQL, the service in a process of its own, a key, a population; and load upon request.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startEmbeddedServer } from '@kissi/embedded-postgres';
import pg from 'pg';
import type { Measured } from './generator.ts';
import type { OpenLoopJob, OpenLoopMeasured } from './load/open-loop.ts';
import { NODE_FLAGS } from './node-flags.ts';
import { type Population, populate, type Settling } from './population.ts';
import type { Job } from './requests.ts';
import type { Shop, Signer } from './signed.ts';

export const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };
const SECRETS = {
  JWT_SECRET: 'bench-jwt-secret-0123456789abcdefghijklmn',
  MASTER_KEY: 'bench-master-key-0123456789abcdefghijklmn',
  PIN_PEPPER: 'bench-pin-pepper-0123456789abcdefghijklmn',
};
const SCOPES = ['payments:read', 'payments:write', 'subscribers:read', 'balance:read'];

type Given = 'host' | 'port' | 'key' | 'signer' | 'runId';
export type Load = Omit<Job, Given>;
export type OpenLoad = Omit<OpenLoopJob, Given>;

export interface Bench {
  /** Where the service listens. */
  address: string;
  /** The service's database, and one beside it for the reference, on the same server. */
  databaseUrl: string;
  referenceUrl: string;
  populate(count: number, more?: Omit<Settling, 'count'>): Promise<Population>;
  /** Merchants to pay. */
  openShops(count: number): Promise<Shop[]>;
  /** Partner banks that may owe without end, each with a key. */
  openPartners(count: number): Promise<Signer[]>;
  /** So many compliance rules on, those that ship among them; the others look at every payment and find nothing. */
  watchBy(rules: number): Promise<void>;
  /** Payments there are to refund, at most so many. */
  payments(count: number): Promise<string[]>;
  load(load: Load, url?: string): Promise<Measured>;
  /** By a schedule, whatever the answers; `runId` begins every request id. */
  openLoad(load: OpenLoad): Promise<OpenLoopMeasured & { runId: string }>;
  /** A bare server in a process of its own; its address. */
  startBare(): Promise<string>;
  serviceMemoryMb(): Promise<number>;
  stop(): Promise<void>;
}

export async function startBench(): Promise<Bench> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kissi-bench-'));
  await chmod(dataDir, 0o755);
  const server = await startEmbeddedServer({ dataDir, report: () => undefined });
  const children: ChildProcess[] = [];
  const referenceUrl = await createReferenceDatabase(server.url);
  const service = await startProcess(children, '../src/main.ts', /Health +(\S+)\/health/, {
    DATABASE_URL: server.url,
    DATA_DIR: dataDir,
    ...SECRETS,
  });
  const api = await administer(service.address);
  const key = await createKey(api);
  return {
    address: service.address,
    databaseUrl: server.url,
    referenceUrl,
    populate: (count, more) => populate(server.url, SECRETS.PIN_PEPPER, { count, ...more }),
    openShops: (count) => openShops(api, count),
    openPartners: (count) => openPartners(api, count),
    watchBy: (rules) => watchBy(server.url, api, rules),
    payments: (count) => paymentsIn(server.url, count),
    load: async (load, url = service.address) => runGenerator<Measured>('./generator.ts', load, url, key),
    openLoad: (load) => runGenerator<OpenLoopMeasured>('./load/open-loop.ts', load, service.address, key),
    startBare: async () => (await startProcess(children, './bare.ts', /(http\S+)/, {})).address,
    serviceMemoryMb: () => residentMb(service.child),
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

async function startProcess(
  children: ChildProcess[],
  file: string,
  address: RegExp,
  variables: Record<string, string>,
) {
  const env = {
    PATH: process.env.PATH ?? '',
    PORT: '0',
    RATE_LIMIT_RPS: '1000000',
    RATE_LIMIT_BURST: '1000000',
    BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
    BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    ...variables,
  };
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [...NODE_FLAGS, path], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const found = line.match(address)?.[1];
    if (found) return { address: found, child };
  }
  throw new Error(`${file} did not start`);
}

async function createReferenceDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create database bench');
  await client.end();
  return Object.assign(new URL(url), { pathname: 'bench' }).toString();
}

type Api = (path: string, body: object) => Promise<Record<string, unknown>>;

/** The API as the administrator calls it. */
async function administer(url: string): Promise<Api> {
  const post = async (path: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const { token } = await post('/api/v1/admin/login', ADMIN);
  return (path, body) => post(path, body, String(token));
}

interface Key extends Signer {
  bearer: string;
}

async function createKey(api: Api): Promise<Key> {
  const { api_key, key, secret } = await api('/api/v1/admin/api-keys', { name: 'bench', scopes: SCOPES });
  return { bearer: String(key), keyId: (api_key as { id: string }).id, secret: String(secret) };
}

async function openShops(api: Api, count: number): Promise<Shop[]> {
  const shops: Shop[] = [];
  for (let n = 0; n < count; n++) {
    const contact = { contact_name: 'Fatmata Sesay', phone_number: `+23231${String(n).padStart(6, '0')}` };
    const body = { business_name: `Shop ${n}`, merchant_id: `SHOP-${n}`, email: `shop${n}@example.com`, ...contact };
    const { processor_id } = await api('/api/v1/processors', body);
    shops.push({ processorId: String(processor_id), merchantId: body.merchant_id });
  }
  return shops;
}

async function openPartners(api: Api, count: number): Promise<Signer[]> {
  const signers: Signer[] = [];
  for (let n = 0; n < count; n++) {
    const terms = { name: `Bank ${n}`, outstanding_limit: Number.MAX_SAFE_INTEGER };
    const { partner } = await api('/api/v1/admin/partners', terms);
    const key = { name: 'bench', scopes: ['inbound:write'], partner_id: (partner as { id: string }).id };
    const { api_key, secret } = await api('/api/v1/admin/api-keys', key);
    signers.push({ keyId: (api_key as { id: string }).id, secret: String(secret) });
  }
  return signers;
}

const WATCHED = ['transfer_p2p', 'pos_payment', 'inbound_credit'];
const RULES = [
  { kind: 'amount', threshold: 900_000_000 },
  { kind: 'velocity_count', threshold: 1_000_000, window_seconds: 3_600 },
  { kind: 'velocity_amount', threshold: 900_000_000_000, window_seconds: 86_400 },
];

async function watchBy(url: string, api: Api, wanted: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ n: string }>('select count(*) as n from compliance_rules where enabled');
  await client.end();
  for (let n = Number(rows[0]?.n); n < wanted; n++) {
    const rule = { ...RULES[n % RULES.length], transaction_types: WATCHED, outcome: 'block', severity: 'HIGH' };
    await api('/api/v1/compliance/rules', { name: `Bench ${n}`, ...rule });
  }
}

async function paymentsIn(url: string, count: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const text = `select id from movements where type = 'pos_payment' order by id desc limit $1`;
  const { rows } = await client.query<{ id: string }>(text, [count]);
  await client.end();
  return rows.map(({ id }) => id);
}

async function runGenerator<Result>(
  file: string,
  load: Load | OpenLoad,
  url: string,
  { bearer, ...signer }: Key,
): Promise<Result & { runId: string }> {
  const { hostname: host, port } = new URL(url);
  const job: Job = { ...load, host, port: Number(port), key: bearer, signer, runId: `${Date.now()}` };
  const child = fork(fileURLToPath(new URL(file, import.meta.url)));
  child.send(job);
  const [measured] = (await once(child, 'message')) as [Result];
  return { ...measured, runId: job.runId };
}

async function residentMb(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024);
}
