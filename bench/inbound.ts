// node bench/inbound.ts: how many signed inbound credits a second, from one partner (whose clearing account is one row), and
// from eight; beside them the P2P payments of the same run. Options: --quick (a few seconds each, to try the bench itself).
import { fork } from 'node:child_process';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Measured } from './generator.ts';
import { ADMIN, type Bench, startBench } from './stage.ts';

interface Signer {
  keyId: string;
  secret: string;
}

interface Job {
  host: string;
  port: number;
  connections: number;
  seconds: number;
  signers: Signer[];
  /** How many wallets there are to credit, by the population's phone numbers. */
  people: number;
  runId: string;
}

const PATH = '/api/v1/inbound/credit';
const CONNECTIONS = 128;

if (process.send) process.once('message', (job) => void generate(job as Job));
else await measure();

async function measure(): Promise<void> {
  const quick = process.argv.includes('--quick');
  const seconds = quick ? 2 : 15;
  const people = quick ? 10_000 : 100_000;
  const bench = await startBench();
  try {
    const { ids, serials } = await bench.populate(people);
    const signers = await partners(bench, 8);
    const say = (name: string, { perSecond, p50, p99, errors, firstError }: Measured) =>
      process.stdout.write(
        `${name}: ${perSecond}/s, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${errors} errors ${firstError}\n`,
      );
    const credits = (some: Signer[]) => credit(bench, { connections: CONNECTIONS, seconds, signers: some, people });
    const p2p = {
      kind: 'p2p' as const,
      connections: CONNECTIONS,
      senders: ids,
      serials,
      paths: [],
      shops: [],
      transactions: [],
    };
    await credits(signers);
    await bench.load({ ...p2p, seconds: 2 });
    const transfers = await bench.load({ ...p2p, seconds });
    say('P2P, 128 connections', transfers);
    const eight = await credits(signers);
    say('inbound credits, 128 connections, eight partners', eight);
    const one = await credits(signers.slice(0, 1));
    say('inbound credits, 128 connections, one partner', one);
    process.stdout.write(`one partner / eight: ${(one.perSecond / eight.perSecond).toFixed(2)}\n`);
    process.stdout.write(`inbound / P2P: ${(one.perSecond / transfers.perSecond).toFixed(2)}\n`);
  } finally {
    await bench.stop();
  }
}

/** Partners that may owe without end, each with a key. */
async function partners({ address }: Bench, count: number): Promise<Signer[]> {
  const post = async (path: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const response = await fetch(`${address}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, string> & Record<'partner' | 'api_key', { id: string }>;
  };
  const { token } = await post('/admin/login', ADMIN);
  const signers: Signer[] = [];
  for (let n = 0; n < count; n++) {
    const terms = { name: `Bank ${n}`, outstanding_limit: Number.MAX_SAFE_INTEGER };
    const { partner } = await post('/admin/partners', terms, token);
    const key = { name: 'bench', scopes: ['inbound:write'], partner_id: partner.id };
    const { api_key, secret = '' } = await post('/admin/api-keys', key, token);
    signers.push({ keyId: api_key.id, secret });
  }
  return signers;
}

async function credit({ address }: Bench, load: Omit<Job, 'host' | 'port' | 'runId'>): Promise<Measured> {
  const { hostname: host, port } = new URL(address);
  const child = fork(fileURLToPath(import.meta.url));
  child.send({ ...load, host, port: Number(port), runId: randomUUID() } satisfies Job);
  const [measured] = (await once(child, 'message')) as [Measured];
  return measured;
}

/** The load, in a process of its own: keep-alive connections, one request in flight on each. */
async function generate(job: Job): Promise<void> {
  const latencies: number[] = [];
  const seen = { errors: 0, firstError: '', sent: 0 };
  const start = performance.now();
  const end = start + job.seconds * 1_000;

  function client(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(job.port, job.host, () => next());
      let sentAt = 0;
      let received = '';
      function next(): void {
        if (performance.now() >= end) {
          socket.end();
          resolve();
          return;
        }
        const request = requestText(job, seen.sent++);
        sentAt = performance.now();
        socket.write(request);
      }
      socket.setNoDelay(true);
      socket.setEncoding('latin1');
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('the service closed a connection')));
      socket.on('data', (chunk: string) => {
        received += chunk;
        if (!isComplete(received)) return;
        latencies.push(performance.now() - sentAt);
        if (!received.startsWith('HTTP/1.1 200')) {
          seen.errors++;
          seen.firstError ||= received.slice(-300);
        }
        received = '';
        next();
      });
    });
  }

  await Promise.all(Array.from({ length: job.connections }, client));
  const elapsed = (performance.now() - start) / 1_000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  const { errors, firstError } = seen;
  const perSecond = Math.round(latencies.length / elapsed);
  const percentiles = { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
  const measured: Measured = { requests: latencies.length, perSecond, ...percentiles, errors, firstError };
  process.send?.(measured, () => process.exit(0));
}

function isComplete(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  return text.length >= head + 4 + length;
}

function requestText({ host, signers, people, runId }: Job, n: number): string {
  const { keyId, secret } = signers[n % signers.length] as Signer;
  const msisdn = `+23230${String(1 + ((n * 7919) % people)).padStart(6, '0')}`;
  const body = `{"reference":"${runId}-${n}","amount":100,"msisdn":"${msisdn}","narration":"Rent"}`;
  const timestamp = new Date().toISOString();
  const [nonce, idempotencyKey] = [randomUUID(), `op-${n}`];
  const hash = createHash('sha256').update(body).digest('hex');
  const signed = ['POST', PATH, timestamp, nonce, idempotencyKey, hash].join('\n');
  const signature = createHmac('sha256', secret).update(signed).digest('hex');
  const headers = [
    `POST ${PATH} HTTP/1.1`,
    `Host: ${host}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `X-API-Key-ID: ${keyId}`,
    `X-Timestamp: ${timestamp}`,
    `X-Nonce: ${nonce}`,
    `X-Idempotency-Key: ${idempotencyKey}`,
    `X-Signature: ${signature}`,
  ];
  return `${headers.join('\r\n')}\r\n\r\n${body}`;
}
