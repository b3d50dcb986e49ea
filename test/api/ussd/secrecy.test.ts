// Tests that what must stay secret is found nowhere after every menu was walked: PINs, codes and the gateway's secret.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newFundedAgent } from '../../support/agents.ts';
import { everything } from '../../support/everything.ts';
import { testGateway } from '../../support/gateway.ts';
import { createBank } from '../../support/money.ts';
import { LAB, shopOf } from '../../support/payment-requests.ts';
import { call, dial, FORMATS, newSessionId, USSD, USSD_SECRET, walk } from '../../support/ussd.ts';

const kissi = await testGateway({ env: { ...USSD, ...LAB, LOG_LEVEL: 'trace' } });
const bank = await createBank(kissi);
after(() => kissi.close());

const OLD_PIN = '7391';
const NEW_PIN = '5820';
const WRONG = '6482';
const OF_NEW_CUSTOMER = '9264';

/** A number by itself, not digits inside an id, a hash or a time. */
const alone = (digits: string) => new RegExp(`(?<![0-9A-Za-z.:_+-])${digits}(?![0-9A-Za-z.:_-])`);
/** In a dialled text, or in what a codec joins. */
const joined = (digits: string) => new RegExp(`\\*${digits}(?![0-9])`);

test('no PIN, and no secret of the gateway, is in any table or log', async () => {
  const shop = await shopOf(kissi);
  const agent = await newFundedAgent(kissi, 500_000);
  for (const format of FORMATS) {
    const payer = await bank.wallet(500_000, { pin: OLD_PIN });
    const payee = await bank.wallet(0);
    const type = (...inputs: string[]) => dial(kissi, payer.phone, format).type(...inputs);
    await type('1', payee.phone, '10', WRONG, OLD_PIN);
    await type('3', (await shop.asked({ amount: 500 })).code, OLD_PIN);
    for (const item of ['1', '2', '3']) await type('4', item, OLD_PIN);
    await type(`1*${payee.phone}*10*${OLD_PIN}`);
    const { text } = await type('2', '50', OLD_PIN);
    const [code = ''] = /\d{8}/.exec(text) ?? [];
    await walk(kissi, agent.phone, '1', payer.phone, '20', agent.pin);
    await walk(kissi, agent.phone, '2', payer.phone, code, agent.pin);
    await walk(kissi, agent.phone, '4', agent.pin);
    await type('4', '4', OLD_PIN, NEW_PIN, WRONG, NEW_PIN, NEW_PIN);
    const dialled = { sessionId: newSessionId(), phone: payer.phone, inputs: ['1', payee.phone, '5', NEW_PIN] };
    await call(kissi, format, dialled);
    // A session that is not finished, with the first of two new PINs.
    await type('4', '4', NEW_PIN, OF_NEW_CUSTOMER);
    const number = `+2328812340${format.length % 10}`;
    await walk(kissi, agent.phone, '3', number, 'Isata', 'Bangura', agent.pin);
    await dial(kissi, number, format).type('1', OF_NEW_CUSTOMER, OF_NEW_CUSTOMER);
    await dial(kissi, `+2328812350${format.length % 10}`, format).type('1', 'Amie', 'Kallon', OF_NEW_CUSTOMER);
    await kissi.call('POST', `/ussd/${format}/${USSD_SECRET}`, { raw: `{"pin":"${OLD_PIN}"`, headers: {} });
    await kissi.call('POST', `/ussd/${format}/${USSD_SECRET}/x`, { body: {} });
    await kissi.call('GET', `/ussd/${format}/${USSD_SECRET}`);
    await kissi.call('POST', `/ussd/other/${USSD_SECRET}`, { body: {}, headers: { 'x-api-key-id': 'key_unknown' } });
  }
  // Staff play it on the lab's phone; the last step is refused.
  const played = await bank.wallet(500_000, { pin: OLD_PIN });
  for (const [sequence, input] of ['', '4', '1', WRONG, OLD_PIN, OLD_PIN].entries()) {
    const phone_number = sequence === 5 ? 'nobody' : played.phone;
    await kissi.asAdmin.post('/admin/lab/ussd', { phone_number, session_id: 'secrecy', sequence, input });
  }
  const raw = new URLSearchParams({ sessionId: 'S-end', status: 'Success', input: `1*50*${OLD_PIN}` }).toString();
  await kissi.call('POST', `/ussd/africastalking/${USSD_SECRET}/ended`, {
    ...{ raw, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  });
  await kissi.gateway.services.requestLog.flush();
  await kissi.gateway.services.repeatedEvents.flush();
  await new Promise(setImmediate);
  const stored = await everything(kissi);
  assert.ok(stored.length > 300, `${stored.length} rows`);
  const logs = kissi.logs().split('\n');
  assert.ok(logs.some((line) => line.includes('"route":"/ussd/africastalking/:secret"')));
  const places = [...stored, ...logs.map((text) => ({ where: 'log', text }))];
  for (const pin of [OLD_PIN, NEW_PIN, WRONG, OF_NEW_CUSTOMER]) {
    const shown = places.filter(({ text }) => alone(pin).test(text) || joined(pin).test(text));
    assert.deepEqual(shown, [], `the PIN ${pin}`);
  }
  const agents = places.filter(({ where, text }) => where !== 'messages' && joined(agent.pin).test(text));
  assert.deepEqual(agents, [], "the agent's PIN");
  assert.deepEqual(
    places.filter(({ text }) => text.includes(USSD_SECRET)),
    [],
    'the secret',
  );
});
