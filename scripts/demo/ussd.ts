// What people do by USSD on their own phones: balances, transfers, cash-out codes that an agent pays out, and requests to pay.
import type { Random } from '@kissi/testkit/random';
import { askFor } from './asking.ts';
import type { Demo, DemoAgent, DemoMerchant, Subscriber } from './country.ts';
import { SLE } from './money.ts';
import type { Payment } from './payments.ts';

export const USSD_SERVICE_CODE = '*715#';

interface UssdPage {
  text: string;
  ends: boolean;
}

let sessions = 0;
/** Amounts people choose, in leones: multiples of 5. */
const chooseAmount = (random: Random, median: number) => Math.max(5, Math.round(random.around(median, 0.7) / 5) * 5);
const isAffordable = ({ balance }: Subscriber, leones: number) => balance > leones * SLE * 1.1;

/** Dials, and answers each page. Whoever gets an unexpected page hangs up at the end. */
async function dial(demo: Demo, phone: string, dialled: string, answers: readonly string[]): Promise<UssdPage[]> {
  const session = `demo-${demo.clock.now().toString(36)}-${++sessions}`;
  const pages: UssdPage[] = [];
  for (const input of [dialled, ...answers]) {
    if (pages.at(-1)?.ends) break;
    const step = { session_id: session, phone_number: phone, service_code: USSD_SERVICE_CODE };
    const body = { ...step, sequence: pages.length, input };
    const { status, json } = await demo.client.postSigned(NO_SIGNATURE, `/ussd/json/${demo.ussdSecret}`, body);
    if (status !== 200) throw new Error(`USSD: ${status} ${JSON.stringify(json)}`);
    pages.push(json);
  }
  return pages;
}

/** The secret in the path is the credential. */
const NO_SIGNATURE = () => ({});

const feeOn = ({ text }: UssdPage) =>
  Math.round(Number(text.match(/SLE [\d,.]*\d/g)?.[1]?.replace(/[^\d.]/g, '') ?? 0) * SLE);
const isPaid = (page: UssdPage | undefined) => page?.ends === true && page.text.includes('txn_');

/** The last page is the outcome. A holder whose own PIN is refused is left alone from then on. */
function outcome(
  demo: Demo,
  kind: string,
  holder: Subscriber | DemoAgent,
  page: UssdPage | undefined,
  isDone: boolean,
) {
  demo.tally.count(kind, isDone ? { status: 200, json: null } : { status: 400, json: { code: 'USSD' } });
  if (isPinWrong(page)) holder.pinRefused = true;
  return isDone;
}

const isPinWrong = (page: UssdPage | undefined) => /wrong PIN|PIN no rait/i.test(page?.text ?? '');

export function balanceByUssd(demo: Demo, payer: Subscriber): Payment {
  return {
    parties: [payer],
    async send() {
      const page = (await dial(demo, payer.phone, '4*1', [payer.pin])).at(-1);
      if (isPinWrong(page)) payer.pinRefused = true;
    },
  };
}

export function transferByUssd(demo: Demo, random: Random, payer: Subscriber, payee: Subscriber): Payment | null {
  const leones = chooseAmount(random, 80);
  if (payer === payee || !isAffordable(payer, leones)) return null;
  return {
    parties: [payer, payee],
    async send() {
      const pages = await dial(demo, payer.phone, '', ['1', payee.phone, `${leones}`, payer.pin]);
      const [confirm, done] = pages.slice(-2);
      if (!outcome(demo, 'transfer by USSD', payer, done, isPaid(done)) || !confirm) return;
      payer.balance -= leones * SLE + feeOn(confirm);
      payee.balance += leones * SLE;
    },
  };
}

/** The customer tells the agent the code; the agent types it on their own phone. */
export function cashOutByCode(demo: Demo, random: Random, payer: Subscriber, agent: DemoAgent): Payment | null {
  const leones = chooseAmount(random, 150);
  if (agent.pinRefused || agent.suspended || !isAffordable(payer, leones)) return null;
  return {
    parties: [payer, agent],
    async send() {
      const [confirm, shown] = (await dial(demo, payer.phone, '', ['2', `${leones}`, payer.pin])).slice(-2);
      const code = shown?.ends ? /\b\d{8}\b/.exec(shown.text)?.[0] : undefined;
      if (!outcome(demo, 'cash-out code', payer, shown, code !== undefined) || !confirm || !code) return;
      const paid = (await dial(demo, agent.phone, '', ['2', payer.phone, code, agent.pin])).at(-1);
      payer.balance -= leones * SLE + feeOn(confirm);
      if (outcome(demo, 'cash-out by code', agent, paid, isPaid(paid))) agent.float += leones * SLE;
    },
  };
}

/** A shop asks, and the customer dials what the message says. */
export function requestByUssd(demo: Demo, random: Random, payer: Subscriber, merchant: DemoMerchant): Payment | null {
  const leones = chooseAmount(random, 120);
  if (!isAffordable(payer, leones)) return null;
  return {
    parties: [payer],
    async send() {
      const { code } = await askFor(demo, random, merchant, {
        amount: leones * SLE,
        payer_phone: payer.phone,
        description: "Today's bill",
      });
      const page = (await dial(demo, payer.phone, `0*${code}`, [payer.pin])).at(-1);
      if (outcome(demo, 'request by USSD', payer, page, isPaid(page))) payer.balance -= leones * SLE;
    },
  };
}

/** From then on, menus and messages are in Krio. */
export async function chooseKrio(demo: Demo, { phone }: Subscriber): Promise<void> {
  const page = (await dial(demo, phone, '', ['4', '5', '2'])).at(-1);
  if (!page?.text.includes('Sen moni')) throw new Error(`no menu in Krio: ${page?.text}`);
}
