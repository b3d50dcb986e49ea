// Tests docs/chart-of-accounts.md: posts every movement type through the API and compares the postings with the page.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { ALL_TYPES } from '../../../src/ledger/movement-types.ts';
import { newFundedAgent, newSubAgent } from '../../support/agents.ts';
import { CSV, csvFile, newTrustAccount, uploadStatement } from '../../support/bank-files.ts';
import {
  approve,
  codeSentTo,
  loginOf,
  paidByOperator,
  redeemCode,
  rowsTo,
  uploaded,
  whenEnded,
} from '../../support/bulk-execution.ts';
import { accept, recalled, strangers, transferTo } from '../../support/cases.ts';
import { earningAgent, settle } from '../../support/commissions.ts';
import type { CallReply, Json } from '../../support/gateway.ts';
import { newReference, testBank } from '../../support/inbound.ts';
import { bankForFile, PIN, type Wallet } from '../../support/money.ts';
import { partnerBank, webhookHeaders } from '../../support/partner.ts';
import { newMerchant, storeAccount } from '../../support/processors.ts';
import { newRequestId, type Terminal, terminalOf } from '../../support/terminal.ts';

const SECRET = 'a-webhook-secret-shared-with-one-partner';
const { kissi, bank } = await bankForFile({ env: { PARTNER_CASHIN_WEBHOOK_SECRET: SECRET } });

/** Asserts that the call succeeds. */
async function send(method: string, path: string, body?: object): Promise<Json> {
  const token = await kissi.adminToken();
  return succeeded(await kissi.call(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) }));
}

function succeeded({ status, json, text }: CallReply): Json {
  assert.ok(status < 300, text);
  return json;
}

async function setFee(type: string, party: string, terms: { debit_enabled: boolean; credit_enabled: boolean }) {
  await send('PUT', '/fee-settings', {
    transaction_type: type,
    party_type: party,
    fee_type: 'percentage',
    fee_value: 0.4,
    ...terms,
  });
}

const CHARGED = { debit_enabled: true, credit_enabled: false };
const EARNED = { debit_enabled: false, credit_enabled: true };

before(async () => {
  await setFee('vult_fund', 'recipient', CHARGED);
  await setFee('agent_cashin', 'agent', EARNED);
  await setFee('wallet_withdraw', 'agent', EARNED);
  await setFee('pos_payment', 'sender', EARNED);
  await wallets();
  await agents();
  await partners();
  await merchants();
});

async function wallets(): Promise<void> {
  const [payer, payee] = [await bank.wallet(100_000), await bank.wallet()];
  await send('POST', '/wallet/transfer', { sender_id: payer.id, recipient_id: payee.id, amount: 10_000, pin: PIN });
  const [sender, recipient] = await strangers(kissi, bank);
  const { id } = await recalled(sender, await transferTo(sender, recipient.wallet.phone, 5_000));
  succeeded(await accept(recipient, id));
}

async function agents(): Promise<void> {
  const superAgent = await newFundedAgent(kissi, 500_000);
  const subAgent = await newSubAgent(kissi, superAgent);
  const transfer = { from_agent_id: superAgent.id, to_agent_id: subAgent.id, amount: 50_000, pin: superAgent.pin };
  await send('POST', '/agents/transfer', transfer);
  await send('POST', `/agents/${superAgent.id}/return-float`, { amount: 10_000, pin: superAgent.pin });
  const agent = await earningAgent(kissi, bank);
  await agent.deposit(50_000);
  const withdrawal = { subscriber_id: (await bank.wallet(50_000)).id, agent_id: agent.id, amount: 20_000, pin: PIN };
  await send('POST', '/wallet/withdraw', withdrawal);
  kissi.clock.advance(DAY_MS);
  await settle(kissi);
}

async function partners(): Promise<void> {
  const rokel = await partnerBank(kissi);
  const inbound = await testBank(kissi);
  const wallet = await bank.wallet();
  succeeded(await rokel.cashIn({ phone_number: wallet.phone }));
  const credit = await inbound.credit({ reference: newReference(), amount: 5_000, msisdn: wallet.phone });
  const { inbound_id } = succeeded(credit).data;
  await send('POST', `/admin/inbound/${inbound_id}/reverse`, { reason: 'Sent twice' });
  await send('POST', `/admin/suspense/${await suspenseItem(wallet)}/resolve`, { partner_id: rokel.id, reason: 'Slip' });
  await send('POST', `/admin/suspense/${await suspenseItem(wallet)}/resolve`, {
    refund: true,
    reason: 'Unknown payer',
  });
  await send('POST', `/admin/partners/${rokel.id}/settle`, { amount: 1_000, reference: 'SETTLE-1' });
}

async function suspenseItem(wallet: Wallet): Promise<string> {
  const raw = JSON.stringify({ card_serial: await bank.card(wallet), amount: 700, reference: newReference() });
  const headers = webhookHeaders(SECRET, raw);
  return succeeded(await kissi.call('POST', '/webhooks/partner/cashin', { raw, headers })).transaction_id;
}

async function merchants(): Promise<void> {
  const terminal = await terminalOf(kissi);
  const { card, wallet } = await bank.customer(500_000);
  const { transaction_id } = succeeded(await terminal.pay(card, { amount: 200_000 }));
  succeeded(await terminal.refund(transaction_id, { amount: 50_000 }));
  const path = `/processors/${terminal.merchant.id}`;
  await send('POST', `${path}/transfer`, { to_subscriber_id: wallet.id, amount: 1_000 });
  await send('POST', `${path}/transfer`, { to_processor_id: (await newMerchant(kissi)).id, amount: 1_000 });
  await payouts(terminal);
  await bulkPayments(terminal);
}

async function payouts({ merchant }: Terminal): Promise<void> {
  const bank_account = await storeAccount(kissi, merchant.id);
  const pay = (amount: number) =>
    send('POST', `/processors/${merchant.id}/payout`, { amount, bank_account, request_id: newRequestId() });
  const returned = await pay(3_000);
  const reason = 'The account is closed';
  await send('POST', `/processors/${merchant.id}/payouts/${returned.transaction_id}/return`, {
    reason,
    request_id: newRequestId(),
  });
  const cleared = await pay(4_000);
  const token = await kissi.adminToken();
  const account = await newTrustAccount(kissi, token);
  const file = csvFile({ from: new Date(kissi.clock.now()).toISOString().slice(0, 10), entries: [{ amount: -4_000 }] });
  const { statement } = succeeded(await uploadStatement(kissi, token, account.id, [CSV, file]));
  const { entries } = await send('GET', `/admin/trust-accounts/${account.id}/statements/${statement.id}/entries`);
  const pair = { bank_entry_ids: [entries[0].id], transaction_ids: [cleared.transaction_id] };
  const { match } = await send('POST', '/admin/reconciliation/matches', pair);
  await send('DELETE', `/admin/reconciliation/matches/${match.id}`);
}

/** By a merchant, a partner and the treasury, each with a code that an agent redeems. */
async function bulkPayments({ merchant }: Terminal): Promise<void> {
  const [agent, to] = [await earningAgent(kissi, bank), await bank.wallet()];
  const partner = await partnerBank(kissi);
  for (const query of [{ partner_id: partner.id }, { treasury: 'true' }]) {
    await paidByOperator(kissi, query, { to, agent });
  }
  const payer = { merchant, uploader: await loginOf(kissi, merchant), approver: await loginOf(kissi, merchant) };
  const phone = '+23299000778';
  const payment = await uploaded(kissi, payer, rowsTo([{ phone }]), { unclaimed: 'code' });
  succeeded(await approve(kissi, payer.approver, payment));
  await whenEnded(kissi, payer.approver, payment);
  succeeded(await redeemCode(kissi, agent, phone, await codeSentTo(kissi, phone)));
}

interface Entry {
  debit: string[];
  credit: string[];
  other: string[];
}

/** The journal entries of the page, by movement type. */
async function documented(): Promise<Map<string, Entry>> {
  const page = await readFile(new URL('../../../docs/chart-of-accounts.md', import.meta.url), 'utf8');
  const section = page.split('## Journal entries')[1]?.split('## ')[0] ?? '';
  const kinds = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, kind = '']) => kind).sort();
  const rows = [...section.matchAll(/^\| `(\w+)` \|[^|]*\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)];
  return new Map(
    rows.map(([, type = '', debit, credit, other]) => [
      type,
      { debit: kinds(debit), credit: kinds(credit), other: kinds(other) },
    ]),
  );
}

/** What was posted, by movement type: the kinds of the accounts debited and credited, and of the others. */
async function posted(): Promise<Map<string, Entry>> {
  const { rows } = await kissi.db.query(`
    select m.type, a.kind, p.amount < 0 as is_debit, p.account_id not in (m.from_account, m.to_account) as is_other
    from movements m join postings p on p.movement_id = m.id join accounts a on a.id = p.account_id`);
  const column = ({ is_other, is_debit }: Json) => (is_other ? 'other' : is_debit ? 'debit' : 'credit');
  const kinds = (each: Json[]) => [...new Set(each.map(({ kind }) => kind))].sort();
  return new Map(
    [...Map.groupBy(rows, ({ type }: Json) => type)].map(([type, each]) => {
      const { debit = [], credit = [], other = [] } = Object.groupBy(each, column);
      return [type, { debit: kinds(debit), credit: kinds(credit), other: kinds(other) }];
    }),
  );
}

test('the page has the journal entry of every movement type, as the API posts it', async () => {
  const [page, books] = [await documented(), await posted()];
  assert.deepEqual([...page.keys()].sort(), ALL_TYPES.toSorted());
  for (const type of ALL_TYPES) assert.deepEqual(books.get(type), page.get(type), type);
});

test("the page names only routes that exist as a movement's cause", async () => {
  const page = await readFile(new URL('../../../docs/chart-of-accounts.md', import.meta.url), 'utf8');
  const { paths = {} } = kissi.gateway.app.openApi() as Json;
  const routes = [...page.matchAll(/`(POST|DELETE) (\/[^`]+)`/g)];
  assert.ok(routes.length > 20);
  for (const [, method = '', path = ''] of routes) {
    const full = path.startsWith('/webhooks') ? path : `/api/v1${path}`;
    assert.ok(paths[full]?.[method.toLowerCase()], `${method} ${path}`);
  }
});
