// Lists that can be sorted: the order by pages and in an export, which has no gaps and no doubles, and unknown orders.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { newAgent } from '../../support/agents.ts';
import { user } from '../../support/approvals.ts';
import { knownPhones } from '../../support/cases.ts';
import { CSV, parseCsv } from '../../support/csv.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { newMerchant } from '../../support/processors.ts';
import { assertRefused, openSession } from '../../support/staff.ts';

const PAGE_SIZE = 2;
const { kissi, bank } = await bankForFile({ exportLimits: { pageSize: PAGE_SIZE } });
const staff = await user(kissi, 'support_user');

/** The clock moves, and sessions end. */
async function call(method: string, path: string, body?: unknown) {
  const { token } = await openSession(kissi, staff);
  return kissi.call(method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }) });
}

/** An export has all records once; by what changes, it is in the order of time. */
const CHANGING = /sort=(due|name)/;

/** The ids of a list, page by page; an export and one large page have the same. */
async function idsOf(list: string, query: string): Promise<string[]> {
  const { token } = await openSession(kissi, staff);
  const read = (extra = '', headers = {}) => kissi.call('GET', `/api/v1/${list}?${query}${extra}`, { token, headers });
  const ids: string[] = [];
  for (let more = true; more; ) {
    const { json } = assertStatus(await read(`&limit=${PAGE_SIZE}&offset=${ids.length}`), 200);
    const page: string[] = json[list].map(({ id }: Json) => id);
    ids.push(...page);
    more = page.length > 0;
    if (!more) assert.equal(json.total_count, ids.length);
  }
  const whole = assertStatus(await read('&limit=100'), 200).json[list];
  assert.deepEqual(
    whole.map(({ id }: Json) => id),
    ids,
  );
  const { columns, rows } = parseCsv(assertStatus(await read('', CSV), 200).text);
  const exported = rows.map((row) => row[columns.indexOf('id')]);
  assert.deepEqual(exported, CHANGING.test(query) ? ids.toSorted().toReversed() : ids);
  return ids;
}

async function assertUnknownRefused(list: string): Promise<void> {
  for (const sort of ['age', 'NEWEST', '']) {
    const reply = assertRefused(await call('GET', `/${list}?sort=${sort}`), 400, 'INVALID_REQUEST');
    assert.match(reply.json.error, /^sort /);
  }
}

test('cases: newest, oldest, or the one that is due first', async () => {
  const customer = await bank.wallet();
  const [phone] = await knownPhones(kissi, [customer]);
  assert.ok(phone);
  const open = async (): Promise<string> => {
    const body = { kind: 'agent', subscriber_id: customer.id, description: 'The agent took SLE 5.' };
    return assertStatus(await call('POST', '/cases', body), 201).json.case.id;
  };
  const [first, second, closed] = [await open(), await open(), await open()];
  const end = { state: 'resolved', reason: 'The agent paid it back' };
  assertStatus(await call('POST', `/cases/${closed}/state`, end), 200);
  // Nobody has begun with it, so that its first clock is the shorter one.
  const asked = await phone.post('/me/cases', { kind: 'other', description: 'Nobody answers.' });
  const waiting = assertStatus(asked, 201).json.case.id;
  kissi.clock.advance(DAY_MS);
  const later = await open();
  const opened = [first, second, closed, waiting, later];
  assert.deepEqual(await idsOf('cases', 'sort=oldest'), opened);
  assert.deepEqual(await idsOf('cases', 'sort=newest'), opened.toReversed());
  assert.deepEqual(await idsOf('cases', ''), opened.toReversed());
  assert.deepEqual(await idsOf('cases', 'sort=due'), [waiting, first, second, later, closed]);
  assert.deepEqual(await idsOf('cases', 'sort=due&is_open=true'), [waiting, first, second, later]);
  assertStatus(await call('POST', `/cases/${waiting}/notes`, { text: 'Called the customer.' }), 200);
  assert.deepEqual(await idsOf('cases', 'sort=due'), [first, second, waiting, later, closed]);
  await assertUnknownRefused('cases');
});

test('customers: newest or oldest, in a search too', async () => {
  const found: string[] = [];
  for (const first_name of ['Zainab', 'Aminata', 'Musa', 'Fatu', 'Ibrahim']) {
    found.push((await bank.wallet(0, { first_name, last_name: 'Sortwell' })).id);
  }
  assert.deepEqual(await idsOf('subscribers', 'search=sortwell&sort=oldest'), found);
  assert.deepEqual(await idsOf('subscribers', 'search=sortwell&sort=newest'), found.toReversed());
  assert.deepEqual(await idsOf('subscribers', 'search=sortwell'), found.toReversed());
  const all = await idsOf('subscribers', 'sort=oldest');
  assert.deepEqual(all.slice(-found.length), found);
  assert.deepEqual(await idsOf('subscribers', ''), all.toReversed());
  assert.deepEqual(await idsOf('subscribers', 'status=ACTIVE&kyc_level=1&sort=oldest'), all);
  await assertUnknownRefused('subscribers');
});

const BUSINESSES = ['beta Shop', 'Alpha', 'Élan', 'alpha', 'Gamma', 'Alpha'];
/** Ignoring case; those with the same name in the order of their creation. */
const BY_NAME = [1, 3, 5, 0, 4, 2];

const kinds = {
  agents: (business_name: string) => newAgent(kissi, { business_name }),
  processors: (business_name: string) => newMerchant(kissi, { business_name }),
};
for (const [list, create] of Object.entries(kinds)) {
  test(`${list}: newest, oldest or by name`, async () => {
    const ids: string[] = [];
    for (const name of BUSINESSES) ids.push((await create(name)).id);
    assert.deepEqual(await idsOf(list, 'sort=oldest'), ids);
    assert.deepEqual(await idsOf(list, 'sort=newest'), ids.toReversed());
    assert.deepEqual(await idsOf(list, ''), ids.toReversed());
    assert.deepEqual(
      await idsOf(list, 'sort=name'),
      BY_NAME.map((at) => ids[at]),
    );
    assert.deepEqual(await idsOf(list, 'sort=name&search=alpha'), [ids[1], ids[3], ids[5]]);
    await assertUnknownRefused(list);
  });
}
