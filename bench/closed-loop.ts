// Closed-loop load generator, run as a separate process: each connection sends its next request after the last reply.
// It writes raw HTTP and parses as little as possible, because a general HTTP client uses as much CPU as the service itself.
import { connect } from 'node:net';
import type { LoadJob, RequestFactory } from './load-job.ts';
import { isComplete, isPayment, requestFactory } from './requests.ts';

export interface ClosedLoopResult {
  requests: number;
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  /** Replies that are no success. */
  errors: number;
  firstError: string;
}

process.once('message', (job) => void run(job as LoadJob));

async function run(job: LoadJob): Promise<void> {
  const latencies: number[] = [];
  const counters = { errors: 0, firstError: '', sent: 0 };
  const request = presign(job);
  const startedAt = performance.now();
  const deadline = startedAt + job.seconds * 1_000;
  const hasNext = () => (job.requests === undefined ? performance.now() < deadline : counters.sent < job.requests);
  // Each connection sends every n-th request, so that connections can have their own wallets (see disjointTransfers).
  const connections = Array.from({ length: job.connections }, (_, index) => {
    let n = index - job.connections;
    const next = () => {
      n += job.connections;
      return request(n);
    };
    return runConnection(job, next, latencies, counters, hasNext);
  });
  await Promise.all(connections);
  const elapsed = (performance.now() - startedAt) / 1_000;
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  const result: ClosedLoopResult = {
    requests: latencies.length,
    perSecond: Math.round(latencies.length / elapsed),
    p50: quantile(0.5),
    p95: quantile(0.95),
    p99: quantile(0.99),
    errors: counters.errors,
    firstError: counters.firstError,
  };
  process.send?.(result, () => process.exit(0));
}

// More than the service can handle. Requests beyond these numbers are signed when they are sent.
const PRESIGNED_PER_SECOND = 6_000;
const MAX_PRESIGNED = 100_000;

/** Signs payments before the measurement starts: in production, terminals and banks sign on their own hardware. */
function presign(job: LoadJob): RequestFactory {
  const request = requestFactory(job);
  if (!isPayment(job.kind)) return request;
  const length = Math.min(job.requests ?? job.seconds * PRESIGNED_PER_SECOND, MAX_PRESIGNED);
  const presigned = Array.from({ length }, (_, n) => request(n));
  return (n) => presigned[n] ?? request(n);
}

interface Counters {
  errors: number;
  firstError: string;
  sent: number;
}

function runConnection(
  job: LoadJob,
  nextRequest: () => string,
  latencies: number[],
  counters: Counters,
  hasNext: () => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(job.port, job.host, () => sendNext());
    let sentAt = 0;
    let received = '';

    function sendNext(): void {
      if (!hasNext()) {
        socket.end();
        resolve();
        return;
      }
      sentAt = performance.now();
      counters.sent += 1;
      socket.write(nextRequest());
    }

    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('error', reject);
    socket.on('data', (chunk: string) => {
      received += chunk;
      if (!isComplete(received)) return;
      latencies.push(performance.now() - sentAt);
      if (!received.startsWith('HTTP/1.1 20')) {
        counters.errors++;
        counters.firstError ||= received.slice(-300);
      }
      received = '';
      sendNext();
    });
    // This has no effect after a normal end: the promise is already resolved.
    socket.on('close', () => reject(new Error('the service closed a connection')));
  });
}
