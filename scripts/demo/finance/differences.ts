// Deliberate differences between the books and the banks, and credits in suspense. The newest ones are left to the user.
import { webhook } from '@kissi/testkit/signing';
import { HOUR_MS } from '../../../src/kernel/clock.ts';
import type { Demo } from '../country.ts';
import type { HistoryDay } from '../incidents.ts';
import { SLE } from '../money.ts';
import type { Planned } from '../payments.ts';
import { must } from '../runtime/client.ts';
import { fund } from './deposits.ts';

export const CHARGE = 'Account maintenance charge';

/** Finance dealt with what is older. */
const OPEN_DAYS = 10;

export function differencesOf(demo: Demo, { start, day, days }: HistoryDay): Planned[] {
  const today = days - 1;
  const at = (hour: number, run: Planned['run']): Planned => ({ at: start + hour * HOUR_MS, run });
  const daysAgo = (count: number) => day === Math.max(1, today - count);
  const isLongAgo = day > 0 && day < today - OPEN_DAYS;
  const planned: Planned[] = [];
  if (daysAgo(1) || (isLongAgo && day % 20 === 14)) planned.push(at(11.1, async () => charge(demo, start)));
  if (daysAgo(3) || (isLongAgo && day % 20 === 9)) planned.push(at(11.2, () => lateDeposit(demo)));
  if (daysAgo(4)) planned.push(at(11.3, () => fund(demo, superAgent(demo, 3), 22_500 * SLE, null)));
  if (daysAgo(6)) planned.push(at(11.4, () => transposedDigits(demo)));
  if (daysAgo(8)) planned.push(at(11.5, async () => unknownCredit(demo, start)));
  if (daysAgo(3)) planned.push(at(13.2, async () => void (await unidentifiedCashIn(demo, 450 * SLE))));
  if (isLongAgo && day % 30 === 19) planned.push(at(13.2, () => resolvedCashIn(demo)));
  return planned;
}

function superAgent({ country }: Demo, index: number) {
  const agent = country.agents[index];
  if (!agent) throw new Error('there are too few agents');
  return agent;
}

/** Not in the books. */
function charge(demo: Demo, day: number): void {
  demo.bankBook.book(0, day, { amount: -85 * SLE, reference: null, name: null, text: CHARGE });
}

/** The bank shows it a day later, under its own reference and without the agent's name. */
function lateDeposit(demo: Demo): Promise<void> {
  const booked = { daysLater: 1, reference: 'COUNTER-7731', name: null, text: 'Cash deposit over the counter' };
  return fund(demo, superAgent(demo, 6), 14_250 * SLE, booked);
}

/** Finance typed 18,630 SLE from a slip of 18,360 SLE. */
function transposedDigits(demo: Demo): Promise<void> {
  return fund(demo, superAgent(demo, 2), 18_630 * SLE, { amount: 18_360 * SLE });
}

function unknownCredit(demo: Demo, day: number): void {
  const text = 'Cash deposit, Kissy branch, no slip number';
  demo.bankBook.book(1, day, { amount: 3_750 * SLE, reference: null, name: null, text });
}

/** A partner that cannot be identified announces a deposit; the suspense account is debited. */
async function unidentifiedCashIn(demo: Demo, amount: number): Promise<string> {
  const payee = demo.country.subscribers.find(
    ({ status, card, cardBlocked }) => status === 'active' && card !== null && !cardBlocked,
  );
  if (!payee) throw new Error('nobody has a card');
  const body = { card_serial: payee.card, amount, reference: `KIOSK-${demo.clock.now().toString(36)}` };
  const reply = await demo.client.postSigned(webhook(demo.country.cashInSecret), '/webhooks/partner/cashin', body);
  demo.tally.count('unidentified credit', reply);
  payee.balance += amount;
  return reply.json.transaction_id;
}

/** The bank reports the next hour whose it was. */
async function resolvedCashIn(demo: Demo): Promise<void> {
  const id = await unidentifiedCashIn(demo, 620 * SLE);
  const body = { partner_id: demo.country.banks[2]?.id, reason: 'The bank confirmed that the kiosk is its own' };
  await must(demo.session('finance@kissi.example').call('POST', `/admin/suspense/${id}/resolve`, body), 'suspense');
}
