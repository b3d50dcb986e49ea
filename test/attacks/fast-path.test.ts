// The fast path of payments by API keys against the step-by-step path of staff: same refusal, same effect.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CallReply, Json } from '../support/gateway.ts';
import {
  bankForFile,
  DAILY_LIMIT,
  MAX_BALANCE,
  movementCount,
  newAgentFloat,
  PIN,
  type Wallet,
  WRONG_PIN,
} from '../support/money.ts';

const { kissi, bank } = await bankForFile();
const admin = await kissi.adminToken();

async function asAdmin(method: string, path: string, body: object): Promise<Json> {
  const reply = await kissi.call(method, `/api/v1${path}`, { body, token: admin });
  assert.ok(reply.status < 300, reply.text);
  return reply.json;
}

const block = ({ id }: Wallet, body: object = {}) =>
  asAdmin('POST', `/subscribers/${id}/block`, { reason: 'Under review', ...body });

interface Parties {
  from: Wallet;
  to: Wallet;
  card: string;
}

interface Scenario {
  name: string;
  body?: Record<string, unknown>;
  balance?: number;
  arrange?(parties: Parties): Promise<unknown>;
}

const SCENARIOS: Scenario[] = [
  { name: 'a payment' },
  { name: 'to a wallet that does not exist', body: { recipient_id: 'sub_none', recipient_card_serial: 'CARD-NONE' } },
  { name: "to the operator's fee account", body: { recipient_id: 'sys_fee_income' } },
  { name: 'to a partner', body: { recipient_id: bank.partnerId } },
  { name: 'with a wrong PIN', body: { pin: WRONG_PIN } },
  { name: 'with a wrong PIN and an invalid amount', body: { pin: WRONG_PIN, amount: 0 } },
  { name: 'of zero', body: { amount: 0 } },
  { name: 'of 1e3', body: { amount: '1e3' } },
  { name: 'of 2^53 - 1', body: { amount: Number.MAX_SAFE_INTEGER } },
  { name: 'of 2^53', body: { amount: '9007199254740992' } },
  { name: 'above the balance', body: { amount: 70_000 }, balance: 60_000 },
  { name: 'of the balance, without its fee', body: { amount: 60_000 }, balance: 60_000 },
  { name: 'above the rest of the daily limit', body: { amount: 60_000 }, arrange: ({ from }) => use(from) },
  {
    name: 'above the rest of the daily limit and the balance',
    body: { amount: 60_000 },
    balance: 0,
    arrange: ({ from }) => use(from),
  },
  { name: 'to a full wallet', arrange: ({ to }) => bank.fund(to, MAX_BALANCE) },
  {
    name: 'to a full wallet, above the balance',
    body: { amount: 70_000 },
    balance: 60_000,
    arrange: ({ to }) => bank.fund(to, MAX_BALANCE),
  },
  { name: 'from a blocked wallet', arrange: ({ from }) => block(from) },
  { name: 'from a blocked wallet with a wrong PIN', body: { pin: WRONG_PIN }, arrange: ({ from }) => block(from) },
  { name: 'to a blocked wallet', arrange: ({ to }) => block(to) },
  { name: 'to a blocked wallet with a wrong PIN', body: { pin: WRONG_PIN }, arrange: ({ to }) => block(to) },
  { name: 'between blocked wallets', arrange: ({ from, to }) => Promise.all([block(from), block(to)]) },
  { name: 'of a disabled type', arrange: ({ from }) => block(from, { transaction_types: ['transfer_p2p'] }) },
  { name: 'of a type disabled for the payee', arrange: ({ to }) => block(to, { transaction_types: ['transfer_p2p'] }) },
  { name: 'to a blocked card', arrange: ({ card }) => asAdmin('POST', `/cards/${card}/block`, { reason: 'Lost' }) },
  {
    name: 'to oneself',
    arrange: async (parties) => Object.assign(parties, { to: parties.from, card: await bank.card(parties.from) }),
  },
  { name: 'by a locked wallet', arrange: ({ from }) => lock(from) },
  { name: 'blocked by a rule', body: { amount: 77_777 } },
  { name: 'blocked by a rule, above the balance', body: { amount: 7_777_777 } },
  { name: 'with a narration of two lines', body: { description: ' rent\r\n  March ' } },
  { name: 'with null fields', body: { description: null, request_id: null } },
];

/** Withdraws nearly all of the daily limit. */
async function use(from: Wallet): Promise<void> {
  await bank.fund(from, DAILY_LIMIT + 100_000);
  const body = { subscriber_id: from.id, agent_id: await newAgentFloat(kissi), amount: DAILY_LIMIT - 1_000, pin: PIN };
  assert.equal((await bank.post('/wallet/withdraw', body)).status, 200);
}

async function lock({ id }: Wallet): Promise<void> {
  for (let n = 0; n < 3; n++) {
    await bank.post('/wallet/transfer', { sender_id: id, recipient_id: 'sub_none2', amount: 1, pin: WRONG_PIN });
    await bank.post(`/wallet/balance/${id}`, { pin: WRONG_PIN });
  }
}

await asAdmin('POST', '/compliance/rules', {
  ...{ name: 'No payment of 77,777', kind: 'amount', threshold: 77_776, transaction_types: ['transfer_p2p'] },
  outcome: 'block',
});

const ROUTES = ['/wallet/transfer', '/wallet/transfer-p2p'] as const;

/** What a caller sees and what happened, without ids and times. */
async function attempt(
  route: (typeof ROUTES)[number],
  { body = {}, balance = 100_000, arrange }: Scenario,
  token: string,
) {
  const from = await bank.wallet(balance);
  const to = await bank.wallet();
  const parties: Parties = { from, to, card: await bank.card(to) };
  await arrange?.(parties);
  const { recipient_id, recipient_card_serial, ...rest } = body;
  const recipient =
    route === '/wallet/transfer'
      ? { recipient_id: recipient_id ?? parties.to.id }
      : { recipient_card_serial: recipient_card_serial ?? parties.card };
  const content = { sender_id: from.id, amount: 10_000, pin: PIN, ...recipient, ...rest };
  const reply: CallReply = await kissi.call('POST', `/api/v1${route}`, { body: content, token });
  const { transaction_id, alert_id, created_at, locked_until, ...seen } = reply.json;
  const { rows } = await kissi.db.query(
    `select type, amount, fee, narration, reference, metadata, details ->> 'recipient_card_serial' is null as by_id
    from movements where id = $1`,
    [transaction_id],
  );
  const balances = [await bank.balance(from.id), await bank.balance(to.id)];
  return { status: reply.status, seen, rows, balances, moved: await movementCount(kissi, from.id) };
}

describe('a transfer by a key and by a user has the same outcome', () => {
  for (const route of ROUTES) {
    for (const scenario of SCENARIOS) {
      test(`${route}: ${scenario.name}`, async () => {
        const [byKey, byUser] = await Promise.all([
          attempt(route, scenario, bank.key),
          attempt(route, scenario, admin),
        ]);
        assert.deepEqual(byKey, byUser);
      });
    }
  }
});
