// Clients as the guides want them: who gets no answer sends the same again, signed afresh, until there is one.
import { setTimeout as wait } from 'node:timers/promises';
import type { Book, Entry } from './book.ts';
import { type Drawing, drawPayment, type Past, type Payment } from './payments.ts';
import type { People } from './people.ts';
import type { Random } from './random.ts';

type Json = Record<string, unknown>;

/** Refusals that this load runs into by design; any other code is a surprise. */
const EXPECTED = new Set([
  ...['INSUFFICIENT_BALANCE', 'INSUFFICIENT_FLOAT', 'MAX_BALANCE_EXCEEDED', 'DAILY_LIMIT_EXCEEDED'],
  ...['BENEFICIARY_NOT_FOUND', 'PARTNER_EXPOSURE_LIMIT_EXCEEDED', 'REFUND_EXCEEDS_PAYMENT', 'COMPLIANCE_BLOCKED'],
]);

/** Longer than a gateway and PostgreSQL are frozen one after the other, and every answer is due after it: who waits longer was forgotten. */
const CLIENT_TIMEOUT_MS = 120_000;
const ATTEMPTS = 12;

interface Answer {
  status: number;
  text: string;
  json: Json;
  isReplay: boolean;
}

export interface Load {
  /** How often clients saw no answer, or one of 5xx. */
  unanswered: number;
  failed: number;
  /** Milliseconds until the slowest answer of any kind. */
  slowestMs: number;
  replays: number;
  doubles: number;
  /** How many movements so far. */
  acknowledged: number;
  /** Sends one and settles it; for the beginning, when nothing is broken yet. */
  carryOut(payment: Payment): Promise<Entry>;
  drawing: Drawing;
  start(clients: number, pauseMs: number): void;
  /** Ends the clients; what they have under way is answered or given up first. */
  stop(): Promise<void>;
  /** Asks again for whatever is still open; all gateways are well by now. */
  settle(): Promise<void>;
}

export interface LoadOptions {
  urls: readonly string[];
  people: People;
  book: Book;
  random: Random;
}

export function createLoad({ urls, people, book, random }: LoadOptions): Load {
  let requests = 0;
  const payments = new Map<Entry, Payment>();
  const running: Promise<void>[] = [];
  let stopping = false;

  const newId = () => `faults-${++requests}`;
  const drawingFor = (source: Random): Drawing => ({ people, random: source, past: newPast(), newId });

  const load: Load = {
    ...{ unanswered: 0, failed: 0, slowestMs: 0, replays: 0, doubles: 0, acknowledged: 0 },
    drawing: drawingFor(random.fork('setup')),
    async carryOut(payment) {
      const entry = enter(payment);
      await untilSettled(payment, entry, random);
      return entry;
    },
    start(clients, pauseMs) {
      for (let n = 0; n < clients; n++) running.push(client(drawingFor(random.fork(`client ${n}`)), pauseMs));
    },
    async stop() {
      stopping = true;
      await Promise.all(running);
    },
    async settle() {
      for (const entry of book.entries) {
        const payment = payments.get(entry);
        if (entry.state === 'open' && !entry.once && payment) await untilSettled(payment, entry, random);
      }
    },
  };
  return load;

  function enter(payment: Payment): Entry {
    const { id, route, effect } = payment;
    const nothing = { transactionId: null, reply: null, code: null, told: null };
    const entry: Entry = {
      id,
      once: payment.once ?? false,
      route,
      effect,
      state: 'open',
      attempts: 0,
      ...nothing,
      inbound: payment.inbound ?? null,
    };
    book.entries.push(entry);
    payments.set(entry, payment);
    return entry;
  }

  async function client(drawing: Drawing, pauseMs: number): Promise<void> {
    while (!stopping) {
      const payment = drawPayment(drawing);
      const entry = enter(payment);
      if (entry.once) await onlyOnce(payment, entry, drawing.random);
      else await asTheGuidesSay(payment, entry, drawing);
      if (pauseMs > 0) await wait(pauseMs);
    }
  }

  async function asTheGuidesSay(payment: Payment, entry: Entry, { random: source, past }: Drawing): Promise<void> {
    if (source.chance(0.1)) await twice(payment, entry);
    await untilSettled(payment, entry, source);
    remember(past, payment, entry, people);
    if (entry.state !== 'open' && source.chance(0.1)) await again(payment, entry, source);
  }

  async function onlyOnce(payment: Payment, entry: Entry, source: Random): Promise<void> {
    entry.attempts += 1;
    const answer = await send(payment, source.pick(urls));
    if (answer) take(payment, entry, answer);
  }

  /** The same through all gateways at once, as an impatient client or a network may do. */
  async function twice(payment: Payment, entry: Entry): Promise<void> {
    load.doubles += 1;
    entry.attempts += urls.length;
    const answers = await Promise.all(urls.map((url) => send(payment, url)));
    const heard = answers.filter((answer) => answer !== null);
    for (const answer of heard) {
      if (isCarriedOut(answer) || isRemembered(entry)) take(payment, entry, answer);
      else wonder(entry, answer);
    }
    // Refused by one while the other may have carried it out, with what came in between: unless both say so, it is asked again.
    const allHeard = heard.length === urls.length && heard.every(({ status }) => status < 500);
    if (entry.state === 'open' && allHeard) for (const answer of heard) take(payment, entry, answer);
  }

  /** What was answered is answered the same, to the byte. */
  async function again(payment: Payment, entry: Entry, source: Random): Promise<void> {
    const answer = await send(payment, source.pick(urls));
    if (!answer || answer.status >= 500) {
      // This time it may have been carried out.
      if (entry.state === 'refused' && !isRemembered(entry)) reopen(entry);
      await untilSettled(payment, entry, source);
      return;
    }
    load.replays += 1;
    if (entry.state === 'acknowledged' && !answer.isReplay) surprise(entry, 'was not marked as a replay', answer);
    take(payment, entry, answer);
  }

  async function untilSettled(payment: Payment, entry: Entry, source: Random): Promise<void> {
    for (let attempt = 1; entry.state === 'open' && attempt <= ATTEMPTS; attempt++) {
      entry.attempts += 1;
      const answer = await send(payment, source.pick(urls));
      if (answer) take(payment, entry, answer);
      if (entry.state === 'open') await wait(Math.min(100 * attempt, 1_000));
    }
  }

  async function send(payment: Payment, url: string): Promise<Answer | null> {
    const { path, body, sign } = payment;
    const text = JSON.stringify(body);
    const begun = performance.now();
    try {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...sign(path, text) },
        body: text,
        signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS),
      });
      const answered = await response.text();
      load.slowestMs = Math.max(load.slowestMs, performance.now() - begun);
      const isReplay = response.headers.get('idempotent-replayed') === 'true';
      return { status: response.status, text: answered, json: JSON.parse(answered) as Json, isReplay };
    } catch (error) {
      load.unanswered += 1;
      const words = UNHEARD_OF[(error as Error).name];
      if (words) book.surprises.push(`${payment.route} ${payment.id} ${words}: ${error}`);
      return null;
    }
  }

  function take(payment: Payment, entry: Entry, answer: Answer): void {
    if (answer.status >= 500) {
      load.failed += 1;
      return;
    }
    if (answer.status === 200) acknowledge(payment, entry, answer);
    else refuse(entry, answer);
  }

  function acknowledge(payment: Payment, entry: Entry, answer: Answer): void {
    const transactionId = String(answer.json.transaction_id ?? (answer.json.data as Json | undefined)?.transaction_id);
    // What was refused and is not remembered may be tried again, and the money may be there now.
    if (entry.state === 'refused' && !isRemembered(entry)) reopen(entry);
    if (entry.state === 'refused') surprise(entry, `was refused with ${entry.code} before`, answer);
    else if (entry.reply !== null && entry.reply !== answer.text)
      surprise(entry, `was answered ${entry.reply}`, answer);
    if (entry.state !== 'open') return;
    entry.state = 'acknowledged';
    load.acknowledged += 1;
    entry.transactionId = transactionId;
    entry.reply = answer.text;
    entry.told = payment.told?.(answer.json) ?? null;
  }

  function refuse(entry: Entry, answer: Answer): void {
    wonder(entry, answer);
    if (entry.state === 'acknowledged') surprise(entry, 'was acknowledged before', answer);
    if (entry.state === 'refused' && isRemembered(entry) && entry.reply !== answer.text) {
      surprise(entry, `was answered ${entry.reply}`, answer);
    }
    if (entry.state !== 'open') return;
    entry.state = 'refused';
    entry.code = String(answer.json.code);
    entry.reply = answer.text;
  }

  function wonder(entry: Entry, answer: Answer): void {
    if (answer.status >= 500 || EXPECTED.has(String(answer.json.code))) return;
    surprise(entry, 'got a refusal that nothing here calls for', answer);
  }

  function surprise({ id, route }: Entry, what: string, answer: Answer): void {
    book.surprises.push(`${route} ${id} ${what}; the answer was ${answer.status} ${answer.text}`);
  }
}

/** A connection may break and may be refused; these may not be, whatever breaks. */
const UNHEARD_OF: Record<string, string> = {
  TimeoutError: 'was left waiting',
  SyntaxError: 'was answered what is not JSON',
};

const isCarriedOut = ({ status }: Answer) => status === 200;

/** Refusals of inbound credits are kept, as outcomes of their references. */
const isRemembered = ({ effect }: Entry) => effect.type === 'inbound_credit';

function reopen(entry: Entry): void {
  Object.assign(entry, { state: 'open', code: null, reply: null });
}

const newPast = (): Past => ({ payments: [], credits: [] });
const KEPT = 40;

/** So that some of it is undone later. */
function remember(past: Past, { body, effect, inbound }: Payment, entry: Entry, people: People): void {
  if (entry.state !== 'acknowledged' || entry.transactionId === null) return;
  const [from = '', to = ''] = Object.keys(effect.legs);
  if (effect.type === 'pos_payment') {
    past.payments.push({ id: entry.transactionId, wallet: from, shop: String(body.processor_id), left: effect.amount });
    if (past.payments.length > KEPT) past.payments.shift();
  }
  const bank = [...people.partners, people.poorPartner].find(({ id }) => id === inbound?.partnerId);
  if (effect.type !== 'inbound_credit' || !bank) return;
  const { inbound_id } = (JSON.parse(entry.reply ?? '') as { data: { inbound_id: string } }).data;
  past.credits.push({ inboundId: inbound_id, reference: entry.id, partner: bank, wallet: to, amount: effect.amount });
  if (past.credits.length > KEPT) past.credits.shift();
}
