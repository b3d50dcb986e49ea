// Tests what refuses an erasure: money, holds, cases, alerts, other requests and the years, when asked and when approved; and races.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { iso } from '../../../src/kernel/clock.ts';
import { decide, pendingOf } from '../../support/approvals.ts';
import { type CallReply, type Json, testGateway } from '../../support/gateway.ts';
import { bankForFile, PIN, type Wallet } from '../../support/money.ts';
import { ask, complianceUsers, now, passRetention } from '../../support/privacy.ts';
import { assertRefused, assertStatus, auditRows, withLockContention } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const second = await testGateway({ db: kissi.db, clock: kissi.clock });
after(() => second.close());
const staff = await complianceUsers(kissi);
const { one, two } = staff;

async function refused(id: string, reasons: string[]): Promise<Json> {
  const { json } = assertRefused(await ask(kissi, one, id), 409, 'NOT_ERASABLE');
  assert.deepEqual(json.reasons, reasons, json.error);
  return json;
}

/** A wallet without movements, old enough to be erased. */
async function oldWallet(): Promise<Wallet> {
  const wallet = await bank.wallet(0);
  await passRetention(kissi);
  return wallet;
}

async function asCompliance(path: string, body: Json): Promise<CallReply> {
  const { token } = await now(kissi, one);
  return kissi.call('POST', `/api/v1${path}`, { token, body });
}

describe('an erasure is refused', () => {
  test('with a balance and within the years, in words, until exactly that day', async () => {
    const wallet = await bank.wallet(1_000);
    const at = new Date(kissi.clock.now());
    const until = new Date(at).setUTCFullYear(at.getUTCFullYear() + 5);
    const { error, retained_until } = await refused(wallet.id, ['balance', 'retention']);
    assert.equal(retained_until, iso(until));
    assert.match(error, /the wallet has a balance; the law requires it to be kept until \d{4}-\d{2}-\d{2}\.$/);
    const [other] = [await bank.wallet(0)];
    const pay = { sender_id: wallet.id, recipient_id: other.id, amount: 1_000, pin: PIN, request_id: 'all' };
    assertStatus(await bank.post('/wallet/transfer', pay), 200);
    kissi.clock.advance(until - kissi.clock.now() - 1_000);
    const last = await refused(wallet.id, ['retention']);
    kissi.clock.advance(Date.parse(last.retained_until) - kissi.clock.now());
    pendingOf(await ask(kissi, one, wallet.id));
  });

  test('with a hold', async () => {
    const wallet = await oldWallet();
    await kissi.db.query('update accounts set balance = 5, held = 5 where id = $1', [wallet.id]);
    await refused(wallet.id, ['balance', 'hold']);
    await kissi.db.query('update accounts set balance = 0, held = 0 where id = $1', [wallet.id]);
    pendingOf(await ask(kissi, one, wallet.id));
  });

  test('with an open case, an open alert or another request, and for the years after they ended', async () => {
    const wallet = await oldWallet();
    const about = { subscriber_id: wallet.id, kind: 'other', description: 'Asks for an old receipt' };
    const { case: opened } = assertStatus(await asCompliance('/cases', about), 201).json;
    await refused(wallet.id, ['open_case']);
    const raised = { subscriber_id: wallet.id, severity: 'LOW', type: 'unusual', description: 'Asks often' };
    const { alert } = assertStatus(await asCompliance('/compliance/alerts', raised), 201).json;
    await refused(wallet.id, ['open_case', 'open_alert']);
    assertStatus(await asCompliance(`/cases/${opened.id}/state`, { state: 'resolved', reason: 'Sent' }), 200);
    assertStatus(await asCompliance(`/compliance/alerts/${alert.id}/resolve`, { resolution: 'Known' }), 200);
    await refused(wallet.id, ['retention']);
    await passRetention(kissi);
    const waiting = pendingOf(await ask(kissi, one, wallet.id));
    await refused(wallet.id, ['open_approval']);
    assertStatus(await decide(kissi, waiting.id, 'withdraw', await now(kissi, one)), 200);
    pendingOf(await ask(kissi, one, wallet.id));
  });

  test('at the approval, if the wallet was used since the request', async () => {
    const wallet = await oldWallet();
    const { id } = pendingOf(await ask(kissi, one, wallet.id));
    await bank.fund(wallet, 700);
    const late = await decide(kissi, id, 'approve', await now(kissi, two));
    assert.deepEqual([late.status, late.json.refusal_code], [422, 'NOT_ERASABLE'], late.text);
    assert.equal(await bank.balance(wallet.id), 700);
    assertStatus(await kissi.asAdmin.get(`/subscribers/${wallet.id}`), 200);
  });

  test('for a customer that does not exist', async () => {
    assertRefused(await ask(kissi, one, 'sub_none'), 404, 'NOT_FOUND');
  });
});

describe('a payment at the same time', () => {
  const fund = ({ id }: Wallet, request_id: string, on = second) => {
    const body = { partner_id: bank.partnerId, subscriber_id: id, amount: 900, request_id };
    return on.call('POST', '/api/v1/wallet/fund-from-partner', { token: bank.key, body });
  };

  test('on another gateway is before the erasure, which is then refused, or is refused itself', async () => {
    for (let round = 0; round < 4; round++) {
      const wallet = await oldWallet();
      const { id } = pendingOf(await ask(kissi, one, wallet.id));
      const approver = await now(kissi, two);
      const [paid, erased] = await Promise.all([fund(wallet, `race-${round}`), decide(kissi, id, 'approve', approver)]);
      await assertOneOf(wallet, paid, erased);
    }
  });

  test('that waits for the wallet which the erasure has locked finds it closed', async () => {
    const wallet = await oldWallet();
    const { id } = pendingOf(await ask(kissi, one, wallet.id));
    const approver = await now(kissi, two);
    const [paid, erased] = await withLockContention(kissi, {
      lock: `select from accounts where id = '${wallet.id}' for update`,
      waiters: 2,
      begin: () => Promise.all([fund(wallet, 'waits'), decide(kissi, id, 'approve', approver)]),
    });
    await assertOneOf(wallet, paid, erased);
  });

  async function assertOneOf(wallet: Wallet, paid: CallReply, erased: CallReply): Promise<void> {
    const outcome = `${paid.text}\n${erased.text}`;
    const isErased = erased.status === 200;
    assert.equal(paid.status === 200, !isErased, outcome);
    assert.equal(await bank.balance(wallet.id), isErased ? 0 : 900, outcome);
    const { rows } = await kissi.db.query('select erased_at from subscribers where id = $1', [wallet.id]);
    assert.equal(rows[0].erased_at !== null, isErased, outcome);
    if (!isErased) assert.equal(erased.json.refusal_code, 'NOT_ERASABLE', outcome);
  }
});

test('two erasures of one customer, approved at once, run once', async () => {
  const wallet = await oldWallet();
  const { id } = pendingOf(await ask(kissi, one, wallet.id));
  const { token } = await now(kissi, two);
  const replies = await Promise.all([
    decide(kissi, id, 'approve', { token }),
    second.call('POST', `/api/v1/admin/approvals/${id}/approve`, { token }),
  ]);
  assert.ok(
    replies.some(({ status }) => status === 200),
    replies.map(({ text }) => text).join('\n'),
  );
  assert.equal((await auditRows(kissi, { action: 'subscriber.erase', resource_id: wallet.id })).length, 1);
  assertRefused(await ask(kissi, one, wallet.id), 404, 'NOT_FOUND');
});
