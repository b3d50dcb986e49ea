// Makes the history of the country through the API, day by day, with a clock that moves from payment to payment.

import type { Random } from '@kissi/testkit/random';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { approvalsOf } from './approvals.ts';
import { askingOf } from './asking.ts';
import { bulkPaymentsOf } from './bulk-payments.ts';
import { casesOf } from './cases.ts';
import type { Demo } from './country.ts';
import { accountOf } from './finance/bank-book.ts';
import { financeOf } from './finance/mornings.ts';
import { incidentsOf } from './incidents.ts';
import { floatsDrained } from './last-hour.ts';
import { SLE } from './money.ts';
import { payOffice, supplyFloats } from './money-supply.ts';
import type { Payment, Planned } from './payments.ts';
import { dayFactor, isSalaryDay, timesOf, weekdayOf } from './plan/calendar.ts';
import type { Person } from './plan/people.ts';
import { registerPeople } from './registration.ts';
import { ruleChangesOf } from './rules.ts';
import { must } from './runtime/client.ts';
import { toldHourly } from './telling.ts';
import { Traffic } from './traffic.ts';

/** Payments a day for each subscriber. */
const PAYMENTS_PER_PERSON = 0.132;
const MAX_BATCH = 48;
const CREDIT_RUN_MS = 6 * HOUR_MS;
/** Payments within so many hours are sent together. At night there are few. */
const BATCH_HOURS = { day: 1, night: 4 };
const WEBHOOK_WAIT_MS = 2_000;
/** Monday. */
const SETTLEMENT_DAY = 1;

export interface HistoryOptions {
  people: readonly Person[];
  /** The first day, at 0:00 UTC. */
  from: number;
  /** The end, usually now. */
  until: number;
  days: number;
  onDay(day: number): void;
  /** Aborts when the demo is stopped. */
  signal: AbortSignal;
}

export async function makeHistory(demo: Demo, random: Random, options: HistoryOptions): Promise<void> {
  const { people, from, until, days } = options;
  const batch = new Batch(demo);
  const traffic = new Traffic(demo, random.stream('traffic'));
  for (let day = 0; from + day * DAY_MS < until; day++) {
    const start = from + day * DAY_MS;
    const draw = random.stream(`day ${day}`);
    await morning(
      demo,
      draw,
      start,
      people.filter(({ joinsOnDay }) => joinsOnDay === day),
    );
    traffic.beginDay(start);
    const planned = [
      ...payOffice(demo, draw, start, { isFirst: day === 0, isPayday: isSalaryDay(start) }),
      ...incidentsOf(demo, draw, { start, day, days }),
      ...ruleChangesOf(demo, { start, day, days }),
      ...approvalsOf(demo, { start, day, days }),
      ...bulkPaymentsOf(demo, random.stream(`bulk ${day}`), { start, day, days }),
      ...casesOf(demo, { start, day, days }),
      ...financeOf(demo, draw, { start, day, days }),
      ...floatsDrained(demo, random.stream('floats'), { start, until }),
      // The last whole day: today may have just begun.
      ...(day === Math.max(0, days - 2) ? askingOf(demo, random.stream('asking'), start) : []),
      ...(day >= days - 2 ? toldHourly(demo, start) : []),
    ].sort((a, b) => a.at - b.at);
    const count = Math.round(demo.country.subscribers.length * PAYMENTS_PER_PERSON * dayFactor(start));
    for (const at of timesOf(draw, start + 6 * MINUTE_MS, count).filter((time) => time < until)) {
      options.signal.throwIfAborted();
      while (planned[0] && planned[0].at <= at) await batch.runAlone(planned.shift());
      for (const payment of traffic.refundsDue(at)) await batch.add(at, payment);
      const payment = traffic.next();
      if (payment) await batch.add(at, payment);
    }
    for (const left of planned.filter(({ at }) => at < until)) await batch.runAlone(left);
    await batch.flush();
    options.onDay(day + 1);
  }
  demo.clock.moveTo(until);
}

/** Registrations, settlements of commissions and of the banks, and floats for the agents, before the country wakes up. */
async function morning(demo: Demo, random: Random, start: number, joining: Person[]): Promise<void> {
  demo.clock.moveTo(start + 5 * MINUTE_MS);
  await Promise.all([registerPeople(demo, joining), settle(demo, random, start)]);
}

async function settle(demo: Demo, random: Random, start: number): Promise<void> {
  await demo.runTask('settle commissions');
  if (weekdayOf(start) === SETTLEMENT_DAY) await settleBanks(demo);
  await supplyFloats(demo, random);
}

/** The banks transfer what they owe, except for the last credits. */
async function settleBanks(demo: Demo): Promise<void> {
  const admin = demo.session('admin@kissi.example');
  for (const [index, { id, code, name }] of demo.country.banks.entries()) {
    const { partner } = await must(admin.call('GET', `/admin/partners/${id}`), 'partner');
    const amount = Math.floor((partner.outstanding * 0.9) / (100 * SLE)) * 100 * SLE;
    if (amount === 0) continue;
    const reference = `${code}-${new Date(demo.clock.now()).toISOString().slice(0, 10)}`;
    const reply = await admin.call('POST', `/admin/partners/${id}/settle`, {
      amount,
      reference,
      request_id: `settle-${reference}`,
    });
    demo.tally.count('settlement', reply);
    if (reply.status !== 200) continue;
    demo.bankBook.book(accountOf(index), demo.clock.now(), { amount, reference, name, text: 'Settlement' });
  }
}

function windowOf(at: number): number {
  const hour = new Date(at).getUTCHours();
  return (hour >= 22 || hour < 5 ? BATCH_HOURS.night : BATCH_HOURS.day) * HOUR_MS;
}

async function webhooksReceived({ tally, receiver }: Demo): Promise<void> {
  const until = performance.now() + WEBHOOK_WAIT_MS;
  while (receiver.counts.events < (tally.payments.get('bank credit') ?? 0) && performance.now() < until) await delay(3);
  // The service records the answer of the receiver.
  await delay(3);
}

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Payments that are sent together, at the time of the first. None of their outcomes depends on another, so that the order
 * in which the service receives them does not matter.
 */
class Batch {
  private readonly demo: Demo;
  private payments: Payment[] = [];
  private waiting: { at: number; payment: Payment }[] = [];
  private busy = new Set<unknown>();
  private at = 0;
  private credits: Payment[] = [];
  private lastRun = 0;

  constructor(demo: Demo) {
    this.demo = demo;
  }

  async add(at: number, payment: Payment): Promise<void> {
    await this.sendCredits(at);
    if (payment.isInbound) {
      this.credits.push(payment);
      return;
    }
    if (this.payments.length >= MAX_BATCH || at - this.at > windowOf(this.at)) await this.sendBatch();
    this.collect(at, payment);
  }

  /** A payment whose party is busy waits for the next batch, and so do the later payments of its parties. */
  private collect(at: number, payment: Payment): void {
    const isBusy = payment.parties.some((party) => this.busy.has(party));
    for (const party of payment.parties) this.busy.add(party);
    if (isBusy) {
      this.waiting.push({ at, payment });
      return;
    }
    if (this.payments.length === 0) this.at = at;
    this.payments.push(payment);
  }

  async runAlone(planned: Planned | undefined): Promise<void> {
    if (!planned) return;
    if (planned.isIndependent) {
      this.demo.clock.moveTo(planned.at);
      await Promise.all([planned.run(), this.flush(planned.at)]);
      return;
    }
    await this.flush();
    this.demo.clock.moveTo(planned.at);
    const payments = await planned.run();
    for (const payment of payments ?? []) await this.add(planned.at, payment);
    await this.flush();
    await this.sendCredits(planned.at + CREDIT_RUN_MS);
  }

  /** The run of the banks, if one is due. Its webhooks are awaited: a delivery's lease would expire in a jump of the clock. */
  private async sendCredits(at: number): Promise<void> {
    const run = Math.floor(at / CREDIT_RUN_MS);
    if (run === this.lastRun || this.credits.length === 0) return;
    this.lastRun = run;
    const credits = this.credits;
    this.credits = [];
    await this.flush();
    const sent = new Set<unknown>();
    for (const credit of credits) {
      if (credit.parties.some((party) => sent.has(party))) continue;
      for (const party of credit.parties) sent.add(party);
      this.payments.push(credit);
    }
    await this.flush();
    await webhooksReceived(this.demo);
  }

  /** Everything that was added; the first batch at the time of its first payment by default. */
  async flush(at?: number): Promise<void> {
    await this.sendBatch(at);
    while (this.payments.length > 0) await this.sendBatch(at);
  }

  private async sendBatch(at = this.at): Promise<void> {
    const { demo, payments, waiting } = this;
    [this.payments, this.waiting, this.busy] = [[], [], new Set()];
    for (const { at: due, payment } of waiting) this.collect(due, payment);
    if (payments.length === 0) return;
    if (at > 0) demo.clock.moveTo(at);
    await Promise.all(payments.map((payment) => payment.send()));
  }
}
