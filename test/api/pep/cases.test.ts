// Tests cases of politically exposed persons: for staff without access neither lists, logs nor requests for approval lead to them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decide, pendingOf, user } from '../../support/approvals.ts';
import { recalled, strangers, transferTo } from '../../support/cases.ts';
import { assertStatus, type Json, testGateway } from '../../support/gateway.ts';
import { createBank } from '../../support/money.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';

const kissi = await testGateway();
const bank = await createBank(kissi);
after(() => kissi.close());

/** Of a recall whose recipient, or whose sender, is politically exposed. */
const cases: Json[] = [];
let approval: Json;
let plain: string;
let open: string;

async function prepare(person: 0 | 1): Promise<void> {
  const parties = await strangers(kissi, bank);
  const opened = await recalled(parties[0], await transferTo(parties[0], parties[1].wallet.phone, 9_000));
  cases.push({ ...opened, person: parties[person].wallet.id });
}

before(async () => {
  for (const person of [0, 1] as const) await prepare(person);
  const asks = await user(kissi, 'compliance_user');
  const reason = { reason: 'Three customers sent money to this wallet today.' };
  const path = `/api/v1/cases/${cases[0]?.id}/extend-hold`;
  approval = pendingOf(await kissi.call('POST', path, { token: asks.token, body: reason }));
  for (const { person } of cases) await markPep(kissi, person);
  plain = (await user(kissi, 'compliance_user')).token;
  const authorized = await newAuthorizedStaff(kissi, 'compliance_user');
  await openAccess(kissi, authorized);
  open = authorized.token;
});

const read = (token: string, path: string) => kissi.call('GET', `/api/v1${path}`, { token });

test('lists leave them out, by number and by customer too, and a case by id is not there', async () => {
  for (const { id, number, person } of cases) {
    for (const filter of ['', `number=${number}`, `subscriber_id=${person}`]) {
      const found = assertStatus(await read(open, `/cases?${filter}`), 200).text;
      assert.ok(found.includes(id), filter);
      const { text } = await read(plain, `/cases?${filter}`);
      assert.ok(!text.includes(id) && !text.includes(number), `${filter}: ${text}`);
    }
    assert.equal((await read(open, `/cases/${id}`)).status, 200);
    assert.equal((await read(plain, `/cases/${id}`)).status, 404);
  }
});

test('audit entries show neither the case nor its number', async () => {
  const admin = await kissi.adminToken();
  for (const { id, number } of cases) {
    assert.ok((await read(admin, '/audit/logs?limit=200')).text.includes('case.open'));
    const { text } = await read(admin, '/audit/logs?limit=200');
    assert.ok(!text.includes(id) && !text.includes(number), number);
    const found = assertStatus(await read(admin, `/audit/logs?resource_id=${id}`), 200).json;
    assert.equal(found.total_count, 0);
  }
});

test('a request to extend a hold has no content, and is not approved', async () => {
  const { text, json } = assertStatus(await read(plain, `/admin/approvals/${approval.id}`), 200);
  assert.equal(json.approval.summary, null, text);
  assert.ok(!text.includes(cases[0]?.id) && !text.includes('Three customers'), text);
  const seen = assertStatus(await read(open, `/admin/approvals/${approval.id}`), 200).json.approval;
  assert.ok(seen.summary.parties.some(({ id }: Json) => id === cases[0]?.person));
  const refused = await decide(kissi, approval.id, 'approve', { token: plain } as never);
  assert.equal(refused.status, 403, refused.text);
});
