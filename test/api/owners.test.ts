// Everybody who belongs to somebody, against what is theirs and what is another's: agents, processors, partners and their keys.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { agentToken, fundAgent, newAgent, newSubAgent, registrationBody, type TestAgent } from '../support/agents.ts';
import type { CallReply, Json } from '../support/gateway.ts';
import { bankForFile, PIN } from '../support/money.ts';
import { inboundHeaders, PARTNER_SCOPES, type PartnerBank, partnerBank, partnerHeaders } from '../support/partner.ts';
import { type Merchant, merchantToken, newMerchant } from '../support/processors.ts';
import { apiKey, type TestKey } from '../support/staff.ts';
import { newRequestId, sendSigned, type Terminal, terminalOf } from '../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const customer = await bank.wallet(5_000_000);
const card = await bank.card(customer);

/** yes: whatever stops it, it is not whose it is. no: 403 FORBIDDEN. */
type May = 'yes' | 'no';

function assertMay(reply: CallReply, may: May, what: string): void {
  assert.ok(reply.status < 500, `${what}: ${reply.text}`);
  const { status, json, text } = reply;
  if (may === 'no') assert.deepEqual([status, json?.code], [403, 'FORBIDDEN'], `${what}: ${text}`);
  else assert.ok(status !== 401 && status !== 403, `${what}: ${status} ${text}`);
}

describe("agents' networks", () => {
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

  /** A super-agent sees itself and its sub-agents, a sub-agent itself. */
  const SEES: Record<Name, Name[]> = {
    superA: ['superA', 'subA1', 'subA2'],
    subA1: ['subA1'],
    subA2: ['subA2'],
    superB: ['superB', 'subB1'],
    subB1: ['subB1'],
  };
  /** A super-agent manages its sub-agents, not itself; a sub-agent nobody. */
  const MANAGES: Record<Name, Name[]> = {
    superA: ['subA1', 'subA2'],
    subA1: [],
    subA2: [],
    superB: ['subB1'],
    subB1: [],
  };
  const NAMES = Object.keys(SEES) as Name[];

  const pairs =
    (rule: Record<Name, Name[]>, run: (caller: Name, target: Name, may: May) => Promise<void>) => async () => {
      for (const caller of NAMES) {
        for (const target of NAMES) await run(caller, target, rule[caller].includes(target) ? 'yes' : 'no');
      }
    };
  const ITSELF = Object.fromEntries(NAMES.map((name) => [name, [name]])) as Record<Name, Name[]>;
  const post = (path: string, body: unknown, caller: Name) =>
    kissi.call('POST', `/api/v1/agents${path}`, { body, token: tokens[caller] });

  for (const path of ['', '/balance']) {
    test(
      `GET /agents/{id}${path} is for those who see the agent`,
      pairs(SEES, async (caller, target, may) => {
        const reply = await kissi.call('GET', `/api/v1/agents/${agents[target].id}${path}`, { token: tokens[caller] });
        assertMay(reply, may, `${caller} → ${target}`);
      }),
    );
  }

  test('the list holds those whom the caller sees, and no other', async () => {
    for (const caller of NAMES) {
      const { json } = await kissi.call('GET', '/api/v1/agents?limit=100', { token: tokens[caller] });
      const listed = json.agents.map(({ id }: Json) => id).sort();
      assert.deepEqual(listed, SEES[caller].map((name) => agents[name].id).sort(), caller);
    }
  });

  test(
    'terminating is for the super-agent of the sub-agent',
    // Their floats are not empty, so that it ends there for those who may.
    pairs(MANAGES, async (caller, target, may) => {
      assertMay(await post(`/${agents[target].id}/terminate`, {}, caller), may, `${caller} terminates ${target}`);
    }),
  );

  test(
    'a sub-agent is registered by its super-agent alone',
    pairs({ ...MANAGES, superA: ['superA'], superB: ['superB'] }, async (caller, target, may) => {
      const body = registrationBody({ agent_type: 'sub_agent', parent_agent_id: agents[target].id });
      assertMay(await post('', body, caller), may, `${caller} registers under ${target}`);
    }),
  );

  test(
    'a PIN is changed by whose it is',
    pairs(ITSELF, async (caller, target, may) => {
      const { id, pin } = agents[target];
      const reply = await post(`/${id}/change-pin`, { current_pin: pin, new_pin: pin }, caller);
      assertMay(reply, may, `${caller} → ${target}`);
    }),
  );

  test(
    'cash-in is from the own float, also with the PIN of another',
    pairs(ITSELF, async (caller, target, may) => {
      const body = { agent_id: agents[target].id, subscriber_id: customer.id, amount: 10, pin: agents[target].pin };
      assertMay(await post('/cashin', body, caller), may, `${caller} pays as ${target}`);
    }),
  );

  test(
    'a float transfer is from the super-agent itself to its own sub-agent',
    pairs(ITSELF, async (caller, from) => {
      for (const to of NAMES.filter((name) => name !== from)) {
        const body = { from_agent_id: agents[from].id, to_agent_id: agents[to].id, amount: '1', pin: agents[from].pin };
        const may = caller === from && MANAGES[from].includes(to) ? 'yes' : 'no';
        assertMay(await post('/transfer', body, caller), may, `${caller}: ${from} → ${to}`);
      }
    }),
  );

  test('funding and taking back float is for none of them', async () => {
    for (const caller of NAMES) {
      for (const path of ['fund', 'return-float']) {
        assertMay(await post(`/${agents[caller].id}/${path}`, { amount: 1 }, caller), 'no', `${caller} ${path}`);
      }
    }
  });

  test('the history of transactions is of the own float', async () => {
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
      assertMay(await kissi.call('GET', path, { token: tokens[caller] }), 'no', `${caller} on a wallet`);
    }
  });

  test(
    'suspending and reactivating is for the super-agent of the sub-agent',
    pairs(MANAGES, async (caller, target, may) => {
      const { id } = agents[target];
      assertMay(await post(`/${id}/suspend`, { reason: 'A test' }, caller), may, `${caller} suspends ${target}`);
      assertMay(await post(`/${id}/reactivate`, {}, caller), may, `${caller} reactivates ${target}`);
      // The suspension has ended its sessions.
      if (may === 'yes') tokens[target] = await agentToken(kissi, agents[target]);
    }),
  );
});

describe('processors', () => {
  type Side = 'A' | 'B';
  const SIDES = ['A', 'B'] as const;
  const PAIRS = SIDES.flatMap((side) =>
    SIDES.map((target) => ({ side, target, may: (side === target ? 'yes' : 'no') as May })),
  );
  let merchants: Record<Side, Merchant>;
  let terminals: Record<Side, Terminal>;
  /** Its user's token, and the bearer value of its key. */
  let credentials: { who: string; side: Side; token: string }[];
  before(async () => {
    merchants = { A: await newMerchant(kissi), B: await newMerchant(kissi) };
    terminals = { A: await ownTerminal('A'), B: await ownTerminal('B') };
    credentials = [];
    for (const side of SIDES) {
      const key = await apiKey(kissi, ['payments:read', 'payments:write'], { processor_id: merchants[side].id });
      credentials.push({ who: `the user of ${side}`, side, token: await merchantToken(kissi, merchants[side]) });
      credentials.push({ who: `a key of ${side}`, side, token: key.key });
    }
    for (const side of SIDES) assert.equal((await terminals[side].pay(card)).status, 200);
  });

  const ownTerminal = (side: Side) =>
    terminalOf(kissi, { merchant: merchants[side], keyExtra: { processor_id: merchants[side].id } });

  const routes: [string, string, (to: string) => { body?: unknown }][] = [
    ['GET', '', () => ({})],
    ['GET', '/transactions', () => ({})],
    ['POST', '/transfer', (to) => ({ body: { to_processor_id: to, amount: 1 } })],
  ];
  for (const [method, path, content] of routes) {
    test(`${method} /processors/{id}${path} is for those whose it is`, async () => {
      for (const { side, target, may } of PAIRS) {
        const given = content(merchants[target === 'A' ? 'B' : 'A'].id);
        const url = `/api/v1/processors/${merchants[target].id}${path}`;
        for (const { who, token } of credentials.filter((each) => each.side === side)) {
          assertMay(await kissi.call(method, url, { token, ...given }), may, `${who} → ${target}`);
        }
      }
    });
  }

  test('the list, and the history of transactions, hold the own alone', async () => {
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
      assertMay(wallet, 'no', `${who} on a wallet`);
    }
  });

  test('a terminal takes payments for its own merchant alone', async () => {
    for (const { side, target, may } of PAIRS) {
      const parties = { processor_id: merchants[target].id, merchant_id: merchants[target].merchantId };
      const what = `${side} for ${target}`;
      assertMay(await terminals[side].pay(card, { amount: 10, ...parties }), may, what);
      assertMay(await terminals[side].payInApp(card, { amount: 10, ...parties }), may, what);
    }
  });

  for (const path of ['/pos/refund', '/payment/refund']) {
    test(`${path} is for payments of the own merchant alone`, async () => {
      for (const { side, target, may } of PAIRS) {
        const paid = await terminals[target].pay(card, { amount: 20 });
        const body = { request_id: newRequestId(), transaction_id: paid.json.transaction_id, amount: 5 };
        assertMay(await terminals[side].send(path, body), may, `${side} of ${target}`);
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

  /** Every ordered pair: a bank, and the one it asks about. */
  async function each(run: (bank: PartnerBank, other: PartnerBank, may: May) => Promise<void>): Promise<void> {
    for (const one of banks) for (const other of banks) await run(one, other, one === other ? 'yes' : 'no');
  }

  test('a wallet is funded from the partner of the key', () =>
    each(async ({ key }, { id }, may) => {
      const body = { partner_id: id, subscriber_id: customer.id, amount: 1 };
      assertMay(await kissi.call('POST', '/api/v1/wallet/fund-from-partner', { body, token: key.key }), may, 'fund');
    }));

  test('X-Partner-ID is that of the key, on partner and inbound routes', () =>
    each(async ({ key }, { id }, may) => {
      const body = JSON.stringify({ phone_number: customer.phone });
      const path = '/api/v1/partner/account-status';
      const headers = partnerHeaders(key, id, signed('POST', path, body));
      assertPartner(await kissi.call('POST', path, { raw: body, headers }), may);
      const enquiry = JSON.stringify({ msisdn: customer.phone });
      const inbound = '/api/v1/inbound/name-enquiry';
      const named = { ...inboundHeaders(key, signed('POST', inbound, enquiry)), 'x-partner-id': id };
      assertPartner(await kissi.call('POST', inbound, { raw: enquiry, headers: named }), may);
    }));

  function assertPartner({ status, json, text }: CallReply, may: May): void {
    if (may === 'yes') assert.equal(status, 200, text);
    else assert.deepEqual([status, json.code], [403, 'PARTNER_MISMATCH'], text);
  }

  test("another partner's reference is one that there is not, and may be used again", () =>
    each(async (one, other) => {
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

  test('the history is of the own cash-ins', async () => {
    for (const one of banks) {
      const paid = await one.cashIn({ phone_number: customer.phone });
      assert.equal(paid.status, 200, paid.text);
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

  test('a key of nobody in particular, and one of a processor, speak for no partner', async () => {
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
          assertMay(await kissi.call('POST', path, { raw: body, headers }), 'no', path);
        }
      }
    }
  });

  test("a partner's key takes no payment for a merchant, by its signature either", async () => {
    const merchant = await newMerchant(kissi);
    for (const { key } of banks) {
      const parties = { merchant_id: merchant.merchantId, processor_id: merchant.id, card_serial: card };
      const body = { request_id: newRequestId(), ...parties, amount: 10, terminal_id: 'T-1', pin: PIN };
      assertMay(await sendSigned(kissi, '/api/v1/pos/payment', body, { key }), 'no', 'payment');
    }
  });
});
