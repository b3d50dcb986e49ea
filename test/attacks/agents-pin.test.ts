// An agent's id and PIN on subscriber routes: the float must not be usable as a wallet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fundAgent, newAgent, wrongPin } from '../support/agents.ts';
import { bankForFile } from '../support/money.ts';
import { apiKey, assertRefused } from '../support/staff.ts';

const { kissi, bank } = await bankForFile();

test('rejects a transfer from an agent float with the agent PIN with 404 SUBSCRIBER_NOT_FOUND', async () => {
  const agent = await newAgent(kissi);
  await fundAgent(kissi, agent, 100_000);
  const wallet = await bank.wallet();
  const card = await bank.card(wallet);
  const body = { sender_id: agent.id, pin: agent.pin, amount: 1_000 };
  const replies = [
    await bank.post('/wallet/transfer', { ...body, recipient_id: wallet.id }),
    await bank.post('/wallet/transfer-p2p', { ...body, recipient_card_serial: card }),
  ];
  for (const reply of replies) assertRefused(reply, 404, 'SUBSCRIBER_NOT_FOUND');
  assert.deepEqual([await bank.balance(agent.id), await bank.balance(wallet.id)], [100_000, 0]);
});

test('every subscriber route answers an agent id with 404 and counts no PIN failure, whether the PIN is right or wrong', async () => {
  const agent = await newAgent(kissi);
  await fundAgent(kissi, agent, 100_000);
  const { key } = await apiKey(kissi, ['subscribers:write', 'balance:read', 'payments:write']);
  for (const pin of [wrongPin(agent), agent.pin, wrongPin(agent), wrongPin(agent), wrongPin(agent)]) {
    const attempts: [string, object][] = [
      [`/subscribers/${agent.id}/verify-pin`, { pin }],
      [`/subscribers/${agent.id}/change-pin`, { current_pin: pin, new_pin: '2468' }],
      [`/wallet/balance/${agent.id}`, { pin }],
      ['/wallet/withdraw', { subscriber_id: agent.id, agent_id: agent.id, amount: 1, pin }],
      ['/wallet/transfer', { sender_id: agent.id, recipient_id: agent.id, amount: 1, pin }],
    ];
    for (const [path, body] of attempts) {
      const reply = await kissi.call('POST', `/api/v1${path}`, { body, token: key });
      assert.equal(reply.status, 404, `${path}: ${reply.text}`);
    }
  }
  const { failures } = await kissi.db.database.queries
    .selectFrom('pins')
    .select('failures')
    .where('owner_id', '=', agent.id)
    .executeTakeFirstOrThrow();
  assert.equal(failures, 0);
});
