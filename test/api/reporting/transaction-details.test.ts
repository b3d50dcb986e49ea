// Tests GET /transactions/{id}: what it shows of a movement, and which parts each role and owner sees.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentToken, assertRefused, newFundedAgent } from '../../support/agents.ts';
import { raiseAlert } from '../../support/compliance.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { newReference, testBank } from '../../support/inbound.ts';
import { bankForFile, PIN, type Wallet } from '../../support/money.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { merchantToken } from '../../support/processors.ts';
import { apiKey, auditLogs, auditRows, staffToken } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();

const get = (id: string, token: string) => kissi.call('GET', `/api/v1/transactions/${id}`, { token });

async function details(id: string, token: string): Promise<Json> {
  return assertStatus(await get(id, token), 200).json.transaction;
}

async function transfer(from: Wallet, to: Wallet, amount: number, extra: object = {}): Promise<Json> {
  const body = { sender_id: from.id, recipient_id: to.id, amount, pin: PIN, ...extra };
  return assertStatus(await bank.post('/wallet/transfer', body), 200).json;
}

const phoneOf = ({ payer, payee }: Json) => [payer.phone_number, payee.phone_number];
const masked = (phone: string) => `+232 ** *** ${phone.slice(-3)}`;

async function contactOf({ id, phone }: Wallet): Promise<Json> {
  const { rows } = await kissi.db.query('select account_number from subscribers where id = $1', [id]);
  return { phone_number: phone, account_number: rows[0].account_number, owner: null, location: null };
}

const finance = await staffToken(kissi, 'finance_user');
const support = await staffToken(kissi, 'support_user');
const compliance = await staffToken(kissi, 'compliance_user');
const terminal = await terminalOf(kissi);
const agent = await newFundedAgent(kissi, 1_000_000);
const partner = await testBank(kissi, { webhook_url: 'https://bank.example/hooks' });
const customer = await bank.customer(500_000);
const paid: Json = (await terminal.pay(customer.card, { amount: 10_000, metadata: { big: 1 } })).json;

describe('a transfer', () => {
  test('shows the record, its three postings, the parties and the fees', async () => {
    const [from, to] = [await bank.wallet(50_000), await bank.wallet(0, { first_name: 'Fatu', last_name: 'Sesay' })];
    const sent = await transfer(from, to, 10_000, { request_id: 'detail-1', description: 'Rent' });
    const shown = await details(sent.transaction_id, finance);
    const { rows } = await kissi.db.query('select account_id, balance_after from postings where movement_id = $1', [
      sent.transaction_id,
    ]);
    const balances = new Map(rows.map(({ account_id, balance_after }) => [account_id, balance_after]));
    const fees = [...balances.keys()].find((id) => id.startsWith('sys_fees_')) ?? '';
    const expected = {
      transaction_id: sent.transaction_id,
      type: 'transfer_p2p',
      direction: null,
      amount: 10_000,
      fee: 150,
      commission: null,
      balance_after: null,
      counterparty: null,
      payer_id: from.id,
      payee_id: to.id,
      narration: 'Rent',
      status: 'COMPLETED',
      request_id: 'detail-1',
      reference: null,
      created_at: sent.created_at,
      actor_type: 'key',
      actor_name: 'Test key',
      actor_id: bank.keyId,
      authorization_code: null,
      card: null,
      terminal_id: null,
      payer: { id: from.id, kind: 'wallet', role: 'sender', name: 'Aminata Kamara', ...(await contactOf(from)) },
      payee: { id: to.id, kind: 'wallet', role: 'recipient', name: 'Fatu Sesay', ...(await contactOf(to)) },
      postings: [
        { account_id: from.id, party: 'payer', amount: -10_150, fee: 150, balance_after: 39_850 },
        { account_id: to.id, party: 'payee', amount: 10_000, fee: 0, balance_after: 10_000 },
        { account_id: fees, party: 'operator', amount: 150, fee: 0, balance_after: balances.get(fees) },
      ],
      fees: [
        { party: 'payer', account_id: from.id, charged: 150, earned: 0 },
        { party: 'payee', account_id: to.id, charged: 0, earned: 0 },
      ],
      related: [],
      webhook_deliveries: [],
      metadata: null,
    };
    const { seal, receipt_url, ...rest } = shown;
    assert.match(receipt_url, /\/r\/[\w-]{22}$/);
    assert.deepEqual(rest, expected);
    const stored = await kissi.db.query(
      `select s.batch::text, s.format, encode(s.mac, 'hex') as mac from movements m join seals s on s.batch = m.batch
       where m.id = $1`,
      [sent.transaction_id],
    );
    const [row] = stored.rows;
    assert.deepEqual([String(seal.batch), seal.format, seal.mac], [row.batch, row.format, row.mac]);
    assert.equal(seal.chain * 2 ** 32 + seal.number, seal.batch);
    assert.equal(seal.sealed_at, sent.created_at);
  });

  test('of an account with later postings at the same instant still has its own', async () => {
    const [from, to] = [await bank.wallet(500_000), await bank.wallet()];
    const all = await Promise.all(Array.from({ length: 20 }, (_, n) => transfer(from, to, 100 + n)));
    for (const [n, { transaction_id }] of all.entries()) {
      const { postings } = await details(transaction_id, finance);
      assert.deepEqual([postings.length, postings[1].amount], [3, 100 + n]);
      assert.equal(
        postings.reduce((sum: number, { amount }: Json) => sum + amount, 0),
        0,
      );
    }
  });
});

describe('a card payment', () => {
  test('shows slip, merchant fee and, for its refunds, the original', async () => {
    const shown = await details(paid.transaction_id, support);
    assert.equal(shown.authorization_code, paid.authorization_code);
    assert.match(shown.card, /^\*+\d{4}$/);
    assert.equal(shown.terminal_id, 'T-0001');
    assert.deepEqual(shown.metadata, { big: 1 });
    assert.deepEqual(shown.fees[1], { party: 'payee', account_id: terminal.merchant.id, charged: 100, earned: 0 });
    const refund = (await terminal.refund(paid.transaction_id, { amount: 4_000 })).json;
    const again = await details(paid.transaction_id, support);
    const [related] = again.related;
    assert.deepEqual(
      [again.related.length, related.relation, related.transaction_id, related.amount],
      [1, 'refund', refund.transaction_id, 4_000],
    );
    const back = await details(refund.transaction_id, support);
    assert.deepEqual([back.related[0].relation, back.related[0].transaction_id], ['original', paid.transaction_id]);
    assert.equal(back.authorization_code, null);
  });

  test('shows the commission that the merchant earned', async () => {
    const token = await kissi.adminToken();
    for (const [party, terms] of [
      ['sender', { fee_value: 2, debit_enabled: true, credit_enabled: false }],
      ['processor', { fee_value: 1, debit_enabled: false, credit_enabled: true }],
    ] as const) {
      const setting = { transaction_type: 'pos_payment', party_type: party, fee_type: 'percentage', ...terms };
      assertStatus(await kissi.call('PUT', '/api/v1/fee-settings', { body: setting, token }), 200);
    }
    const { transaction_id } = (await terminal.pay(customer.card, { amount: 20_000 })).json;
    const shown = await details(transaction_id, finance);
    assert.deepEqual(shown.fees, [
      { party: 'payer', account_id: customer.wallet.id, charged: 400, earned: 0 },
      { party: 'payee', account_id: terminal.merchant.id, charged: 0, earned: 200 },
    ]);
    assert.deepEqual(
      shown.postings.map(({ amount }: Json) => amount),
      [-20_400, 20_200, 200],
    );
  });
});

describe('roles', () => {
  test('see alerts, deliveries, audit entries and balances of the operator as they do elsewhere', async () => {
    const reference = newReference();
    const credit = (await partner.credit({ reference, amount: 3_000, msisdn: customer.wallet.phone })).json.data;
    const id = credit.transaction_id;
    const everything = ['alerts', 'webhook_deliveries', 'audit_entries', 'actor_id', 'actor_name'];
    const parts = async (token: string) => {
      const shown = await details(id, token);
      return everything.filter((part) => part in shown);
    };
    assert.deepEqual(await parts(support), ['webhook_deliveries', 'actor_id', 'actor_name']);
    assert.deepEqual(await parts(finance), ['webhook_deliveries', 'actor_id', 'actor_name']);
    assert.deepEqual(await parts(compliance), everything);
    assert.deepEqual(await parts(await staffToken(kissi, 'audit_user')), everything);
    assert.deepEqual(await parts(await kissi.adminToken()), everything);
    assert.deepEqual(await parts(bank.key), []);
    const { webhook_deliveries, audit_entries } = await details(id, compliance);
    assert.deepEqual(
      webhook_deliveries.map(({ event }: Json) => event),
      ['credit.completed'],
    );
    const logged = await auditLogs(kissi, { resource_id: id });
    assert.deepEqual(
      audit_entries.map((entry: Json) => entry.id),
      logged.map((entry) => entry.id),
    );
    const fee = async (token: string) => (await details(paid.transaction_id, token)).postings[2];
    assert.equal((await fee(support)).balance_after, null);
    assert.equal((await fee(bank.key)).balance_after, null);
    assert.equal(typeof (await fee(finance)).balance_after, 'number');
    const sales = await staffToken(kissi, 'sales_user');
    assertRefused(await get(id, sales), 403, 'FORBIDDEN');
  });

  test('of compliance see the alert that the payment raised', async () => {
    const [from, to] = [await bank.wallet(40_000_000), await bank.wallet()];
    const rule = { name: 'Large', kind: 'amount', transaction_types: ['transfer_p2p'], threshold: 8_000_000 };
    const body = { ...rule, outcome: 'flag', severity: 'HIGH' };
    assertStatus(await kissi.call('POST', '/api/v1/compliance/rules', { body, token: compliance }), 201);
    const { transaction_id } = await transfer(from, to, 9_000_000);
    const { alerts } = await details(transaction_id, compliance);
    assert.ok(alerts.some(({ severity, status }: Json) => severity === 'HIGH' && status === 'open'));
  });

  test('name subscribers in full only if they can read their records', async () => {
    const name = async (token: string) => (await details(paid.transaction_id, token)).payer.name;
    assert.equal(await name(support), 'Aminata Kamara');
    assert.equal(await name(bank.key), 'Aminata K.', 'the key has no subscribers:read');
    const reader = await apiKey(kissi, ['payments:read', 'subscribers:read']);
    assert.equal(await name(reader.key), 'Aminata Kamara');
  });

  test('see phone and account numbers in full only if they can read the records of the parties', async () => {
    const { phone_number, account_number } = await contactOf(customer.wallet);
    const own = await details(paid.transaction_id, support);
    assert.deepEqual([own.payer.phone_number, own.payer.account_number], [phone_number, account_number]);
    const merchant = await kissi.call('GET', `/api/v1/processors/${terminal.merchant.id}`, { token: support });
    const { merchant_id, contact_name } = merchant.json.processor;
    assert.deepEqual([own.payee.account_number, own.payee.owner], [merchant_id, contact_name]);
    const shown = await details(paid.transaction_id, bank.key);
    assert.deepEqual(phoneOf(shown)[0], masked(phone_number));
    assert.equal(shown.payer.account_number, `******${account_number.slice(-4)}`);
  });
});

describe('owners', () => {
  test('an agent sees the fee of the customer of a cash-out, and no posting of the customer', async () => {
    const user = await agentToken(kissi, agent);
    const body = { subscriber_id: customer.wallet.id, agent_id: agent.id, amount: 20_000, pin: PIN };
    const reply = assertStatus(await kissi.call('POST', '/api/v1/wallet/withdraw', { body, token: user }), 200);
    const shown = await details(reply.json.transaction_id, user);
    assert.deepEqual(shown.fees, [
      { party: 'payer', account_id: null, charged: 200, earned: 0 },
      { party: 'payee', account_id: agent.id, charged: 0, earned: 0 },
    ]);
    assert.deepEqual(
      shown.postings.map(({ account_id }: Json) => account_id),
      [agent.id],
    );
    assert.deepEqual([shown.fee, shown.payer.name], [0, 'Aminata K.']);
    assert.deepEqual(phoneOf(shown), [masked(customer.wallet.phone), agent.phone], "the caller's own number in full");
    assert.deepEqual([shown.payee.owner, shown.payee.name], ['Ibrahim Conteh', 'Kissy Road Traders']);
  });

  test('see their own posting, the masked name of the other side, and no balance of others', async () => {
    const user = await merchantToken(kissi, terminal.merchant);
    const key = await apiKey(kissi, ['payments:read'], { processor_id: terminal.merchant.id, bearer: true });
    for (const token of [user, key.key]) {
      const shown = await details(paid.transaction_id, token);
      assert.deepEqual(shown.postings, [
        { account_id: terminal.merchant.id, party: 'payee', amount: 9_900, fee: 100, balance_after: 9_900 },
      ]);
      assert.deepEqual([shown.direction, shown.fee, shown.balance_after], ['credit', 100, 9_900]);
      assert.deepEqual(
        shown.fees.map(({ party }: Json) => party),
        ['payee'],
      );
      assert.equal(shown.payer.name, 'Aminata K.');
      for (const part of ['alerts', 'webhook_deliveries', 'audit_entries', 'actor_id', 'actor_type', 'actor_name']) {
        assert.ok(!(part in shown), part);
      }
    }
  });

  test("get the same answer for another's transaction as for one that does not exist", async () => {
    const sent = await transfer(customer.wallet, await bank.wallet(), 100);
    const other = await terminalOf(kissi);
    const keys = [
      await merchantToken(kissi, other.merchant),
      await agentToken(kissi, agent),
      (await apiKey(kissi, ['payments:read'], { partner_id: partner.partnerId, bearer: true })).key,
    ];
    for (const token of keys) {
      const missing = assertRefused(await get('txn_00000000000000000000000000', token), 404, 'NOT_FOUND');
      for (const { transaction_id } of [sent, paid]) {
        const foreign = await get(transaction_id, token);
        assert.deepEqual([foreign.status, foreign.json], [missing.status, missing.json]);
      }
    }
    for (const id of ['x', '%00', "'", 'txn_'])
      assertRefused(await get(encodeURIComponent(id), finance), 404, 'NOT_FOUND');
  });
});

describe('politically exposed persons', () => {
  test('one view is audited once, even if it shows alerts and deliveries', async () => {
    const { wallet } = await bank.customer(0);
    const partner = await testBank(kissi, { webhook_url: 'https://bank.example.com/hook' });
    const credited = await partner.credit({ msisdn: wallet.phone, amount: 2_000, reference: newReference() });
    assert.equal(credited.status, 200, credited.text);
    const id = credited.json.data.transaction_id;
    await raiseAlert(kissi, { subscriber_id: wallet.id, transaction_id: id });
    await markPep(kissi, wallet.id);
    const user = await newAuthorizedStaff(kissi, 'compliance_user');
    await openAccess(kissi, user);
    const shown = await details(id, user.token);
    assert.equal(shown.webhook_deliveries.length, 1);
    assert.equal(shown.alerts.length, 1);
    const entries = await auditRows(kissi, { action: 'pep.access', actor_id: user.id });
    const seen = entries.map(({ resource_id, details: { matter } }) => [resource_id, matter]);
    assert.deepEqual(seen, [[wallet.id, 'history']]);
  });

  test('are shown to users with PEP access, and to the other party with the masked name and no id; others find nothing', async () => {
    const pep = await bank.customer(100_000);
    const { transaction_id } = (await terminal.pay(pep.card, { amount: 700 })).json;
    await markPep(kissi, pep.wallet.id);
    for (const token of [finance, bank.key]) {
      assertRefused(await get(transaction_id, token), 404, 'NOT_FOUND');
    }
    const user = await newAuthorizedStaff(kissi, 'compliance_user');
    assertRefused(await get(transaction_id, user.token), 403, 'PEP_ACCESS_REQUIRED');
    await openAccess(kissi, user);
    assert.equal((await details(transaction_id, user.token)).payer.name, 'Aminata Kamara');
    const logged = await auditRows(kissi, { action: 'pep.access', resource_id: pep.wallet.id });
    assert.ok(logged.some(({ actor_id }) => actor_id === user.id));
    const shown = await details(transaction_id, await merchantToken(kissi, terminal.merchant));
    assert.equal(shown.payer.name, 'Aminata K.');
    assert.deepEqual([shown.payer.id, shown.payer_id, shown.counterparty], [null, null, null]);
    const ofAnybody = await details(paid.transaction_id, await merchantToken(kissi, terminal.merchant));
    const shape = ({ payer }: Json) => Object.entries(payer).map(([name, value]) => [name, typeof value]);
    assert.deepEqual(shape(shown), shape(ofAnybody));
    assert.equal(shown.amount, 700);
  });
});
