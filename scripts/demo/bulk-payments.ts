// Bulk payments of a merchant, a bank and the treasury: some in each state, and codes for numbers without a wallet.

import type { Random } from '@kissi/testkit/random';
import { DAY_MS, HOUR_MS, iso } from '../../src/kernel/clock.ts';
import { collect, merchantLogins } from './collecting.ts';
import type { Demo, Subscriber } from './country.ts';
import type { HistoryDay } from './incidents.ts';
import { SLE } from './money.ts';
import type { Planned } from './payments.ts';
import { type Json, must, type Session } from './runtime/client.ts';
import { messageTo } from './runtime/phone.ts';

/** A shorter history has none. */
const LEAST_DAYS = 8;
const WITHOUT_WALLET = ['+23299000101', '+23299000102', '+23299000103'];
const PAID_CODES = 1;

interface Row {
  reference: string;
  phone: string;
  name: string;
  /** Minor units. */
  amount: number;
  description: string;
}

type Payer = { processor_id: string } | { partner_id: string } | { treasury: 'true' };

const finance = (demo: Demo) => demo.session('finance@kissi.example');
const secondFinance = (demo: Demo) => demo.session('finance2@kissi.example');

export function bulkPaymentsOf(demo: Demo, random: Random, { start, day, days }: HistoryDay): Planned[] {
  const at = (hour: number, run: () => Promise<void>): Planned => ({ at: start + hour * HOUR_MS, run });
  if (days < LEAST_DAYS) return [];
  if (day === days - 6) return [at(10.4, () => payWages(demo, random))];
  if (day === days - 4) return [at(10.4, () => sendCodes(demo, random)), at(15.4, () => redeemCodes(demo))];
  if (day === days - 3) return [at(11.4, () => payGrants(demo, random))];
  if (day === days - 2) return [at(12.4, () => stopOne(demo, random)), at(13.4, () => cancelOne(demo, random))];
  return [];
}

/** At the end of the history: some wait for a second person, and one starts tomorrow. */
export async function leaveBulkPayments(demo: Demo, random: Random): Promise<void> {
  const { maker, processor_id } = merchantLogins(demo);
  const [bank, other] = demo.country.banks;
  if (!bank || !other) return;
  const wages = withFaults(rowsFor(demo, random, { count: 24, prefix: 'WAGES-B', amount: 12 * SLE, text: 'Wages' }));
  await check(demo, maker, { processor_id }, 'Wages, second half', wages);
  const teachers = rowsFor(demo, random, { count: 40, prefix: 'TEACH', amount: 150 * SLE, text: 'Teaching allowance' });
  await check(demo, finance(demo), { partner_id: bank.id }, "Teachers' allowances", withFaults(teachers));
  const refunds = rowsFor(demo, random, { count: 12, prefix: 'FEES', amount: 5 * SLE, text: 'Fee returned' });
  await check(demo, finance(demo), { treasury: 'true' }, 'Fees of the outage, returned', refunds);
  const grants = rowsFor(demo, random, { count: 30, prefix: 'GRANT-B', amount: 100 * SLE, text: 'Cash grant' });
  const later = await check(demo, finance(demo), { partner_id: other.id }, 'Cash grants, next week', grants);
  await approve(secondFinance(demo), later, { starts_at: iso(demo.clock.now() + 7 * DAY_MS) });
}

/** One recipient is blocked between the check and the payment, and paid by a retry. */
async function payWages(demo: Demo, random: Random): Promise<void> {
  const { maker, checker, processor_id } = merchantLogins(demo);
  await collect(demo, random);
  const rows = rowsFor(demo, random, { count: 20, prefix: 'WAGES-A', amount: 15 * SLE, text: 'Wages' });
  const checked = await check(demo, maker, { processor_id }, 'Wages, first half', withFaults(rows));
  const support = demo.session('support@kissi.example');
  const late = demo.country.subscribers.find(({ phone }) => phone === rows[3]?.phone);
  const reason = { reason: 'Phone reported as stolen' };
  await must(support.call('POST', `/subscribers/${late?.id}/block`, reason), 'block');
  const paid = await pay(demo, checker, checked);
  const compliance = demo.session('compliance@kissi.example');
  await must(compliance.call('POST', `/subscribers/${late?.id}/unblock`), 'unblock');
  const retried = await must(maker.call('POST', `/bulk-payments/${paid.id}/retry-failed`), 'retry');
  await pay(demo, checker, await whenChecked(demo, maker, retried.bulk_payment.id));
}

async function sendCodes(demo: Demo, random: Random): Promise<void> {
  const { maker, checker, processor_id } = merchantLogins(demo);
  const rows = rowsFor(demo, random, { count: 9, prefix: 'HELP', amount: 10 * SLE, text: 'Help after the flood' });
  const names = ['Kadiatu Conteh', 'Momoh Fofanah', 'Sia Komba'];
  WITHOUT_WALLET.forEach((phone, n) => {
    rows.push({ reference: `HELP-N${n}`, phone, name: names[n] ?? '', amount: 20 * SLE, description: 'Help' });
  });
  const query = { processor_id, unclaimed: 'code' };
  await pay(demo, checker, await check(demo, maker, query, 'Help after the flood', rows));
}

/** The others are still waiting when the demo begins. */
async function redeemCodes(demo: Demo): Promise<void> {
  const agent = demo.country.agents.find(({ suspended, pinRefused }) => !suspended && !pinRefused);
  for (const phone_number of WITHOUT_WALLET.slice(0, PAID_CODES)) {
    const code = await messageTo(demo, phone_number, /\b\d{8}\b/);
    const identity_document = { type: 'voter_id', number: 'SL-40081733', full_name: 'Kadiatu Conteh' };
    const body = { code, phone_number, pin: agent?.pin, agent_id: agent?.id, identity_document };
    const request = { ...body, request_id: `demo-code-${phone_number}` };
    const token = demo.operatorKey();
    const reply = await demo.client.call('POST', '/agents/cashout-code', { token, body: request });
    const paid = await must(Promise.resolve(reply), 'redeemed code');
    demo.tally.count('code without a wallet', reply);
    if (agent) agent.float += paid.amount;
  }
  await demo.runTask('follow codes of bulk payments');
}

async function payGrants(demo: Demo, random: Random): Promise<void> {
  const bank = demo.country.banks[0];
  if (!bank) return;
  const rows = rowsFor(demo, random, { count: 25, prefix: 'GRANT-A', amount: 80 * SLE, text: 'Cash grant' });
  const checked = await check(demo, finance(demo), { partner_id: bank.id }, 'Cash grants, Bo', withFaults(rows));
  await pay(demo, secondFinance(demo), checked);
}

/** Before its start. */
async function stopOne(demo: Demo, random: Random): Promise<void> {
  const { maker, checker, processor_id } = merchantLogins(demo);
  const rows = rowsFor(demo, random, { count: 8, prefix: 'SUPPLY', amount: 10 * SLE, text: 'Deliveries' });
  const checked = await check(demo, maker, { processor_id }, 'Suppliers', rows);
  await approve(checker, checked, { starts_at: iso(demo.clock.now() + DAY_MS) });
  await must(maker.call('POST', `/bulk-payments/${checked.id}/stop`), 'stop');
  await ended(demo, maker, checked.id);
}

async function cancelOne(demo: Demo, random: Random): Promise<void> {
  const { maker, processor_id } = merchantLogins(demo);
  const rows = rowsFor(demo, random, { count: 6, prefix: 'BONUS', amount: 30 * SLE, text: 'Bonus' });
  const checked = await check(demo, maker, { processor_id }, 'Bonus (wrong amounts)', rows);
  await must(maker.call('POST', `/bulk-payments/${checked.id}/cancel`), 'cancellation');
  await ended(demo, maker, checked.id);
}

interface Planning {
  count: number;
  prefix: string;
  amount: number;
  text: string;
}

/** `amount` is the least. */
function rowsFor({ country }: Demo, random: Random, { count, prefix, amount, text }: Planning): Row[] {
  const suits = ({ status, salary }: Subscriber) => status === 'active' && salary === 0;
  const people = random.shuffled(country.subscribers.filter(suits)).slice(0, count);
  return people.map(({ phone, name }, n) => ({
    reference: `${prefix}-${String(n + 1).padStart(3, '0')}`,
    ...{ phone, name, amount: amount * (1 + (n % 3) / 2), description: text },
  }));
}

/** As files are: a mistyped number, a number without a wallet, and the name of somebody else. */
function withFaults(rows: Row[]): Row[] {
  const [first, second, third, ...others] = rows;
  if (!first || !second || !third) return rows;
  const mistyped = { ...first, phone: first.phone.slice(0, -2) };
  return [mistyped, { ...second, phone: '+23299000199' }, { ...third, name: 'Fatmata Somebody' }, ...others];
}

async function check(demo: Demo, maker: Session, payer: Payer, name: string, rows: readonly Row[]): Promise<Json> {
  const lines = rows.map(({ reference, phone, name: holder, amount, description }) =>
    [reference, phone, holder, (amount / SLE).toFixed(2), description].join(','),
  );
  const text = `${['reference,phone_number,name,amount,description', ...lines].join('\n')}\n`;
  const path = `/bulk-payments?${new URLSearchParams({ ...payer, name })}`;
  const { bulk_payment } = await must(maker.upload(path, { mediaType: 'text/csv', text }), `upload of ${name}`);
  return whenChecked(demo, maker, bulk_payment.id);
}

const whenChecked = (demo: Demo, session: Session, id: string) =>
  following(demo, session, { id, task: 'check bulk payments', isDone: ({ status }) => status !== 'checking' });

const ended = (demo: Demo, session: Session, id: string) =>
  following(demo, session, { id, task: 'pay bulk payments', isDone: ({ ended_at }) => ended_at !== null });

async function approve(checker: Session, { id, file_sha256 }: Json, extra = {}): Promise<void> {
  const body = { file_sha256, mode: 'continue', ...extra };
  await must(checker.call('POST', `/bulk-payments/${id}/approve`, body), 'approval of a bulk payment');
}

async function pay(demo: Demo, checker: Session, checked: Json): Promise<Json> {
  await approve(checker, checked);
  return ended(demo, checker, checked.id);
}

interface Following {
  id: string;
  task: string;
  isDone: (payment: Json) => boolean;
}

/** The clock stands still until then: nothing of it may happen at a later time. */
async function following(demo: Demo, session: Session, { id, task, isDone }: Following): Promise<Json> {
  for (let attempt = 0; attempt < 200; attempt++) {
    await demo.runTask(task);
    const { bulk_payment } = await must(session.call('GET', `/bulk-payments/${id}`), 'bulk payment');
    if (isDone(bulk_payment)) return bulk_payment;
  }
  throw new Error(`the bulk payment ${id} did not go on`);
}
