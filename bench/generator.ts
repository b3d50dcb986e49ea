// The load generator, a process of its own: raw keep-alive connections, one request in flight on each, no parsing beyond
// what is needed. A general client costs as much as the service it measures when both share two cores.
import { connect, type Socket } from 'node:net';
import { creditRequests } from './credits.ts';
import { type Shop, type Signer, signedRequests } from './signed.ts';

export interface Job {
  host: string;
  port: number;
  connections: number;
  /** Ends after so many seconds, or after so many requests when `requests` is given. */
  seconds: number;
  requests?: number;
  key: string;
  /** Signs pos and refund. */
  signer: Signer;
  kind: 'p2p' | 'get' | 'history' | 'pos' | 'refund' | 'inbound';
  /** For p2p: senders and the card serials they pay; for get and history: the paths to read. */
  senders: string[];
  serials: string[];
  paths: string[];
  /** For pos: who is paid, with the cards of `serials`; for refund: the payments. */
  shops: Shop[];
  transactions: string[];
  /** For inbound: who credits, and how many wallets there are to credit. */
  partners: Signer[];
  people: number;
  runId: string;
}

export interface Measured {
  requests: number;
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  /** Replies other than 200. */
  errors: number;
  firstError: string;
}

process.once('message', (job) => void run(job as Job));

async function run(job: Job): Promise<void> {
  const latencies: number[] = [];
  const seen = { errors: 0, firstError: '', sent: 0 };
  const start = performance.now();
  const end = start + job.seconds * 1_000;
  const more = () => (job.requests === undefined ? performance.now() < end : seen.sent < job.requests);
  const request = requestsOf(job);
  await Promise.all(Array.from({ length: job.connections }, () => client(job, request, latencies, seen, more)));
  const elapsed = (performance.now() - start) / 1_000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  const measured: Measured = {
    requests: latencies.length,
    perSecond: Math.round(latencies.length / elapsed),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    errors: seen.errors,
    firstError: seen.firstError,
  };
  process.send?.(measured, () => process.exit(0));
}

interface Seen {
  errors: number;
  firstError: string;
  sent: number;
}

/** The text of the n-th request. */
type Requests = (n: number) => string;

function requestsOf(job: Job): Requests {
  if (job.kind === 'inbound') return creditRequests(job);
  return job.kind === 'pos' || job.kind === 'refund' ? signedRequests(job) : (n) => requestText(job, n);
}

function client(job: Job, request: Requests, latencies: number[], seen: Seen, more: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(job.port, job.host, () => next());
    let sentAt = 0;
    let received = '';

    function next(): void {
      if (!more()) {
        socket.end();
        resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(request(seen.sent++));
    }

    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('error', reject);
    socket.on('data', (chunk: string) => {
      received += chunk;
      if (!complete(received)) return;
      latencies.push(performance.now() - sentAt);
      if (!received.startsWith('HTTP/1.1 200')) {
        seen.errors++;
        seen.firstError ||= received.slice(-300);
      }
      received = '';
      next();
    });
    onEarlyClose(socket, () => reject(new Error('the service closed a connection')));
  });
}

function onEarlyClose(socket: Socket, closed: () => void): void {
  socket.on('close', closed);
}

function complete(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  return text.length >= head + 4 + length;
}

function requestText(job: Job, n: number): string {
  if (job.kind !== 'p2p') return head(job, 'GET', job.paths[n % job.paths.length] ?? '/');
  const sender = job.senders[(n * 7919) % job.senders.length];
  const serial = job.serials[(n * 104_729 + 1) % job.serials.length];
  const fields = `"amount":"100","pin":"4821","request_id":"${job.runId}-${n}"`;
  const body = `{"sender_id":"${sender}","recipient_card_serial":"${serial}",${fields}}`;
  const length = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  return `${head(job, 'POST', '/api/v1/wallet/transfer-p2p').slice(0, -2)}${length}${body}`;
}

function head(job: Job, method: string, path: string): string {
  return `${method} ${path} HTTP/1.1\r\nHost: ${job.host}\r\nAuthorization: Bearer ${job.key}\r\n\r\n`;
}
