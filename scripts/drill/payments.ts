// Makes payments during a drill, logs every acknowledged one, and later verifies the service against that log.
import { createHmac } from 'node:crypto';
import { bearer, terminal } from '@kissi/testkit/signing';
import { print, waitUntil } from './sandbox.ts';
import { type ApiKey, createFixtures, type Fixtures, INITIAL_BALANCE, PIN, type Service } from './service.ts';

/** A retry sends the same payment again, with the same request id. */
interface Payment {
  path: string;
  body: string;
  /** True for a POS terminal that signs its requests, false for an app with a bearer key. */
  signed: boolean;
}

interface AcknowledgedPayment extends Payment {
  reply: string;
}

export interface PaymentLog {
  /** By account id, for each wallet and the merchant: the balance that results from the acknowledged payments. */
  expectedBalances: Map<string, number>;
  acknowledged: AcknowledgedPayment[];
  /** The time of each acknowledgement, from the monotonic clock. */
  acknowledgedAt: number[];
  /** Number of payments that were sent more than once. */
  retried: number;
}

export function newPaymentLog({ subscribers, merchant }: Fixtures): PaymentLog {
  const expectedBalances = new Map(subscribers.map(({ id }) => [id, INITIAL_BALANCE]));
  return {
    expectedBalances: expectedBalances.set(merchant.processorId, 0),
    acknowledged: [],
    acknowledgedAt: [],
    retried: 0,
  };
}

const AMOUNT = 100;
const REPLY_TIMEOUT_MS = 10_000;
const RETRY_DELAY_MS = 250;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Makes payments one after another while `shouldContinue` returns true. Every tenth is a card payment at the merchant. */
export async function payWhile(
  service: Service,
  fixtures: Fixtures,
  log: PaymentLog,
  name: string,
  shouldContinue: () => boolean,
): Promise<void> {
  for (let n = 0; shouldContinue(); n++) {
    await makePayment(service, fixtures, log, `${name}-${n}`);
    // A moderate load is enough: the drill measures how long the service is unavailable, not its throughput.
    await pause(20);
  }
}

const PAYERS = 6;

/**
 * Pays through the services in turn while the failures happen, then sends every acknowledged payment again to the last
 * service and compares all balances.
 */
export async function payDuring(
  services: readonly [Service, ...Service[]],
  injectFailures: (log: PaymentLog) => Promise<void>,
): Promise<void> {
  const fixtures = await createFixtures(services[0], 20);
  const log = newPaymentLog(fixtures);
  const serviceAt = (n: number) => services[n % services.length] ?? services[0];
  let isPaying = true;
  const payers = Promise.all(
    Array.from({ length: PAYERS }, (_, n) => payWhile(serviceAt(n), fixtures, log, `p${n}`, () => isPaying)),
  );
  try {
    // The payers only end early if one of them fails.
    await Promise.race([payers, injectFailures(log)]);
  } finally {
    isPaying = false;
  }
  await payers;
  print(`${log.acknowledged.length} payments acknowledged, ${log.retried} of them after a retry. Verifying …`);
  await verifyPayments(serviceAt(services.length - 1), fixtures, log);
  print('Every acknowledged payment is replayed byte for byte, and every balance matches.');
}

const PAYMENTS_BETWEEN_FAILURES = 100;

/** Until so many more are acknowledged that the service has recovered. */
export async function waitForPayments(log: PaymentLog): Promise<void> {
  const goal = log.acknowledgedAt.length + PAYMENTS_BETWEEN_FAILURES;
  await waitUntil('payments are acknowledged', async () => log.acknowledgedAt.length >= goal);
}

export async function makePayments(
  service: Service,
  fixtures: Fixtures,
  log: PaymentLog,
  name: string,
  count: number,
): Promise<void> {
  let left = count;
  await payWhile(service, fixtures, log, name, () => left-- > 0);
}

async function makePayment(service: Service, fixtures: Fixtures, log: PaymentLog, requestId: string): Promise<void> {
  const { subscribers, merchant, key } = fixtures;
  const [from, to] = choosePair(subscribers, requestId);
  const atTerminal = requestId.endsWith('0');
  const common = { request_id: requestId, pin: PIN };
  const card = { card_serial: from.cardSerial, merchant_id: merchant.merchantId, processor_id: merchant.processorId };
  const payment: Payment = atTerminal
    ? {
        path: '/api/v1/pos/payment',
        signed: true,
        body: json({ ...common, ...card, amount: AMOUNT, terminal_id: 'T-1' }),
      }
    : {
        path: '/api/v1/wallet/transfer-p2p',
        signed: false,
        body: json({ ...common, sender_id: from.id, recipient_card_serial: to.cardSerial, amount: String(AMOUNT) }),
      };
  const reply = await sendUntilAcknowledged(service, key, payment, () => log.retried++);
  const { amount, fee, total_debited } = JSON.parse(reply) as Record<string, number>;
  const add = (id: string, change = 0) => log.expectedBalances.set(id, (log.expectedBalances.get(id) ?? 0) + change);
  add(from.id, -(atTerminal ? AMOUNT : (total_debited ?? Number.NaN)));
  add(atTerminal ? merchant.processorId : to.id, atTerminal ? (amount ?? Number.NaN) - (fee ?? Number.NaN) : AMOUNT);
  log.acknowledged.push({ ...payment, reply });
  log.acknowledgedAt.push(performance.now());
}

const json = (value: object) => JSON.stringify(value);

/** Two different elements, derived from the request id. */
function choosePair<T>(elements: T[], requestId: string): [T, T] {
  const digest = createHmac('sha256', 'pair').update(requestId).digest();
  const from = digest.readUInt32BE(0) % elements.length;
  const to = (from + 1 + (digest.readUInt32BE(4) % (elements.length - 1))) % elements.length;
  return [elements[from] as T, elements[to] as T];
}

/** Retries after a timeout, a lost connection or a 5xx, with the same request id and a new signature. */
async function sendUntilAcknowledged(
  service: Service,
  key: ApiKey,
  payment: Payment,
  onRetry: () => void,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const reply = await send(service, key, payment).catch(() => null);
    if (reply?.status === 200) return reply.text;
    if (reply && reply.status < 500) throw new Error(`${payment.body}: ${reply.status} ${reply.text}`);
    if (attempt === 1) onRetry();
    await pause(RETRY_DELAY_MS);
  }
}

async function send({ address }: Service, key: ApiKey, { path, body, signed }: Payment) {
  const headers = { 'content-type': 'application/json', ...(signed ? terminal(key) : bearer(key.bearer))(path, body) };
  const signal = AbortSignal.timeout(REPLY_TIMEOUT_MS);
  const reply = await fetch(address + path, { method: 'POST', headers, body, signal });
  return {
    status: reply.status,
    text: await reply.text(),
    replayed: reply.headers.get('idempotent-replayed') === 'true',
  };
}

/** Sends every acknowledged payment again: the replay must be byte-identical. Then compares all balances. Throws on a mismatch. */
export async function verifyPayments(service: Service, { key, merchant }: Fixtures, log: PaymentLog): Promise<void> {
  const queue = log.acknowledged[Symbol.iterator]();
  const replay = async () => {
    for (const payment of queue) {
      const { status, text, replayed } = await send(service, key, payment);
      if (status === 200 && replayed && text === payment.reply) continue;
      throw new Error(
        `acknowledged payment lost: ${payment.body}\nfirst reply  ${payment.reply}\nnow          ${status} ${text}`,
      );
    }
  };
  await Promise.all(Array.from({ length: 16 }, replay));
  for (const [id, expected] of log.expectedBalances) {
    const path = id === merchant.processorId ? `/processors/${id}` : `/balance/${id}`;
    const balance = await balanceAt(service, key, path);
    if (balance !== expected) {
      throw new Error(`the balance of ${id} is ${balance}, but its acknowledged payments add up to ${expected}`);
    }
  }
}

async function balanceAt({ address }: Service, key: ApiKey, path: string): Promise<number> {
  const reply = await fetch(`${address}/api/v1${path}`, {
    headers: { authorization: `Bearer ${key.bearer}` },
  });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  const record = (await reply.json()) as { balance: number; processor?: { balance: number } };
  return (record.processor ?? record).balance;
}

/** The longest time without an acknowledged payment, and its end relative to `since`. */
export function longestOutage({ acknowledgedAt }: PaymentLog, since: number): { gap: string; end: string } {
  const times = [since, ...acknowledgedAt.filter((time) => time > since).sort((a, b) => a - b)];
  let longest = { gap: 0, end: 0 };
  for (const [index, time] of times.entries()) {
    const gap = time - (times[index - 1] ?? time);
    if (gap > longest.gap) longest = { gap, end: time - since };
  }
  return { gap: inSeconds(longest.gap), end: inSeconds(longest.end) };
}

export function inSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
