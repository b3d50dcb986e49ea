// Live traffic: a few payments a second, until the demo is stopped.

import type { Random } from '@kissi/testkit/random';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/kernel/clock.ts';
import type { Demo } from './country.ts';
import { lockPin } from './last-hour.ts';
import { isNeedy, payOffice, topUp } from './money-supply.ts';
import type { Payment } from './payments.ts';
import { dayStart, hourFactor, isSalaryDay } from './plan/calendar.ts';
import { Traffic } from './traffic.ts';

export interface LiveTraffic {
  /** Resolves when no request is in flight. */
  stop(): Promise<void>;
}

const MAX_IN_FLIGHT = 32;
/** The share of what people do that they do by USSD. */
const BY_USSD = 0.2;
/** At night there are fewer payments, but still some to watch. */
const QUIET = 0.4;

export function startLive(
  demo: Demo,
  random: Random,
  perSecond: number,
  onError: (error: unknown) => void,
): LiveTraffic {
  const traffic = new Traffic(demo, random);
  const inFlight = new Set<Promise<void>>();
  let today = dayStart(demo.clock.now());
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  traffic.beginDay(today);

  function send(payment: Payment): void {
    const sent = payment
      .send()
      .catch((error: unknown) => stopped || onError(error))
      .then(() => void inFlight.delete(sent));
    inFlight.add(sent);
  }

  function step(): void {
    if (dayStart(demo.clock.now()) !== today) {
      today += DAY_MS;
      traffic.beginDay(today);
    }
    for (const refund of traffic.refundsDue(demo.clock.now())) send(refund);
    const draw = () => (random.chance(BY_USSD) ? traffic.nextByUssd() : traffic.next());
    const payment = inFlight.size < MAX_IN_FLIGHT ? draw() : null;
    if (payment) send(payment);
    schedule();
  }

  /** Exponential gaps: payments of independent people. */
  function schedule(): void {
    if (stopped || perSecond === 0) return;
    const rate = perSecond * Math.max(QUIET, hourFactor(demo.clock.now()));
    timer = setTimeout(step, (-Math.log(1 - random.next()) * SECOND_MS) / rate);
  }

  const chores = perSecond > 0 ? setInterval(() => runChores(demo, random, send), MINUTE_MS) : undefined;
  schedule();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      clearInterval(chores);
      await Promise.all(inFlight);
    },
  };
}

/** Every minute: floats for some of the agents that run low, now and then a locked PIN, salaries at 9:00. */
function runChores(demo: Demo, random: Random, send: (payment: Payment) => void): void {
  const { agents, subscribers } = demo.country;
  const now = demo.clock.now();
  const needy = agents.find((agent) => isNeedy(agent) && random.chance(0.2));
  if (needy) send(topUp(demo, needy));
  const payday = payOffice(demo, random, dayStart(now), { isFirst: false, isPayday: isSalaryDay(now) });
  for (const planned of payday.filter(({ at }) => at <= now && now < at + MINUTE_MS)) {
    for (const payment of planned.run() as Payment[]) send(payment);
  }
  const forgetful = random.chance(0.1) ? random.pick(subscribers) : null;
  if (forgetful?.status === 'active') send({ parties: [forgetful], send: () => lockPin(demo, forgetful) });
}
