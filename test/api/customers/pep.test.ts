// Tests that politically exposed persons pay and are paid like anybody: same names, same shapes, and nothing more for staff.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentToken, fundAgent, newAgent } from '../../support/agents.ts';
import { newPhone } from '../../support/customers.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { markPep } from '../../support/pep.ts';
import { assertRefused, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const person = { first_name: 'Foday', last_name: 'Sesay' };
const [exposed, usual] = [await bank.wallet(200_000, person), await bank.wallet(200_000, person)];
await markPep(kissi, exposed.id);
const payer = await newPhone(kissi, await bank.wallet(200_000));
let requests = 0;
const newId = () => `pep-${++requests}`;

const shapeOf = ({ id: _id, ...quote }: Json) => quote;

test('a quote of a politically exposed person looks like anybody’s', async () => {
  const quotes = [];
  for (const { phone } of [exposed, usual]) {
    const body = { type: 'transfer', phone_number: phone, amount: 1_000 };
    quotes.push(assertStatus(await payer.post('/me/quote', body), 200).json.quote);
  }
  assert.deepEqual(shapeOf(quotes[0]), shapeOf(quotes[1]));
  assert.equal(quotes[0].recipient_name, 'Foday S.');
  assert.equal(quotes[0].id.length, quotes[1].id.length);
  const body = { quote_id: quotes[0].id, pin: PIN, request_id: newId() };
  const paid = assertStatus(await payer.post('/me/transfers', body), 200);
  assert.ok(!paid.text.includes(exposed.id));
});

test('the request of a politically exposed person names nobody by an id', async () => {
  const own = await newPhone(kissi, exposed);
  const ask = { amount: 500, description: 'Lunch', payer_phone: payer.wallet.phone, request_id: newId() };
  const { id } = assertStatus(await own.post('/me/payment-requests', ask), 201).json.payment_request;
  const incoming = assertStatus(await payer.get('/me/payment-requests/incoming'), 200);
  assert.equal(incoming.json.payment_requests[0].id, id);
  assert.ok(!incoming.text.includes('sub_'), incoming.text);
  assertStatus(await payer.post(`/me/payment-requests/${id}/block-payee`), 200);
  assert.ok(!(await payer.get('/me/blocked-payees')).text.includes('sub_'));
});

test('an agent redeems the code of a politically exposed person like any other; staff see no hold of theirs', async () => {
  const own = await newPhone(kissi, exposed);
  const agent = await newAgent(kissi);
  await fundAgent(kissi, agent, 10_000);
  const token = await agentToken(kissi, agent);
  const ask = async () => {
    const body = { amount: 2_000, pin: PIN, request_id: newId() };
    return assertStatus(await own.post('/me/cash-out-codes', body), 201).json.cash_out_code;
  };
  const { code } = await ask();
  const body = { code, phone_number: exposed.phone, pin: agent.pin, request_id: newId() };
  const redeemed = assertStatus(await kissi.call('POST', '/api/v1/agents/cashout-code', { token, body }), 200);
  assert.ok(!redeemed.text.includes(exposed.id));
  const held = await ask();
  const support = await staffToken(kissi, 'support_user');
  assertRefused(await kissi.call('GET', `/api/v1/holds/${held.id}`, { token: support }), 404, 'NOT_FOUND');
  const { text } = await kissi.call('GET', '/api/v1/holds', { token: support });
  assert.ok(!text.includes(held.id) && !text.includes(exposed.id), text);
});
