// Wallet transfers between accounts that are not wallets: refused as unknown, without a defect and without comparing a PIN.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newFundedAgent } from '../support/agents.ts';
import { bankForFile, PIN } from '../support/money.ts';

const { kissi, bank } = await bankForFile();

const FEE_ACCOUNTS = Array.from({ length: 16 }, (_, stripe) => `sys_fees_${String(stripe).padStart(2, '0')}`);

/** Counters of PIN attempts and of movements that the ledger decided. */
async function counters(): Promise<string[]> {
  const { text } = await kissi.call('GET', '/metrics', {});
  return text.split('\n').filter((line) => /^kissi_(pin_attempts|ledger_movements)_total/.test(line));
}

test('a transfer to a system account or a partner gets 404 SUBSCRIBER_NOT_FOUND and moves nothing', async () => {
  const sender = await bank.wallet(100_000);
  for (const recipient_id of [...FEE_ACCOUNTS, 'sys_suspense', 'sys_treasury_00', bank.partnerId]) {
    const body = { sender_id: sender.id, recipient_id, amount: 1_000, pin: PIN };
    const { status, json } = await bank.post('/wallet/transfer', body);
    assert.deepEqual([recipient_id, status, json.code], [recipient_id, 404, 'SUBSCRIBER_NOT_FOUND']);
  }
  assert.equal(await bank.balance(sender.id), 100_000);
});

test("a transfer from an agent gets 404 SUBSCRIBER_NOT_FOUND and does not compare the agent's PIN", async () => {
  const agent = await newFundedAgent(kissi, 100_000);
  const recipient = await bank.wallet();
  const before = await counters();
  for (const pin of [agent.pin, agent.pin === '0000' ? '1111' : '0000']) {
    const body = { sender_id: agent.id, recipient_id: recipient.id, amount: 1_000, pin };
    const { status, json } = await bank.post('/wallet/transfer', body);
    assert.deepEqual([status, json.code], [404, 'SUBSCRIBER_NOT_FOUND']);
  }
  assert.deepEqual(await counters(), before);
  const { rows } = await kissi.db.query('select failures from pins where owner_id = $1', [agent.id]);
  assert.deepEqual(rows, [{ failures: 0 }]);
});
