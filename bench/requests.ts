// What the load generators send: the text of the n-th request of a run, and where a reply ends.
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
  kind: 'p2p' | 'transfer' | 'get' | 'history' | 'pos' | 'refund' | 'inbound' | 'mixed';
  /** For p2p and transfer: senders, and the card serials that p2p pays; for get and history: the paths to read. */
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

/** The text of the n-th request. */
export type Requests = (n: number) => string;

// Of ten payments: what a busy day is made of.
const MIXTURE = ['p2p', 'p2p', 'pos', 'transfer', 'p2p', 'refund', 'p2p', 'pos', 'transfer', 'p2p'] as const;

export function requestsOf(job: Job): Requests {
  if (job.kind === 'mixed') {
    const kinds = new Map([...new Set(MIXTURE)].map((kind) => [kind, requestsOf({ ...job, kind })]));
    const inTurn = MIXTURE.map((kind) => kinds.get(kind) as Requests);
    return (n) => (inTurn[n % inTurn.length] as Requests)(n);
  }
  if (job.kind === 'inbound') return creditRequests(job);
  return job.kind === 'pos' || job.kind === 'refund' ? signedRequests(job) : (n) => requestText(job, n);
}

export function complete(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  return text.length >= head + 4 + length;
}

function requestText(job: Job, n: number): string {
  if (job.kind === 'p2p' || job.kind === 'transfer') return payment(job, n);
  return head(job, 'GET', job.paths[n % job.paths.length] ?? '/');
}

function payment(job: Job, n: number): string {
  const { kind, senders, serials } = job;
  const other = n * 104_729 + 1;
  const recipient =
    kind === 'p2p'
      ? `"recipient_card_serial":"${serials[other % serials.length]}"`
      : `"recipient_id":"${senders[other % senders.length]}"`;
  const fields = `"amount":"100","pin":"4821","request_id":"${job.runId}-${n}"`;
  const body = `{"sender_id":"${senders[(n * 7919) % senders.length]}",${recipient},${fields}}`;
  const length = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  return `${head(job, 'POST', `/api/v1/wallet/transfer${kind === 'p2p' ? '-p2p' : ''}`).slice(0, -2)}${length}${body}`;
}

function head(job: Job, method: string, path: string): string {
  return `${method} ${path} HTTP/1.1\r\nHost: ${job.host}\r\nAuthorization: Bearer ${job.key}\r\n\r\n`;
}
