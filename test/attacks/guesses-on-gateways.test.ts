// The limits on guesses hold for several gateways together: PINs per credential, logins and registrations per address.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createAttemptCounts } from '../../src/db/attempt-counts.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { testClock } from '../support/clock.ts';
import { type CallReply, type TestGateway, testGateway } from '../support/gateway.ts';
import { createBank, PIN, type Wallet, WRONG_PIN } from '../support/money.ts';
import { apiKey, assertRefused, openSession, staffMember } from '../support/staff.ts';

const LIMIT = 4;
const env = { LOGINS_PER_MINUTE: String(LIMIT), PUBLIC_REGISTRATION_PER_MINUTE: String(LIMIT) };

const clock = testClock();
const one = await testGateway({ clock });
const two = await testGateway({ clock, db: one.db });
const strict: TestGateway[] = [
  await testGateway({ clock, env, db: one.db }),
  await testGateway({ clock, env, db: one.db }),
];
const bank = await createBank(one);
after(async () => {
  for (const gateway of [...strict, two, one]) await gateway.close();
});

const verify = (kissi: TestGateway, { id }: Wallet, pin: string, token: string) =>
  kissi.call('POST', `/api/v1/subscribers/${id}/verify-pin`, { body: { pin }, token });
const countOf = (replies: CallReply[], code: string) => replies.filter(({ json }) => json.code === code).length;
const wallets = (count: number) => Promise.all(Array.from({ length: count }, () => bank.wallet()));
const gatewayOf = (n: number) => (n % 2 ? one : two);

test('a user has twenty of sixty wrong PINs checked that it sends to two gateways at once', async () => {
  const { token } = await openSession(one, await staffMember(one, 'support_user'));
  const replies = await Promise.all(
    (await wallets(60)).map((wallet, n) => verify(gatewayOf(n), wallet, WRONG_PIN, token)),
  );
  assert.deepEqual([countOf(replies, 'INVALID_PIN'), countOf(replies, 'TOO_MANY_ATTEMPTS')], [20, 40]);
  const wallet = await bank.wallet();
  for (const kissi of [one, two]) assertRefused(await verify(kissi, wallet, PIN, token), 429, 'TOO_MANY_ATTEMPTS');
});

test('right PINs of a user use up nothing on either gateway', async () => {
  const { token } = await openSession(one, await staffMember(one, 'support_user'));
  const wallet = await bank.wallet();
  for (let n = 0; n < 50; n++) assert.equal((await verify(gatewayOf(n), wallet, PIN, token)).status, 200);
  const replies: CallReply[] = [];
  for (const [n, other] of (await wallets(24)).entries()) {
    replies.push(await verify(gatewayOf(n), other, WRONG_PIN, token));
  }
  assert.deepEqual([countOf(replies, 'INVALID_PIN'), countOf(replies, 'TOO_MANY_ATTEMPTS')], [20, 4]);
});

describe('a key whose wrong PINs on one gateway reached the limit', () => {
  const counts = () => createAttemptCounts(one.db.database.pool, clock);
  const blockedAfter = async (correct: number) => {
    const { id, key } = await apiKey(one, ['subscribers:write']);
    await counts().add(`key:${id}`, { counted: 1_000, correct }, 15 * MINUTE_MS);
    const [first, second] = await wallets(2);
    assertRefused(await verify(two, first as Wallet, WRONG_PIN, key), 401, 'INVALID_PIN');
    return verify(two, second as Wallet, PIN, key);
  };

  test('is blocked on the other with its next wrong PIN', async () => {
    assertRefused(await blockedAfter(0), 429, 'TOO_MANY_ATTEMPTS');
  });

  test('is not blocked when its right PINs on all gateways outnumber the wrong ones', async () => {
    assert.equal((await blockedAfter(1_002)).status, 200);
  });
});

test('a gateway shares the right PINs of a key', async () => {
  const { id, key } = await apiKey(one, ['subscribers:write']);
  const wallet = await bank.wallet();
  for (let n = 0; n < 3; n++) assert.equal((await verify(one, wallet, PIN, key)).status, 200);
  await one.gateway.services.pins.share();
  const read = 'select counted, correct from attempt_counts where subject = $1';
  const { rows } = await one.db.query(read, [`key:${id}`]);
  assert.deepEqual(rows, [{ counted: 0, correct: 3 }]);
});

test('an address has one allowance of logins and one of registrations on all gateways', async () => {
  const login = (kissi: TestGateway) =>
    kissi.call('POST', '/api/v1/admin/login', { body: { email: 'nobody@example.com', password: 'Wrong-Pa55word' } });
  const register = (kissi: TestGateway) => kissi.call('POST', '/api/v1/public/subscribers', { body: {} });
  for (const attempt of [login, register]) {
    // The logins of the tests before this one are in the window that ends here.
    clock.advance(MINUTE_MS);
    const replies: CallReply[] = [];
    for (let n = 0; n < 2 * LIMIT; n++) replies.push(await attempt(strict[n % 2] as TestGateway));
    assert.equal(countOf(replies, 'RATE_LIMITED'), LIMIT, attempt.name);
  }
});
