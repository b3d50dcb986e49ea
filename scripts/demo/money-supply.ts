// Money for the country: agents' floats, salaries, first deposits and merchants' pay-outs.

import type { Random } from '@kissi/testkit/random';
import { HOUR_MS } from '../../src/kernel/clock.ts';
import type { Demo, DemoAgent, DemoBank, Subscriber } from './country.ts';
import { dailyDeposits, fund } from './finance/deposits.ts';
import { SLE } from './money.ts';
import { bankCredit, cashIn, floatTransfer, type Payment, type Planned, payOut } from './payments.ts';
import { weekdayOf } from './plan/calendar.ts';
import { must } from './runtime/client.ts';
import { inParallel } from './runtime/parallel.ts';

const SUPER_AGENT = { low: 80_000 * SLE, target: 250_000 * SLE };
const SUB_AGENT = { low: 2_000 * SLE, target: 6_000 * SLE };
/** Some agents are too far away or too late, and run low. */
const SKIPPED = 0.2;
/** Saturday. */
const PAY_OUT_DAY = 6;

/** Finance funds super-agents from the treasury; they pass float on to their sub-agents. */
export async function supplyFloats(demo: Demo, random: Random): Promise<void> {
  const { agents } = demo.country;
  for (const agent of agents.filter(({ type, float }) => type === 'super_agent' && float < SUPER_AGENT.low)) {
    await fund(demo, agent, wholeHundreds(SUPER_AGENT.target - agent.float));
  }
  await dailyDeposits(demo, random);
  const needy = agents.filter((agent) => isNeedy(agent) && !random.chance(SKIPPED));
  // One after the other: transfers from the same super-agent draw on one float.
  await inParallel(needy, 1, (agent) => topUp(demo, agent).send());
}

export const isNeedy = ({ type, float, suspended }: DemoAgent) =>
  type === 'sub_agent' && float < SUB_AGENT.low && !suspended;

export function topUp(demo: Demo, agent: DemoAgent): Payment {
  const parent = demo.country.agents[agent.parent ?? 0];
  if (!parent) throw new Error(`${agent.name} has no super-agent`);
  return floatTransfer(demo, parent, agent, wholeHundreds(SUB_AGENT.target - agent.float));
}

const wholeHundreds = (amount: number) => Math.ceil(amount / (100 * SLE)) * 100 * SLE;

/** Payments to many people at once, at fixed times of the day. */
export function payOffice(
  demo: Demo,
  random: Random,
  start: number,
  day: { isFirst: boolean; isPayday: boolean },
): Planned[] {
  const planned: Planned[] = [];
  if (day.isFirst) planned.push({ at: start + 6 * HOUR_MS, run: () => firstDeposits(demo, random) });
  if (day.isPayday)
    planned.push({ at: start + 9 * HOUR_MS, run: () => salaries(demo, random, new Date(start).getUTCDate()) });
  if (weekdayOf(start) === PAY_OUT_DAY) planned.push({ at: start + 18 * HOUR_MS, run: () => payOuts(demo) });
  return planned;
}

function firstDeposits(demo: Demo, random: Random): Payment[] {
  const { subscribers, agents } = demo.country;
  const active = subscribers.filter(({ status }) => status === 'active');
  return active.flatMap((subscriber) => {
    if (subscriber.salary > 0) {
      const amount = wholeHundreds(subscriber.salary * 0.4);
      const credit = { amount, payer: subscriber.name, narration: 'Transfer from own account' };
      return [bankCredit(demo, subscriber, bankOf(demo, subscriber), credit)];
    }
    if (random.chance(0.35)) return [];
    const near = agents.filter((agent) => agent.town === subscriber.town);
    const amount = wholeHundreds((subscriber.occupation === 'wholesaler' ? 20_000 : 250) * SLE * random.around(1, 0.5));
    const isLarge = amount > 1_000 * SLE;
    const agent = random.pick(
      isLarge || near.length === 0 ? agents.filter(({ type }) => type === 'super_agent') : near,
    );
    const deposit = cashIn(demo, random, subscriber, agent, amount);
    return deposit ? [deposit] : [];
  });
}

/** Employers pay a third of their staff on each salary day. */
function salaries(demo: Demo, random: Random, date: number): Payment[] {
  const paid = demo.country.subscribers.filter(({ salary, status, phone }) => {
    const isActive = status === 'active' || status === 'locked';
    return salary > 0 && isActive && Number(phone.slice(-2)) % 3 === date % 3;
  });
  return paid.map((employee) => {
    const amount = Math.round((employee.salary * (0.97 + random.next() * 0.06)) / 100) * 100;
    const credit = { amount, payer: employee.employer ?? '', narration: 'Salary' };
    return bankCredit(demo, employee, bankOf(demo, employee), credit);
  });
}

/** The same bank every month. */
function bankOf(demo: Demo, { phone }: Subscriber): DemoBank {
  const weights = demo.country.banks.flatMap((bank) => Array.from({ length: bank.weight }, () => bank));
  const bank = weights[Number(phone.slice(-4)) % weights.length];
  if (!bank) throw new Error('there are no banks');
  return bank;
}

/** Merchants transfer most of the week's income to their owner. */
function payOuts(demo: Demo): Payment[] {
  const { merchants, subscribers } = demo.country;
  return merchants.flatMap((merchant, n) => {
    const owner = subscribers[n * 5 + 3];
    const amount = Math.floor((merchant.balance * 0.7) / (100 * SLE)) * 100 * SLE;
    if (owner?.status !== 'active' || amount < 1_000 * SLE) return [];
    return [payOut(demo, merchant, owner, amount)];
  });
}

/** Balances as the service knows them, for a demo that continues. */
export async function readBalances(demo: Demo): Promise<void> {
  const { subscribers, agents } = demo.country;
  const byId = new Map(subscribers.map((subscriber) => [subscriber.id, subscriber]));
  for (let offset = 0; offset < subscribers.length; offset += 100) {
    const path = `/subscribers?limit=100&offset=${offset}`;
    const page = await must(demo.client.call('GET', path, { token: demo.operatorKey() }), 'subscribers');
    for (const { id, balance, status } of page.subscribers) update(byId.get(id), balance, status);
  }
  await inParallel(agents, 8, async (agent) => {
    const path = `/agents/${agent.id}/balance`;
    agent.float = (await must(demo.client.call('GET', path, { token: demo.operatorKey() }), 'float')).balance;
  });
}

/** The list does not show the balances of politically exposed persons. */
function update(subscriber: Subscriber | undefined, balance: string | undefined, status: string): void {
  if (!subscriber) return;
  if (balance !== undefined) subscriber.balance = Math.round(Number(balance.replace(/[^\d.-]/g, '')) * SLE);
  subscriber.status = status === 'ACTIVE' ? 'active' : status === 'PENDING' ? 'pending' : 'blocked';
}
