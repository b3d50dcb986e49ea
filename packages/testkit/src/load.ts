// Clients under load: they retry a request without an answer, with a new signature, as the guides describe.
import { setTimeout as wait } from 'node:timers/promises';
import type { Entry, Journal } from './journal.ts';
import type { Parties } from './parties.ts';
import { type DrawContext, floatFunding, funding, type Payment } from './payments.ts';
import type { Random } from './random.ts';
import { drawPayment, remember } from './random-payments.ts';

type Json = Record<string, unknown>;

/** Refusals that this load causes by design; any other code is a violation. */
const EXPECTED_REFUSALS = new Set([
  ...['INSUFFICIENT_BALANCE', 'INSUFFICIENT_FLOAT', 'MAX_BALANCE_EXCEEDED', 'DAILY_LIMIT_EXCEEDED'],
  ...['BENEFICIARY_NOT_FOUND', 'PARTNER_EXPOSURE_LIMIT_EXCEEDED', 'REFUND_EXCEEDS_PAYMENT', 'COMPLIANCE_BLOCKED'],
  'ALREADY_PAID',
]);

/** Longer than a freeze of a gateway followed by a freeze of PostgreSQL. A longer wait means a lost request. */
const CLIENT_TIMEOUT_MS = 120_000;
const ATTEMPTS = 12;

interface Answer {
  status: number;
  text: string;
  json: Json;
  isReplay: boolean;
}

export interface Load {
  /** The number of requests without an answer, and of 5xx answers. */
  unanswered: number;
  failed: number;
  /** The time to the slowest answer, in milliseconds. */
  slowestMs: number;
  replays: number;
  duplicates: number;
  /** The number of acknowledged movements so far, and when the latest was acknowledged, by the monotonic clock. */
  acknowledged: number;
  acknowledgedAt: number[];
  /** Sends a payment and retries until it has a final answer; used for the setup before the first fault. */
  execute(payment: Payment): Promise<Entry>;
  drawContext: DrawContext;
  start(clients: number, pauseMs: number): void;
  /** Stops the clients after their current requests are answered or given up. */
  stop(): Promise<void>;
  /** Retries every open payment; called when all gateways are healthy. */
  settle(): Promise<void>;
  /** Sends an acknowledged payment again, of this load or another. Returns what differs from the first answer; null if nothing. */
  replay(entry: Entry): Promise<string | null>;
}

/** What was sent for the entries of all journals. */
const payments = new WeakMap<Entry, Payment>();

export interface LoadOptions {
  urls: readonly string[];
  parties: Parties;
  journal: Journal;
  random: Random;
  /** The beginning of all request ids. */
  name?: string;
  draw?(context: DrawContext): Payment;
  /** The share of acknowledged payments that are sent again at once. */
  resends?: number;
}

export function createLoad(options: LoadOptions): Load {
  const { urls, parties, journal, random, name = 'load', draw = drawPayment, resends = 0.1 } = options;
  let requests = 0;
  const running: Promise<void>[] = [];
  let stopping = false;

  const newId = () => `${name}-${++requests}`;
  const drawContextFor = (source: Random): DrawContext => {
    const history = { holds: [], payments: [], credits: [] };
    return { parties, key: parties.key, random: source, history, newId };
  };

  const load: Load = {
    ...{ unanswered: 0, failed: 0, slowestMs: 0, replays: 0, duplicates: 0, acknowledged: 0 },
    acknowledgedAt: [],
    drawContext: drawContextFor(random.stream('setup')),
    async execute(payment) {
      const entry = addEntry(payment);
      await retryUntilSettled(payment, entry, random);
      return entry;
    },
    start(clients, pauseMs) {
      for (let n = 0; n < clients; n++) running.push(client(drawContextFor(random.stream(`client ${n}`)), pauseMs));
    },
    async stop() {
      stopping = true;
      await Promise.all(running);
    },
    async settle() {
      for (const entry of journal.entries) {
        const payment = payments.get(entry);
        if (entry.state === 'open' && !entry.once && payment) await retryUntilSettled(payment, entry, random);
      }
    },
    async replay(entry) {
      const answer = await send(payments.get(entry) as Payment, random.pick(urls));
      if (answer?.status === 200 && answer.isReplay && answer.text === entry.reply) return null;
      return `${entry.route} ${entry.id} was answered ${entry.reply}, now ${answer?.status} ${answer?.text}`;
    },
  };
  return load;

  function addEntry(payment: Payment): Entry {
    const { id, route, effect } = payment;
    const unanswered = { transactionId: null, reply: null, code: null, reportedBalance: null };
    const entry: Entry = {
      id,
      once: payment.once ?? false,
      route,
      effect,
      state: 'open',
      attempts: 0,
      ...unanswered,
      inbound: payment.inbound ?? null,
    };
    journal.entries.push(entry);
    payments.set(entry, payment);
    return entry;
  }

  async function client(drawContext: DrawContext, pauseMs: number): Promise<void> {
    while (!stopping) {
      const payment = draw(drawContext);
      const entry = addEntry(payment);
      if (entry.once) await sendOnce(payment, entry, drawContext.random);
      else await sendWithRetries(payment, entry, drawContext);
      if (pauseMs > 0) await wait(pauseMs);
    }
  }

  async function sendWithRetries(payment: Payment, entry: Entry, drawContext: DrawContext): Promise<void> {
    const { random: source } = drawContext;
    if (source.chance(0.1)) await sendConcurrently(payment, entry);
    await retryUntilSettled(payment, entry, source);
    remember(drawContext, payment, entry);
    if (entry.state !== 'open' && source.chance(resends)) await resend(payment, entry, source);
  }

  async function sendOnce(payment: Payment, entry: Entry, source: Random): Promise<void> {
    entry.attempts += 1;
    const answer = await send(payment, source.pick(urls));
    if (answer) recordAnswer(payment, entry, answer);
  }

  /** Sends the same request to all gateways at once, as an impatient client or a network may do. */
  async function sendConcurrently(payment: Payment, entry: Entry): Promise<void> {
    load.duplicates += 1;
    entry.attempts += urls.length;
    const answers = await Promise.all(urls.map((url) => send(payment, url)));
    const received = answers.filter((answer) => answer !== null);
    for (const answer of received) {
      if (isPosted(answer) || storesRefusal(entry)) recordAnswer(payment, entry, answer);
      else checkRefusal(entry, answer);
    }
    // One gateway may refuse while the other posts after an intervening movement. Only two refusals are final.
    const allAnswered = received.length === urls.length && received.every(({ status }) => status < 500);
    if (entry.state === 'open' && allAnswered) for (const answer of received) recordAnswer(payment, entry, answer);
  }

  /** Sends an answered request again; the answer must be the same, byte for byte. */
  async function resend(payment: Payment, entry: Entry, source: Random): Promise<void> {
    const answer = await send(payment, source.pick(urls));
    if (!answer || answer.status >= 500) {
      // The new attempt may have been posted.
      if (entry.state === 'refused' && !storesRefusal(entry)) reopen(entry);
      await retryUntilSettled(payment, entry, source);
      return;
    }
    load.replays += 1;
    if (entry.state === 'acknowledged' && !answer.isReplay) violation(entry, 'was not marked as a replay', answer);
    recordAnswer(payment, entry, answer);
  }

  async function retryUntilSettled(payment: Payment, entry: Entry, source: Random): Promise<void> {
    for (let attempt = 1; entry.state === 'open' && attempt <= ATTEMPTS; attempt++) {
      entry.attempts += 1;
      const answer = await send(payment, source.pick(urls));
      if (answer) recordAnswer(payment, entry, answer);
      if (entry.state === 'open') await wait(Math.min(100 * attempt, 1_000));
    }
  }

  async function send(payment: Payment, url: string): Promise<Answer | null> {
    const { path, body, sign } = payment;
    const text = JSON.stringify(body);
    const startedAt = performance.now();
    try {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...sign(path, text) },
        body: text,
        signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS),
      });
      const answered = firstAnswer(await response.text());
      load.slowestMs = Math.max(load.slowestMs, performance.now() - startedAt);
      const isReplay = response.headers.get('idempotent-replayed') === 'true';
      return { status: response.status, text: answered, json: JSON.parse(answered) as Json, isReplay };
    } catch (error) {
      load.unanswered += 1;
      const problem = FORBIDDEN_ERRORS[(error as Error).name];
      if (problem) journal.violations.push(`${payment.route} ${payment.id} ${problem}: ${error}`);
      return null;
    }
  }

  function recordAnswer(payment: Payment, entry: Entry, answer: Answer): void {
    if (answer.status >= 500) {
      load.failed += 1;
      return;
    }
    if (answer.status === 200) acknowledge(payment, entry, answer);
    else refuse(entry, answer);
  }

  function acknowledge(payment: Payment, entry: Entry, answer: Answer): void {
    const transactionId = String(answer.json.transaction_id ?? (answer.json.data as Json | undefined)?.transaction_id);
    // A refusal that is not stored can be retried, and the payer may have funds now.
    if (entry.state === 'refused' && !storesRefusal(entry)) reopen(entry);
    const reply = answer.text;
    if (entry.state === 'refused') violation(entry, `was refused with ${entry.code} before`, answer);
    else if (entry.reply !== null && entry.reply !== reply) violation(entry, `was answered ${entry.reply}`, answer);
    if (entry.state !== 'open') return;
    entry.state = 'acknowledged';
    load.acknowledged += 1;
    entry.acknowledgedAt = performance.now();
    load.acknowledgedAt.push(entry.acknowledgedAt);
    entry.transactionId = transactionId;
    entry.reply = reply;
    entry.reportedBalance = payment.reportedBalance?.(answer.json) ?? null;
  }

  function refuse(entry: Entry, answer: Answer): void {
    checkRefusal(entry, answer);
    if (entry.state === 'acknowledged') violation(entry, 'was acknowledged before', answer);
    if (entry.state === 'refused' && storesRefusal(entry) && entry.reply !== answer.text) {
      violation(entry, `was answered ${entry.reply}`, answer);
    }
    if (entry.state !== 'open') return;
    entry.state = 'refused';
    entry.code = String(answer.json.code);
    entry.reply = answer.text;
  }

  function checkRefusal(entry: Entry, answer: Answer): void {
    if (answer.status >= 500 || EXPECTED_REFUSALS.has(String(answer.json.code))) return;
    violation(entry, 'got an unexpected refusal', answer);
  }

  function violation({ id, route }: Entry, what: string, answer: Answer): void {
    journal.violations.push(`${route} ${id} ${what}; the answer was ${answer.status} ${answer.text}`);
  }
}

/** Connections may break or be refused during faults; these errors may never occur. */
const FORBIDDEN_ERRORS: Record<string, string> = {
  TimeoutError: 'got no answer in time',
  SyntaxError: 'got an answer that is not JSON',
};

const isPosted = ({ status }: Answer) => status === 200;

/** Refusals of inbound credits are stored as outcomes of their references. */
const storesRefusal = ({ effect }: Entry) => effect.type === 'inbound_credit';

function reopen(entry: Entry): void {
  Object.assign(entry, { state: 'open', code: null, reply: null });
}

/** A repeated cash-in notification says that it is a duplicate; otherwise it has the answer to the first one. */
function firstAnswer(text: string): string {
  const { duplicate, ...first } = JSON.parse(text) as Json;
  return duplicate ? JSON.stringify({ ...first, message: 'The wallet was credited.' }) : text;
}

const RICH = 2_000_000;
const POOR = 2_000;

/** Gives every other wallet a low balance, so that some payments are refused. */
export async function fundParties({ drawContext, execute }: Load): Promise<void> {
  const { partners, wallets, superAgent, subAgents } = drawContext.parties;
  const bank = partners[0]?.id ?? '';
  const fundings = wallets.map(({ id }, n) => funding(drawContext, bank, id, n % 2 === 0 ? RICH : POOR));
  const floats = [superAgent, ...subAgents].map(({ id }) => floatFunding(drawContext, id, RICH));
  await Promise.all([...fundings, ...floats].map((payment) => execute(payment)));
}
