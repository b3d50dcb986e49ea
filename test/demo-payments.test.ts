// The demo's payments: a customer or agent whose PIN staff have reset is left alone, so that traffic does not lock it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '@kissi/testkit/random';
import { type Demo, type DemoAgent, type Subscriber, Tally } from '../scripts/demo/country.ts';
import { incidentsOf } from '../scripts/demo/incidents.ts';
import { cashIn, floatTransfer, type Payment, transfer } from '../scripts/demo/payments.ts';
import { HOUR_MS, systemClock } from '../src/kernel/clock.ts';

/** A demo whose service answers every PIN as wrong, and the PINs it got. */
function demoWithWrongPins() {
  const pins: string[] = [];
  const client = {
    call: async (_method: string, _path: string, { body }: { body: { pin: string } }) => {
      pins.push(body.pin);
      return { status: 401, json: { success: false, code: 'INVALID_PIN', attempts_remaining: 2 } };
    },
  };
  const demo = { client, clock: systemClock, tally: new Tally(), operatorKey: () => 'key' } as unknown as Demo;
  return { demo, pins };
}

const RANDOM = seededRandom('test');
const payer = { id: 'sub_1', pin: '4711', phone: '+23276000001', balance: 1_000_000, card: null } as Subscriber;
const payee = { ...payer, id: 'sub_2', phone: '+23276000002' };
const agent = { id: 'agent_1', pin: '5822', float: 90_000_000 } as DemoAgent;

/** Sends it ten times. */
async function sendOften(payment: () => Payment | null): Promise<void> {
  for (let n = 0; n < 10; n++) await payment()?.send();
}

test('a customer whose own PIN is refused makes no further payment', async () => {
  const { demo, pins } = demoWithWrongPins();
  await sendOften(() => transfer(demo, RANDOM, payer, payee, 1_000));
  assert.equal(pins.filter((pin) => pin === payer.pin).length, 1);
  assert.equal(demo.tally.refused, pins.length);
});

test('an agent whose own PIN is refused neither pays in nor passes on float', async () => {
  const { demo, pins } = demoWithWrongPins();
  await sendOften(() => cashIn(demo, RANDOM, payee, agent, 1_000));
  await sendOften(() => floatTransfer(demo, agent, { ...agent, id: 'agent_2' }, 1_000));
  assert.deepEqual(pins, [agent.pin]);
});

test('a history goes on when somebody is chosen whose withdrawals are blocked already', async () => {
  let refused = 0;
  const call = async (_method: string, _path: string, body: { transaction_types?: string[] }) => {
    if (!body.transaction_types) return { status: 200, json: {} };
    refused += 1;
    return { status: 409, json: { success: false, code: 'ALREADY_BLOCKED' } };
  };
  const subscribers = Array.from({ length: 50 }, (_, n) => ({ ...payer, id: `sub_${n}`, status: 'active', salary: 0 }));
  const demo = { country: { subscribers }, session: () => ({ call }) } as unknown as Demo;
  const blocking = incidentsOf(demo, RANDOM, { start: 0, day: 1, days: 60 }).find(({ at }) => at === 13 * HOUR_MS);
  for (let n = 0; n < 3; n++) await blocking?.run();
  assert.ok(refused > 0);
});
