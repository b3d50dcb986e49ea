// A gateway is killed, or its COMMIT is lost or delayed: acknowledged payments exist once with their events, and used
// nonces stay used.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { credit as inboundCredit, type Payment } from '@kissi/testkit/payments';
import { transferWithoutId } from '@kissi/testkit/random-payments';
import { inbound } from '@kissi/testkit/signing';
import pg from 'pg';
import { waitFor } from '../support/wait.ts';
import { Cleanup, createEnvironment, type Environment } from './environment.ts';
import { recover } from './faults.ts';
import { runFinalChecks } from './final-checks.ts';
import type { Cut } from './proxy.ts';
import { takeSnapshot } from './snapshot.ts';

const cleanup = new Cleanup();
let environment: Environment;
before(async () => {
  environment = await createEnvironment(cleanup, { seed: 1, smallDiskMb: null, gateways: 1 });
});
after(() => cleanup.end());

const gateway = () => environment.gateways[0] as Environment['gateways'][number];

async function credit(nonce: string, reference: string): Promise<{ status: number; code: string }> {
  const [bank, wallet] = [environment.parties.partners[0], environment.parties.wallets[0]];
  assert.ok(bank && wallet);
  const path = '/api/v1/inbound/credit';
  const body = JSON.stringify({ reference, amount: 100, msisdn: wallet.phone });
  const headers = { 'content-type': 'application/json', ...inbound(bank.key, reference, nonce)(path, body) };
  const response = await fetch(gateway().url + path, { method: 'POST', headers, body });
  return { status: response.status, code: ((await response.json()) as { code: string }).code };
}

async function killAndRestart(): Promise<void> {
  await gateway().kill();
  await recover(environment);
}

test('the embedded PostgreSQL has fsync, synchronous_commit and full_page_writes on', async () => {
  const client = new pg.Client({ connectionString: environment.database.url() });
  await client.connect();
  try {
    for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
      assert.equal((await client.query(`show ${setting}`)).rows[0][setting], 'on', setting);
    }
  } finally {
    await client.end();
  }
});

/** A transfer without a request id that the sender can afford and that no compliance rule flags. */
function affordableTransfer(): Payment {
  // The environment gives every second wallet a high balance.
  const rich = new Set(environment.parties.wallets.filter((_, n) => n % 2 === 0).map(({ id }) => id));
  for (;;) {
    const payment = transferWithoutId(environment.load.drawContext);
    if (rich.has(String(payment.body.sender_id)) && payment.effect.amount < 3_000) return payment;
  }
}

describe('a payment without a request id, which cannot be retried', () => {
  const cuts: Cut[] = [{ how: 'lost' }, { how: 'unacknowledged' }, { how: 'delayed', afterMs: 300 }];
  for (const cut of cuts) {
    test(`whose COMMIT is ${cut.how} is posted once and acknowledged at the first attempt`, async () => {
      const wasCut = environment.proxy.cutNext(cut, { ledgerOnly: true, withinMs: 5_000 });
      const payment = affordableTransfer();
      const entry = await environment.load.execute(payment);
      assert.equal(await wasCut, true);
      assert.deepEqual([entry.state, entry.attempts], ['acknowledged', 1]);
      const { movements } = await takeSnapshot(environment.database.url());
      assert.equal(movements.filter(({ narration }) => narration === payment.id).length, 1);
    });
  }
});

describe('kill -9 of the gateway', () => {
  test('a nonce used before the restart is refused after it, for the same credit and for another', async () => {
    const nonce = randomUUID();
    const { load, parties, journal } = environment;
    const [bank, wallet] = [parties.partners[0], parties.wallets[0]];
    assert.ok(bank && wallet);
    const payment = inboundCredit(bank, 100, wallet, 'nonce-1');
    await load.execute({ ...payment, sign: inbound(bank.key, 'op-nonce-1', nonce) });
    assert.equal(journal.entries.at(-1)?.state, 'acknowledged');
    await killAndRestart();
    assert.deepEqual(await credit(nonce, 'nonce-1'), { status: 409, code: 'REPLAYED_REQUEST' });
    assert.deepEqual(await credit(nonce, 'nonce-2'), { status: 409, code: 'REPLAYED_REQUEST' });
    const { inbound: records } = await takeSnapshot(environment.database.url());
    assert.deepEqual(
      records.map(({ reference }) => reference),
      ['nonce-1'],
    );
  });

  test('two kills during inbound credits: each acknowledged credit exists once, with its event', async () => {
    const { load, parties, journal, random } = environment;
    let stop = false;
    let sent = 0;
    const sendCredits = async () => {
      while (!stop) {
        const partner = random.pick(parties.partners);
        const payment = inboundCredit(partner, random.int(1, 900), random.pick(parties.wallets), `kill-${++sent}`);
        await load.execute(payment);
      }
    };
    const clients = Array.from({ length: 12 }, sendCredits);
    for (let round = 0; round < 2; round++) {
      const before = load.acknowledged;
      await waitFor('credits are acknowledged', async () => load.acknowledged > before + 60);
      await killAndRestart();
    }
    stop = true;
    await Promise.all(clients);
    await load.settle();
    assert.ok(load.unanswered > 0, 'the kills interrupted requests');
    const countDelivered = async () => {
      const { events } = await takeSnapshot(environment.database.url());
      return events.filter(({ status }) => status === 'delivered').length;
    };
    await waitFor('most events are delivered', async () => (await countDelivered()) > sent / 2);
    assert.deepEqual(await runFinalChecks(environment), []);
    assert.ok(journal.received.length >= (await countDelivered()));
  });
});
