// Tests the erasure of personal data: what is left in every table, in the audit log and in the books, and who may do it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { iso } from '../../../src/kernel/clock.ts';
import { asOwner, assertClean } from '../../ledger/books.ts';
import { decide, getApproval, pendingOf } from '../../support/approvals.ts';
import { deviceLogin, startLogin } from '../../support/customers.ts';
import { everything, type StoredRow } from '../../support/everything.ts';
import { assertRecordsAudited, type Json } from '../../support/gateway.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import {
  ask,
  complianceUsers,
  erase,
  IDENTITY,
  now,
  PRIVACY_ENV,
  passRetention,
  storedEverywhere,
  WORDS,
} from '../../support/privacy.ts';
import { apiKey, assertRefused, assertStatus, auditRows, createdByAdmin } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ env: PRIVACY_ENV });
const staff = await complianceUsers(kissi);

const holding = (stored: readonly StoredRow[], word: string) =>
  stored.filter(({ text }) => text.toLowerCase().includes(word)).map(({ where }) => where);

describe('the erasure of a customer', () => {
  test('leaves no identity in any table, and the books and both chains verify', async () => {
    const { wallet, deviceToken } = await storedEverywhere(kissi, bank, staff);
    const digits = wallet.phone.slice(1);
    const before = await everything(kissi);
    for (const word of [...WORDS, digits]) assert.ok(holding(before, word).length > 0, `${word} was stored`);
    assert.ok(
      new Set(holding(before, 'quillfeather')).size >= 8,
      String([...new Set(holding(before, 'quillfeather'))]),
    );
    await passRetention(kissi);
    const movements = await bank.get(`/transactions?subscriber_id=${wallet.id}`);
    const { rows: kept } = await kissi.db.query('select * from postings where account_id = $1 order by seq', [
      wallet.id,
    ]);

    const { approval } = assertStatus(await erase(kissi, staff, wallet.id), 200).json;
    assert.equal(approval.status, 'executed', JSON.stringify(approval));
    assert.equal(approval.result.subscriber_id, wallet.id);

    const stored = await everything(kissi);
    for (const word of [...WORDS, digits]) assert.deepEqual(holding(stored, word), [], word);
    const postings = await kissi.db.query('select * from postings where account_id = $1 order by seq', [wallet.id]);
    assert.deepEqual(postings.rows, kept);
    assert.ok(kept.length >= 3 && movements.json.total_count >= 3);
    await assertRecordsAudited(kissi);
    await assertClean(kissi.db.url);
    const [entry] = await auditRows(kissi, { action: 'subscriber.erase', resource_id: wallet.id });
    assert.deepEqual([entry.actor_id, entry.details.approved_by], [staff.one.id, staff.two.id]);
    await assertEnded(wallet.id, wallet.phone, deviceToken);
  });

  /** The wallet is gone for everybody, and its number can be registered again. */
  async function assertEnded(id: string, phone: string, deviceToken: string): Promise<void> {
    assertRefused(await kissi.asAdmin.get(`/subscribers/${id}`), 404, 'NOT_FOUND');
    assert.equal((await deviceLogin(kissi, deviceToken)).status, 401);
    await startLogin(kissi, phone);
    const other = await bank.wallet(10_000);
    const transfer = { sender_id: other.id, recipient_id: id, amount: 100, pin: PIN, request_id: 'to-erased' };
    assertRefused(await bank.post('/wallet/transfer', transfer), 404, 'SUBSCRIBER_NOT_FOUND');
    const fund = { partner_id: bank.partnerId, subscriber_id: id, amount: 100, request_id: 'fund-erased' };
    assertRefused(await bank.post('/wallet/fund-from-partner', fund), 404, 'SUBSCRIBER_NOT_FOUND');
    assertRefused(await kissi.asAdmin.post(`/subscribers/${id}/unblock`), 404, 'NOT_FOUND');
    assertRefused(await kissi.asAdmin.post('/cases', caseAbout(id)), 404, 'NOT_FOUND');
    assertRefused(await ask(kissi, staff.one, id), 404, 'NOT_FOUND');
    const again = { phone_number: phone, first_name: 'Mabinty', last_name: 'Conteh', pin: PIN };
    const { subscriber_id } = assertStatus(await kissi.asAdmin.post('/subscribers', again), 201).json;
    assert.notEqual(subscriber_id, id);
    assert.deepEqual((await kissi.asAdmin.get('/search?q=Quillfeather')).json.hits, []);
  }

  const caseAbout = (id: string) => ({ subscriber_id: id, kind: 'other', description: 'Late' });

  test('makes the files of its cases unreadable, with the key that encrypted them', async () => {
    const { wallet } = await storedEverywhere(kissi, bank, staff);
    const { rows } = await kissi.db.query(
      'select f.* from case_files f join cases c on c.id = f.case_id where c.subscriber_id = $1',
      [wallet.id],
    );
    const [file] = rows as Json[];
    const path = `/cases/${file.case_id}/files/${file.id}`;
    assert.match((await kissi.asAdmin.get(path)).text, /Quillfeather/);
    await passRetention(kissi);
    assertStatus(await erase(kissi, staff, wallet.id), 200);
    // The bytes come back from a backup, and the key does not.
    await asOwner(kissi.db.url, (owner) =>
      owner.query('update case_files set sealed = $2 where id = $1', [file.id, file.sealed]),
    );
    assertRefused(await kissi.asAdmin.get(path), 409, 'PERSONAL_DATA_ERASED');
    const { case: found } = (await kissi.asAdmin.get(`/cases/${file.case_id}`)).json;
    assert.ok(!JSON.stringify(found).includes(IDENTITY.last_name));
    assert.ok(found.timeline.length >= 3, 'the steps of the case stay');
  });

  test('leaves the other side of its payments readable', async () => {
    const other = await bank.wallet(20_000);
    const wallet = await bank.wallet(0, { last_name: 'Gone' });
    const send = { sender_id: other.id, recipient_id: wallet.id, amount: 5_000, pin: PIN, request_id: 'gone-1' };
    const { transaction_id } = assertStatus(await bank.post('/wallet/transfer', send), 200).json;
    const back = { sender_id: wallet.id, recipient_id: other.id, amount: 5_000, pin: PIN, request_id: 'gone-2' };
    assertStatus(await bank.post('/wallet/transfer', back), 200);
    await passRetention(kissi);
    assertStatus(await erase(kissi, staff, wallet.id), 200);
    for (const path of [
      `/transactions?subscriber_id=${other.id}`,
      `/transactions/${transaction_id}`,
      `/transactions/${transaction_id}/evidence`,
      '/transactions',
    ])
      assert.ok(!assertStatus(await kissi.asAdmin.get(path), 200).text.includes('Gone'), path);
    const statement = { subscriber_id: other.id, from: '2020-01-01', to: '2020-12-31' };
    const made = await bank.post('/wallet/account-statement', { ...statement });
    assert.ok(made.status < 500, made.text);
  });
});

describe('who may erase', () => {
  /** A wallet that was never used is kept from its registration. */
  function retentionOf(registered: number) {
    const ended = new Date(registered).setUTCFullYear(new Date(registered).getUTCFullYear() + 5);
    return { retention_began: iso(registered), retention_ended: iso(ended) };
  }

  test('two independent users of compliance, whatever the policies are', async () => {
    const registered = kissi.clock.now();
    const wallet = await bank.wallet(0);
    await passRetention(kissi);
    const { one, two, support } = staff;
    assertRefused(await ask(kissi, support, wallet.id), 403, 'FORBIDDEN');
    assertRefused(await ask(kissi, one, wallet.id, { reason: '  ' }), 400, 'INVALID_REQUEST');
    const { key } = await apiKey(kissi, ['subscribers:write']);
    const body = { reason: 'Letter' };
    const byKey = await kissi.call('POST', `/api/v1/subscribers/${wallet.id}/erase`, { token: key, body });
    assertRefused(byKey, 403, 'FORBIDDEN');
    const policy = { action: 'privacy.erase', enabled: false };
    assertRefused(await kissi.asAdmin.put('/admin/approval-policies', policy), 409, 'POLICY_LOCKED');
    const made = await createdByAdmin(kissi, 'compliance_user');
    const admin = { token: await kissi.adminToken() };
    const byMade = pendingOf(await ask(kissi, made, wallet.id));
    assertRefused(await decide(kissi, byMade.id, 'approve', admin), 403, 'NOT_INDEPENDENT');
    assert.equal((await decide(kissi, byMade.id, 'reject', await now(kissi, two))).status, 200);
    const { id, summary: asked } = pendingOf(await ask(kissi, one, wallet.id));
    assert.deepEqual(asked.after, { personal_data: 'erased', ...retentionOf(registered) }, 'why it is allowed');
    assertRefused(await decide(kissi, id, 'approve', await now(kissi, one)), 403, 'FORBIDDEN');
    assertStatus(await kissi.asAdmin.get(`/subscribers/${wallet.id}`), 200);
    assertStatus(await decide(kissi, id, 'approve', await now(kissi, two)), 200);
    const { summary } = await getApproval(kissi, id, await now(kissi, two));
    assert.deepEqual(summary.parties, [{ id: wallet.id, name: null }]);
  });
});
