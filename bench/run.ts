// npm run bench: starts its own service and database, measures against a reference in the same run, prints ratios.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Measured, measure } from './load.ts';

const SUBSCRIBERS = 1_000;
const CONNECTIONS = 32;
const WARM_UP_SECONDS = 3;
const SECONDS = 10;
const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

const started: ChildProcess[] = [];
const dataDir = await mkdtemp(join(tmpdir(), 'kissi-bench-'));
await chmod(dataDir, 0o755);
try {
  const service = await startProcess('../src/main.ts', /Health +(\S+)\/health/);
  const bare = await startProcess('./bare.ts', /(http\S+)/);
  const { key, ids } = await prepare(service);
  const pick = (n: number) => ids[(n * 7919) % ids.length] ?? '';
  const reference = await run(bare, {}, (n) => `/subscribers/${pick(n)}`);
  const measured = await run(service, { authorization: `Bearer ${key}` }, (n) => `/api/v1/subscribers/${pick(n)}`);
  report(reference, measured);
} finally {
  for (const child of started) {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  }
  await rm(dataDir, { recursive: true, force: true });
}

async function startProcess(file: string, address: RegExp): Promise<string> {
  const env = {
    PATH: process.env.PATH ?? '',
    PORT: '0',
    DATA_DIR: dataDir,
    RATE_LIMIT_RPS: '1000000',
    RATE_LIMIT_BURST: '1000000',
    BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
    BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
  };
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [path], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const found = line.match(address)?.[1];
    if (found) return found;
  }
  throw new Error(`${file} did not start`);
}

async function prepare(url: string): Promise<{ key: string; ids: string[] }> {
  const post = async (path: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  };
  const { token } = await post('/api/v1/admin/login', ADMIN);
  const scopes = ['subscribers:read', 'subscribers:write'];
  const { key = '' } = await post('/api/v1/admin/api-keys', { name: 'bench', scopes }, token);
  const ids: string[] = [];
  for (let i = 0; i < SUBSCRIBERS; i++) {
    const person = { first_name: 'Fatmata', last_name: `Sesay ${i}`, email: `fatmata${i}@example.com`, pin: '4821' };
    const phone_number = `+23276${100_000 + i}`;
    const made = await post(
      '/api/v1/subscribers',
      { ...person, phone_number, address: '12 Siaka Stevens Street' },
      key,
    );
    ids.push(made.subscriber_id ?? '');
  }
  return { key, ids };
}

async function run(url: string, headers: Record<string, string>, path: (n: number) => string): Promise<Measured> {
  await measure({ url, headers, path, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  return measure({ url, headers, path, connections: CONNECTIONS, seconds: SECONDS });
}

function report(reference: Measured, measured: Measured): void {
  const line = (name: string, { perSecond, p50, p95, p99, errors }: Measured) =>
    `| ${name} | ${perSecond} | ${p50.toFixed(2)} | ${p95.toFixed(2)} | ${p99.toFixed(2)} | ${errors} |`;
  process.stdout.write(`
At ${CONNECTIONS} connections, ${SECONDS} s each, load generator on the same machine:

| route | per second | p50 ms | p95 ms | p99 ms | errors |
|---|---|---|---|---|---|
${line('bare Fastify route', reference)}
${line('GET /subscribers/{id}', measured)}

p50 is ${(measured.p50 / reference.p50).toFixed(2)} × that of the bare route.
`);
}
