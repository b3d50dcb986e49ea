// One outcome per reference: retries, conflicts, concurrency on one and two gateways, and replies lost at the commit.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { changeAccount } from '../../../src/ledger/accounts.ts';
import { faultyPool } from '../../ledger/faulty-pool.ts';
import { lockWaiters } from '../../support/citus.ts';
import type { TestDatabase } from '../../support/database.ts';
import { assertStatus, type CallReply, type TestGateway, testGateway } from '../../support/gateway.ts';
import { assertRejected, inboundRows, newReference, testBank, webhookEvents } from '../../support/inbound.ts';
import { assertLedgerConsistent, createBank, MAX_BALANCE, movementCount } from '../../support/money.ts';
import { apiKey } from '../../support/staff.ts';
import { waitFor } from '../../support/wait.ts';

const UNKNOWN_PHONE = '+23299999999';
const env = { WEBHOOK_ALLOW_PRIVATE: 'true' };
const kissi = await testGateway({ env });
const otherGateway = await testGateway({ env, db: kissi.db, clock: kissi.clock });
const operator = await createBank(kissi);
const bank = await testBank(kissi, { webhook_url: 'http://127.0.0.1:1/hooks' });
after(async () => {
  await assertLedgerConsistent(kissi, ['account_terms_differ']);
  await otherGateway.close();
  await kissi.close();
});

const asAdmin = async (path: string, body: object = {}) => kissi.asAdmin.post(path, body);

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

const concurrently = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
const alternateGateway = (index: number) => ({ gateway: index % 2 ? kissi : otherGateway });

/** Creates a gateway on the same database whose ledger statements pass through the hook. */
async function gatewayWithLedgerHook(hook: Parameters<typeof faultyPool>[1]): Promise<TestGateway> {
  const faulty = faultyPool(kissi.db.database.ledgerPool, hook);
  const db: TestDatabase = { ...kissi.db, database: { ...kissi.db.database, ledgerPool: faulty.pool } };
  return testGateway({ db, clock: kissi.clock });
}

/** Asserts that all replies are equal, that one is not a replay, and that there is one record and one webhook. */
async function assertOneOutcome(replies: CallReply[], reference: string): Promise<void> {
  assert.equal(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size, 1, String(replies.at(-1)?.text));
  assert.equal(replies.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1);
  assert.equal((await inboundRows(kissi, reference)).length, 1);
  assert.equal((await webhookEvents(kissi, reference)).length, 1);
}

describe('the same reference with the same details', () => {
  test('credits once, at any time, with any idempotency key, API key or gateway', async () => {
    const { id, phone } = await operator.wallet();
    const body = { reference: newReference(), amount: 100, msisdn: phone, narration: 'Rent' };
    const first = assertStatus(await bank.credit(body), 200);
    const second = await apiKey(kissi, ['inbound:write'], { partner_id: bank.partnerId });
    assertReplayed(await bank.credit(body, { idempotencyKey: 'another' }), first);
    assertReplayed(await bank.credit(body, { key: second }), first);
    assertReplayed(await bank.credit(body, { gateway: otherGateway }), first);
    kissi.clock.advance(DAY_MS);
    assertReplayed(await bank.credit(body), first);
    assert.deepEqual([await operator.balance(id), await movementCount(kissi, id)], [100, 1]);
    assert.equal((await webhookEvents(kissi, body.reference)).length, 1);
  });

  test('matches however the card serial is written', async () => {
    const wallet = await operator.wallet();
    const serial = await operator.card(wallet);
    const body = { reference: newReference(), amount: 100, card_serial: serial };
    const first = assertStatus(await bank.credit(body), 200);
    assertReplayed(await bank.credit({ ...body, card_serial: serial.toLowerCase() }), first);
    assert.equal(await operator.balance(wallet.id), 100);
  });

  test('conflicts when the metadata differs in a way that parsing would lose', async () => {
    const { phone } = await operator.wallet();
    const pairs = [
      ['{"x":{"a":1}}', '{"x":[["a",1]]}'],
      ['{"x":{}}', '{"x":[]}'],
      ['{"n":12345678901234567890}', '{"n":12345678901234567891}'],
      ['{"n":1e400}', '{"n":null}'],
      ['{"n":1}', '{"n":"1"}'],
    ];
    for (const [first, second] of pairs) {
      const reference = newReference();
      const raw = (metadata: string | undefined) =>
        `{"reference":"${reference}","amount":100,"msisdn":"${phone}","metadata":${metadata}}`;
      const reply = await bank.credit(null, { raw: raw(first) });
      assert.equal(reply.json.code, 'COMPLETED', reply.text);
      assertReplayed(await bank.credit(null, { raw: raw(first) }), reply);
      assert.equal((await bank.credit(null, { raw: raw(second) })).json.code, 'REFERENCE_CONFLICT', String(second));
    }
  });

  test('matches regardless of formatting, key order and unknown fields', async () => {
    const { id, phone } = await operator.wallet();
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
    assert.equal(await operator.balance(id), 100);
  });

  test('is replayed after the beneficiary is blocked, the limit is reached or the amount range changes', async () => {
    const { id, phone } = await operator.wallet();
    const small = await testBank(kissi, { outstanding_limit: 100 });
    const body = { reference: newReference(), amount: 100, msisdn: phone };
    const first = await small.credit(body);
    await asAdmin(`/subscribers/${id}/block`, { reason: 'Lost' });
    await small.updatePartner({ min_amount: 500, max_amount: 600 });
    assertReplayed(await small.credit(body), first);
  });

  test('is replayed with another, an expired or no beneficiary_ref', async () => {
    const { phone } = await operator.wallet();
    const beneficiary_ref = (await bank.enquire({ msisdn: phone })).json.data.beneficiary_ref;
    const body = { reference: newReference(), amount: 100, msisdn: phone };
    const first = assertStatus(await bank.credit({ ...body, beneficiary_ref }), 200);
    kissi.clock.advance(DAY_MS);
    assertReplayed(await bank.credit({ ...body, beneficiary_ref }), first);
    assertReplayed(await bank.credit(body), first);
  });

  test('replays rejections from before and inside the ledger, although the credit would succeed now', async () => {
    const { id, phone } = await operator.wallet(MAX_BALANCE);
    const beforeLedger = { reference: newReference(), amount: 100, msisdn: '+23276999001' };
    const inLedger = { reference: newReference(), amount: 100, msisdn: phone };
    const [first, second] = [await bank.credit(beforeLedger), await bank.credit(inLedger)];
    assertRejected(first, 'BENEFICIARY_NOT_FOUND', beforeLedger.reference);
    assertRejected(second, 'MAX_BALANCE_EXCEEDED', inLedger.reference);
    await operator.wallet(0, { phone_number: beforeLedger.msisdn });
    await changeAccount(kissi.db.database.queries, id, { ceiling: null });
    for (const gateway of [kissi, otherGateway]) {
      assertReplayed(await bank.credit(beforeLedger, { gateway }), first);
      assertReplayed(await bank.credit(inLedger, { gateway }), second);
    }
    assert.equal(
      (await bank.credit({ ...beforeLedger, reference: newReference() })).status,
      200,
      'a new reference is a new credit',
    );
    assert.equal((await bank.credit({ ...inLedger, reference: newReference() })).status, 200);
    assert.equal((await webhookEvents(kissi, inLedger.reference)).length, 1);
  });
});

describe('the same reference with different details', () => {
  test('is 409 REFERENCE_CONFLICT and keeps the first outcome', async () => {
    const [wallet, second] = [await operator.wallet(), await operator.wallet()];
    const reference = newReference();
    const payer = { name: 'A' };
    const body = { reference, amount: 100, msisdn: wallet.phone, narration: 'Rent', payer, metadata: { a: 1 } };
    const first = await bank.credit(body);
    const serial = await operator.card(wallet);
    const changes = [
      { amount: 101 },
      { amount: Number.MAX_SAFE_INTEGER },
      { msisdn: second.phone },
      { msisdn: UNKNOWN_PHONE },
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
    for (const change of changes) assertConflict(await bank.credit({ ...body, ...change }), reference);
    assert.equal((await bank.status(reference)).json.data.status, 'COMPLETED');
    assertReplayed(await bank.credit(body), first);
    assert.deepEqual([await operator.balance(wallet.id), await operator.balance(second.id)], [100, 0]);
    assert.deepEqual(
      [(await inboundRows(kissi, reference)).length, (await webhookEvents(kissi, reference)).length],
      [1, 1],
    );
  });

  test('is a conflict after a rejection too', async () => {
    const { phone } = await operator.wallet();
    const body = { reference: newReference(), amount: 100, msisdn: UNKNOWN_PHONE };
    await bank.credit(body);
    assertConflict(await bank.credit({ ...body, msisdn: phone }), body.reference);
    assertConflict(await bank.credit({ ...body, amount: 1 }), body.reference);
  });

  test('a repeated idempotency key with a new reference is a new credit', async () => {
    const { id, phone } = await operator.wallet();
    for (let n = 0; n < 2; n++) {
      const body = { reference: newReference(), amount: 100, msisdn: phone };
      assert.equal((await bank.credit(body, { idempotencyKey: 'one-key' })).status, 200);
    }
    assert.equal(await operator.balance(id), 200);
  });
});

describe('concurrent requests', () => {
  test('fifty retries of one reference credit once and get the same reply, on one gateway and on two', async () => {
    for (const choose of [() => ({ gateway: kissi }), alternateGateway]) {
      const { id, phone } = await operator.wallet();
      const body = { reference: newReference(), amount: 100, msisdn: phone };
      const replies = await concurrently(50, (index) => bank.credit(body, choose(index)));
      assert.equal(replies[0]?.status, 200, String(replies[0]?.text));
      await assertOneOutcome(replies, body.reference);
      assert.deepEqual([await operator.balance(id), await movementCount(kissi, id)], [100, 1]);
    }
  });

  test('fifty retries of a rejected credit are recorded once, whether rejected before or in the ledger', async () => {
    const full = await operator.wallet(MAX_BALANCE);
    for (const msisdn of [UNKNOWN_PHONE, full.phone]) {
      const body = { reference: newReference(), amount: 100, msisdn };
      const replies = await concurrently(50, (index) => bank.credit(body, alternateGateway(index)));
      const code = msisdn === UNKNOWN_PHONE ? 'BENEFICIARY_NOT_FOUND' : 'MAX_BALANCE_EXCEEDED';
      for (const reply of replies) assertRejected(reply, code, body.reference);
      await assertOneOutcome(replies, body.reference);
    }
  });

  test('with different details under one reference, one wins and the others are conflicts', async () => {
    for (let round = 0; round < 5; round++) {
      const wallets = await concurrently(4, () => operator.wallet());
      const reference = newReference();
      // Half of the numbers are unknown; those credits are rejected before the ledger.
      const phoneNumbers = [...wallets.map(({ phone }) => phone), ...[0, 1, 2, 3].map((n) => `+2329999990${n}`)];
      const replies = await concurrently(24, (index) => {
        const msisdn = phoneNumbers[(index * 5 + round) % phoneNumbers.length];
        return bank.credit({ reference, amount: 100, msisdn }, alternateGateway(index));
      });
      const winners = new Set(replies.filter(({ status }) => status !== 409).map(({ text }) => text));
      assert.equal(winners.size, 1, 'one outcome');
      for (const reply of replies) if (reply.status === 409) assertConflict(reply, reference);
      const [record, ...more] = await inboundRows(kissi, reference);
      assert.equal(more.length, 0);
      assert.equal((await webhookEvents(kissi, reference)).length, 1);
      const credited = await concurrently(4, async (index) => operator.balance(wallets[index]?.id ?? ''));
      const sum = credited.reduce((total, balance) => total + balance, 0);
      assert.equal(sum, record.status === 'COMPLETED' ? 100 : 0);
    }
  });

  test('a rejection stored while the ledger holds the locks of a credit wins, and the credit is a conflict', async () => {
    const { id, phone } = await operator.wallet();
    const reference = newReference();
    // Its fast path would wait for the locks.
    const careful = await testGateway({ db: kissi.db, clock: kissi.clock, fastPath: false });
    let rejecting: Promise<CallReply> | null = null;
    const gateway = await gatewayWithLedgerHook(async (statement, { send }) => {
      const reply = await send();
      if (statement.startsWith('ledger-lock')) {
        rejecting ??= bank.credit({ reference, amount: 100, msisdn: UNKNOWN_PHONE }, { gateway: careful });
        await rejecting;
      }
      return reply;
    });
    assertConflict(await bank.credit({ reference, amount: 100, msisdn: phone }, { gateway }), reference);
    assert.ok(rejecting);
    assertRejected(await rejecting, 'BENEFICIARY_NOT_FOUND', reference);
    assert.deepEqual([await operator.balance(id), (await inboundRows(kissi, reference)).length], [0, 1]);
    await careful.close();
    await gateway.close();
  });

  test('a rejection that races with the commit of a credit waits for it and is a conflict', async () => {
    const { id, phone } = await operator.wallet();
    const reference = newReference();
    // kissi_app cannot see the lock waits of other sessions.
    const owner = new pg.Client({ connectionString: kissi.db.url });
    await owner.connect();
    let rejection: Promise<CallReply> | null = null;
    const gateway = await gatewayWithLedgerHook(async (statement, { send }) => {
      // Only for the first commit: webhooks are claimed over these connections too.
      if (statement !== 'commit' || rejection) return send();
      rejection = bank.credit({ reference, amount: 100, msisdn: UNKNOWN_PHONE });
      await waitFor('the rejection waits for a lock', async () => (await lockWaiters(owner)) > 0);
      return send();
    });
    const credit = await bank.credit({ reference, amount: 100, msisdn: phone }, { gateway });
    await owner.end();
    assert.equal(credit.json.code, 'COMPLETED', credit.text);
    assert.ok(rejection);
    assertConflict(await rejection, reference);
    assert.deepEqual([await operator.balance(id), (await inboundRows(kissi, reference)).length], [100, 1]);
    await gateway.close();
  });
});

describe('a lost reply', () => {
  type Failure = 'before the commit' | 'after the commit' | 'after the commit, without reconnecting';

  /** Creates a gateway whose ledger loses its connection at the commit, and optionally cannot reconnect. */
  function failingGateway(failure: Failure): Promise<TestGateway> {
    const connectionLost = new Error('connection closed by the test');
    return gatewayWithLedgerHook(async (statement, { send, socket, number }) => {
      const unreachable = failure.endsWith('without reconnecting') && number > 1;
      // The outcome is looked up on another connection, in a transaction that also ends with a commit.
      const reconnected = failure === 'after the commit' && number > 1;
      if (reconnected || (statement !== 'commit' && !unreachable)) return send();
      if (failure !== 'before the commit' && !unreachable) await send();
      socket.destroy(connectionLost);
      throw connectionLost;
    });
  }

  // Failure, status of the first reply, and stored status of the credit.
  const FAILURES = [
    ['after the commit', 200, 'COMPLETED'],
    ['after the commit, without reconnecting', 500, 'COMPLETED'],
    ['before the commit', 500, null],
  ] as const;

  for (const [failure, status, storedStatus] of FAILURES) {
    test(`${failure}: the status endpoint returns the outcome, and a retry has one effect`, async () => {
      const { id, phone } = await operator.wallet();
      const body = { reference: newReference(), amount: 100, msisdn: phone };
      const gateway = await failingGateway(failure);
      const lost = await bank.credit(body, { gateway });
      assert.equal(lost.status, status, lost.text);
      if (status === 500) assert.deepEqual([lost.json.code, lost.json.data], ['INTERNAL_ERROR', undefined]);
      const found = await bank.status(body.reference, { gateway: otherGateway });
      assert.equal(found.json.data?.status ?? null, storedStatus);
      const retried = await bank.credit(body, { gateway: otherGateway });
      assert.equal(retried.json.code, 'COMPLETED');
      assert.equal(retried.headers.get('idempotent-replayed'), storedStatus && 'true');
      if (status === 200) assert.equal(retried.text, lost.text);
      assert.deepEqual([await operator.balance(id), await movementCount(kissi, id)], [100, 1]);
      assert.equal((await inboundRows(kissi, body.reference)).length, 1);
      await gateway.close();
    });
  }

  test('a gateway that dies between commit and reply: another gateway returns the stored outcome', async () => {
    const { id, phone } = await operator.wallet();
    const [body, rejected] = [phone, UNKNOWN_PHONE].map((msisdn) => ({
      reference: newReference(),
      amount: 100,
      msisdn,
    }));
    assert.ok(body && rejected);
    const dying = await testGateway({ db: kissi.db, clock: kissi.clock });
    const { inbound } = dying.gateway.services;
    // Calls the service without HTTP, as if the process ended before it sent the reply.
    const asking = { partnerId: bank.partnerId, keyId: bank.key.id };
    const actor = { caller: { kind: 'service', id: 'test' }, ip: '127.0.0.1', requestId: 'req_test' } as const;
    const credits = [body, rejected].map((given) =>
      inbound.credit(actor, { caller: asking, body: { ...given, amount: '100' }, amount: '100', idempotencyKey: 'op' }),
    );
    await Promise.all(credits);
    await dying.close();
    const credited = await bank.credit(body);
    assert.deepEqual([credited.json.code, credited.headers.get('idempotent-replayed')], ['COMPLETED', 'true']);
    assertRejected(await bank.credit(rejected), 'BENEFICIARY_NOT_FOUND', rejected.reference);
    assert.deepEqual([await operator.balance(id), await movementCount(kissi, id)], [100, 1]);
  });
});
