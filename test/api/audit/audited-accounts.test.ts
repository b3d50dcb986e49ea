// Tests that every movement on a treasury, suspense or partner account is audited in its commit, for every kind of caller.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SCOPES } from '../../../src/auth/roles.ts';
import { MOVEMENT_TYPES, type MovementType } from '../../../src/ledger/movement-types.ts';
import { newAgent } from '../../support/agents.ts';
import { csvFile, newTrustAccount, uploadStatement } from '../../support/bank-files.ts';
import { paidByOperator } from '../../support/bulk-execution.ts';
import type { CallReply, Json } from '../../support/gateway.ts';
import { newReference as newInboundReference, testBank } from '../../support/inbound.ts';
import { bankForFile } from '../../support/money.ts';
import { newReference, partnerBank, webhookHeaders } from '../../support/partner.ts';
import { storeAccount } from '../../support/processors.ts';
import { apiKey, auditLogs, staffToken } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const SECRET = 'a-webhook-secret-shared-with-one-partner';
/** All scopes that a key without an owner can have. */
const OPERATOR_SCOPES = SCOPES.filter((scope) => !scope.startsWith('inbound:'));
const AUDITED_KINDS = ['treasury', 'suspense', 'partner_clearing'];
const AUDITED_ACCOUNTS = `with audited as materialized (select id from accounts where kind = any ($1)),
  entries as (select resource_id, details from audit_log union all select resource_id, details from audit_inbox),
  recorded as materialized (select resource_id as id from entries where resource_id is not null
    union all select details ->> 'transaction_id' from entries where details ->> 'transaction_id' is not null)`;

const { kissi, bank } = await bankForFile({ env: { PARTNER_CASHIN_WEBHOOK_SECRET: SECRET } });
const rokel = await partnerBank(kissi);
const inbound = await testBank(kissi);
const admin = await kissi.adminToken();
let requests = 0;

const post = (path: string, body: object, token = admin) => {
  const request_id = `audited-${++requests}`;
  return kissi.call('POST', `/api/v1${path}`, { body: { ...body, request_id }, token });
};

/** Audit entries that name the transaction, as their resource or in their details. */
async function entriesOf(transactionId: string): Promise<Json[]> {
  const entries = await auditLogs(kissi, { limit: '100' });
  return entries.filter(({ resource_id, details }) => [resource_id, details.transaction_id].includes(transactionId));
}

async function assertAudited(reply: CallReply, action: string, actor: { type: string; id?: string }): Promise<Json> {
  assert.equal(reply.status, 200, reply.text);
  const transactionId = reply.json.data?.transaction_id ?? reply.json.transaction_id;
  const entries = await entriesOf(transactionId);
  assert.equal(entries.length, 1, `${action} ${transactionId}`);
  assert.deepEqual([entries[0].action, entries[0].actor_type], [action, actor.type]);
  if (actor.id !== undefined) assert.equal(entries[0].actor_id, actor.id);
  return entries[0];
}

describe('a movement is audited', () => {
  test('on the treasury: funding and returning float, by users and by keys', async () => {
    const agent = await newAgent(kissi);
    const key = await apiKey(kissi, OPERATOR_SCOPES);
    const finance = await staffToken(kissi, 'finance_user');
    for (const [token, actor] of [
      [key.key, { type: 'key', id: key.id }],
      [finance, { type: 'user' }],
    ] as const) {
      const funded = await post(`/agents/${agent.id}/fund`, { amount: 500 }, token);
      const entry = await assertAudited(funded, 'agent.fund', actor);
      assert.deepEqual([entry.details.payee, entry.details.amount], [agent.id, 500]);
      const returned = await post(`/agents/${agent.id}/return-float`, { amount: 100 }, token);
      await assertAudited(returned, 'agent.return_float', actor);
    }
  });

  test("on a partner's account: fundings, cash-ins, credits, reversals and settlements", async () => {
    const { id, phone } = await bank.wallet();
    const key = await apiKey(kissi, OPERATOR_SCOPES);
    const funding = { partner_id: rokel.id, subscriber_id: id, amount: 300 };
    const funded = await post('/wallet/fund-from-partner', funding, key.key);
    const entry = await assertAudited(funded, 'wallet.fund', { type: 'key', id: key.id });
    assert.deepEqual(entry.details, { payer: rokel.id, payee: id, amount: 300, fee: 0 });

    const reference = newReference();
    const cashIn = await rokel.cashIn({ phone_number: phone, amount: 200, reference });
    const byPartner = await assertAudited(cashIn, 'partner.cashin', { type: 'key', id: rokel.key.id });
    assert.deepEqual(byPartner.details, { payer: rokel.id, payee: id, amount: 200, fee: 0, reference });

    const credit = await inbound.credit({ reference: newInboundReference(), amount: 100, msisdn: phone });
    const credited = await assertAudited(credit, 'inbound.credit', { type: 'key', id: inbound.key.id });
    assert.deepEqual([credited.details.payer, credited.details.amount], [inbound.partnerId, 100]);

    const reversal = await post(`/admin/inbound/${credit.json.data.inbound_id}/reverse`, { reason: 'Sent twice' });
    await assertAudited(reversal, 'inbound.reverse', { type: 'user' });
    const settled = await post(`/admin/partners/${rokel.id}/settle`, { amount: 500 });
    await assertAudited(settled, 'partner.settle', { type: 'user' });
  });

  test('on the suspense account: notifications', async () => {
    const wallet = await bank.wallet();
    const raw = JSON.stringify({ card_serial: await bank.card(wallet), amount: 50 });
    const send = () => kissi.call('POST', '/webhooks/partner/cashin', { raw, headers: webhookHeaders(SECRET, raw) });
    const first = await send();
    const entries = await entriesOf(first.json.transaction_id);
    assert.deepEqual(
      entries.map(({ actor_type, action, details }) => [actor_type, action, details.payer, details.payee]),
      [['notification', 'partner.cashin', 'sys_suspense', wallet.id]],
    );
    await send();
    assert.equal((await entriesOf(first.json.transaction_id)).length, 1, 'a replay is not audited again');
  });

  test('on the suspense account: resolutions', async () => {
    for (const way of [{ partner_id: rokel.id }, { refund: true }]) {
      const raw = JSON.stringify({ card_serial: await bank.card(await bank.wallet()), amount: 50 });
      const headers = webhookHeaders(SECRET, raw);
      const item = await kissi.call('POST', '/webhooks/partner/cashin', { raw, headers });
      const path = `/admin/suspense/${item.json.transaction_id}/resolve`;
      await assertAudited(await post(path, { ...way, reason: 'Slip 42' }), 'suspense.resolve', { type: 'user' });
    }
  });

  test('on the treasury: pay-outs that are cleared, and put back in transit', async () => {
    const terminal = await terminalOf(kissi);
    assert.equal((await terminal.pay((await bank.customer(10_000)).card, { amount: 5_000 })).status, 200);
    await storeAccount(kissi, terminal.merchant.id, 'SL0042');
    const payout = await post(`/processors/${terminal.merchant.id}/payout`, { amount: 700, bank_account: 'SL0042' });
    const account = await newTrustAccount(kissi, admin);
    const day = new Date(kissi.clock.now()).toISOString().slice(0, 10);
    const entries = [{ amount: -700, reference: payout.json.reference }];
    const file = csvFile({ opening: 9_000, from: day, entries });
    assert.equal((await uploadStatement(kissi, admin, account.id, ['text/csv', file])).status, 201);
    await kissi.call('POST', '/api/v1/admin/reconciliation/run', { token: admin });
    const { matches } = (await kissi.call('GET', '/api/v1/admin/reconciliation/matches', { token: admin })).json;
    const undone = await kissi.call('DELETE', `/api/v1/admin/reconciliation/matches/${matches[0].id}`, {
      token: admin,
    });
    const { cleared_transaction_id, uncleared_transaction_id } = undone.json.match;
    for (const [id, action] of [
      [cleared_transaction_id, 'reconciliation.post_clearing'],
      [uncleared_transaction_id, 'reconciliation.post_undo'],
    ]) {
      const actions = (await entriesOf(id)).map((entry) => entry.action).sort();
      assert.deepEqual(actions, ['reconciliation.enter_movement', action].sort());
    }
  });

  test('of bulk payments: each row of partners and the treasury, and each code that is redeemed', async () => {
    const agent = await newAgent(kissi);
    for (const query of [{ partner_id: rokel.id }, { treasury: 'true' }]) {
      const { paid, redeemed } = await paidByOperator(kissi, query, { to: await bank.wallet(), agent });
      for (const [id, action] of [
        [paid, 'bulk_payment.pay'],
        [redeemed, 'agent.redeem_code'],
      ] as const) {
        const entries = await entriesOf(id);
        assert.deepEqual(
          entries.map((entry) => [entry.actor_type, entry.action, entry.details.amount]),
          [['user', action, 10_000]],
        );
      }
    }
  });

  test('if it is refused, only as a refused attempt of staff', async () => {
    const agent = await newAgent(kissi);
    const before = (await auditLogs(kissi, { action: 'agent.fund' })).length;
    assert.equal((await post(`/agents/${agent.id}/fund`, { amount: 0 })).status, 400);
    assert.equal((await auditLogs(kissi, { action: 'agent.fund' })).length, before);
    assert.equal((await auditLogs(kissi, { action: 'agent.fund.refused', resource_id: agent.id })).length, 1);
  });

  test('for every movement type that can involve such an account, in the tests above', async () => {
    const audited = Object.entries(MOVEMENT_TYPES)
      .filter(([, { accounts }]) => accounts.flat().some((kind) => AUDITED_KINDS.includes(kind)))
      .map(([type]) => type as MovementType);
    const { rows } = await kissi.db.query(
      `${AUDITED_ACCOUNTS} select distinct m.type from movements m join audited a on a.id in (m.from_account, m.to_account)`,
      [AUDITED_KINDS],
    );
    assert.deepEqual(rows.map(({ type }) => type).sort(), audited.sort());
    const unaudited = await kissi.db.query(
      `${AUDITED_ACCOUNTS} select m.id, m.type from movements m join audited a on a.id in (m.from_account, m.to_account)
        where m.id not in (select id from recorded)`,
      [AUDITED_KINDS],
    );
    assert.deepEqual(unaudited.rows, []);
  });
});
