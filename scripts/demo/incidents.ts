// Unusual events of the history: suspicious payments, blocked people, lost cards, a suspended agent, reviews of alerts.

import type { Random } from '@kissi/testkit/random';
import { inbound } from '@kissi/testkit/signing';
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import type { Demo, Subscriber } from './country.ts';
import { SLE } from './money.ts';
import { cashIn, type Payment, type Planned, type Purchase, purchase, refund, transfer } from './payments.ts';
import { must } from './runtime/client.ts';

export interface HistoryDay {
  /** 0:00 UTC. */
  start: number;
  /** 0 is the first. */
  day: number;
  days: number;
}

export function incidentsOf(demo: Demo, random: Random, { start, day, days }: HistoryDay): Planned[] {
  const at = (hour: number, run: Planned['run']): Planned => ({ at: start + hour * HOUR_MS, run });
  /** Whether something that happens a few times in the history happens today; at least once in a short one. */
  const today = (every: number, offset: number) =>
    day % Math.min(every, Math.max(1, days - 1)) === offset % Math.max(1, days - 1);
  const planned: Planned[] = [];
  if (today(7, 2)) planned.push(at(10, () => manyTransfers(demo, random)));
  if (today(9, 3)) planned.push(at(11, () => manyDeposits(demo, random)));
  if (today(5, 1)) planned.push(at(12, () => largeTransfers(demo, random)));
  if (day > 0 && today(8, 1)) planned.push(at(13, () => blockSomeone(demo, random)));
  if (day > 0 && today(6, 1)) planned.push(at(14, () => loseCard(demo, random)));
  if (day === 1) planned.push(at(9, () => markPeps(demo, random)));
  if (day === Math.max(1, days - 9)) planned.push(at(15, () => suspendAgent(demo)));
  if (day === Math.max(1, days - 6)) planned.push(at(15.5, () => reverseCredit(demo)));
  if (day > 0 && today(3, 1)) planned.push(at(15.8, () => returnGoods(demo, random)));
  if (day === days - 1) planned.push(...SHOPPING_HOURS.map((hour) => at(hour, () => sellGoods(demo, random))));
  if (day > 0 && today(4, 1)) planned.push(at(16, () => raiseAlert(demo, random)));
  if (day > 0) planned.push(at(16.5, () => overdraw(demo, random)));
  if (day % 2 === 1) planned.push(at(17, () => reviewAlerts(demo, random, day)));
  return planned;
}

const officer = (demo: Demo) => demo.session('compliance@kissi.example');
const support = (demo: Demo) => demo.session('support@kissi.example');

function someone(demo: Demo, random: Random, suits: (candidate: Subscriber) => boolean): Subscriber | null {
  const candidates = demo.country.subscribers.filter((each) => each.status === 'active' && suits(each));
  return candidates.length === 0 ? null : random.pick(candidates);
}

/** More than 20 small transfers within an hour: a rule flags them. */
async function manyTransfers(demo: Demo, random: Random): Promise<void> {
  const sender = someone(demo, random, ({ balance }) => balance > 600 * SLE);
  if (!sender) return;
  for (let n = 0; n < 23; n++) {
    demo.clock.moveTo(demo.clock.now() + MINUTE_MS);
    const payee = someone(demo, random, (each) => each !== sender);
    if (payee) await transfer(demo, random, sender, payee, 10 * SLE)?.send();
  }
}

/** A transfer of more than the balance. */
function overdraw(demo: Demo, random: Random): Payment[] {
  const payer = someone(demo, random, ({ balance }) => balance < 1_000 * SLE);
  const payee = someone(demo, random, (each) => each !== payer);
  const payment = payer && payee && transfer(demo, random, payer, payee, payer.balance + 50 * SLE);
  return payment ? [payment] : [];
}

/** More than ten cash deposits within a day, all at the same agent. */
async function manyDeposits(demo: Demo, random: Random): Promise<void> {
  const { agents } = demo.country;
  const payee = someone(demo, random, ({ occupation }) => occupation === 'trader');
  const agent = random.pick(agents.filter(({ type }) => type === 'super_agent'));
  for (let n = 0; payee && n < 12; n++) {
    demo.clock.moveTo(demo.clock.now() + 5 * MINUTE_MS);
    await cashIn(demo, random, payee, agent, 900 * SLE)?.send();
  }
}

/** A wholesaler pays a supplier: one rule flags 50,000 SLE and more, another blocks more than 80,000 SLE. */
function largeTransfers(demo: Demo, random: Random): Payment[] {
  const { agents } = demo.country;
  const wholesaler =
    someone(demo, random, ({ occupation }) => occupation === 'wholesaler') ??
    someone(demo, random, ({ salary }) => salary > 0);
  const supplier = someone(demo, random, (each) => each !== wholesaler && each.occupation === 'trader');
  const rich = agents.filter(({ type, float }) => type === 'super_agent' && float > 110_000 * SLE);
  if (!wholesaler || !supplier || rich.length === 0) return [];
  const agent = random.pick(rich);
  const amount = random.int(51, 62) * 1_000 * SLE;
  return [
    cashIn(demo, random, wholesaler, agent, amount + 5_000 * SLE),
    transfer(demo, random, wholesaler, supplier, amount),
    transfer(demo, random, wholesaler, supplier, random.int(82, 95) * 1_000 * SLE),
  ].filter((payment) => payment !== null);
}

const BLOCK_REASONS = [
  'SIM swap reported by the operator',
  'Account used for a scam',
  'Request by the police',
  'Identity under review',
];

/** Some only lose a transaction type, and some are unblocked the next time. */
async function blockSomeone(demo: Demo, random: Random): Promise<void> {
  const blocked = demo.country.subscribers.filter(({ status }) => status === 'blocked');
  const pardoned = blocked.length > 3 ? random.pick(blocked) : null;
  if (pardoned) {
    await must(officer(demo).call('POST', `/subscribers/${pardoned.id}/unblock`), 'unblock');
    Object.assign(pardoned, { status: 'active', cardBlocked: false });
  }
  const [whole, partly] = [isUsual(demo, random), isUsual(demo, random)];
  if (!whole || !partly || whole === partly) return;
  await must(
    officer(demo).call('POST', `/subscribers/${whole.id}/block`, { reason: random.pick(BLOCK_REASONS) }),
    'block',
  );
  whole.status = 'blocked';
  const types = { reason: 'Unusual cash withdrawals', transaction_types: ['wallet_withdraw'] };
  const reply = await support(demo).call('POST', `/subscribers/${partly.id}/block`, types);
  // Chance may choose somebody a second time.
  if (reply.json?.code !== 'ALREADY_BLOCKED') await must(Promise.resolve(reply), 'block of a type');
}

const isUsual = (demo: Demo, random: Random) =>
  someone(demo, random, ({ occupation, salary }) => occupation !== 'wholesaler' && salary === 0);

/** One lost card is blocked, another is retired for good. */
async function loseCard(demo: Demo, random: Random): Promise<void> {
  const hasCard = (each: Subscriber) => each.card !== null && !each.cardBlocked && !mayBePep(each);
  const [mislaid, stolen] = [someone(demo, random, hasCard), someone(demo, random, hasCard)];
  if (!mislaid || !stolen || mislaid === stolen) return;
  await must(support(demo).call('POST', `/cards/${mislaid.card}/block`, { reason: 'Mislaid' }), 'card block');
  mislaid.cardBlocked = true;
  const reply = await support(demo).call('POST', `/cards/${stolen.card}/block`, { reason: 'Stolen', permanent: true });
  // A card with child cards cannot be retired.
  if (reply.status === 200) stolen.card = null;
}

/** Support may not change the cards of politically exposed persons. */
const mayBePep = ({ salary }: Subscriber) => salary > 4_000 * SLE;

async function markPeps(demo: Demo, random: Random): Promise<void> {
  for (let n = 0; n < 5; n++) {
    const person = someone(demo, random, mayBePep);
    if (person) await officer(demo).call('PUT', `/subscribers/${person.id}`, { is_pep: true });
  }
}

async function suspendAgent(demo: Demo): Promise<void> {
  const agent = demo.country.agents.at(-2);
  if (!agent) return;
  const reason = 'Customers report fees that are not allowed';
  await must(demo.session('admin@kissi.example').call('POST', `/agents/${agent.id}/suspend`, { reason }), 'suspension');
  agent.suspended = true;
}

/** A bank credited the wrong person; finance takes the money back. */
async function reverseCredit(demo: Demo): Promise<void> {
  const bank = demo.country.banks[0];
  const payee = demo.country.subscribers.find(({ status, salary }) => status === 'active' && salary > 0);
  if (!bank || !payee) return;
  const body = {
    reference: `${bank.code}-wrong-${demo.clock.now()}`,
    amount: 750 * SLE,
    msisdn: payee.phone,
    narration: 'Salary',
    payer: { name: 'Harbour Company', bank_code: bank.code },
  };
  const credited = await demo.client.postSigned(inbound(bank.key, body.reference), '/api/v1/inbound/credit', body);
  demo.tally.count('bank credit', credited);
  if (credited.status !== 200) return;
  const path = `/admin/inbound/${credited.json.data.inbound_id}/reverse`;
  const reversed = await demo
    .session('finance@kissi.example')
    .call('POST', path, { reason: 'The bank named the wrong beneficiary' });
  demo.tally.count('reversal', reversed);
}

/** The last day of the merchant whose login is printed. */
const SHOPPING_HOURS = [8.4, 9.2, 9.7, 10.6, 11.3, 12.2, 12.5, 12.9, 13.8, 14.4, 15.2, 16.6, 17.3];

const refundingMerchant = ({ country }: Demo) => [...country.merchants].sort((a, b) => b.refunds - a.refunds)[0];

const cardHolder = (demo: Demo, random: Random) =>
  someone(demo, random, ({ card, cardBlocked, balance }) => card !== null && !cardBlocked && balance > 300 * SLE);

function sellGoods(demo: Demo, random: Random): Payment[] {
  const [merchant, payer] = [refundingMerchant(demo), cardHolder(demo, random)];
  const payment = merchant && payer && purchase(demo, random, payer, merchant, () => undefined);
  return payment ? [payment] : [];
}

/** At the merchant that refunds most. */
async function returnGoods(demo: Demo, random: Random): Promise<void> {
  const [merchant, payer] = [refundingMerchant(demo), cardHolder(demo, random)];
  if (!merchant || !payer) return;
  const bought: Purchase[] = [];
  await purchase(demo, random, payer, merchant, (made) => bought.push(made))?.send();
  demo.clock.moveTo(demo.clock.now() + 5 * MINUTE_MS);
  for (const made of bought) await refund(demo, random, made).send();
}

const OBSERVATIONS = [
  'A customer says that somebody else withdrew the money.',
  'The agent reports several customers with the same address.',
  'The name on the document differs from the registration.',
];

export async function raiseAlert(demo: Demo, random: Random): Promise<void> {
  const about = someone(demo, random, ({ salary }) => salary === 0);
  if (!about) return;
  const severity = random.pick(['LOW', 'MEDIUM', 'HIGH']);
  const body = { severity, type: 'report', description: random.pick(OBSERVATIONS), subscriber_id: about.id };
  await officer(demo).call('POST', '/compliance/alerts', body);
}

const FINDINGS = [
  'Documents checked, the business is known.',
  'The customer explained the payments; invoices are on file.',
  'Reported to the Financial Intelligence Unit.',
];

/** Repeated: about half of the alerts are resolved, and a few stay open. */
const OUTCOMES = ['resolved', 'in_review', 'dismissed', 'resolved', 'open'] as const;

/** Compliance works through the open alerts, the oldest first. */
async function reviewAlerts(demo: Demo, random: Random, day: number): Promise<void> {
  const { alerts } = await must(officer(demo).call('GET', '/compliance/alerts?status=open&limit=100'), 'alerts');
  for (const [n, { id }] of [...alerts].reverse().entries()) {
    const outcome = OUTCOMES[(n + (day >> 1)) % OUTCOMES.length] ?? 'open';
    const changes = { status: outcome, ...findingsOf(outcome, random) };
    if (outcome !== 'open') await officer(demo).call('PUT', `/compliance/alerts/${id}`, changes);
  }
}

function findingsOf(outcome: (typeof OUTCOMES)[number], random: Random) {
  if (outcome === 'in_review') return { notes: 'Called the customer, waiting for documents.' };
  return { resolution: outcome === 'dismissed' ? 'Usual business of this customer.' : random.pick(FINDINGS) };
}
