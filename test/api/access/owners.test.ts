// Tests that agents, processors, partners and their keys have access to their own records and not to those of others.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  agentToken,
  fundAgent,
  newAgent,
  newSubAgent,
  registrationBody,
  type TestAgent,
} from '../../support/agents.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import {
  inboundHeaders,
  PARTNER_SCOPES,
  type PartnerBank,
  partnerBank,
  partnerHeaders,
} from '../../support/partner.ts';
import { type Merchant, merchantToken, newMerchant, storeAccount } from '../../support/processors.ts';
import { apiKey, type TestKey } from '../../support/staff.ts';
import { newRequestId, sendSigned, type Terminal, terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const customer = await bank.wallet(5_000_000);
const card = await bank.card(customer);

/** allowed: neither 401 nor 403, though the request access fail for another reason. denied: 403 FORBIDDEN. */
type Access = 'allowed' | 'denied';

function assertAccess(reply: CallReply, access: Access, label: string): void {
  assert.ok(reply.status < 500, `${label}: ${reply.text}`);
  const { status, json, text } = reply;
  if (access === 'denied') assert.deepEqual([status, json?.code], [403, 'FORBIDDEN'], `${label}: ${text}`);
  else assert.ok(status !== 401 && status !== 403, `${label}: ${status} ${text}`);
}

describe('agent networks', () => {
  type Name = 'superA' | 'subA1' | 'subA2' | 'superB' | 'subB1';
  let agents: Record<Name, TestAgent>;
  let tokens: Record<Name, string>;
  before(async () => {
    const [superA, superB] = [await newAgent(kissi), await newAgent(kissi)];
    const [subA1, subA2, subB1] = [
      await newSubAgent(kissi, superA),
      await newSubAgent(kissi, superA),
      await newSubAgent(kissi, superB),
    ];
    agents = { superA, subA1, subA2, superB, subB1 };
    const entries = Object.entries(agents) as [Name, TestAgent][];
    for (const [, agent] of entries) await fundAgent(kissi, agent, 100_000);
    tokens = Object.fromEntries(
      await Promise.all(entries.map(async ([name, agent]) => [name, await agentToken(kissi, agent)])),
    );
  });

  /** A super-agent can read itself and its sub-agents; a sub-agent can read only itself. */
  const READABLE: Record<Name, Name[]> = {
    superA: ['superA', 'subA1', 'subA2'],
    subA1: ['subA1'],
    subA2: ['subA2'],
    superB: ['superB', 'subB1'],
    subB1: ['subB1'],
  };
  /** A super-agent manages its sub-agents but not itself; a sub-agent manages no agent. */
  const MANAGED: Record<Name, Name[]> = {
    superA: ['subA1', 'subA2'],
    subA1: [],
    subA2: [],
    superB: ['subB1'],
    subB1: [],
  };
  const NAMES = Object.keys(READABLE) as Name[];

  const forEachPair =
    (rule: Record<Name, Name[]>, run: (caller: Name, target: Name, access: Access) => Promise<void>) => async () => {
      for (const caller of NAMES) {
        for (const target of NAMES) await run(caller, target, rule[caller].includes(target) ? 'allowed' : 'denied');
      }
    };
  const SELF = Object.fromEntries(NAMES.map((name) => [name, [name]])) as Record<Name, Name[]>;
  const post = (path: string, body: unknown, caller: Name) =>
    kissi.call('POST', `/api/v1/agents${path}`, { body, token: tokens[caller] });

  for (const path of ['', '/balance']) {
    test(
      `GET /agents/{id}${path} is limited to agents of the caller's network`,
      forEachPair(READABLE, async (caller, target, access) => {
        const reply = await kissi.call('GET', `/api/v1/agents/${agents[target].id}${path}`, { token: tokens[caller] });
        assertAccess(reply, access, `${caller} → ${target}`);
      }),
    );
  }

  test('GET /agents lists only the agents that the caller can read', async () => {
    for (const caller of NAMES) {
      const { json } = await kissi.call('GET', '/api/v1/agents?limit=100', { token: tokens[caller] });
      const listed = json.agents.map(({ id }: Json) => id).sort();
      assert.deepEqual(listed, READABLE[caller].map((name) => agents[name].id).sort(), caller);
    }
  });

  test(
    'only the super-agent can terminate a sub-agent',
    // The floats are not empty, so an allowed termination is refused for that reason.
    forEachPair(MANAGED, async (caller, target, access) => {
      assertAccess(await post(`/${agents[target].id}/terminate`, {}, caller), access, `${caller} terminates ${target}`);
    }),
  );

  test(
    'only a super-agent can register sub-agents, and only its own',
    forEachPair({ ...MANAGED, superA: ['superA'], superB: ['superB'] }, async (caller, target, access) => {
      const body = registrationBody({ agent_type: 'sub_agent', parent_agent_id: agents[target].id });
      assertAccess(await post('', body, caller), access, `${caller} registers under ${target}`);
    }),
  );

  test(
    'an agent can change only its own PIN',
    forEachPair(SELF, async (caller, target, access) => {
      const { id, pin } = agents[target];
      const reply = await post(`/${id}/change-pin`, { current_pin: pin, new_pin: pin }, caller);
      assertAccess(reply, access, `${caller} → ${target}`);
    }),
  );

  test(
    "an agent can cash in only from its own float, even with another agent's PIN",
    forEachPair(SELF, async (caller, target, access) => {
      const body = { agent_id: agents[target].id, subscriber_id: customer.id, amount: 10, pin: agents[target].pin };
      assertAccess(await post('/cashin', body, caller), access, `${caller} pays as ${target}`);
    }),
  );

  test(
    'an agent can pay out cash only into its own float',
    forEachPair(SELF, async (caller, target, access) => {
      const body = { subscriber_id: customer.id, agent_id: agents[target].id, amount: 10, pin: PIN };
      const reply = await kissi.call('POST', '/api/v1/wallet/withdraw', { body, token: tokens[caller] });
      assertAccess(reply, access, `${caller} pays out as ${target}`);
    }),
  );

  test(
    'a super-agent can transfer float only from itself to its own sub-agents',
    forEachPair(SELF, async (caller, from) => {
      for (const to of NAMES.filter((name) => name !== from)) {
        const body = { from_agent_id: agents[from].id, to_agent_id: agents[to].id, amount: '1', pin: agents[from].pin };
        const access = caller === from && MANAGED[from].includes(to) ? 'allowed' : 'denied';
        assertAccess(await post('/transfer', body, caller), access, `${caller}: ${from} → ${to}`);
      }
    }),
  );

  test('agents cannot fund or return float themselves', async () => {
    for (const caller of NAMES) {
      for (const path of ['fund', 'return-float']) {
        assertAccess(await post(`/${agents[caller].id}/${path}`, { amount: 1 }, caller), 'denied', `${caller} ${path}`);
      }
    }
  });

  test("GET /transactions shows only the agent's own float", async () => {
    for (const caller of NAMES) {
      const { status, json } = await kissi.call('GET', '/api/v1/transactions?limit=100', { token: tokens[caller] });
      assert.equal(status, 200);
      const { id } = agents[caller];
      const { rows } = await kissi.db.query(
        'select id from movements where id = any($1) and from_account <> $2 and to_account <> $2',
        [json.transactions.map((each: Json) => each.transaction_id), id],
      );
      assert.deepEqual(rows, [], caller);
      assert.ok(json.transactions.length > 0, caller);
      const path = `/api/v1/transactions?subscriber_id=${customer.id}`;
      assertAccess(await kissi.call('GET', path, { token: tokens[caller] }), 'denied', `${caller} on a wallet`);
    }
  });

  test(
    'only the super-agent can suspend and reactivate a sub-agent',
    forEachPair(MANAGED, async (caller, target, access) => {
      const { id } = agents[target];
      assertAccess(await post(`/${id}/suspend`, { reason: 'A test' }, caller), access, `${caller} suspends ${target}`);
      assertAccess(await post(`/${id}/reactivate`, {}, caller), access, `${caller} reactivates ${target}`);
      // The suspension ended the agent's sessions.
      if (access === 'allowed') tokens[target] = await agentToken(kissi, agents[target]);
    }),
  );
});

describe('processors', () => {
  type Side = 'A' | 'B';
  const SIDES = ['A', 'B'] as const;
  const PAIRS = SIDES.flatMap((side) =>
    SIDES.map((target) => ({ side, target, access: (side === target ? 'allowed' : 'denied') as Access })),
  );
  let merchants: Record<Side, Merchant>;
  let terminals: Record<Side, Terminal>;
  /** Per processor, the token of its user and the bearer value of its key. */
  let credentials: { who: string; side: Side; token: string }[];
  before(async () => {
    merchants = { A: await newMerchant(kissi), B: await newMerchant(kissi) };
    terminals = { A: await ownTerminal('A'), B: await ownTerminal('B') };
    credentials = [];
    for (const side of SIDES) {
      const key = await apiKey(kissi, ['payments:read', 'payouts:write'], { processor_id: merchants[side].id });
      credentials.push({ who: `the user of ${side}`, side, token: await merchantToken(kissi, merchants[side]) });
      credentials.push({ who: `a key of ${side}`, side, token: key.key });
    }
    for (const side of SIDES) {
      assert.equal((await terminals[side].pay(card)).status, 200);
      await storeAccount(kissi, merchants[side].id, 'SL0042');
    }
  });

  const ownTerminal = (side: Side) =>
    terminalOf(kissi, { merchant: merchants[side], keyExtra: { processor_id: merchants[side].id } });

  const routes: [string, string, (to: string) => { body?: unknown }][] = [
    ['GET', '', () => ({})],
    ['GET', '/transactions', () => ({})],
    ['GET', '/payouts', () => ({})],
    ['GET', '/bank-accounts', () => ({})],
    ['GET', '/qr', () => ({})],
    ['POST', '/payout', () => ({ body: { amount: 1, bank_account: 'SL0042', request_id: newRequestId() } })],
    ['POST', '/transfer', (to) => ({ body: { to_processor_id: to, amount: 1, request_id: newRequestId() } })],
  ];
  for (const [method, path, content] of routes) {
    test(`${method} /processors/{id}${path} is limited to the processor's own credentials`, async () => {
      for (const { side, target, access } of PAIRS) {
        const options = content(merchants[target === 'A' ? 'B' : 'A'].id);
        const url = `/api/v1/processors/${merchants[target].id}${path}`;
        for (const { who, token } of credentials.filter((each) => each.side === side)) {
          assertAccess(await kissi.call(method, url, { token, ...options }), access, `${who} → ${target}`);
        }
      }
    });
  }

  test("GET /processors and GET /transactions show only the caller's own", async () => {
    for (const { who, side, token } of credentials) {
      const list = await kissi.call('GET', '/api/v1/processors', { token });
      assert.deepEqual(
        list.json.processors.map(({ id }: Json) => id),
        [merchants[side].id],
        who,
      );
      const history = await kissi.call('GET', '/api/v1/transactions?limit=100', { token });
      assert.equal(history.status, 200, who);
      const { rows } = await kissi.db.query(
        'select id from movements where id = any($1) and from_account <> $2 and to_account <> $2',
        [history.json.transactions.map((each: Json) => each.transaction_id), merchants[side].id],
      );
      assert.deepEqual(rows, [], who);
      const wallet = await kissi.call('GET', `/api/v1/transactions?subscriber_id=${customer.id}`, { token });
      assertAccess(wallet, 'denied', `${who} on a wallet`);
    }
  });

  test('a terminal can take payments only for its own processor', async () => {
    for (const { side, target, access } of PAIRS) {
      const parties = { processor_id: merchants[target].id, merchant_id: merchants[target].merchantId };
      const label = `${side} for ${target}`;
      assertAccess(await terminals[side].pay(card, { amount: 10, ...parties }), access, label);
      assertAccess(await terminals[side].payInApp(card, { amount: 10, ...parties }), access, label);
    }
  });

  for (const path of ['/pos/refund', '/payment/refund']) {
    test(`${path} is limited to payments of the terminal's own processor`, async () => {
      for (const { side, target, access } of PAIRS) {
        const paid = await terminals[target].pay(card, { amount: 20 });
        const body = { request_id: newRequestId(), transaction_id: paid.json.transaction_id, amount: 5 };
        assertAccess(await terminals[side].send(path, body), access, `${side} of ${target}`);
      }
    });
  }
});

describe('partners', () => {
  let banks: PartnerBank[];
  before(async () => {
    banks = [await partnerBank(kissi), await partnerBank(kissi)];
  });

  const signed = (method: string, path: string, body: string) => ({
    method,
    path,
    body,
    at: new Date(kissi.clock.now()).toISOString(),
  });

  /** Runs for every ordered pair of a calling bank and a target bank. */
  async function forEachBankPair(
    run: (bank: PartnerBank, other: PartnerBank, access: Access) => Promise<void>,
  ): Promise<void> {
    for (const one of banks) for (const other of banks) await run(one, other, one === other ? 'allowed' : 'denied');
  }

  test('a key can fund wallets only from its own partner', () =>
    forEachBankPair(async ({ key }, { id }, access) => {
      const body = { partner_id: id, subscriber_id: customer.id, amount: 1 };
      assertAccess(
        await kissi.call('POST', '/api/v1/wallet/fund-from-partner', { body, token: key.key }),
        access,
        'fund',
      );
    }));

  test("X-Partner-ID must name the key's partner, on partner and inbound routes", () =>
    forEachBankPair(async ({ key }, { id }, access) => {
      const body = JSON.stringify({ phone_number: customer.phone });
      const path = '/api/v1/partner/account-status';
      const headers = partnerHeaders(key, id, signed('POST', path, body));
      assertPartner(await kissi.call('POST', path, { raw: body, headers }), access);
      const enquiry = JSON.stringify({ msisdn: customer.phone });
      const inbound = '/api/v1/inbound/name-enquiry';
      const headersWithPartner = { ...inboundHeaders(key, signed('POST', inbound, enquiry)), 'x-partner-id': id };
      assertPartner(await kissi.call('POST', inbound, { raw: enquiry, headers: headersWithPartner }), access);
    }));

  function assertPartner({ status, json, text }: CallReply, access: Access): void {
    if (access === 'allowed') assert.equal(status, 200, text);
    else assert.deepEqual([status, json.code], [403, 'PARTNER_MISMATCH'], text);
  }

  test("another partner's reference returns 404 and can be used again", () =>
    forEachBankPair(async (one, other) => {
      const reference = `R-${one.id}`;
      await credit(one.key, reference);
      const path = `/api/v1/inbound/transactions/${reference}`;
      const reply = await kissi.call('GET', path, { headers: inboundHeaders(other.key, signed('GET', path, '')) });
      const expected = one === other ? [200, 'OK'] : [404, 'NOT_FOUND'];
      assert.deepEqual([reply.status, reply.json.code], expected, reply.text);
    }));

  async function credit(key: TestKey, reference: string): Promise<void> {
    const body = JSON.stringify({ reference, amount: 100, msisdn: customer.phone });
    const path = '/api/v1/inbound/credit';
    const headers = inboundHeaders(key, signed('POST', path, body), { idempotencyKey: reference });
    assert.equal((await kissi.call('POST', path, { raw: body, headers })).status, 200);
  }

  test("the history shows only the partner's own cash-ins", async () => {
    for (const one of banks) {
      const paid = assertStatus(await one.cashIn({ phone_number: customer.phone }), 200);
      const { json } = await one.history({ limit: 100 });
      const ids = json.transactions.map(({ transaction_id }: Json) => transaction_id);
      assert.ok(ids.includes(paid.json.transaction_id));
      const { rows } = await kissi.db.query(
        'select id from movements where id = any($1) and from_account <> $2 and to_account <> $2',
        [ids, one.id],
      );
      assert.deepEqual(rows, []);
    }
  });

  test('a key without an owner, or of a processor, cannot act for a partner', async () => {
    const { id: processorId } = await newMerchant(kissi);
    const scopes = PARTNER_SCOPES.filter((scope) => !scope.startsWith('inbound:'));
    for (const key of [await apiKey(kissi, scopes), await apiKey(kissi, scopes, { processor_id: processorId })]) {
      for (const { id } of banks) {
        const body = JSON.stringify({ phone_number: customer.phone });
        for (const path of [
          '/api/v1/partner/account-status',
          '/api/v1/partner/transaction-history',
          '/api/v1/partner/cashin',
        ]) {
          const headers = partnerHeaders(key, id, signed('POST', path, body));
          assertAccess(await kissi.call('POST', path, { raw: body, headers }), 'denied', path);
        }
      }
    }
  });

  test("a partner's key cannot take payments for a processor, even with a signature", async () => {
    const merchant = await newMerchant(kissi);
    for (const { key } of banks) {
      const parties = { merchant_id: merchant.merchantId, processor_id: merchant.id, card_serial: card };
      const body = { request_id: newRequestId(), ...parties, amount: 10, terminal_id: 'T-1', pin: PIN };
      assertAccess(await sendSigned(kissi, '/api/v1/pos/payment', body, { key }), 'denied', 'payment');
    }
  });
});
