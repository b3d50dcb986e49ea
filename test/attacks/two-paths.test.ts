// Random payments, repeats and changes in the same order on two services of two gateways each: one with the fast path, one
// without. Every reply and every balance must be the same.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Random, seededRandom } from '@kissi/testkit/random';
import { type CallReply, type TestGateway, testGateway } from '../support/gateway.ts';
import { type TestBank, testBank } from '../support/inbound.ts';
import { assertLedgerConsistent, type Bank, createBank, PIN, type Wallet, WRONG_PIN } from '../support/money.ts';
import { type Terminal, terminalOf } from '../support/terminal.ts';

const CUSTOMERS = 5;
const STEPS = 400;

/** The same parties in each service; only their ids differ. */
interface World {
  kissi: TestGateway;
  bank: Bank;
  partner: TestBank;
  terminal: Terminal;
  customers: { wallet: Wallet; card: string }[];
  child: string;
  /** Transaction ids of card payments, in order. */
  paid: string[];
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
  const rule = { name: 'Flag', type: 'velocity', action: 'flag', threshold_count: 3, window_minutes: 10 };
  await kissi.asAdmin.post('/admin/compliance/rules', rule);
  return { kissi, bank, partner, terminal, customers, child, paid: [] };
}

/** Calls go to two gateways in turn: a gateway has not seen every request that is repeated. */
function inTurn(...gateways: [TestGateway, TestGateway]): TestGateway {
  let calls = 0;
  const call: TestGateway['call'] = (...args) => (gateways[++calls % 2] as TestGateway).call(...args);
  return { ...gateways[0], call };
}

/** A step that does the same in both worlds. Repeats of earlier steps are drawn as well. */
function drawStep(random: Random, earlier: Step[]): Step {
  if (earlier.length > 0 && random.chance(0.15)) return random.pick(earlier);
  const [from, to] = [random.int(0, CUSTOMERS - 1), random.int(0, CUSTOMERS - 1)];
  const amount = random.pick([1, 99, 100, 1_000, 1_499, 5_000, 19_000, 50_000, 0, '1e3', Number.MAX_SAFE_INTEGER]);
  const pin = random.chance(0.08) ? WRONG_PIN : PIN;
  const id = `two-${random.int(1, STEPS)}`;
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
    [1, () => asAdmin(`reset PIN lock ${from}`, (w) => `/subscribers/${customer(w, from).wallet.id}/unlock-pin`, {})],
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

function credit(to: number, amount: number | string, reference: string): Step {
  return {
    name: `credit to ${to}, ${amount}, ${reference}`,
    run: ({ partner, customers }) => {
      const beneficiary = { msisdn: customers[to]?.wallet.phone };
      const body = { amount, currency: 'SLE', reference, beneficiary, sender: { name: 'Rokel' } };
      return partner.credit(body, { idempotencyKey: reference });
    },
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
    .replaceAll(/\+23276\d{6}|CARD-\d{6}|M-\w{4}-\w{4}/g, 'named');
  return { status, replayed: headers.get('idempotent-replayed'), body };
}

/** Each gateway draws the stripe of its fees, and two may draw the same: fee income is compared as a sum. */
async function balances({ kissi }: World): Promise<unknown> {
  const { rows } = await kissi.db.query(
    `select kind, balance, daily_used, last_seq from accounts where last_seq > 0 and kind <> 'fee_income'
    union all select 'fee_income', sum(balance), sum(daily_used), null from accounts where kind = 'fee_income'`,
  );
  return rows.map((row) => JSON.stringify(row)).sort();
}

for (const seed of [1, 2, 3]) {
  test(`payments with and without the fast path come out the same (seed ${seed})`, async () => {
    const random = seededRandom(seed);
    const worlds = [await newWorld(true), await newWorld(false)] as const;
    const seen = worlds.map(() => new Map<string, string>());
    const done: Step[] = [];
    const outcomes = new Set<string>();
    for (let n = 0; n < STEPS / 2; n++) {
      const step = drawStep(random, done);
      done.push(step);
      const [fast, careful] = [await step.run(worlds[0]), await step.run(worlds[1])];
      const label = `step ${n}: ${step.name}`;
      if (step.isChange) assert.equal(fast.status, careful.status, label);
      else assert.deepEqual(comparable(fast, seen[0] as never), comparable(careful, seen[1] as never), label);
      outcomes.add(fast.json.code ?? (fast.headers.has('idempotent-replayed') ? 'replayed' : 'done'));
      assert.deepEqual(await balances(worlds[0]), await balances(worlds[1]), label);
    }
    assert.ok(outcomes.size >= 8 && outcomes.has('replayed'), [...outcomes].join());
  });
}
