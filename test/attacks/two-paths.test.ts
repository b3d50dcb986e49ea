// Random payments, repeats and changes in the same order on two services of two gateways each: one with the fast path, one
// without. Every reply and every balance must be the same.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Random, seededRandom } from '@kissi/testkit/random';
import { type CallReply, type TestGateway, testGateway } from '../support/gateway.ts';
import { type TestBank, testBank } from '../support/inbound.ts';
import { scrape } from '../support/metrics.ts';
import { assertLedgerConsistent, type Bank, createBank, PIN, type Wallet, WRONG_PIN } from '../support/money.ts';
import { type Terminal, terminalOf } from '../support/terminal.ts';

const CUSTOMERS = 5;
const STEPS = 200;
/** Few, so that other requests use the same id again. */
const IDS = 60;

/** The same parties in each service; only their ids differ. */
interface World {
  kissi: TestGateway;
  gateways: readonly TestGateway[];
  bank: Bank;
  partner: TestBank;
  terminal: Terminal;
  customers: { wallet: Wallet; card: string }[];
  child: string;
  /** Transaction ids of card payments, in order. */
  paid: string[];
  /** Ids of credits. */
  credited: string[];
}

interface Step {
  name: string;
  /** Its reply has values that differ by service; only its status is compared. */
  isChange?: boolean;
  run(world: World): Promise<CallReply>;
}

async function newWorld(fastPath: boolean): Promise<World> {
  const first = await testGateway({ fastPath });
  const second = await testGateway({ fastPath, db: first.db, clock: first.clock });
  after(async () => {
    try {
      await assertLedgerConsistent(first);
    } finally {
      await second.close();
      await first.close();
    }
  });
  const kissi = inTurn(first, second);
  const [bank, partner, terminal] = [await createBank(kissi), await testBank(kissi), await terminalOf(kissi)];
  const customers = [];
  for (let n = 0; n < CUSTOMERS; n++) customers.push(await bank.customer(20_000));
  const child = 'TWO-PATHS-CHILD';
  const card = { parent_serial: customers[0]?.card, card_serial: child, daily_limit: 1_500 };
  assert.equal((await bank.post('/cards/child', card)).status, 201);
  for (const [outcome, threshold] of [
    ['flag', 4_999],
    ['block', 18_999],
  ]) {
    const types = ['transfer_p2p', ...(outcome === 'flag' ? ['pos_payment', 'inbound_credit'] : [])];
    const rule = { name: outcome, kind: 'amount', threshold, transaction_types: types, outcome };
    const made = await kissi.asAdmin.post('/compliance/rules', rule);
    assert.equal(made.status, 201, made.text);
  }
  return { kissi, gateways: [first, second], bank, partner, terminal, customers, child, paid: [], credited: [] };
}

/** Calls go to two gateways in turn: a gateway has not seen every request that is repeated. */
function inTurn(...gateways: [TestGateway, TestGateway]): TestGateway {
  let calls = 0;
  const call: TestGateway['call'] = (...args) => (gateways[++calls % 2] as TestGateway).call(...args);
  return { ...gateways[0], call };
}

/** A step that does the same in both worlds. Repeats of earlier steps are drawn as well. */
function drawStep(random: Random, earlier: Step[]): Step {
  if (earlier.length > 0 && random.chance(0.2)) return random.pick(earlier);
  const [from, to] = [random.int(0, CUSTOMERS - 1), random.int(0, CUSTOMERS - 1)];
  const amount = random.pick([1, 99, 100, 1_000, 1_499, 5_000, 19_000, 50_000, 0, '1e3', Number.MAX_SAFE_INTEGER]);
  const pin = random.chance(0.08) ? WRONG_PIN : PIN;
  const id = `two-${random.int(1, IDS)}`;
  const customer = (world: World, n: number) => world.customers[n] as World['customers'][number];
  const transfer = (name: string, path: string, recipient: (world: World) => object): Step => ({
    name: `${name} ${from} → ${to}, ${amount}, ${id}${pin === PIN ? '' : ', wrong PIN'}`,
    run: (world) => {
      const body = { sender_id: customer(world, from).wallet.id, amount, pin, request_id: id };
      return world.bank.post(path, { ...body, ...recipient(world) });
    },
  });
  const asAdmin = (name: string, path: (world: World) => string, body: object): Step => ({
    name,
    isChange: true,
    run: (world) => world.kissi.asAdmin.post(path(world), body),
  });
  const asBank = (name: string, request: (world: World) => [path: string, body: object]): Step => ({
    name,
    isChange: true,
    run: (world) => world.bank.post(...request(world)),
  });
  const draws: [weight: number, draw: () => Step][] = [
    [4, () => transfer('card', '/wallet/transfer-p2p', (w) => ({ recipient_card_serial: customer(w, to).card }))],
    [3, () => transfer('id', '/wallet/transfer', (w) => ({ recipient_id: customer(w, to).wallet.id }))],
    [3, () => transfer('phone', '/wallet/transfer', (w) => ({ recipient_phone: customer(w, to).wallet.phone }))],
    [1, () => transfer('nobody', '/wallet/transfer', () => ({ recipient_id: 'sub_none' }))],
    [4, () => purchase(random.chance(0.2) ? 'child' : from, amount, id, pin)],
    [3, () => refund(random.int(0, 5), random.pick([1, 500, amount]), `refund-${id}`)],
    [2, () => credit(to, amount, `credit-${id}`)],
    [1, () => asAdmin(`block ${from}`, (w) => `/subscribers/${customer(w, from).wallet.id}/block`, { reason: 'Lost' })],
    [2, () => asAdmin(`unblock ${from}`, (w) => `/subscribers/${customer(w, from).wallet.id}/unblock`, {})],
    [1, () => asAdmin(`block card ${to}`, (w) => `/cards/${customer(w, to).card}/block`, { reason: 'Lost' })],
    [2, () => asAdmin(`unblock card ${to}`, (w) => `/cards/${customer(w, to).card}/unblock`, {})],
    [
      1,
      () => asAdmin(`unlock ${from}`, (w) => `/subscribers/${customer(w, from).wallet.id}/unlock`, { reason: 'Known' }),
    ],
    [1, () => asAdmin('suspend', (w) => `/processors/${w.terminal.merchant.id}/suspend`, { reason: 'Review' })],
    [3, () => asAdmin('reactivate', (w) => `/processors/${w.terminal.merchant.id}/reactivate`, {})],
    [1, () => asBank(`unlink ${to}`, (w) => [`/cards/${customer(w, to).card}/unlink`, {}])],
    [2, () => asBank(`link ${to} to ${from}`, (w) => ['/cards/link', cardOf(customer(w, to), customer(w, from))])],
    [2, () => reversal(random.int(0, 3), `reversal-${id}`)],
  ];
  const chosen = draws.flatMap(([weight, draw]) => Array.from({ length: weight }, () => draw));
  return random.pick(chosen)();
}

function purchase(from: number | 'child', amount: number | string, id: string, pin: string): Step {
  return {
    name: `purchase ${from}, ${amount}, ${id}${pin === PIN ? '' : ', wrong PIN'}`,
    async run(world) {
      const card = from === 'child' ? world.child : (world.customers[from]?.card ?? '');
      const reply = await world.terminal.pay(card, {
        amount,
        request_id: id,
        encrypted_pin: world.terminal.encrypt(card, pin),
      });
      if (reply.status === 200 && !world.paid.includes(reply.json.transaction_id)) {
        world.paid.push(reply.json.transaction_id);
      }
      return reply;
    },
  };
}

function refund(last: number, amount: number | string, id: string): Step {
  return {
    name: `refund of the payment ${last} before, ${amount}, ${id}`,
    run: ({ terminal, paid }) => terminal.refund(paid.at(-1 - last) ?? 'txn_none', { amount, request_id: id }),
  };
}

const cardOf = ({ card }: World['customers'][number], { wallet }: World['customers'][number]) => ({
  ...{ card_serial: card, subscriber_id: wallet.id },
});

/** By phone number or by card. */
function credit(to: number, amount: number | string, reference: string): Step {
  return {
    name: `credit to ${to}, ${amount}, ${reference}`,
    async run({ partner, customers, credited }) {
      const beneficiary = to % 2 === 0 ? { msisdn: customers[to]?.wallet.phone } : { card_serial: customers[to]?.card };
      const body = { amount, currency: 'SLE', reference, ...beneficiary };
      const reply = await partner.credit(body, { idempotencyKey: reference });
      const { inbound_id } = reply.json.data ?? {};
      if (reply.status === 200 && !credited.includes(inbound_id)) credited.push(inbound_id);
      return reply;
    },
  };
}

function reversal(last: number, key: string): Step {
  return {
    name: `reversal of the credit ${last} before, ${key}`,
    run: ({ kissi, credited }) =>
      kissi.asAdmin.post(`/admin/inbound/${credited.at(-1 - last) ?? 'none'}/reverse`, {
        ...{ reason: 'Sent twice', request_id: key },
      }),
  };
}

/** The ids of a service by the order in which they appeared; the worlds are then alike. */
function comparable({ status, headers, text }: CallReply, seen: Map<string, string>): object {
  const body = text
    .replaceAll(/\b[a-z]{2,5}_[0-9A-Z]{26}\b/g, (id) => {
      seen.set(id, seen.get(id) ?? `#${seen.size}`);
      return seen.get(id) as string;
    })
    .replaceAll(/"authorization_code":"\w+"/g, '')
    .replaceAll(/"receipt":"[^"]*"/g, '')
    .replaceAll(/"account_number":"\d+"/g, '')
    .replaceAll(/\+23276\d{6}|CARD-\d{6}|M-\w{4}-\w{4}/g, 'named');
  return { status, replayed: headers.get('idempotent-replayed'), body };
}

/** Each gateway draws the stripe of its fees, and two may draw the same: fee income is compared as a sum. */
async function stateOf({ kissi }: World): Promise<string[]> {
  const { rows } = await kissi.db.query(
    `select kind, balance, daily_used, last_seq from accounts where last_seq > 0 and kind <> 'fee_income'
    union all select 'fee_income', sum(balance), sum(daily_used), null from accounts where kind = 'fee_income'
    union all select 'PINs', sum(failures), sum(guesses), null from pins
    union all select 'alerts', count(*), count(transaction_id), null from compliance_alerts
    union all select 'requests', count(*), count(*) filter (where refused), null from requests
    union all select 'inbound ' || status, count(*), sum(amount), null from inbound_transactions group by status
    union all select 'webhooks', count(*), 0, null from webhook_deliveries`,
  );
  return rows.map((row) => JSON.stringify(row)).sort();
}

/** How many payments were completed on the fast path. */
async function completed({ gateways }: World): Promise<number> {
  const counts = await Promise.all(
    gateways.map(
      async (each) => (await scrape(each)).series.get('kissi_ledger_drafts_total{outcome="completed"}') ?? 0,
    ),
  );
  return counts.reduce((sum, count) => sum + count);
}

const outcomes = new Set<string>();

for (const seed of [1, 2, 3]) {
  test(`payments with and without the fast path come out the same (seed ${seed})`, async () => {
    const random = seededRandom(seed);
    const worlds = [await newWorld(true), await newWorld(false)] as const;
    const seen = worlds.map(() => new Map<string, string>());
    const done: Step[] = [];
    for (let n = 0; n < STEPS; n++) {
      const step = drawStep(random, done);
      done.push(step);
      const [fast, careful] = [await step.run(worlds[0]), await step.run(worlds[1])];
      const label = `step ${n}: ${step.name}`;
      if (step.isChange) assert.equal(fast.status, careful.status, label);
      else assert.deepEqual(comparable(fast, seen[0] as never), comparable(careful, seen[1] as never), label);
      outcomes.add(fast.json.code ?? (fast.headers.has('idempotent-replayed') ? 'replayed' : 'done'));
      const state = await stateOf(worlds[0]);
      assert.deepEqual(state, await stateOf(worlds[1]), label);
      if (state.some((row) => /"alerts".*"daily_used":"?[1-9]/.test(row))) outcomes.add('flagged');
      if (step.name.startsWith('reversal') && fast.status === 200) outcomes.add('reversed');
    }
    assert.ok((await completed(worlds[0])) > STEPS / 8, 'many payments took the fast path');
    assert.equal(await completed(worlds[1]), 0);
  });
}

test('gateways that pay the same wallets by card, phone and id in every order do not deadlock, and lose nothing', async () => {
  const { gateways, customers, bank, kissi } = await newWorld(true);
  const random = seededRandom(4);
  const expected = customers.map(() => 20_000);
  const payments = Array.from({ length: 240 }, (_, n) => {
    const from = random.int(0, CUSTOMERS - 1);
    const to = (from + random.int(1, CUSTOMERS - 1)) % CUSTOMERS;
    expected[from] = (expected[from] ?? 0) - 1;
    expected[to] = (expected[to] ?? 0) + 1;
    const recipient = customers[to] as World['customers'][number];
    const ways = {
      '/wallet/transfer-p2p': { recipient_card_serial: recipient.card },
      '/wallet/transfer': random.chance(0.5)
        ? { recipient_phone: recipient.wallet.phone }
        : { recipient_id: recipient.wallet.id },
    };
    const [path, named] = random.pick(Object.entries(ways));
    const body = { sender_id: customers[from]?.wallet.id, amount: 1, pin: PIN, request_id: `cross-${n}`, ...named };
    return (gateways[n % 2] as TestGateway).call('POST', `/api/v1${path}`, { body, token: bank.key });
  });
  for (const reply of await Promise.all(payments)) assert.equal(reply.status, 200, reply.text);
  assert.deepEqual(await Promise.all(customers.map(({ wallet }) => bank.balance(wallet.id))), expected);
  const { rows } = await kissi.db.query('select deadlocks from pg_stat_database where datname = current_database()');
  assert.equal(Number(rows[0].deadlocks), 0);
});

test('the random payments were made, flagged, blocked, refused, replayed and reversed', () => {
  const expected = [
    'done',
    'COMPLETED',
    'flagged',
    'COMPLIANCE_BLOCKED',
    'INSUFFICIENT_BALANCE',
    'INVALID_PIN',
    'replayed',
  ];
  const missing = [...expected, 'reversed', 'REQUEST_CONFLICT', 'PROCESSOR_SUSPENDED'].filter(
    (each) => !outcomes.has(each),
  );
  assert.deepEqual(missing, []);
});
