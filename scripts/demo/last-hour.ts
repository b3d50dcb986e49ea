// The last minutes of the history: what staff finds when the demo begins, such as PIN locks that are still active.
import { requestApprovals } from './approvals.ts';
import { type Demo, SLE, type Subscriber } from './country.ts';
import { raiseAlert } from './incidents.ts';
import type { Random } from './plan/random.ts';

const WRONG_PIN = '0000';
const LOCKED = 4;

export async function endHistory(demo: Demo, random: Random): Promise<void> {
  await lockPins(demo, random);
  await raiseAlert(demo, random);
  await requestApprovals(demo);
}

async function lockPins(demo: Demo, random: Random): Promise<void> {
  const candidates = demo.country.subscribers.filter(
    ({ status, balance }) => status === 'active' && balance > 20 * SLE,
  );
  for (let n = 0; n < LOCKED && candidates.length > 0; n++) await lockPin(demo, random.pick(candidates));
}

/** Three wrong PINs lock the account for 30 minutes. */
export async function lockPin(demo: Demo, subscriber: Subscriber): Promise<void> {
  const token = demo.operatorKey();
  for (let attempt = 0; attempt < 3; attempt++) {
    const body = { pin: WRONG_PIN };
    const reply = await demo.client.call('POST', `/wallet/balance/${subscriber.id}`, { token, body });
    demo.tally.count('balance', reply);
  }
  subscriber.status = 'locked';
}
