// Concurrent guesses of one PIN over every route that takes it, on two gateways.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { testClock } from '../support/clock.ts';
import { testGateway } from '../support/gateway.ts';
import { assertLedgerConsistent, createBank, newAgentFloat, PIN } from '../support/money.ts';
import { newMerchant } from '../support/processors.ts';
import { apiKey } from '../support/staff.ts';
import { encryptPin, newRequestId, sendSigned } from '../support/terminal.ts';

const clock = testClock();
const one = await testGateway({ clock });
const two = await testGateway({ clock, db: one.db });
const bank = await createBank(one);
after(async () => {
  await assertLedgerConsistent(one);
  await two.close();
  await one.close();
});

test('evaluates three of 120 concurrent guesses across all routes and gateways, and ten on one day', async () => {
  const [victim, thief] = [await bank.wallet(1_000_000), await bank.wallet()];
  const serial = await bank.card(victim);
  const thiefCard = await bank.card(thief);
  const merchant = await newMerchant(one);
  const agent = await newAgentFloat(one);
  const key = await apiKey(one, ['payments:write', 'balance:read', 'subscribers:write', 'cards:read']);
  for (let round = 0; round < 6; round++) {
    const guesses = Array.from({ length: 120 }, (_, n) => String(2_000 + round * 120 + n));
    const replies = await Promise.all(
      guesses.map((pin, n) => {
        const kissi = n % 2 ? one : two;
        const call = (path: string, body: object) => kissi.call('POST', `/api/v1${path}`, { body, token: key.key });
        switch (n % 6) {
          case 0:
            return call(`/wallet/balance/${victim.id}`, { pin });
          case 1:
            return call('/wallet/transfer', { sender_id: victim.id, recipient_id: thief.id, amount: 1, pin });
          case 2:
            return call('/wallet/transfer-p2p', {
              sender_id: victim.id,
              recipient_card_serial: thiefCard,
              amount: '1',
              pin,
            });
          case 3:
            return call(`/subscribers/${victim.id}/change-pin`, { current_pin: pin, new_pin: '7777' });
          case 4:
            return call('/wallet/withdraw', { subscriber_id: victim.id, agent_id: agent, amount: 1, pin });
          default: {
            const body = {
              request_id: newRequestId(),
              merchant_id: merchant.merchantId,
              processor_id: merchant.id,
              card_serial: serial,
              amount: 1,
              terminal_id: 'T',
              encrypted_pin: encryptPin(key.secret, { pin, card_serial: serial }),
            };
            return sendSigned(kissi, '/api/v1/pos/payment', body, { key });
          }
        }
      }),
    );
    const codes = Object.groupBy(replies, ({ status, json }) => `${status} ${json.code ?? ''}`);
    const counted = Object.fromEntries(Object.entries(codes).map(([code, list]) => [code, list?.length]));
    const evaluated = Math.min(3, 10 - round * 3);
    assert.deepEqual(counted, {
      ...(evaluated > 0 ? { '401 INVALID_PIN': evaluated } : {}),
      '403 ACCOUNT_LOCKED': 120 - Math.max(0, evaluated),
    });
    const left = replies
      .filter(({ status }) => status === 401)
      .map(({ json }) => json.attempts_remaining)
      .toSorted();
    assert.deepEqual(left, [0, 1, 2].slice(0, Math.max(0, evaluated)));
    // The right PIN is refused too while the lock lasts.
    assert.equal((await bank.post(`/wallet/balance/${victim.id}`, { pin: PIN })).status, 403);
    clock.advance(30 * MINUTE_MS + 1);
  }
  assert.equal(
    (await bank.post(`/wallet/balance/${victim.id}`, { pin: PIN })).json.locked_until,
    '2026-03-02T00:00:00.000Z',
  );
  clock.set(Date.parse('2026-03-02T00:00:00Z'));
  // After the last lock expires, the right PIN works and the guesses moved nothing.
  assert.equal((await bank.post(`/wallet/balance/${victim.id}`, { pin: PIN })).status, 200);
  assert.equal(await bank.balance(thief.id), 0);
});
