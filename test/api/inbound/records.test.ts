// Tests the records of inbound credits for staff: filters, paging by cursor, the masked payer, and protected persons.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { newReference, testBank } from '../../support/inbound.ts';
import { bankForFile } from '../../support/money.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { assertRefused, auditRows, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const [rokel, union] = [await testBank(kissi), await testBank(kissi, { name: 'Union Test Bank' })];
const customer = await bank.wallet();
const other = await bank.wallet();
const payer = { name: 'Fatmata Bintu Sesay', account_masked: '001***5678', bank_code: 'RCB' };

const get = (path: string, token = finance) => kissi.call('GET', `/api/v1${path}`, { token });

async function list(query: string, token = finance): Promise<Json> {
  return assertStatus(await get(`/admin/inbound${query}`, token), 200).json;
}

const idsOf = ({ inbound }: Json): string[] => inbound.map(({ inbound_id }: Json) => inbound_id);

async function credit(from: typeof rokel, body: object): Promise<{ id: string; reference: string }> {
  const reference = newReference();
  await from.credit({ reference, amount: 700, narration: 'Salary', ...body });
  const { rows } = await kissi.db.query('select id from inbound_transactions where reference = $1', [reference]);
  return { id: rows[0].id, reference };
}

const first = await credit(rokel, { msisdn: customer.phone, payer });
kissi.clock.advance(DAY_MS);

const [finance, compliance, support] = [
  await staffToken(kissi, 'finance_user'),
  await staffToken(kissi, 'compliance_user'),
  await staffToken(kissi, 'support_user'),
];
const admin = await kissi.adminToken();

const toOther = await credit(union, { msisdn: other.phone });
const failed = await credit(rokel, { msisdn: '+23299999999' });
const reversed = await credit(rokel, { msisdn: customer.phone });
const reverse = await kissi.call('POST', `/api/v1/admin/inbound/${reversed.id}/reverse`, {
  token: finance,
  body: { reason: 'Sent twice' },
});
assert.equal(reverse.status, 200, reverse.text);
const ALL = [reversed, failed, toOther, first].map(({ id }) => id);

describe('GET /admin/inbound', () => {
  test('lists all credits, newest first, whatever their outcome', async () => {
    const all = await list('');
    assert.deepEqual(idsOf(all), ALL);
    assert.deepEqual([all.total_count, all.limit, all.offset, all.next_cursor], [4, 50, 0, null]);
    assert.deepEqual(
      all.inbound.map(({ status, failure_code }: Json) => [status, failure_code]),
      [
        ['REVERSED', null],
        ['REJECTED', 'BENEFICIARY_NOT_FOUND'],
        ['COMPLETED', null],
        ['COMPLETED', null],
      ],
    );
  });

  const day = (offset: number) => new Date(kissi.clock.now() + offset * DAY_MS).toISOString().slice(0, 10);
  const FILTERS: [query: () => string, expected: { id: string }[]][] = [
    [() => '?status=COMPLETED', [toOther, first]],
    [() => '?status=REJECTED', [failed]],
    [() => '?status=FAILED', []],
    [() => '?status=REVERSED', [reversed]],
    [() => `?partner_id=${rokel.partnerId}`, [reversed, failed, first]],
    [() => `?partner_id=${rokel.partnerId}&status=REJECTED`, [failed]],
    [() => `?partner_id=${rokel.partnerId}&status=REVERSED`, [reversed]],
    [() => `?partner_id=${union.partnerId}&status=REVERSED`, []],
    [() => `?partner_id=${rokel.partnerId}&status=COMPLETED`, [first]],
    [() => '?partner_id=ptn_unknown', []],
    [() => `?reference=${toOther.reference}`, [toOther]],
    [() => `?reference=${toOther.reference}&partner_id=${rokel.partnerId}`, []],
    [() => `?subscriber_id=${customer.id}`, [reversed, first]],
    [() => `?subscriber_id=${customer.id}&status=COMPLETED`, [first]],
    [() => '?subscriber_id=sub_unknown', []],
    [() => `?from=${day(0)}`, [reversed, failed, toOther]],
    [() => `?to=${day(-1)}`, [first]],
    [() => `?from=${day(-1)}&to=${day(0)}&status=REVERSED`, [reversed]],
    [() => `?from=${day(-1)}&to=${day(-1)}&status=REVERSED`, []],
  ];
  for (const [query, expected] of FILTERS) {
    test(`filters by ${query().replaceAll(/(ptn|sub)_\w+/g, '$1_…')}`, async () => {
      const found = await list(query());
      assert.deepEqual(
        idsOf(found),
        expected.map(({ id }) => id),
      );
      assert.equal(found.total_count, expected.length);
    });
  }

  test('pages by cursor, and credits that arrive in between do not move the pages', async () => {
    const pages = [await list(`?limit=1&partner_id=${rokel.partnerId}`)];
    const late = await credit(rokel, { msisdn: customer.phone });
    while (pages.at(-1)?.next_cursor) {
      pages.push(await list(`?limit=1&partner_id=${rokel.partnerId}&cursor=${pages.at(-1)?.next_cursor}`));
    }
    assert.deepEqual(pages.flatMap(idsOf), [reversed.id, failed.id, first.id]);
    assert.deepEqual(
      pages.map(({ total_count }) => total_count),
      [3, 3, 3],
    );
    assert.deepEqual(idsOf(await list('?limit=1&offset=1')), [reversed.id]);
    assert.deepEqual(idsOf(await list('?limit=1')), [late.id]);
    const reversals = await list(`?status=REVERSED&cursor=${Buffer.from(`${reversed.id}.1`).toString('base64url')}`);
    assert.deepEqual(idsOf(reversals), []);
  });

  for (const query of ['?cursor=x', '?offset=10001', '?from=yesterday', '?status=PROCESSING', '?payer=Fatmata']) {
    test(`refuses ${query}`, async () => {
      assertRefused(await get(`/admin/inbound${query}`), 400, 'INVALID_REQUEST');
    });
  }
});

describe('the record', () => {
  const PAYERS: [string, string, object][] = [
    ['compliance_user', compliance, payer],
    ...[finance, support, admin].map((token, index): [string, string, object] => [
      ['finance_user', 'support_user', 'system_admin'][index] as string,
      token,
      { name: 'Fatmata S.', account_masked: '******5678', bank_code: 'RCB' },
    ]),
  ];
  for (const [role, token, expected] of PAYERS) {
    test(`shows the payer to ${role} ${role === 'compliance_user' ? 'in full' : 'masked'}`, async () => {
      const { inbound } = (await get(`/admin/inbound/${first.id}`, token)).json;
      assert.deepEqual(inbound.payer, expected);
      const [listed] = (await list(`?reference=${first.reference}`, token)).inbound;
      assert.deepEqual(listed, inbound);
    });
  }

  test("has the partner's name, even for roles that may not read partners", async () => {
    assertRefused(await get('/admin/partners', support), 403, 'FORBIDDEN');
    for (const [token, credited] of [
      [support, first],
      [compliance, toOther],
    ] as const) {
      const { partner_id, partner_name } = (await get(`/admin/inbound/${credited.id}`, token)).json.inbound;
      const { partner } = (await get(`/admin/partners/${partner_id}`, admin)).json;
      assert.equal(partner_name, partner.name);
    }
  });

  test('masks a payer of one word, and is null without a payer', async () => {
    const { reference } = await credit(union, { msisdn: other.phone, payer: { name: 'Fatmata' } });
    const [{ payer: masked }] = (await list(`?reference=${reference}`)).inbound;
    assert.deepEqual(masked, { name: 'F.', account_masked: null, bank_code: null });
    assert.equal((await get(`/admin/inbound/${failed.id}`)).json.inbound.payer, null);
  });

  test('has the reversal', async () => {
    const { inbound } = (await get(`/admin/inbound/${reversed.id}`)).json;
    const { transaction_id, reason } = inbound.reversal;
    assert.deepEqual([transaction_id, reason], [reverse.json.transaction_id, 'Sent twice']);
    assert.equal(inbound.subscriber_id, customer.id);
    assert.equal((await get(`/admin/inbound/${first.id}`)).json.inbound.reversal, null);
  });

  test('is 404 for an unknown id', async () => {
    assertRefused(await get('/admin/inbound/inb_unknown'), 404, 'NOT_FOUND');
  });
});

test('a credit to a politically exposed person is neither listed nor found without open access', async () => {
  const person = await bank.wallet();
  const { id, reference } = await credit(rokel, { msisdn: person.phone, payer });
  await markPep(kissi, person.id);
  const open = await newAuthorizedStaff(kissi, 'compliance_user');
  for (const token of [finance, compliance, open.token]) {
    const listed = await list(`?reference=${reference}`, token);
    assert.deepEqual([listed.inbound, listed.total_count], [[], 0]);
    const reply = await get(`/admin/inbound/${id}`, token);
    if (token === open.token) assertRefused(reply, 403, 'PEP_ACCESS_REQUIRED');
    else assertRefused(reply, 404, 'NOT_FOUND');
    assertRefused(await get(`/admin/inbound?subscriber_id=${person.id}`, token), 403, 'PEP_ACCESS_REQUIRED');
  }
  await openAccess(kissi, open);
  assert.deepEqual((await get(`/admin/inbound/${id}`, open.token)).json.inbound.payer, payer);
  assert.deepEqual(idsOf(await list(`?subscriber_id=${person.id}`, open.token)), [id]);
  assert.deepEqual((await list(`?reference=${reference}`, open.token)).inbound[0].payer, payer);
  const entries = await auditRows(kissi, { actor_id: open.id, action: 'pep.access', resource_id: person.id });
  assert.equal(entries.length, 3);
});
