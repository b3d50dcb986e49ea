// Payments in a drill, sent as the guides say, and a book of what was answered, against which the service is held.
import { createHmac } from 'node:crypto';
import { FUNDS, type Gateway, type Key, PIN, type World } from './gateway.ts';

/** What is sent: under one request id however often. */
interface Payment {
  path: string;
  body: string;
  /** Signed by a terminal, or sent with a bearer key by an app. */
  signed: boolean;
}

interface Answered extends Payment {
  reply: string;
}

export interface Book {
  /** Of each wallet and of the shop: what it must hold by what was answered. */
  balances: Map<string, number>;
  answered: Answered[];
  /** When each answer came. */
  at: number[];
  /** How many had to be sent more than once. */
  retried: number;
}

export function newBook({ people, shop }: World): Book {
  const balances = new Map(people.map(({ id }) => [id, FUNDS]));
  return { balances: balances.set(shop.processorId, 0), answered: [], at: [], retried: 0 };
}

const AMOUNT = 100;
const ANSWERED_WITHIN_MS = 10_000;
const RETRY_AFTER_MS = 250;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** One after another, until told to stop. Every tenth is a card payment at the shop's terminal. */
export async function payOn(
  gateway: Gateway,
  world: World,
  book: Book,
  name: string,
  goesOn: () => boolean,
): Promise<void> {
  for (let n = 0; goesOn(); n++) {
    await payOnce(gateway, world, book, `${name}-${n}`);
    // Some people think before they pay: what is measured is the time without service, not the service.
    await pause(20);
  }
}

export async function payMany(gateway: Gateway, world: World, book: Book, name: string, count: number): Promise<void> {
  let left = count;
  await payOn(gateway, world, book, name, () => left-- > 0);
}

async function payOnce(gateway: Gateway, { people, shop, key }: World, book: Book, requestId: string): Promise<void> {
  const [from, to] = pairOf(people, requestId);
  const atTerminal = requestId.endsWith('0');
  const common = { request_id: requestId, pin: PIN };
  const card = { card_serial: from.serial, merchant_id: shop.merchantId, processor_id: shop.processorId };
  const payment: Payment = atTerminal
    ? {
        path: '/api/v1/pos/payment',
        signed: true,
        body: json({ ...common, ...card, amount: AMOUNT, terminal_id: 'T-1' }),
      }
    : {
        path: '/api/v1/wallet/transfer-p2p',
        signed: false,
        body: json({ ...common, sender_id: from.id, recipient_card_serial: to.serial, amount: String(AMOUNT) }),
      };
  const reply = await sendUntilAnswered(gateway, key, payment, () => book.retried++);
  const { amount, fee, total_debited } = JSON.parse(reply) as Record<string, number>;
  const add = (id: string, sum = 0) => book.balances.set(id, (book.balances.get(id) ?? 0) + sum);
  add(from.id, -(atTerminal ? AMOUNT : (total_debited ?? Number.NaN)));
  add(atTerminal ? shop.processorId : to.id, atTerminal ? (amount ?? Number.NaN) - (fee ?? Number.NaN) : AMOUNT);
  book.answered.push({ ...payment, reply });
  book.at.push(performance.now());
}

const json = (value: object) => JSON.stringify(value);

function pairOf<T>(people: T[], requestId: string): [T, T] {
  const digest = createHmac('sha256', 'pair').update(requestId).digest();
  const from = digest.readUInt32BE(0) % people.length;
  const to = (from + 1 + (digest.readUInt32BE(4) % (people.length - 1))) % people.length;
  return [people[from] as T, people[to] as T];
}

/** No answer, or one that says the service has trouble: the same again, under the same request id, signed afresh. */
async function sendUntilAnswered(gateway: Gateway, key: Key, payment: Payment, retried: () => void): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const reply = await send(gateway, key, payment).catch(() => null);
    if (reply?.status === 200) return reply.text;
    if (reply && reply.status < 500) throw new Error(`${payment.body}: ${reply.status} ${reply.text}`);
    if (attempt === 1) retried();
    await pause(RETRY_AFTER_MS);
  }
}

async function send({ address }: Gateway, key: Key, { path, body, signed }: Payment) {
  const headers = { 'content-type': 'application/json', ...(signed ? signature(key, path, body) : bearer(key)) };
  const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
  const reply = await fetch(address + path, { method: 'POST', headers, body, signal });
  return {
    status: reply.status,
    text: await reply.text(),
    replayed: reply.headers.get('idempotent-replayed') === 'true',
  };
}

const bearer = (key: Key) => ({ authorization: `Bearer ${key.bearer}` });

function signature(key: Key, path: string, body: string): Record<string, string> {
  const at = new Date().toISOString();
  const signed = createHmac('sha256', key.secret).update(`POST\n${path}\n${at}\n${body}`).digest('hex');
  return { 'x-api-key-id': key.id, 'x-timestamp': at, 'x-signature': signed };
}

/** Every answer is given again to the byte, and every balance is what the answers make it. Throws at the first that is not. */
export async function holdAgainst(gateway: Gateway, { key }: World, book: Book): Promise<void> {
  const queue = book.answered[Symbol.iterator]();
  const replay = async () => {
    for (const payment of queue) {
      const { status, text, replayed } = await send(gateway, key, payment);
      if (status === 200 && replayed && text === payment.reply) continue;
      throw new Error(`acknowledged and lost: ${payment.body}\nwas  ${payment.reply}\nis   ${status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, replay));
  for (const [id, expected] of book.balances) {
    const held = await balanceOf(gateway, key, id);
    if (held !== expected) throw new Error(`${id} holds ${held}, by its receipts it must hold ${expected}`);
  }
}

async function balanceOf({ address }: Gateway, key: Key, id: string): Promise<number> {
  const path = id.startsWith('proc_') ? `/processors/${id}` : `/balance/${id}`;
  const reply = await fetch(`${address}/api/v1${path}`, { headers: bearer(key) });
  if (!reply.ok) throw new Error(`balance of ${id}: ${reply.status} ${await reply.text()}`);
  const record = (await reply.json()) as { balance: number; processor?: { balance: number } };
  return (record.processor ?? record).balance;
}
