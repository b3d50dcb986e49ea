// Problems that customers report: cases in every state, some of them overdue, and recalls that were accepted, contested, left
// without an answer, and one that waits for it.

import { seededRandom } from '@kissi/testkit/random';
import { HOUR_MS } from '../../src/kernel/clock.ts';
import type { Demo, Subscriber } from './country.ts';
import type { HistoryDay } from './incidents.ts';
import { SLE } from './money.ts';
import { cashIn, type Planned } from './payments.ts';
import { type Json, must } from './runtime/client.ts';
import { messageTo } from './runtime/phone.ts';

/** A shorter history has none. */
const LEAST_DAYS = 9;
const AMOUNT = 120 * SLE;
let requests = 0;

/** The customers of a recall, with the tokens of their phones, by its outcome. */
interface Pair {
  sender: Subscriber;
  recipient: Subscriber;
}
const OUTCOMES = ['silence', 'accept', 'contest', 'wait'] as const;
type Outcome = (typeof OUTCOMES)[number];
const pairs = new WeakMap<Demo, Map<Outcome, Pair>>();
const phones = new WeakMap<Subscriber, string>();

const support = (demo: Demo) => demo.session('support@kissi.example');

export function casesOf(demo: Demo, { start, day, days }: HistoryDay): Planned[] {
  const at = (hour: number, run: () => Promise<void>): Planned => ({ at: start + hour * HOUR_MS, run });
  if (days < LEAST_DAYS) return [];
  if (day === days - 9) return [at(18.2, () => openOldCases(demo))];
  if (day === days - 7) return [at(18.2, () => addPhones(demo))];
  if (day === days - 5) return [at(19.1, async () => void (await recall(demo, 'silence')))];
  if (day === days - 3) return [at(9.3, () => openCases(demo)), at(18.3, () => answerTwo(demo))];
  // After 72 hours.
  return day === days - 2 ? [at(19.6, () => settle(demo))] : [];
}

/** At the end of the history: a problem of today, and a recall whose recipient has not answered yet. */
export async function leaveCases(demo: Demo): Promise<void> {
  await open(demo, PROBLEMS.length - 1);
  if (pairs.has(demo)) await recall(demo, 'wait');
}

const PROBLEMS = [
  ['failed_payment', 'Paid for electricity, and the meter got no units.'],
  ['agent', 'The agent asked for SLE 20 more than the fee on the sign.'],
  ['fraud', 'Somebody called as “Kissi support” and asked for the PIN.'],
  ['other', 'Wants the name on the account changed after a wedding.'],
  ['failed_payment', 'A cash-out was charged, and the agent had no cash.'],
  ['agent', 'The shop was closed when the deposit was promised.'],
  ['failed_payment', 'Bought airtime for the wrong number, and it was charged twice.'],
] as const;

async function open(demo: Demo, n: number): Promise<string> {
  const customers = demo.country.subscribers.filter(({ status, salary }) => status === 'active' && salary === 0);
  const [kind, description] = PROBLEMS[n % PROBLEMS.length] ?? PROBLEMS[0];
  const subscriber_id = customers[(n * 7) % customers.length]?.id;
  const opened = support(demo).call('POST', '/cases', { kind, subscriber_id, description });
  return (await must(opened, 'case')).case.id;
}

/** Nobody has looked at the first one, and the second one is not resolved: both are overdue at the end. */
async function openOldCases(demo: Demo): Promise<void> {
  await open(demo, 0);
  await change(demo, await open(demo, 1), 'investigating', 'The branch asks the agent for the book of that day.');
}

async function openCases(demo: Demo): Promise<void> {
  await open(demo, 2);
  const STEPS = [
    ['waiting_customer', 'A photo of the marriage certificate is needed.'],
    ['resolved', 'The agent paid the cash out, and the customer confirmed it.'],
    ['rejected', 'The deposit was promised for the next morning, and made then.'],
  ] as const;
  for (const [n, [state, reason]] of STEPS.entries()) await change(demo, await open(demo, 3 + n), state, reason);
}

async function change(demo: Demo, id: string, state: string, reason: string): Promise<void> {
  const { id: assignee_id } = await must(support(demo).call('GET', '/admin/me'), 'support');
  await must(support(demo).call('POST', `/cases/${id}/assign`, { assignee_id }), 'assignment');
  await must(support(demo).call('POST', `/cases/${id}/notes`, { text: 'Called the customer.' }), 'note');
  await must(support(demo).call('POST', `/cases/${id}/state`, { state, reason }), 'state');
}

const canAnswer = ({ status, salary, pinRefused }: Subscriber) => status === 'active' && salary === 0 && !pinRefused;

/** New phones are restricted for a day. */
async function addPhones(demo: Demo): Promise<void> {
  const customers = demo.country.subscribers.filter(canAnswer);
  const senders = customers.slice(0, OUTCOMES.length);
  const recipients = customers.toReversed();
  const found = new Map<Outcome, Pair>();
  for (const [n, outcome] of OUTCOMES.entries()) {
    const sender = senders[n];
    const recipient = recipients[n];
    if (!sender || !recipient) return;
    found.set(outcome, { sender, recipient });
    for (const customer of [sender, recipient]) await addPhone(demo, customer);
  }
  pairs.set(demo, found);
}

async function addPhone(demo: Demo, customer: Subscriber): Promise<void> {
  const { phone, pin } = customer;
  const begun = await must(demo.client.call('POST', '/me/login', { body: { phone_number: phone } }), 'login');
  const code = await messageTo(demo, phone, /\b\d{6}\b/);
  const body = { challenge: begun.challenge, code, pin, device_name: 'Tecno Spark' };
  const { device_token } = await must(demo.client.call('POST', '/me/login/verify', { body }), 'login');
  phones.set(customer, device_token);
}

async function callsOf(demo: Demo, customer: Subscriber): Promise<(path: string, body: object) => Promise<Json>> {
  const body = { device_token: phones.get(customer), pin: customer.pin };
  const { token, device_token } = await must(demo.client.call('POST', '/me/login/device', { body }), 'login');
  phones.set(customer, device_token);
  return (path, sent) => must(demo.client.call('POST', `/me${path}`, { token, body: sent }), path);
}

/** Returns the id of the case; null: one of the two was blocked in the last days. */
async function recall(demo: Demo, outcome: Outcome): Promise<string | null> {
  const pair = pairs.get(demo)?.get(outcome);
  if (!pair || !canAnswer(pair.sender) || !canAnswer(pair.recipient)) return null;
  const { sender, recipient } = pair;
  const [richest] = demo.country.agents.toSorted((a, b) => b.float - a.float);
  if (richest) await cashIn(demo, seededRandom('recall'), sender, richest, AMOUNT * 2)?.send();
  const post = await callsOf(demo, sender);
  const { quote } = await post('/quote', { type: 'transfer', phone_number: recipient.phone, amount: AMOUNT });
  const paid = await post('/transfers', { quote_id: quote.id, pin: sender.pin, request_id: newId() });
  demo.tally.count('transfer in the app', { status: 200, json: paid });
  const body = { kind: 'wrong_transfer', transaction_id: paid.transaction_id, pin: sender.pin };
  const opened = await post('/cases', { ...body, description: 'I typed the wrong number.' });
  sender.balance -= AMOUNT + quote.fee;
  recipient.balance += AMOUNT;
  return opened.case.id;
}

const newId = () => `demo-case-${++requests}`;

async function answerTwo(demo: Demo): Promise<void> {
  for (const outcome of ['accept', 'contest'] as const) {
    const id = await recall(demo, outcome);
    const pair = pairs.get(demo)?.get(outcome);
    if (!pair || id === null) continue;
    const post = await callsOf(demo, pair.recipient);
    await settle(demo);
    const answer = outcome === 'accept' ? { pin: pair.recipient.pin, request_id: newId() } : {};
    const reply = await post(`/cases/${id}/${outcome}`, answer);
    if (outcome !== 'accept') continue;
    pair.recipient.balance -= reply.amount;
    pair.sender.balance += reply.amount;
  }
}

async function settle(demo: Demo): Promise<void> {
  await demo.runTask('expire holds');
  await demo.runTask('settle recalls');
}
