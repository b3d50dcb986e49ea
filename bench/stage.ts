// The stage: an embedded PostgreSQL, the service in a process of its own, a key, a population; and load upon request.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startEmbeddedServer } from '../src/db/embedded/server.ts';
import type { Job, Measured } from './generator.ts';
import { type Population, populate } from './population.ts';

export const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };
const SECRETS = {
  JWT_SECRET: 'bench-jwt-secret-0123456789abcdefghijklmn',
  MASTER_KEY: 'bench-master-key-0123456789abcdefghijklmn',
  PIN_PEPPER: 'bench-pin-pepper-0123456789abcdefghijklmn',
};
const SCOPES = ['payments:read', 'payments:write', 'subscribers:read', 'balance:read'];

export type Load = Omit<Job, 'host' | 'port' | 'key' | 'runId'>;

export interface Bench {
  /** Where the service listens. */
  address: string;
  /** The service's database, and one beside it for the reference, on the same server. */
  databaseUrl: string;
  referenceUrl: string;
  populate(count: number): Promise<Population>;
  load(load: Load, url?: string): Promise<Measured>;
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
  const key = await createKey(service.address);
  return {
    address: service.address,
    databaseUrl: server.url,
    referenceUrl,
    populate: (count) => populate(server.url, count, SECRETS.PIN_PEPPER),
    load: (load, url = service.address) => runGenerator(load, url, key),
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
  const profile = process.env.BENCH_PROFILE ? ['--cpu-prof', '--cpu-prof-dir', process.env.BENCH_PROFILE] : [];
  const child = spawn(process.execPath, [...profile, path], { env, stdio: ['ignore', 'pipe', 'ignore'] });
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

async function createKey(url: string): Promise<string> {
  const post = async (path: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  };
  const { token } = await post('/api/v1/admin/login', ADMIN);
  const { key } = await post('/api/v1/admin/api-keys', { name: 'bench', scopes: SCOPES }, token);
  return key ?? '';
}

async function runGenerator(load: Load, url: string, key: string): Promise<Measured> {
  const { hostname: host, port } = new URL(url);
  const job: Job = { ...load, host, port: Number(port), key, runId: `${Date.now()}` };
  const child = fork(fileURLToPath(new URL('./generator.ts', import.meta.url)));
  child.send(job);
  const [measured] = (await once(child, 'message')) as [Measured];
  return measured;
}

async function residentMb(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024);
}
