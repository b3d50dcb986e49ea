// Builds raw HTTP requests for the load generators, and detects the end of a reply. @kissi/client would use as much CPU
// time as the service, so the benchmark would measure the client.
import { randomUUID } from 'node:crypto';
import { approve, ask, credit, type Payment, p2p, purchase, refund, transfer } from '@kissi/testkit/payments';
import type { Headers } from '@kissi/testkit/signing';
import type { LoadJob, RequestFactory } from './load-job.ts';

// Ten payments in the proportions of a busy day.
const PAYMENT_MIX = ['p2p', 'p2p', 'pos', 'transfer', 'p2p', 'refund', 'p2p', 'pos', 'transfer', 'p2p'] as const;

// Prime strides, so that consecutive requests involve different parties (see disjointTransfers).
const [PAYER_STRIDE, PAYEE_STRIDE] = [7_919, 104_729];
const AMOUNT = 100;

type Kind = LoadJob['kind'];
type MakePayment = (job: LoadJob, n: number) => Payment;

const PAYMENTS: Partial<Record<Kind, MakePayment>> = {
  p2p: (job, n) => {
    const card = at(job.cardSerials, n * PAYEE_STRIDE + 1);
    return p2p(sender(job, n), at(job.senderIds, n * PAYER_STRIDE), { id: '', card }, AMOUNT);
  },
  transfer: (job, n) => {
    const payee = { id: at(job.senderIds, n * PAYEE_STRIDE + 1) };
    return transfer(sender(job, n), at(job.senderIds, n * PAYER_STRIDE), payee, AMOUNT);
  },
  pos: (job, n) => {
    const card = at(job.cardSerials, n * PAYER_STRIDE);
    return purchase(sender(job, n), at(job.merchants, n), { id: '', card }, AMOUNT);
  },
  'in-app': (job, n) => {
    const card = at(job.cardSerials, n * PAYER_STRIDE);
    return purchase(sender(job, n), at(job.merchants, n), { id: '', card }, AMOUNT, `${n}`);
  },
  ask: (job, n) => ask(sender(job, n), at(job.merchants, n).id, AMOUNT),
  approve: (job, n) => {
    const { request, payer, token, quote } = at(job.approvals, n);
    return approve(sender(job, n), token, { id: request, merchant: '', amount: AMOUNT }, payer, quote);
  },
  // Shifts by one on every pass: in a mix, n advances by ten, and the same few payments would soon be fully refunded.
  refund: (job, n) => {
    const id = at(job.refundableIds, n + Math.floor(n / job.refundableIds.length));
    return refund(sender(job, n), { id, wallet: '', merchant: '' }, 1);
  },
  inbound: ({ partners, subscriberCount, runId }, n) => {
    const phone = `+23230${String(1 + ((n * PAYER_STRIDE) % subscriberCount)).padStart(6, '0')}`;
    return credit(at(partners, n), AMOUNT, { id: '', phone }, `${runId}-${n}`);
  },
};

const at = <T>(all: readonly T[], n: number): T => all[n % all.length] as T;
const sender = ({ key, runId, randomIds }: LoadJob, n: number) => ({
  key,
  newId: () => (randomIds ? randomUUID() : `${runId}-${n}`),
});

export const isPayment = (kind: Kind): boolean => kind === 'mixed' || kind in PAYMENTS;

export function requestFactory(job: LoadJob): RequestFactory {
  const { kind, host, paths } = job;
  return (n) => {
    const make = PAYMENTS[kind === 'mixed' ? at(PAYMENT_MIX, n) : kind];
    if (!make) return rawRequest(`GET ${at(paths, n)}`, host, { authorization: `Bearer ${job.key.bearer}` }, '');
    const { path, body, sign } = make(job, n);
    const text = JSON.stringify(body);
    const content = { 'content-type': 'application/json', 'content-length': String(text.length) };
    return rawRequest(`POST ${path}`, host, { ...sign(path, text), ...content }, text);
  };
}

/** The body is ASCII. */
function rawRequest(target: string, host: string, headers: Headers, body: string): string {
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Whether `text` contains a complete reply. */
export function isComplete(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1] ?? 0);
  return text.length >= headEnd + 4 + length;
}
