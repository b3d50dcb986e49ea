// Tests that very common PINs are refused where a PIN is set, in production or where REFUSE_COMMON_PINS is set.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCommonPin } from '../../../src/auth/pins/common-pins.ts';
import { newPin } from '../../../src/features/agents/registration.ts';
import { loadConfig } from '../../../src/kernel/config/config.ts';
import { agentToken, assertRefused, newAgent } from '../../support/agents.ts';
import { assertStatus, gatewayForFile, SECRETS } from '../../support/gateway.ts';

const kissi = await gatewayForFile({ env: { REFUSE_COMMON_PINS: 'true' } });
const token = await kissi.adminToken();
let phones = 76_100_000;
const newPhone = () => `0${phones++}`;
const COMMON = ['0000', '1234', '2580', '1985'];
const registration = (pin: string) => ({ phone_number: newPhone(), first_name: 'Ada', last_name: 'Sesay', pin });
const subscriberCount = async () => (await kissi.db.query('select count(*) from subscribers')).rows[0].count;

for (const path of ['/api/v1/subscribers', '/api/v1/public/subscribers']) {
  test(`POST ${path} with a very common PIN gets 400 INVALID_PIN and registers nobody`, async () => {
    const before = await subscriberCount();
    for (const pin of COMMON) {
      const reply = await kissi.call('POST', path, { body: registration(pin), token });
      assertRefused(reply, 400, 'INVALID_PIN');
      assert.match(reply.json.error, /^pin is too common/);
      assert.ok(!reply.text.includes(pin), 'the reply does not repeat the PIN');
    }
    assert.equal(await subscriberCount(), before);
    assert.equal((await kissi.call('POST', path, { body: registration('4827'), token })).status, 201);
  });
}

test('change-pin of a subscriber refuses a very common new PIN without counting an attempt, and keeps the old one', async () => {
  const body = registration('4827');
  const id = (await kissi.call('POST', '/api/v1/subscribers', { body, token })).json.subscriber_id;
  const change = (current_pin: string, new_pin: string) =>
    kissi.call('POST', `/api/v1/subscribers/${id}/change-pin`, { body: { current_pin, new_pin }, token });
  const refused = assertRefused(await change('4827', '1111'), 400, 'INVALID_PIN');
  assert.match(refused.json.error, /^new_pin is too common/);
  const { rows } = await kissi.db.query('select failures from pins where owner_id = $1', [id]);
  assert.equal(rows[0].failures, 0);
  assert.equal((await change('4827', '9031')).status, 200);
  assertRefused(await change('1111', '9032'), 401, 'INVALID_PIN', 'a common current PIN is only wrong');
});

test('change-pin of an agent refuses a very common new PIN', async () => {
  const agent = await newAgent(kissi);
  const path = `/api/v1/agents/${agent.id}/change-pin`;
  const own = await agentToken(kissi, agent);
  const body = { current_pin: agent.pin, new_pin: '1234' };
  const refused = assertRefused(await kissi.call('POST', path, { body, token: own }), 400, 'INVALID_PIN');
  assert.match(refused.json.error, /^new_pin is too common/);
  assertStatus(await kissi.call('POST', path, { body: { ...body, new_pin: '4827' }, token: own }), 200);
});

test('a generated PIN of an agent is never a very common one', async () => {
  const drawn = ['0000', '1234', '4827'];
  assert.equal(
    newPin(() => Number(drawn.shift())),
    '4827',
  );
  assert.equal(isCommonPin(newPin()), false);
});

const DECISIONS = { PHONE_VERIFICATION: 'off', APPROVALS: 'off' };

test('REFUSE_COMMON_PINS is on in production and off elsewhere, and can be set', () => {
  const secret = 'kW3-qZ8.vN5_tR2+yB7=mH4/cJ9!xL6?';
  const of = (env: Record<string, string>) =>
    loadConfig({ ...SECRETS, MESSAGING_APP_SECRET: secret, ...DECISIONS, ...env }).refuseCommonPins;
  const [staging, production] = [{ APP_ENV: 'staging' }, { APP_ENV: 'production' }];
  assert.deepEqual([of({}), of(staging), of(production)], [false, false, true]);
  assert.deepEqual(
    [of({ REFUSE_COMMON_PINS: 'true' }), of({ ...production, REFUSE_COMMON_PINS: 'false' })],
    [true, false],
  );
});
