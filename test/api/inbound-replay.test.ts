// One reference, one outcome: retries, conflicts, races on one gateway and on two, and answers lost after the commit.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { changeAccount } from '../../src/ledger/accounts.ts';
import { faultyPool } from '../ledger/faulty.ts';
import type { TestDatabase } from '../support/database.ts';
import { type CallReply, type TestGateway, testGateway } from '../support/gateway.ts';
import {
  assertRejected,
  inboundRows,
  newReference,
  type TestBank,
  testBank,
  webhookEvents,
} from '../support/inbound.ts';
import { assertLedgerConsistent, type Bank, createBank, MAX_BALANCE, movementCount } from '../support/money.ts';
import { apiKey } from '../support/staff.ts';
import { waitFor } from '../support/wait.ts';

const NOBODY = '+23299999999';

let kissi: TestGateway;
let other: TestGateway;
let house: Bank;
let bank: TestBank;
before(async () => {
  const env = { WEBHOOK_ALLOW_PRIVATE: 'true' };
  kissi = await testGateway({ env });
  other = await testGateway({ env, db: kissi.db, clock: kissi.clock });
  house = await createBank(kissi);
  bank = await testBank(kissi, { webhook_url: 'http://127.0.0.1:1/hooks' });
});
after(async () => {
  await assertLedgerConsistent(kissi);
  await other.close();
  await kissi.close();
});

const asAdmin = async (path: string, body: object = {}) =>
  kissi.call('POST', `/api/v1${path}`, { body, token: await kissi.adminToken() });

function assertReplayed(again: CallReply, first: CallReply): void {
  assert.equal(again.text, first.text);
  assert.equal(again.status, first.status);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal(first.headers.get('idempotent-replayed'), null);
}

function assertConflict(reply: CallReply, reference: string): void {
  assert.deepEqual([reply.status, reply.json.code], [409, 'REFERENCE_CONFLICT'], reply.text);
  assert.deepEqual(reply.json.data, { reference, status: 'REJECTED', failure_code: 'REFERENCE_CONFLICT' });
}

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
const gateway = (index: number) => ({ gateway: index % 2 ? kissi : other });

/** A gateway on the same database whose ledger meets the hook at every statement. */
async function gatewayWith(hook: Parameters<typeof faultyPool>[1]): Promise<TestGateway> {
  const faulty = faultyPool(kissi.db.database.ledgerPool, hook);
  const db: TestDatabase = { ...kissi.db, database: { ...kissi.db.database, ledgerPool: faulty.pool } };
  return testGateway({ db, clock: kissi.clock });
}

/** One answer for all, one of them fresh; one record and one event. */
async function assertOneOutcome(replies: CallReply[], reference: string): Promise<void> {
  assert.equal(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size, 1, replies.at(-1)?.text);
  assert.equal(replies.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1);
  assert.equal((await inboundRows(kissi, reference)).length, 1);
  assert.equal((await webhookEvents(kissi, reference)).length, 1);
}

describe('the same reference with the same details', () => {
  test('never credits twice, whenever it comes, with whichever idempotency key, key or gateway', async () => {
    const { id, phone } = await house.wallet();
    const body = { reference: newReference(), amount: 100, msisdn: phone, narration: 'Rent' };
    const first = await bank.credit(body);
    assert.equal(first.status, 200, first.text);
    const second = await apiKey(kissi, ['inbound:write'], { partner_id: bank.partnerId });
    assertReplayed(await bank.credit(body, { idempotencyKey: 'another' }), first);
    assertReplayed(await bank.credit(body, { key: second }), first);
    assertReplayed(await bank.credit(body, { gateway: other }), first);
    kissi.clock.advance(DAY_MS);
    assertReplayed(await bank.credit(body), first);
    assert.deepEqual([await house.balance(id), await movementCount(kissi, id)], [100, 1]);
    assert.equal((await webhookEvents(kissi, body.reference)).length, 1);
  });

  test('is the same whichever way its card is written', async () => {
    const wallet = await house.wallet();
    const serial = await house.card(wallet);
    const body = { reference: newReference(), amount: 100, card_serial: serial };
    const first = await bank.credit(body);
    assert.equal(first.status, 200, first.text);
    assertReplayed(await bank.credit({ ...body, card_serial: serial.toLowerCase() }), first);
    assert.equal(await house.balance(wallet.id), 100);
  });

  test('is another one where its metadata differs in what parsing would lose', async () => {
    const { phone } = await house.wallet();
    const pairs = [
      ['{"x":{"a":1}}', '{"x":[["a",1]]}'],
      ['{"x":{}}', '{"x":[]}'],
      ['{"n":12345678901234567890}', '{"n":12345678901234567891}'],
      ['{"n":1e400}', '{"n":null}'],
      ['{"n":1}', '{"n":"1"}'],
    ];
    for (const [one, other] of pairs) {
      const reference = newReference();
      const raw = (metadata: string | undefined) =>
        `{"reference":"${reference}","amount":100,"msisdn":"${phone}","metadata":${metadata}}`;
      const first = await bank.credit(null, { raw: raw(one) });
      assert.equal(first.json.code, 'COMPLETED', first.text);
      assertReplayed(await bank.credit(null, { raw: raw(one) }), first);
      assert.equal((await bank.credit(null, { raw: raw(other) })).json.code, 'REFERENCE_CONFLICT', other);
    }
  });

  test('is the same however it is written down', async () => {
    const { id, phone } = await house.wallet();
    const reference = newReference();
    const metadata = { b: [{ y: 1, x: 2 }], a: null };
    const body = {
      reference,
      amount: 100,
      msisdn: phone,
      narration: 'Rent',
      payer: { name: 'A', bank_code: 'B' },
      metadata,
    };
    const first = await bank.credit(body);
    const same = [
      { ...body, amount: '100' },
      { ...body, amount: '0100' },
      { ...body, currency: 'SLE' },
      { ...body, narration: ' Rent ' },
      { ...body, metadata: { a: null, b: [{ x: 2, y: 1 }] } },
      { ...body, payer: { bank_code: 'B', name: 'A', unknown: 'field' }, further: 'field' },
    ];
    for (const retry of same) assertReplayed(await bank.credit(retry), first);
    const raw = `\n{ "metadata" : {"a":null,"b":[{"x":2,"y":1}]},\t"payer":{"bank_code":"B","name":"A"},
      "narration":"Re\\u006et","msisdn":"${phone}", "amount":100 , "reference":"${reference}"}\n`;
    assertReplayed(await bank.credit(null, { raw }), first);
    assert.equal(await house.balance(id), 100);
  });

  test('is answered as at first though the beneficiary is blocked, the limit used up, the range moved', async () => {
    const { id, phone } = await house.wallet();
    const small = await testBank(kissi, { outstanding_limit: 100 });
    const body = { reference: newReference(), amount: 100, msisdn: phone };
    const first = await small.credit(body);
    await asAdmin(`/subscribers/${id}/block`, { reason: 'Lost' });
    await small.updatePartner({ min_amount: 500, max_amount: 600 });
    assertReplayed(await small.credit(body), first);
  });

  test('may come with another beneficiary_ref, or none, or one that has expired', async () => {
    const { phone } = await house.wallet();
    const beneficiary_ref = (await bank.enquire({ msisdn: phone })).json.data.beneficiary_ref;
    const body = { reference: newReference(), amount: 100, msisdn: phone };
    const first = await bank.credit({ ...body, beneficiary_ref });
    assert.equal(first.status, 200);
    kissi.clock.advance(DAY_MS);
    assertReplayed(await bank.credit({ ...body, beneficiary_ref }), first);
    assertReplayed(await bank.credit(body), first);
  });

  test('returns a rejection too, though it would succeed by now: decided before the ledger, and in it', async () => {
    const { id, phone } = await house.wallet(MAX_BALANCE);
    const early = { reference: newReference(), amount: 100, msisdn: '+23276999001' };
    const late = { reference: newReference(), amount: 100, msisdn: phone };
    const [first, second] = [await bank.credit(early), await bank.credit(late)];
    assertRejected(first, 'BENEFICIARY_NOT_FOUND', early.reference);
    assertRejected(second, 'MAX_BALANCE_EXCEEDED', late.reference);
    await house.wallet(0, { phone_number: early.msisdn });
    await changeAccount(kissi.db.database.queries, id, { ceiling: null });
    for (const via of [kissi, other]) {
      assertReplayed(await bank.credit(early, { gateway: via }), first);
      assertReplayed(await bank.credit(late, { gateway: via }), second);
    }
    assert.equal(
      (await bank.credit({ ...early, reference: newReference() })).status,
      200,
      'a new one is a new transfer',
    );
    assert.equal((await bank.credit({ ...late, reference: newReference() })).status, 200);
    assert.equal((await webhookEvents(kissi, late.reference)).length, 1);
  });
});

describe('the same reference with other details', () => {
  test('is REFERENCE_CONFLICT, and the first outcome stands', async () => {
    const [wallet, second] = [await house.wallet(), await house.wallet()];
    const reference = newReference();
    const payer = { name: 'A' };
    const body = { reference, amount: 100, msisdn: wallet.phone, narration: 'Rent', payer, metadata: { a: 1 } };
    const first = await bank.credit(body);
    const serial = await house.card(wallet);
    const others = [
      { amount: 101 },
      { amount: Number.MAX_SAFE_INTEGER },
      { msisdn: second.phone },
      { msisdn: NOBODY },
      { msisdn: undefined, card_serial: serial },
      { currency: 'USD' },
      { narration: 'Food' },
      { narration: undefined },
      { payer: { name: 'B' } },
      { payer: undefined },
      { metadata: { a: 2 } },
      { metadata: { a: '1' } },
      { metadata: undefined },
      { metadata: {} },
    ];
    for (const change of others) assertConflict(await bank.credit({ ...body, ...change }), reference);
    assert.equal((await bank.status(reference)).json.data.status, 'COMPLETED');
    assertReplayed(await bank.credit(body), first);
    assert.deepEqual([await house.balance(wallet.id), await house.balance(second.id)], [100, 0]);
    assert.deepEqual(
      [(await inboundRows(kissi, reference)).length, (await webhookEvents(kissi, reference)).length],
      [1, 1],
    );
  });

  test('is a conflict after a rejection too', async () => {
    const { phone } = await house.wallet();
    const body = { reference: newReference(), amount: 100, msisdn: NOBODY };
    await bank.credit(body);
    assertConflict(await bank.credit({ ...body, msisdn: phone }), body.reference);
    assertConflict(await bank.credit({ ...body, amount: 1 }), body.reference);
  });

  test('while the idempotency key decides nothing: with a new reference it is a new transfer', async () => {
    const { id, phone } = await house.wallet();
    for (let n = 0; n < 2; n++) {
      const body = { reference: newReference(), amount: 100, msisdn: phone };
      assert.equal((await bank.credit(body, { idempotencyKey: 'one-key' })).status, 200);
    }
    assert.equal(await house.balance(id), 200);
  });
});

describe('at once', () => {
  test('fifty retries of one reference credit once, and all get the same outcome: one gateway, then two', async () => {
    for (const choose of [() => ({ gateway: kissi }), gateway]) {
      const { id, phone } = await house.wallet();
      const body = { reference: newReference(), amount: 100, msisdn: phone };
      const replies = await times(50, (index) => bank.credit(body, choose(index)));
      assert.equal(replies[0]?.status, 200, replies[0]?.text);
      await assertOneOutcome(replies, body.reference);
      assert.deepEqual([await house.balance(id), await movementCount(kissi, id)], [100, 1]);
    }
  });

  test('fifty retries of one that is rejected, before the ledger or in it, record it once', async () => {
    const full = await house.wallet(MAX_BALANCE);
    for (const msisdn of [NOBODY, full.phone]) {
      const body = { reference: newReference(), amount: 100, msisdn };
      const replies = await times(50, (index) => bank.credit(body, gateway(index)));
      const code = msisdn === NOBODY ? 'BENEFICIARY_NOT_FOUND' : 'MAX_BALANCE_EXCEEDED';
      for (const reply of replies) assertRejected(reply, code, body.reference);
      await assertOneOutcome(replies, body.reference);
    }
  });

  test('other details under one reference: one of them wins, the others are conflicts', async () => {
    for (let round = 0; round < 5; round++) {
      const wallets = await times(4, () => house.wallet());
      const reference = newReference();
      // Half of them name nobody, and are rejected on the way that does not pass through the ledger.
      const named = [...wallets.map(({ phone }) => phone), ...[0, 1, 2, 3].map((n) => `+2329999990${n}`)];
      const replies = await times(24, (index) => {
        const msisdn = named[(index * 5 + round) % named.length];
        return bank.credit({ reference, amount: 100, msisdn }, gateway(index));
      });
      const winners = new Set(replies.filter(({ status }) => status !== 409).map(({ text }) => text));
      assert.equal(winners.size, 1, 'one outcome');
      for (const reply of replies) if (reply.status === 409) assertConflict(reply, reference);
      const [record, ...more] = await inboundRows(kissi, reference);
      assert.equal(more.length, 0);
      assert.equal((await webhookEvents(kissi, reference)).length, 1);
      const credited = await times(4, async (index) => house.balance(wallets[index]?.id ?? ''));
      const sum = credited.reduce((total, balance) => total + balance, 0);
      assert.equal(sum, record.status === 'COMPLETED' ? 100 : 0);
    }
  });

  test('a rejection that is written after the ledger has looked the reference up wins: the credit is a conflict', async () => {
    const { id, phone } = await house.wallet();
    const reference = newReference();
    let rejection: CallReply | null = null;
    const gateway = await gatewayWith(async (statement, { send }) => {
      const known = await send();
      if (statement === 'ledger-known') rejection ??= await bank.credit({ reference, amount: 100, msisdn: NOBODY });
      return known;
    });
    assertConflict(await bank.credit({ reference, amount: 100, msisdn: phone }, { gateway }), reference);
    assert.ok(rejection);
    assertRejected(rejection, 'BENEFICIARY_NOT_FOUND', reference);
    assert.deepEqual([await house.balance(id), (await inboundRows(kissi, reference)).length], [0, 1]);
    await gateway.close();
  });

  test('a rejection that comes while the ledger commits waits for it, and is the conflict', async () => {
    const { id, phone } = await house.wallet();
    const reference = newReference();
    // The service's role does not see what others wait for.
    const owner = new pg.Client({ connectionString: kissi.db.url });
    await owner.connect();
    const waiting = `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    let rejection: Promise<CallReply> | null = null;
    const gateway = await gatewayWith(async (statement, { send }) => {
      // Once: webhooks are claimed over such connections too.
      if (statement !== 'commit' || rejection) return send();
      rejection = bank.credit({ reference, amount: 100, msisdn: NOBODY });
      await waitFor('the rejection waits', async () => (await owner.query(waiting)).rows[0].n > 0);
      return send();
    });
    const credit = await bank.credit({ reference, amount: 100, msisdn: phone }, { gateway });
    await owner.end();
    assert.equal(credit.json.code, 'COMPLETED', credit.text);
    assert.ok(rejection);
    assertConflict(await rejection, reference);
    assert.deepEqual([await house.balance(id), (await inboundRows(kissi, reference)).length], [100, 1]);
    await gateway.close();
  });
});

describe('an answer that is lost', () => {
  type Fate = 'before the commit' | 'after the commit' | 'for good, after the commit';

  /** A gateway whose ledger loses its connection at the commit, and may find no other afterwards. */
  function unlucky(fate: Fate): Promise<TestGateway> {
    const breakOff = new Error('broken off by the test');
    return gatewayWith(async (statement, { send, socket, number }) => {
      const gone = fate.startsWith('for good') && number > 1;
      // What became of it is found out on another connection, in a transaction that is ended by a commit, too.
      const healed = fate === 'after the commit' && number > 1;
      if (healed || (statement !== 'commit' && !gone)) return send();
      if (fate !== 'before the commit' && !gone) await send();
      socket.destroy(breakOff);
      throw breakOff;
    });
  }

  // What the partner is told at first, and what the status endpoint says then.
  const FATES = [
    ['after the commit', 200, 'COMPLETED'],
    ['for good, after the commit', 500, 'COMPLETED'],
    ['before the commit', 500, null],
  ] as const;

  for (const [fate, status, kept] of FATES) {
    test(`${fate}: the status endpoint tells what happened, and a retry has one effect`, async () => {
      const { id, phone } = await house.wallet();
      const body = { reference: newReference(), amount: 100, msisdn: phone };
      const gateway = await unlucky(fate);
      const lost = await bank.credit(body, { gateway });
      assert.equal(lost.status, status, lost.text);
      if (status === 500) assert.deepEqual([lost.json.code, lost.json.data], ['INTERNAL_ERROR', undefined]);
      const found = await bank.status(body.reference, { gateway: other });
      assert.equal(found.json.data?.status ?? null, kept);
      const retried = await bank.credit(body, { gateway: other });
      assert.equal(retried.json.code, 'COMPLETED');
      assert.equal(retried.headers.get('idempotent-replayed'), kept && 'true');
      if (status === 200) assert.equal(retried.text, lost.text);
      assert.deepEqual([await house.balance(id), await movementCount(kissi, id)], [100, 1]);
      assert.equal((await inboundRows(kissi, body.reference)).length, 1);
      await gateway.close();
    });
  }

  test('between commit and reply, when the gateway dies: another one gives the outcome that was kept', async () => {
    const { id, phone } = await house.wallet();
    const [body, refused] = [phone, NOBODY].map((msisdn) => ({ reference: newReference(), amount: 100, msisdn }));
    assert.ok(body && refused);
    const dying = await testGateway({ db: kissi.db, clock: kissi.clock });
    const { inbound } = dying.gateway.services;
    // What the service did when its process ended before a byte of the reply was sent.
    const asking = { partnerId: bank.partnerId, keyId: bank.key.id };
    const made = [body, refused].map((given) =>
      inbound.credit({ asking, given: { ...given, amount: '100' }, amount: '100', idempotencyKey: 'op' }),
    );
    await Promise.all(made);
    await dying.close();
    const credited = await bank.credit(body);
    assert.deepEqual([credited.json.code, credited.headers.get('idempotent-replayed')], ['COMPLETED', 'true']);
    assertRejected(await bank.credit(refused), 'BENEFICIARY_NOT_FOUND', refused.reference);
    assert.deepEqual([await house.balance(id), await movementCount(kissi, id)], [100, 1]);
  });
});
