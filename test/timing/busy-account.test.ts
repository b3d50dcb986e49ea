// Velocity rules over accounts with 300,000 postings: reading them never delays or fails the payments of others.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { asOwner } from '../ledger/books.ts';
import { testClock } from '../support/clock.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { assertStatus, type CallReply, type TestGateway, testGateway } from '../support/gateway.ts';
import { HISTORY_START, insertHistory } from '../support/history.ts';
import { type Bank, createBank, newAgentFloat, PIN, type Wallet } from '../support/money.ts';
import { type Merchant, newMerchant } from '../support/processors.ts';

const POSTINGS = 300_000;
const EVERY_MS = 4_000;

let db: TestDatabase;
let kissi: TestGateway;
let bank: Bank;
let payer: Wallet;
let payee: Wallet;
before(async () => {
  // The statement timeout of production limits how long reading an account's history may take.
  db = await testDatabase({ statementMs: 2_000 });
  kissi = await testGateway({ db, clock: testClock(HISTORY_START + POSTINGS * EVERY_MS + MINUTE_MS) });
  bank = await createBank(kissi);
  [payer, payee] = [await bank.wallet(1_000_000), await bank.wallet()];
});
after(async () => {
  await kissi.close();
  await db.close();
});

const transfer = (from: Wallet, to: Wallet) =>
  bank.post('/wallet/transfer', { sender_id: from.id, recipient_id: to.id, amount: 100, pin: PIN });

/** Inserts a history in which the account received every payment and sent none. */
async function insertIncomingPayments(accountId: string): Promise<void> {
  await insertHistory(kissi.db.url, { accountId, postings: POSTINGS, type: `'transfer_p2p'`, everyMs: EVERY_MS });
  await asOwner(kissi.db.url, async (owner) => {
    await owner.query(
      `update movements set from_account = $2, to_account = $1
      where from_account = $1 or to_account = $1`,
      [accountId, payee.id],
    );
  });
}

async function limitToThreePerMonth(type: string): Promise<void> {
  const settings = { kind: 'velocity_count', threshold: 3, window_seconds: 31 * 86_400, outcome: 'block' };
  const body = { name: 'Three a month', transaction_types: [type], ...settings };
  assertStatus(await kissi.asAdmin.post('/compliance/rules', body), 201);
}

/** The reply to a request sent together with payments of others, all of which must succeed. */
async function amongOthers(others: number, send: () => Promise<CallReply>): Promise<CallReply> {
  const [reply, ...rest] = await Promise.all([send(), ...Array.from({ length: others }, () => transfer(payer, payee))]);
  for (const other of rest) assert.equal(other.status, 200, other.text);
  return reply as CallReply;
}

test('a rule about the transfers of a processor applies although the processor received 300,000 payments', async () => {
  const [busy, other] = [await newMerchant(kissi), await newMerchant(kissi)] as [Merchant, Merchant];
  await insertIncomingPayments(busy.id);
  await limitToThreePerMonth('processor_transfer');
  const body = { to_processor_id: other.id, amount: 1 };
  const send = () => kissi.asAdmin.post(`/processors/${busy.id}/transfer`, body);
  for (let n = 0; n < 3; n++) assert.equal((await amongOthers(10, send)).status, 200);
  assert.equal((await amongOthers(10, send)).json.code, 'COMPLIANCE_BLOCKED');
});

test('a wallet whose history cannot be read within the statement timeout cannot pay; others can', async () => {
  const busy = await bank.wallet();
  await insertIncomingPayments(busy.id);
  await limitToThreePerMonth('wallet_withdraw');
  const body = { subscriber_id: busy.id, agent_id: await newAgentFloat(kissi), amount: 100, pin: PIN };
  const before = await bank.balance(busy.id);
  for (let n = 0; n < 3; n++)
    assert.equal((await amongOthers(10, () => bank.post('/wallet/withdraw', body))).status, 500);
  assert.equal(await bank.balance(busy.id), before);
  // No rule reads the history for this type.
  assert.equal((await transfer(busy, payee)).status, 200);
});
