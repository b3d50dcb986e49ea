// A real process whose commits are cut, or which is killed with credits under way: what it acknowledged is there once and told, nonces stay used.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { waitFor } from '../support/wait.ts';
import { examine } from './examine.ts';
import { mended } from './faults.ts';
import { careless, creditBy, type Payment } from './payments.ts';
import type { Cut } from './proxy.ts';
import { inbound } from './signing.ts';
import { takeSnapshot } from './snapshot.ts';
import { makeWorld, Stage, type World } from './world.ts';

const stage = new Stage();
let world: World;
before(async () => {
  world = await makeWorld(stage, { seed: 1, smallDiskMb: null, gateways: 1 });
});
after(() => stage.end());

const gateway = () => world.gateways[0] as World['gateways'][number];

async function credit(nonce: string, reference: string): Promise<{ status: number; code: string }> {
  const [bank, wallet] = [world.people.partners[0], world.people.wallets[0]];
  assert.ok(bank && wallet);
  const path = '/api/v1/inbound/credit';
  const body = JSON.stringify({ reference, amount: 100, msisdn: wallet.phone });
  const headers = { 'content-type': 'application/json', ...inbound(bank.key, reference, nonce)(path, body) };
  const response = await fetch(gateway().url + path, { method: 'POST', headers, body });
  return { status: response.status, code: ((await response.json()) as { code: string }).code };
}

async function killAndStart(): Promise<void> {
  await gateway().kill();
  await mended(world);
}

test('PostgreSQL as the service brings it up waits for the disk, which no kill of a process can prove', async () => {
  const client = new pg.Client({ connectionString: world.database.url() });
  await client.connect();
  try {
    for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
      assert.equal((await client.query(`show ${setting}`)).rows[0][setting], 'on', setting);
    }
  } finally {
    await client.end();
  }
});

/** Of somebody who can afford it, and not so much that compliance looks at it. */
function withoutRequestId(): Payment {
  const rich = new Set(world.people.wallets.filter((_, n) => n % 2 === 0).map(({ id }) => id));
  for (;;) {
    const payment = careless(world.load.drawing);
    if (payment && rich.has(String(payment.body.sender_id)) && payment.effect.amount < 3_000) return payment;
  }
}

describe('a payment without a request id, which nobody can ask about again', () => {
  const cuts: Cut[] = [{ how: 'lost' }, { how: 'unheard' }, { how: 'late', afterMs: 300 }];
  for (const cut of cuts) {
    test(`whose COMMIT is ${cut.how} takes place once, and is answered at once`, async () => {
      const wasCut = world.proxy.cutNext(cut, { money: true, withinMs: 5_000 });
      const payment = withoutRequestId();
      const entry = await world.load.carryOut(payment);
      assert.equal(await wasCut, true);
      assert.deepEqual([entry.state, entry.attempts], ['acknowledged', 1]);
      const { movements } = await takeSnapshot(world.database.url());
      assert.equal(movements.filter(({ narration }) => narration === payment.id).length, 1);
    });
  }
});

describe('kill -9 of the service', () => {
  test('a nonce that was used before it is refused after it, for the same credit and for another', async () => {
    const nonce = randomUUID();
    const { load, people, book } = world;
    const [bank, wallet] = [people.partners[0], people.wallets[0]];
    assert.ok(bank && wallet);
    const payment = creditBy(bank, 100, wallet, 'nonce-1');
    await load.carryOut({ ...payment, sign: inbound(bank.key, 'op-nonce-1', nonce) });
    assert.equal(book.entries.at(-1)?.state, 'acknowledged');
    await killAndStart();
    assert.deepEqual(await credit(nonce, 'nonce-1'), { status: 409, code: 'REPLAYED_REQUEST' });
    assert.deepEqual(await credit(nonce, 'nonce-2'), { status: 409, code: 'REPLAYED_REQUEST' });
    const { inbound: records } = await takeSnapshot(world.database.url());
    assert.deepEqual(
      records.map(({ reference }) => reference),
      ['nonce-1'],
    );
  });

  test('with inbound credits under way, twice: all that were acknowledged are there once, with their events', async () => {
    const { load, people, book, random } = world;
    let stop = false;
    let sent = 0;
    const bank = async () => {
      while (!stop) {
        const partner = random.pick(people.partners);
        const payment = creditBy(partner, random.between(1, 900), random.pick(people.wallets), `kill-${++sent}`);
        await load.carryOut(payment);
      }
    };
    const banks = Array.from({ length: 12 }, bank);
    for (let round = 0; round < 2; round++) {
      const before = load.acknowledged;
      await waitFor('credits are acknowledged', async () => load.acknowledged > before + 60);
      await killAndStart();
    }
    stop = true;
    await Promise.all(banks);
    await load.settle();
    assert.ok(load.unanswered > 0, 'the kills came in the middle');
    const known = async () => {
      const { events } = await takeSnapshot(world.database.url());
      return events.filter(({ status }) => status === 'delivered').length;
    };
    await waitFor('most events are delivered', async () => (await known()) > sent / 2);
    assert.deepEqual(await examine(world), []);
    assert.ok(book.received.length >= (await known()));
  });
});
