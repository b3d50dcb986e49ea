// Tests what GET /search finds, for which callers, and what it hides.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SCOPES } from '../../../src/auth/roles.ts';
import { agentToken, newAgent } from '../../support/agents.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { newReference, testBank } from '../../support/inbound.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { merchantToken } from '../../support/processors.ts';
import { apiKey, assertRefused, auditLogs, staffToken } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const admin = await kissi.adminToken();
const call = (q: string, token: string) => kissi.call('GET', `/api/v1/search?q=${encodeURIComponent(q)}`, { token });

async function search(q: string, token = admin): Promise<Json[]> {
  const reply = assertStatus(await call(q, token), 200);
  assert.equal(reply.json.success, true);
  return reply.json.hits;
}

const found = async (q: string, token = admin) =>
  (await search(q, token)).map(({ type, id, matched_by }) => [type, id, matched_by]);

const holder = await bank.wallet(1_000_000, { first_name: 'Mohamed Lamin', last_name: "N'Diayé-Sesay" });
const other = await bank.wallet(1_000_000, { first_name: 'Ɛlizabeth', last_name: 'Quee' });
const card = await bank.card(holder);
const account = async (id: string) =>
  (await kissi.call('GET', `/api/v1/subscribers/${id}`, { token: admin })).json.subscriber.account_number;
const accountNumber: string = await account(holder.id);
const agent = await newAgent(kissi, { business_name: 'Rokupa Money Point', first_name: 'Yabom', last_name: 'Fornah' });
const token = await agentToken(kissi, agent);
const terminal = await terminalOf(kissi);
const sender = await testBank(kissi, { name: 'Bamba Community Bank' });

const payment = assertStatus(await terminal.pay(card, { request_id: 'till-7-0001' }), 200);
const reference = newReference();
const credit = assertStatus(await sender.credit({ reference, amount: 700, msisdn: other.phone }), 200);
const failedReference = newReference();
await sender.credit({ reference: failedReference, amount: 700, msisdn: '+23299999999' });

describe('a phone number is found in every usual spelling', () => {
  const local = `0${holder.phone.slice(4)}`;
  for (const q of [
    holder.phone,
    local,
    `${local.slice(0, 3)} ${local.slice(3, 6)} ${local.slice(6)}`,
    `${local.slice(0, 3)}-${local.slice(3)}`,
    `(${local.slice(0, 3)}) ${local.slice(3)}`,
    `  ${holder.phone} `,
  ]) {
    test(q, async () => assert.deepEqual(await found(q), [['subscriber', holder.id, 'phone_number']]));
  }

  test('of agents and processors too', async () => {
    assert.deepEqual(await found(agent.phone), [['agent', agent.id, 'phone_number']]);
    assert.deepEqual(await found(terminal.merchant.phone), [['processor', terminal.merchant.id, 'phone_number']]);
  });
});

describe('staff find a record by a part of its number', () => {
  const local = `0${holder.phone.slice(4)}`;
  for (const [name, q, matched] of [
    ['the last digits of a phone number', holder.phone.slice(-6), 'phone_number'],
    ['its first digits', local.slice(0, -1), 'phone_number'],
    ['its first digits in international form', holder.phone.slice(0, -1), 'phone_number'],
    ['the first digits of an account number', accountNumber.slice(0, -1), 'account_number'],
  ] as const) {
    test(name, async () => {
      const hits = (await found(q)).filter(([, id]) => id === holder.id);
      assert.deepEqual(hits, [['subscriber', holder.id, matched]]);
    });
  }

  test('of an agent and a merchant', async () => {
    for (const [type, { id, phone }] of [
      ['agent', agent],
      ['processor', terminal.merchant],
    ] as const) {
      assert.deepEqual(
        (await found(phone.slice(-6))).filter(([, hit]) => hit === id),
        [[type, id, 'phone_number']],
      );
    }
  });

  test('but not by digits in the middle, by three of them, or by a user of an agent', async () => {
    assert.deepEqual(await found(holder.phone.slice(5, -1)), []);
    assert.deepEqual(await found(holder.phone.slice(-3)), []);
    assert.deepEqual(await found(holder.phone.slice(-6), token), []);
  });

  test('and a politically exposed person only with access', async () => {
    const exposed = await bank.wallet(1_000);
    await markPep(kissi, exposed.id);
    const open = await newAuthorizedStaff(kissi, 'support_user');
    const isFound = async (as: string) =>
      (await search(exposed.phone.slice(-6), as)).some((hit) => hit.id === exposed.id);
    assert.equal(await isFound(admin), false);
    await openAccess(kissi, open);
    assert.equal(await isFound(open.token), true);
  });
});

describe('a name is found by the start of any of its words, whatever case, accents and order', () => {
  for (const q of [
    'Mohamed',
    'LAMIN',
    'lam',
    'ndiaye',
    "n'diaye",
    'N’DIAYÉ',
    'sesay moh',
    'mohamed sesay',
    'mo la ndi se',
    'N\u2019Diaye\u0301',
    'lamin-sesay',
  ]) {
    test(q, async () => assert.deepEqual(await found(q), [['subscriber', holder.id, 'name']]));
  }
  for (const q of ['ohamed', 'mohamed kamara', 'mohamed lamin turay', 'diaye', 'sesays', '%%%', "';--"]) {
    test(`not by ${q}`, async () => assert.deepEqual(await found(q), []));
  }

  test('with letters outside ASCII', async () => {
    assert.deepEqual(await found('ɛliz'), [['subscriber', other.id, 'name']]);
    assert.deepEqual(await found('Ɛlizabeth QUEE'), [['subscriber', other.id, 'name']]);
  });

  test('of agents, processors and partners', async () => {
    assert.deepEqual(await found('rokupa'), [['agent', agent.id, 'name']]);
    assert.deepEqual(await found('fornah yab'), [['agent', agent.id, 'name']]);
    assert.deepEqual(await found('lumley grill'), [['processor', terminal.merchant.id, 'name']]);
    assert.deepEqual(await found('bamba'), [['partner', sender.partnerId, 'name']]);
    const merchant = terminal.merchant.merchantId.toLowerCase();
    assert.deepEqual((await found(merchant))[0], ['processor', terminal.merchant.id, 'merchant_id']);
  });

  test('after a change by its new words only', async () => {
    const { id } = await bank.wallet(0, { first_name: 'Bockarie', last_name: 'Kaikai' });
    assert.deepEqual(await found('bockarie'), [['subscriber', id, 'name']]);
    await kissi.call('PUT', `/api/v1/subscribers/${id}`, { token: admin, body: { last_name: 'Gbessay' } });
    assert.deepEqual([await found('kaikai'), await found('gbess bock')], [[], [['subscriber', id, 'name']]]);
    const { rows } = await kissi.db.query('select key from search_names where record_id = $1 order by key', [id]);
    assert.deepEqual(
      rows.map(({ key }) => key),
      ['bockarie gbessay', 'gbessay bockarie'],
    );
  });

  test('with names of many, long and repeated words', async () => {
    const first_name = `${'Ab '.repeat(20)}${'\ufb03'.repeat(40)}`;
    const { id } = await bank.wallet(0, { first_name, last_name: 'x'.repeat(100) });
    assert.deepEqual(await found('xxxxxxxx ab'), [['subscriber', id, 'name']]);
  });

  test('at most ten of a type, and says if there are more', async () => {
    for (let n = 0; n < 12; n++) await bank.wallet(0, { first_name: 'Tenneh', last_name: `Number${n}` });
    const hits = await search('tenneh');
    assert.equal(hits.length, 10);
    assert.equal(new Set(hits.map(({ id }) => id)).size, 10);
    const truncated = async (q: string) => (await call(q, admin)).json.truncated;
    assert.deepEqual(await truncated('tenneh'), ['subscriber']);
    assert.equal((await search('tenneh number11')).length, 1);
    assert.deepEqual(await truncated('tenneh number11'), []);
    for (let n = 0; n < 10; n++) await bank.wallet(0, { first_name: 'Exactly', last_name: `Ten${n}` });
    assert.equal((await search('exactly')).length, 10);
    assert.deepEqual(await truncated('exactly'), []);
    for (let n = 0; n < 35; n++) await bank.wallet(0, { first_name: 'Kaday Yealie', last_name: `Shared${n}` });
    const [hit, ...others] = await search('yealie kaday shared34');
    assert.deepEqual([hit.title, others.length], ['Kaday Yealie Shared34', 0]);
    assert.deepEqual(await found('yealie kaday tenneh'), []);
  });
});

describe('identifiers', () => {
  test('an account number, with or without spaces', async () => {
    const expected = [['subscriber', holder.id, 'account_number']];
    assert.deepEqual(await found(accountNumber), expected);
    assert.deepEqual(await found(`${accountNumber.slice(0, 5)} ${accountNumber.slice(5)}`), expected);
  });

  test('a card serial or its start, in either case', async () => {
    for (const q of [card, card.toLowerCase(), card.slice(0, -1)]) {
      assert.deepEqual((await found(q))[0], ['card', card, 'card_serial'], q);
    }
    const [hit] = await search(card);
    assert.deepEqual([hit.subtitle, hit.subscriber_id], ["Mohamed Lamin N'Diayé-Sesay", holder.id]);
  });

  test('a transaction by id, request id and authorization code', async () => {
    const { transaction_id: id, authorization_code } = payment.json;
    for (const [q, field] of [
      [id, 'transaction_id'],
      [id.toLowerCase(), 'transaction_id'],
      ['till-7-0001', 'request_id'],
      [authorization_code, 'authorization_code'],
      [authorization_code.toLowerCase(), 'authorization_code'],
    ]) {
      assert.deepEqual(await found(q), [['transaction', id, field]], q);
    }
    const [hit] = await search(id);
    assert.deepEqual(
      [hit.title, hit.subtitle, hit.status],
      ['pos_payment 100.00 SLE', `${holder.id} to ${terminal.merchant.id}`, 'COMPLETED'],
    );
  });

  test('a reference finds the transaction and the inbound credit, and a rejected credit too', async () => {
    const { transaction_id, inbound_id } = credit.json.data;
    assert.deepEqual((await found(reference)).toSorted(), [
      ['inbound', inbound_id, 'reference'],
      ['transaction', transaction_id, 'reference'],
    ]);
    const [rejected] = await search(failedReference);
    assert.deepEqual([rejected.type, rejected.status, rejected.matched_by], ['inbound', 'REJECTED', 'reference']);
  });

  test('a reference with spaces and accents, as of a settlement', async () => {
    const body = { amount: 100, reference: 'Invoice 77, café' };
    const settled = await kissi.call('POST', `/api/v1/admin/partners/${sender.partnerId}/settle`, {
      token: admin,
      body,
    });
    assert.equal(settled.status, 200, settled.text);
    const { transaction_id } = settled.json.settlement ?? settled.json;
    assert.deepEqual(await found('Invoice 77, café'), [['transaction', transaction_id, 'reference']]);
    assert.deepEqual(await found('  Invoice 77, cafe\u0301 '), [['transaction', transaction_id, 'reference']]);
    assert.deepEqual(await found('Invoice 7'), []);
  });

  test('the id of any record', async () => {
    for (const [type, id] of [
      ['subscriber', holder.id],
      ['agent', agent.id],
      ['processor', terminal.merchant.id],
      ['partner', sender.partnerId],
      ['inbound', credit.json.data.inbound_id],
    ] as const) {
      assert.deepEqual(await found(id), [[type, id, 'id']]);
    }
  });
});

test('text of less than three characters, or none, is refused', async () => {
  for (const q of ['', 'a', 'ab', '  ab  ', 'x'.repeat(129)])
    assertRefused(await call(q, admin), 400, 'INVALID_REQUEST', q);
  assertRefused(await kissi.call('GET', '/api/v1/search', { token: admin }), 400, 'INVALID_REQUEST');
});

describe('callers get only the types of records they may read', () => {
  const EVERYTHING = ['subscriber', 'card', 'transaction', 'inbound', 'agent', 'processor', 'partner'];
  const ROLES = {
    compliance_user: ['subscriber', 'card', 'transaction', 'inbound', 'agent', 'processor'],
    support_user: ['subscriber', 'card', 'transaction', 'inbound', 'agent', 'processor'],
    finance_user: ['subscriber', 'transaction', 'inbound', 'agent', 'processor', 'partner'],
    sales_user: ['subscriber', 'card', 'agent', 'processor'],
    audit_user: ['subscriber', 'card', 'transaction', 'agent', 'processor'],
  } as const;
  const QUERIES: Record<string, string> = {
    subscriber: holder.phone,
    card,
    transaction: payment.json.transaction_id,
    inbound: failedReference,
    agent: agent.phone,
    processor: terminal.merchant.phone,
    partner: 'bamba',
  };
  const typesFor = async (bearer: string) => {
    const types: string[] = [];
    for (const type of EVERYTHING) {
      const hits = await search(QUERIES[type] as string, bearer);
      for (const hit of hits) assert.equal(hit.type, type);
      if (hits.length > 0) types.push(type);
    }
    return types;
  };

  for (const [role, types] of Object.entries(ROLES)) {
    test(role, async () =>
      assert.deepEqual(await typesFor(await staffToken(kissi, role as keyof typeof ROLES)), types),
    );
  }
  test('system_admin', async () => assert.deepEqual(await typesFor(admin), EVERYTHING));
  test('an API key, by its scopes', async () => {
    assert.deepEqual(await typesFor((await apiKey(kissi, ['subscribers:read'])).key), ['subscriber']);
    assert.deepEqual(await typesFor((await apiKey(kissi, ['cards:read'])).key), ['card']);
    assert.deepEqual(await typesFor((await apiKey(kissi, ['payments:read'])).key), [
      'transaction',
      'agent',
      'processor',
    ]);
    const { key } = await apiKey(kissi, ['cards:read']);
    assert.equal((await search(card, key))[0].subtitle, null);
  });

  test('processors and keys with an owner get 403', async () => {
    assertRefused(await call(holder.phone, await merchantToken(kissi, terminal.merchant)), 403, 'FORBIDDEN');
    const scopes = SCOPES.filter((scope) => /^(payments|subscribers|cards|balance)/.test(scope));
    for (const owner of [{ partner_id: sender.partnerId }, { processor_id: terminal.merchant.id }]) {
      const { key } = await apiKey(kissi, scopes, owner);
      assertRefused(await call(holder.phone, key), 403, 'FORBIDDEN');
    }
  });
});

describe('users of agents', () => {
  test('find a subscriber by a complete phone number, account number or serial, with the masked name and phone number', async () => {
    for (const [q, field] of [
      [holder.phone, 'phone_number'],
      [accountNumber, 'account_number'],
      [card, 'card_serial'],
    ] as const) {
      assert.deepEqual(await search(q, token), [
        {
          type: 'subscriber',
          id: holder.id,
          title: 'Mohamed N.',
          subtitle: `+232 ** *** ${holder.phone.slice(-3)}`,
          status: 'ACTIVE',
          matched_by: field,
          created_at: null,
        },
      ]);
    }
  });

  test('see the name of subscribers they registered', async () => {
    const body = { phone_number: '+23279111111', first_name: 'Finda', last_name: 'Sahr', pin: PIN };
    const { json } = await kissi.call('POST', '/api/v1/subscribers', { token, body });
    const [hit] = await search('079 111111', token);
    assert.deepEqual([hit.id, hit.title], [json.subscriber_id, 'Finda Sahr']);
    assert.deepEqual(await found('finda', token), []);
  });

  test('find nothing by name, part of a serial, transaction, reference or id', async () => {
    const ids = [payment.json.transaction_id, reference, 'till-7-0001', holder.id, agent.id, agent.phone];
    for (const q of ['mohamed', 'mohamed sesay', card.slice(0, -1), ...ids]) {
      assert.deepEqual(await found(q, token), [], q);
    }
  });

  test('get 429 after 20 look-ups without a match, of which the list of subscribers counts too', async () => {
    const guesser = await agentToken(kissi, await newAgent(kissi));
    const list = (phone: string) =>
      kissi.call('GET', `/api/v1/subscribers?phone_number=${encodeURIComponent(phone)}`, { token: guesser });
    for (let n = 0; n < 20; n++) {
      const number = `+2327800${1000 + n}`;
      assert.equal((await (n % 2 ? call(number, guesser) : list(number))).status, 200);
    }
    assert.equal((await call('+23278001001', guesser)).status, 200, 'the same number again is no further miss');
    for (const q of ['+23278009999', holder.phone]) assertRefused(await call(q, guesser), 429, 'TOO_MANY_LOOKUPS');
    assertRefused(await list(holder.phone), 429, 'TOO_MANY_LOOKUPS');
    assert.equal((await call(holder.phone, token)).status, 200);
  });
});

describe('a politically exposed person', async () => {
  const person = await bank.wallet(1_000_000, { first_name: 'Zainabu', last_name: 'Excellency' });
  const number = await account(person.id);
  const serial = await bank.card(person);
  const paid = await terminal.pay(serial);
  const reference = newReference();
  assertStatus(await sender.credit({ reference, amount: 900, msisdn: person.phone }), 200);
  await markPep(kissi, person.id);
  const open = await newAuthorizedStaff(kissi, 'system_admin');

  test('is found by nothing without open access, nor are payments and credits, and cards show only serial and status', async () => {
    const { key } = await apiKey(kissi, ['subscribers:read', 'cards:read', 'payments:read']);
    for (const bearer of [admin, open.token, key]) {
      for (const q of ['zainabu', 'excellency zai', person.phone, number, person.id]) {
        assert.deepEqual(await found(q, bearer), [], q);
      }
    }
    // A miss would tell an agent who is politically exposed.
    for (const q of [person.phone, number, serial]) {
      const [hit] = await search(q, token);
      assert.deepEqual([hit.id, hit.title, hit.created_at], [person.id, 'Zainabu E.', null]);
    }
    const all = [...(await search(serial)), ...(await search(paid.json.transaction_id)), ...(await search(reference))];
    assert.deepEqual(
      all.map(({ type, title, subtitle, created_at, subscriber_id }) => [
        type,
        title,
        subtitle,
        created_at,
        subscriber_id,
      ]),
      [['card', serial, null, null, undefined]],
    );
  });

  test('is found with open access, which is audited', async () => {
    await openAccess(kissi, open);
    const accesses = async () => (await auditLogs(kissi, { actor_id: open.id, action: 'pep.access' })).length;
    const before = await accesses();
    for (const [q, field] of [
      ['zainabu', 'name'],
      [person.phone, 'phone_number'],
      [number, 'account_number'],
    ] as const) {
      assert.deepEqual(await found(q, open.token), [['subscriber', person.id, field]]);
    }
    assert.equal((await search(serial, open.token))[0].subtitle, 'Zainabu Excellency');
    assert.equal(await accesses(), before + 4);
  });
});
