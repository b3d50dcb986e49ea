// The load generator, a process of its own: raw keep-alive connections, one request in flight on each, no parsing beyond
// what is needed. A general client costs as much as the service it measures when both share two cores.
import { connect, type Socket } from 'node:net';
import { complete, type Job, type Requests, requestsOf } from './requests.ts';

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
  const request = written(job);
  const start = performance.now();
  const end = start + job.seconds * 1_000;
  const more = () => (job.requests === undefined ? performance.now() < end : seen.sent < job.requests);
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

const SIGNED: readonly Job['kind'][] = ['pos', 'refund', 'inbound'];
// More than are sent in a second; what goes beyond is signed when its turn comes.
const SIGNED_A_SECOND = 6_000;

/** What is signed is signed before the clock starts: terminals and banks have processors of their own. */
function written(job: Job): Requests {
  const request = requestsOf(job);
  if (!SIGNED.includes(job.kind)) return request;
  const length = job.requests ?? job.seconds * SIGNED_A_SECOND;
  const ready = Array.from({ length }, (_, n) => request(n));
  return (n) => ready[n] ?? request(n);
}

interface Seen {
  errors: number;
  firstError: string;
  sent: number;
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
