// Tests that keys cannot read the names and balances of all card holders by trying serials and numbers.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { assertStatus, type CallReply, testGateway } from '../../support/gateway.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { assertRefused, merchantToken, newMerchant } from '../../support/processors.ts';
import { staffToken } from '../../support/staff.ts';
import { sendSigned, type Terminal, terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const customer = await bank.wallet(100_000);
const card = await bank.card(customer);
const PLACES = 30;
const MISSES = 100;

/** A terminal whose key belongs to a new or the given processor. */
async function ownTerminal(merchant?: Terminal['merchant']): Promise<Terminal> {
  const owner = merchant ?? (await newMerchant(kissi));
  return terminalOf(kissi, { merchant: owner, keyExtra: { processor_id: owner.id } });
}

const verify = (terminal: Terminal, serial = card) => terminal.send('/pos/verify-card', { card_serial: serial });

let guessed = 0;
/** Look-ups of things that do not exist, on every route in turn. */
async function guess(terminal: Terminal, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) {
    guessed += 1;
    const number = String(guessed);
    const [path, body] = [
      ['/pos/verify-card', { card_serial: `GUESS-${number}` }],
      ['/payment/lookup-card', { card_serial: `GUESS-${number}` }],
      ['/pos/verify-account', { phone_number: `+2327${9_000_000 + guessed}` }],
      ['/payment/verify-account', { account_number: String(9_000_000_000 + guessed) }],
      ['/payment/verify-card', { card_serial: `GUESS-${number}` }],
      ['/pos/lookup-card', { card_serial: `GUESS-${number}` }],
    ][guessed % 6] as [string, object];
    statuses.push((await terminal.send(path, body)).status);
  }
  return statuses;
}

const placesOf = async (subject: string) =>
  (await kissi.db.query('select count(*)::int as places from lookups where subject = $1 and not paid', [subject]))
    .rows[0].places;
const isRefused = ({ status, json }: CallReply) => status === 429 && json.code === 'TOO_MANY_LOOKUPS';
const alertsOf = async (query: string) =>
  (await kissi.call('GET', `/api/v1/compliance/alerts?${query}`, { token: await staffToken(kissi, 'compliance_user') }))
    .json.alerts;

test('a key looks up 30 different cards and accounts in 15 minutes, on all routes together', async () => {
  for (const terminal of [await ownTerminal(), await terminalOf(kissi)]) {
    assert.equal((await verify(terminal)).json.valid, true);
    assert.deepEqual([...new Set(await guess(terminal, PLACES - 1))].sort(), [200, 404]);
    const byAccount = { phone_number: customer.phone };
    for (const [path, body] of [
      ['/pos/verify-card', { card_serial: 'GUESS-LAST' }],
      ['/payment/lookup-card', { card_serial: 'GUESS-LAST' }],
      ['/pos/verify-account', byAccount],
    ] as const) {
      const refused = assertRefused(await terminal.send(path, body), 429, 'TOO_MANY_LOOKUPS');
      assert.equal(refused.headers.get('retry-after'), '900');
    }
    assert.equal((await verify(terminal, card.toLowerCase())).json.valid, true, 'the same card takes no other place');
    assert.equal((await verify(await ownTerminal())).status, 200, 'other keys are not affected');
    kissi.clock.advance(15 * MINUTE_MS);
    assert.equal((await terminal.send('/pos/verify-account', byAccount)).status, 200);
    assert.equal((await verify(terminal, 'GUESS-LAST')).status, 404);
  }
});

test('phone number and account number of one holder take one place', async () => {
  const terminal = await ownTerminal();
  const { account_number } = (
    await kissi.call('GET', `/api/v1/subscribers/${customer.id}`, { token: await staffToken(kissi, 'system_admin') })
  ).json.subscriber;
  await terminal.send('/pos/verify-account', { account_number });
  await guess(terminal, PLACES - 1);
  assert.equal((await terminal.send('/payment/verify-account', { phone_number: customer.phone })).json.exists, true);
  assert.ok(isRefused(await verify(terminal)));
});

describe('a payment with the right PIN', () => {
  test('frees the place of its card, and each two cards that paid add a place for an hour', async () => {
    for (const terminal of [await ownTerminal(), await terminalOf(kissi)]) {
      const cards = await Promise.all(Array.from({ length: 4 }, async () => bank.card(await bank.wallet(20_000))));
      for (const each of cards) await verify(terminal, each);
      await guess(terminal, PLACES - cards.length);
      assert.ok(isRefused(await verify(terminal)));
      const [first = '', second = '', ...others] = cards;
      assert.equal((await terminal.pay(first, { encrypted_pin: terminal.encrypt(first, '9999') })).status, 401);
      assert.ok(isRefused(await verify(terminal)), 'a wrong PIN frees nothing');
      assert.equal((await terminal.pay(first)).status, 200);
      assert.deepEqual(await guess(terminal, 2).then((statuses) => statuses.map((status) => status === 429)), [
        false,
        true,
      ]);
      assert.equal((await terminal.pay(second)).status, 200);
      // Its place, and one for the two cards that paid.
      const replies = await guess(terminal, 3);
      assert.deepEqual(
        replies.map((status) => status === 429),
        [false, false, true],
      );
      for (const each of others) assert.equal((await terminal.pay(each)).status, 200);
      assert.deepEqual(
        (await guess(terminal, 4)).map((status) => status === 429),
        [false, false, false, true],
      );
      kissi.clock.advance(HOUR_MS + MINUTE_MS);
      assert.ok((await guess(terminal, PLACES)).every((status) => status !== 429));
      assert.ok(isRefused(await verify(terminal)), 'the additional places ended with the hour');
    }
  });

  test('frees the place even if the payment is refused for another reason', async () => {
    const terminal = await ownTerminal();
    const poor = await bank.card(await bank.wallet());
    await verify(terminal, poor);
    await guess(terminal, PLACES - 1);
    assert.ok(isRefused(await verify(terminal)));
    assertRefused(await terminal.pay(poor), 402, 'INSUFFICIENT_BALANCE');
    assert.equal((await verify(terminal)).status, 200);
    assert.ok(isRefused(await verify(terminal, 'GUESS-NEXT')));
  });

  test('frees the place if the payment is authorised, which moves no money yet', async () => {
    const terminal = await ownTerminal();
    const payer = await bank.card(await bank.wallet(1_000));
    await verify(terminal, payer);
    await guess(terminal, PLACES - 1);
    assert.ok(isRefused(await verify(terminal)));
    assertStatus(await terminal.pay(payer, { amount: 500, capture: false }), 200);
    assert.equal((await verify(terminal)).status, 200);
    assert.ok(isRefused(await verify(terminal, 'GUESS-NEXT')));
  });

  test('frees nothing if the request_id was used before: the reply is the same for a wrong PIN', async () => {
    const terminal = await ownTerminal();
    const victim = await bank.card(await bank.wallet(20_000));
    assert.equal((await terminal.pay(card, { request_id: 'used-before', amount: 1 })).status, 200);
    await verify(terminal, victim);
    await guess(terminal, PLACES - 1);
    for (const pin of ['9999', PIN]) {
      const extra = { request_id: 'used-before', amount: 2, encrypted_pin: terminal.encrypt(victim, pin) };
      assertRefused(await terminal.pay(victim, extra), 409, 'REQUEST_CONFLICT');
      assert.ok(isRefused(await verify(terminal, 'GUESS-PLACE')), `after the PIN ${pin}`);
    }
    assert.equal((await terminal.pay(victim, { amount: 1 })).status, 200);
    assert.equal((await verify(terminal, 'GUESS-PLACE')).status, 404);
  });
});

describe('of concurrent look-ups on two gateways', async () => {
  const other = await testGateway({ db: kissi.db, clock: kissi.clock });
  after(() => other.close());
  const onBoth = (terminal: Terminal, serials: string[]) =>
    Promise.all(
      serials.map((card_serial, n) =>
        sendSigned(n % 2 ? kissi : other, '/api/v1/pos/verify-card', { card_serial }, terminal),
      ),
    );

  test('exactly 30 are answered, and nothing else takes a place', async () => {
    const terminal = await ownTerminal();
    // Each serial is sent twice at once: the second must not pass as a repetition of one that is refused.
    const replies = await onBoth(
      terminal,
      Array.from({ length: 90 }, (_, n) => `RACE-${n >> 1}`),
    );
    const answered = new Set(replies.flatMap(({ status }, n) => (status === 404 ? n >> 1 : [])));
    assert.equal(answered.size, PLACES);
    assert.ok(replies.every((reply, n) => (answered.has(n >> 1) ? reply.status === 404 : isRefused(reply))));
    assert.equal(await placesOf(terminal.key.id), PLACES);
  });

  test('none is answered because of a place that another is refused', async () => {
    const terminal = await ownTerminal();
    await guess(terminal, PLACES);
    for (let n = 0; n < 10; n++) {
      const replies = await onBoth(
        terminal,
        Array.from({ length: 12 }, () => `ONE-MORE-${n}`),
      );
      assert.ok(replies.every(isRefused), String(replies.map(({ status }) => status)));
    }
    assert.equal(await placesOf(terminal.key.id), PLACES);
  });
});

describe('the keys that a merchant makes', () => {
  const newKey = async (merchant: Terminal['merchant'], token: string) => {
    const body = { name: 'Till', scopes: ['payments:write'] };
    const { json } = await kissi.call('POST', `/api/v1/processors/${merchant.id}/keys`, { body, token });
    return { id: json.api_key.id as string, secret: json.secret as string };
  };
  const verifyWith = (key: { id: string; secret: string }, serial: string) =>
    sendSigned(kissi, '/api/v1/pos/verify-card', { card_serial: serial }, { key });

  test('share their places, those of revoked keys included, and add a place for each two cards that paid', async () => {
    const till = await ownTerminal();
    const { merchant } = till;
    const token = await merchantToken(kissi, merchant);
    const cards = await Promise.all(Array.from({ length: 4 }, async () => bank.card(await bank.wallet(20_000))));
    for (let n = 0; n < PLACES; n++) {
      const key = await newKey(merchant, token);
      assert.equal((await verifyWith(key, cards[n] ?? `OWN-${n}`)).status, n < cards.length ? 200 : 404);
      if (n % 2) await kissi.call('DELETE', `/api/v1/processors/${merchant.id}/keys/${key.id}`, { token });
    }
    const key = await newKey(merchant, token);
    assert.ok(isRefused(await verifyWith(key, card)));
    assert.equal((await verifyWith(key, cards[0] ?? '')).status, 200, 'looked up with another key before');
    assert.equal((await verify(till)).status, 200, "an operator's key has its own places");
    for (const each of cards) assert.equal((await till.pay(each)).status, 200);
    // The places of the four cards, and two for them.
    const replies: boolean[] = [];
    for (let n = 0; n < 7; n++) replies.push(isRefused(await verifyWith(key, `OWN-NEXT-${n}`)));
    assert.deepEqual(replies, [false, false, false, false, false, false, true]);
  });
});

test('after 100 misses of its keys together a processor gets 429 on every look-up', async () => {
  const merchant = await newMerchant(kissi);
  const terminals = await Promise.all(Array.from({ length: 5 }, () => ownTerminal(merchant)));
  const [known = assert.fail(), ...guessing] = terminals;
  for (const terminal of guessing) await guess(terminal, MISSES / guessing.length);
  assert.equal((await verify(known)).json.valid, true, 'a card that is presented can still be verified');
  assert.deepEqual(await guess(known, 1), [429]);
  for (const terminal of terminals) assert.ok(isRefused(await verify(terminal)));
  kissi.clock.advance(15 * MINUTE_MS);
  assert.equal((await verify(known)).json.valid, true);
});

test('from 300 unpaid look-ups of a processor on a day on, one alert is raised and balances are null', async () => {
  kissi.clock.set(Math.ceil(kissi.clock.now() / DAY_MS) * DAY_MS);
  const merchant = await newMerchant(kissi);
  const terminals = [await ownTerminal(merchant), await ownTerminal(merchant)];
  const [first = assert.fail(), second = assert.fail()] = terminals;
  for (let n = 0; n < 299; n++) {
    if (n % 50 === 0) kissi.clock.advance(15 * MINUTE_MS);
    await guess(n % 2 ? first : second, 1);
  }
  assert.equal((await first.pay(card, { amount: 100 })).status, 200);
  const paidBefore = await verify(first);
  assert.equal(typeof paidBefore.json.balance, 'number', 'a card that paid is not counted');
  assert.deepEqual(await alertsOf(`processor_id=${merchant.id}`), []);
  await guess(second, 1);
  for (const terminal of [first, second, first]) {
    const { json } = await verify(terminal);
    assert.deepEqual(
      [json.valid, json.holder_name !== null, json.balance, json.balance_formatted],
      [true, true, null, null],
    );
  }
  const [alert, ...more] = await alertsOf(`processor_id=${merchant.id}`);
  assert.deepEqual(
    [more.length, alert.type, alert.severity, alert.figures.unpaid_lookups],
    [0, 'card_lookups', 'HIGH', 300],
  );
  kissi.clock.set(Math.ceil(kissi.clock.now() / DAY_MS) * DAY_MS);
  assert.equal(typeof (await verify(first)).json.balance, 'number');
});

test('look-ups of the same cards do not hide those of others from the count of the day', async () => {
  kissi.clock.set(Math.ceil(kissi.clock.now() / DAY_MS) * DAY_MS + 1);
  const merchant = await newMerchant(kissi);
  // Forty keys looked up the same 30 cards, and one 269 others.
  await kissi.db.query(
    `insert into lookups (subject, owner_id, target, found, at)
    select 'key_' || key, $1, 'card:SAME-' || card, true, $2::timestamptz from generate_series(1, 40) key, generate_series(1, 30) card
    union all select 'key_0', $1, 'card:OTHER-' || card, true, $2::timestamptz from generate_series(1, 269) card`,
    [merchant.id, new Date(kissi.clock.now())],
  );
  const terminal = await ownTerminal(merchant);
  const { json } = await verify(terminal);
  assert.deepEqual([json.valid, json.balance], [true, null]);
  const [alert] = await alertsOf(`processor_id=${merchant.id}`);
  assert.equal(alert.figures.unpaid_lookups, 300);
});

test("VERIFY_CARD_BALANCE=off hides every holder's balance", async () => {
  const gateway = await testGateway({ db: kissi.db, clock: kissi.clock, env: { VERIFY_CARD_BALANCE: 'off' } });
  try {
    const { json } = await sendSigned(gateway, '/api/v1/pos/verify-card', { card_serial: card }, await ownTerminal());
    assert.deepEqual([json.valid, json.balance, json.balance_formatted], [true, null, null]);
  } finally {
    await gateway.close();
  }
});

test('look-ups are deleted after a day', async () => {
  await verify(await ownTerminal());
  kissi.clock.advance(DAY_MS + 2 * HOUR_MS);
  await kissi.gateway.services.lookupLimit.prune();
  const { count } = await kissi.db.database.queries
    .selectFrom('lookups')
    .select((each) => each.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  assert.equal(Number(count), 0);
});
