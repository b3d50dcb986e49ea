// Builds the raw HTTP requests of the load generators, and detects the end of a reply.
import { inboundCreditRequests } from './inbound-requests.ts';
import type { LoadJob, RequestFactory } from './load-job.ts';
import { posRequests } from './pos-requests.ts';

// Ten payments in the proportions of a busy day.
const PAYMENT_MIX = ['p2p', 'p2p', 'pos', 'transfer', 'p2p', 'refund', 'p2p', 'pos', 'transfer', 'p2p'] as const;

export function requestFactory(job: LoadJob): RequestFactory {
  if (job.kind === 'mixed') {
    const byKind = new Map([...new Set(PAYMENT_MIX)].map((kind) => [kind, requestFactory({ ...job, kind })]));
    const factories = PAYMENT_MIX.map((kind) => byKind.get(kind) as RequestFactory);
    return (n) => (factories[n % factories.length] as RequestFactory)(n);
  }
  if (job.kind === 'inbound') return inboundCreditRequests(job);
  return job.kind === 'pos' || job.kind === 'refund' ? posRequests(job) : (n) => bearerRequest(job, n);
}

/** Whether `text` contains a complete reply. */
export function isComplete(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1] ?? 0);
  return text.length >= headEnd + 4 + length;
}

function bearerRequest(job: LoadJob, n: number): string {
  if (job.kind === 'p2p' || job.kind === 'transfer') return transferRequest(job, n);
  return requestHead(job, 'GET', job.paths[n % job.paths.length] ?? '/');
}

function transferRequest(job: LoadJob, n: number): string {
  const { kind, senderIds, cardSerials } = job;
  const recipientIndex = n * 104_729 + 1;
  const recipient =
    kind === 'p2p'
      ? `"recipient_card_serial":"${cardSerials[recipientIndex % cardSerials.length]}"`
      : `"recipient_id":"${senderIds[recipientIndex % senderIds.length]}"`;
  const fields = `"amount":"100","pin":"4821","request_id":"${job.runId}-${n}"`;
  const body = `{"sender_id":"${senderIds[(n * 7919) % senderIds.length]}",${recipient},${fields}}`;
  const contentHeaders = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const path = `/api/v1/wallet/transfer${kind === 'p2p' ? '-p2p' : ''}`;
  return `${requestHead(job, 'POST', path).slice(0, -2)}${contentHeaders}${body}`;
}

function requestHead(job: LoadJob, method: string, path: string): string {
  return `${method} ${path} HTTP/1.1\r\nHost: ${job.host}\r\nAuthorization: Bearer ${job.bearerToken}\r\n\r\n`;
}
