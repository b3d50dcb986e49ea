// What it costs a gateway to record refused payments, as a part of what it costs to refuse them. CPU time of the thread, so that load
// on the machine does not count.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRefusalRecorder, createRefusals } from '../../src/features/refusals/service.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { Metrics } from '../../src/kernel/metrics.ts';
import { refuse } from '../../src/kernel/refusal.ts';
import type { MovementType } from '../../src/ledger/movement-types.ts';
import { bankForFile, PIN } from '../support/money.ts';

const { kissi, bank } = await bankForFile();
const from = await bank.wallet(100);
const to = await bank.wallet();

const REFUSALS = 500;
const ATTEMPTS = 5;
/** Measured: about one in a hundred. */
const LARGEST_PART = 1 / 10;

/** In microseconds for one of `REFUSALS`; the least of several attempts, to exclude compilation. */
async function cpuEach(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const start = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(start);
    times.push((user + system) / REFUSALS);
  }
  return Math.min(...times);
}

async function refused(): Promise<void> {
  const payload = JSON.stringify({ sender_id: from.id, recipient_id: to.id, amount: 5_000, pin: PIN });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${bank.key}` };
  for (let n = 0; n < REFUSALS; n++) {
    const reply = await kissi.gateway.app.inject({ method: 'POST', url: '/api/v1/wallet/transfer', payload, headers });
    assert.equal(reply.statusCode, 402, reply.body);
  }
}

test('to record a refused payment and write it is a small part of refusing it, sampled or not', async (t) => {
  const recorder = createRefusalRecorder(kissi.clock, new Metrics());
  const { database } = kissi.db;
  const { services } = kissi.gateway;
  const refusals = createRefusals({
    ...services,
    ...services.protection,
    database,
    refusalRecorder: recorder,
    clock: kissi.clock,
  } as never);
  const payment = { about: [from.id], caller: { kind: 'key', id: 'key_1' }, amount: 5_000 } as const;
  const record = (type: (n: number) => string) => async () => {
    for (let n = 0; n < REFUSALS; n++) {
      recorder.note({ ...payment, type: type(n) as MovementType, refusal: refuse('INSUFFICIENT_BALANCE', 'No.') });
    }
    await refusals.flush();
    kissi.clock.advance(MINUTE_MS);
  };
  const refusing = await cpuEach(refused);
  const costs = {
    'all alike, sampled': await cpuEach(record(() => 'transfer_p2p')),
    'all different, each written': await cpuEach(record((n) => `transfer ${n}`)),
  };
  for (const [what, cost] of Object.entries(costs)) {
    t.diagnostic(`${what}: ${cost.toFixed(1)} of ${refusing.toFixed(0)} µs`);
    assert.ok(cost < refusing * LARGEST_PART, `${what}: ${cost} of ${refusing} µs`);
  }
});
