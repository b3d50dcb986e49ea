// Money between the operator's books and its banks: deposits of agents, returns of float, and pay-outs of merchants.

import type { Random } from '@kissi/testkit/random';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import type { Demo, DemoAgent } from '../country.ts';
import { SLE } from '../money.ts';
import { accountOf, isoDay } from './bank-book.ts';
import type { BankEntry } from './statement-files.ts';

/** A difference between the books and the bank. */
export interface Booking extends Partial<BankEntry> {
  daysLater?: number;
}

const finance = (demo: Demo) => demo.session('finance@kissi.example');

let slips = 0;
/** At most 16 characters, which is the length of a reference in MT940. */
const slipNumber = (demo: Demo, kind: string) =>
  `${kind}-${isoDay(demo.clock.now()).replaceAll('-', '').slice(2)}-${String(++slips % 1_000).padStart(3, '0')}`;

/** Finance funds the float against a cash deposit. `booked`: how the bank books it instead; null: it does not book it. */
export async function fund(demo: Demo, agent: DemoAgent, amount: number, booked: Booking | null = {}): Promise<void> {
  const reference = slipNumber(demo, 'SLIP');
  const body = { amount, description: 'Float against bank deposit', request_id: reference };
  const reply = await finance(demo).call('POST', `/agents/${agent.id}/fund`, body);
  demo.tally.count('float funding', reply);
  if (reply.status !== 200) return;
  agent.float += amount;
  if (!booked) return;
  const { daysLater = 0, ...changes } = booked;
  const entry = { amount, reference, name: agent.name, text: 'Cash deposit', ...changes };
  demo.bankBook.book(accountOfAgent(demo, agent), demo.clock.now() + daysLater * DAY_MS, entry);
}

const accountOfAgent = ({ country }: Demo, agent: DemoAgent) => accountOf(country.agents.indexOf(agent));

/** Each morning one super-agent deposits at each bank. */
export async function dailyDeposits(demo: Demo, random: Random): Promise<void> {
  const supers = demo.country.agents.filter(({ type }) => type === 'super_agent');
  for (const account of [0, 1]) {
    const agent = random.pick(supers.filter((_, index) => accountOf(index) === account));
    await fund(demo, agent, random.int(80, 360) * 50 * SLE);
  }
}

/** A super-agent with much float takes some of it back in cash. */
export async function returnFloat(demo: Demo, random: Random): Promise<void> {
  const [richest] = demo.country.agents.toSorted((a, b) => b.float - a.float);
  if (!richest) return;
  const [amount, reference] = [random.int(40, 90) * 100 * SLE, slipNumber(demo, 'RETURN')];
  const reply = await finance(demo).call('POST', `/agents/${richest.id}/return-float`, {
    amount,
    request_id: reference,
  });
  demo.tally.count('float return', reply);
  if (reply.status !== 200) return;
  richest.float -= amount;
  const entry = { amount: -amount, reference, name: richest.name, text: 'Cash withdrawal' };
  demo.bankBook.book(accountOfAgent(demo, richest), demo.clock.now(), entry);
}

const PAY_OUTS_A_DAY = 2;
const bankAccountOf = (index: number) => `0110-${String(50_000_000 + index * 1_317)}`;

/** At the first pay-out: pay-outs go to stored accounts only. */
async function storeAccount(demo: Demo, { id, name }: { id: string; name: string }, index: number): Promise<void> {
  const account = { account_number: bankAccountOf(index), bank: 'Rokel Commercial Bank', holder: name };
  const reply = await finance(demo).call('POST', `/processors/${id}/bank-accounts`, account);
  if (![201, 409].includes(reply.status)) demo.tally.count('bank account', reply);
}

/** In turn, merchants are paid out to their bank accounts. The amounts are chosen at once, before other payments go on. */
export async function payOutMerchants(demo: Demo, day: number): Promise<void> {
  const due = demo.country.merchants
    .map((merchant, index) => ({ merchant, index, amount: Math.floor((merchant.balance * 0.5) / SLE) * SLE }))
    .filter(({ index, amount }) => index % 10 === day % 10 && amount >= 50 * SLE)
    .slice(0, PAY_OUTS_A_DAY);
  for (const { merchant, index, amount } of due) {
    await storeAccount(demo, merchant, index);
    const body = { amount, bank_account: bankAccountOf(index), request_id: slipNumber(demo, 'PAYOUT') };
    const reply = await finance(demo).call('POST', `/processors/${merchant.id}/payout`, body);
    demo.tally.count('bank pay-out', reply);
    if (reply.status !== 200) continue;
    merchant.balance -= amount;
    const { reference } = reply.json;
    const entry = { amount: -amount, reference, name: merchant.name, text: 'Merchant pay-out' };
    // The bank debits it the next day.
    demo.bankBook.book(accountOf(index), demo.clock.now() + DAY_MS, entry);
  }
}
