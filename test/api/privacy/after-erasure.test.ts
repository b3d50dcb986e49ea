// Tests that nothing is done with an erased wallet, even at the moment of its erasure: reversals, alerts and requests.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { decide, pendingOf, setPolicy } from '../../support/approvals.ts';
import { assertRecordsAudited, type CallReply, type Json, testGateway } from '../../support/gateway.ts';
import { newReference, testBank } from '../../support/inbound.ts';
import { bankForFile, movementCount, type Wallet } from '../../support/money.ts';
import { ask, complianceUsers, empty, erase, now, passRetention } from '../../support/privacy.ts';
import { assertRefused, assertStatus, staffToken, withLockContention } from '../../support/staff.ts';

const { kissi, bank: operator } = await bankForFile();
const second = await testGateway({ db: kissi.db, clock: kissi.clock });
after(() => second.close());
const bank = await testBank(kissi);
const staff = await complianceUsers(kissi);
const spent = await operator.wallet(0);

/** A wallet without balance that can be erased, and the credit that it has spent. */
async function creditedLongAgo(): Promise<{ wallet: Wallet; credit: Json }> {
  const wallet = await operator.wallet(0);
  const body = { reference: newReference(), amount: 5_000, msisdn: wallet.phone };
  const { data: credit } = assertStatus(await bank.credit(body), 200).json;
  await empty(operator, wallet, spent);
  await passRetention(kissi);
  return { wallet, credit };
}

async function reversal({ inbound_id }: Json, request_id: string): Promise<() => Promise<CallReply>> {
  const token = await staffToken(kissi, 'finance_user');
  const body = { reason: 'Sent twice', allow_negative: true, request_id };
  return () => second.call('POST', `/api/v1/admin/inbound/${inbound_id}/reverse`, { token, body });
}

describe('a credit of an erased customer', () => {
  test('is not reversed, even if the wallet may become negative', async () => {
    const { wallet, credit } = await creditedLongAgo();
    const movements = await movementCount(kissi, wallet.id);
    const outstanding = await bank.outstanding();
    assertStatus(await erase(kissi, staff, wallet.id), 200);
    const reverse = await reversal(credit, 'reverse-erased');
    assertRefused(await reverse(), 403, 'SUBSCRIBER_BLOCKED');
    assert.deepEqual([await balance(wallet), await bank.outstanding()], [0, outstanding]);
    assert.equal(await movementCount(kissi, wallet.id), movements);
    assert.equal((await bank.status(credit.reference)).json.data.status, 'COMPLETED');
    await assertRecordsAudited(kissi);
  });

  test('whose reversal waits for the erasure is not reversed, or the erasure is refused', async () => {
    const { wallet, credit } = await creditedLongAgo();
    const { id } = pendingOf(await ask(kissi, staff.one, wallet.id));
    const reverse = await reversal(credit, 'reverse-at-once');
    const approver = await now(kissi, staff.two);
    const [erased, reversed] = await withLockContention(kissi, {
      lock: `select from accounts where id = '${wallet.id}' for update`,
      waiters: 2,
      async begin(waiting) {
        const erasing = decide(kissi, id, 'approve', approver);
        await waiting(1);
        return Promise.all([erasing, reverse()]);
      },
    });
    const outcome = `${erased.text}\n${reversed.text}`;
    const isErased = erased.status === 200;
    assert.equal(await balance(wallet), isErased ? 0 : -5_000, outcome);
    if (isErased) assertRefused(reversed, 403, 'SUBSCRIBER_BLOCKED');
    else assert.equal(erased.json.refusal_code, 'NOT_ERASABLE', outcome);
  });
});

async function balance({ id }: Wallet): Promise<number> {
  const { rows } = await kissi.db.query('select balance from accounts where id = $1', [id]);
  return Number(rows[0].balance);
}

describe('an alert', () => {
  const about = ({ id }: Wallet) => ({
    subscriber_id: id,
    severity: 'LOW',
    type: 'unusual',
    description: 'Asks often',
  });

  test('is not raised about an erased customer, or one whose erasure it waits for', async () => {
    const wallet = await operator.wallet(0);
    await passRetention(kissi);
    const { id } = pendingOf(await ask(kissi, staff.one, wallet.id));
    const [{ token }, approver] = [await now(kissi, staff.one), await now(kissi, staff.two)];
    const raise = () => kissi.call('POST', '/api/v1/compliance/alerts', { token, body: about(wallet) });
    const [erased, raised] = await withLockContention(kissi, {
      lock: `select from accounts where id = '${wallet.id}' for update`,
      waiters: 2,
      async begin(waiting) {
        const erasing = decide(kissi, id, 'approve', approver);
        await waiting(1);
        return Promise.all([erasing, raise()]);
      },
    });
    assertStatus(erased, 200);
    assertRefused(raised, 404, 'SUBSCRIBER_NOT_FOUND');
    assertRefused(await raise(), 404, 'SUBSCRIBER_NOT_FOUND');
    const alerts = await kissi.db.query('select from compliance_alerts where subscriber_id = $1', [wallet.id]);
    assert.equal(alerts.rowCount, 0);
  });
});

test('a request that is being stored when the erasure is approved is seen by it', async () => {
  await setPolicy(kissi, 'pin.reset', { enabled: true });
  const wallet = await operator.wallet(0);
  await passRetention(kissi);
  const { id } = pendingOf(await ask(kissi, staff.one, wallet.id));
  const [support, approver] = [await now(kissi, staff.support), await now(kissi, staff.two)];
  const path = `/api/v1/subscribers/${wallet.id}/reset-pin`;
  const [requested, erased] = await withLockContention(kissi, {
    // Rows can be locked, but none is written.
    lock: 'lock table approvals in share row exclusive mode',
    waiters: 2,
    async begin(waiting) {
      const requesting = kissi.call('POST', path, { token: support.token, body: {} });
      await waiting(1);
      return Promise.all([requesting, decide(kissi, id, 'approve', approver)]);
    },
  });
  pendingOf(requested);
  assert.deepEqual([erased.status, erased.json.refusal_code], [422, 'NOT_ERASABLE'], erased.text);
  assert.match(erased.json.error, /another request about the customer waits for approval/);
  assertStatus(await kissi.asAdmin.get(`/subscribers/${wallet.id}`), 200);
  await setPolicy(kissi, 'pin.reset', { enabled: false });
});
