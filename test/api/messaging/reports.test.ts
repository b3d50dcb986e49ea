// Tests cases by chat: a signed message that begins with REPORT opens one case, which keeps no PIN; other messages go on.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { assertStatus, type Json, testGateway } from '../../support/gateway.ts';
import { fakeServer, respond } from '../../support/messaging.ts';
import { createBank } from '../../support/money.ts';

const agent = await fakeServer('/chat', respond(200, { answer: 'Good morning.' }));
const kissi = await testGateway({ env: { AGENT_SERVICE_URL: agent.url } });
const bank = await createBank(kissi);
after(async () => {
  await kissi.close();
  await agent.close();
});

const casesOf = async (id: string): Promise<Json[]> =>
  assertStatus(await kissi.asAdmin.get(`/cases?subscriber_id=${id}`), 200).json.cases;

async function write(phoneE164: string, message: string, id: string = crypto.randomUUID()): Promise<string> {
  const body = { event: 'message', message, from: '23276000001', phoneE164 };
  const reply = await kissi.call('POST', '/api/v1/external/messaging', { body, headers: { 'x-request-id': id } });
  return assertStatus(reply, 200).json.answer;
}

describe('a chat message that begins with REPORT', () => {
  test('opens a case with the words of the customer, once for each message', async () => {
    const { id, phone } = await bank.wallet(0);
    const asked = agent.requests.length;
    const [first, second] = [
      await write(phone, 'Report: the agent kept 2500', 'one'),
      await write(phone, 'Report: the agent kept 2500', 'one'),
    ];
    const [opened, ...more] = await casesOf(id);
    assert.deepEqual([opened?.channel, opened?.kind, opened?.description], ['chat', 'other', 'the agent kept 2500']);
    assert.deepEqual([more.length, second], [0, first]);
    assert.match(first, new RegExp(`^We have your report ${opened?.number} .*Never send your PIN here\\.$`));
    await write(phone, 'RIPOT pement no wok', 'two');
    assert.equal((await casesOf(id)).length, 2);
    assert.equal(agent.requests.length, asked, 'the agent service is not asked');
  });

  test('keeps no PIN', async () => {
    const { id, phone } = await bank.wallet(0);
    await write(phone, 'REPORT I lost my phone, my pin is 4 8 2 1');
    const [opened] = await casesOf(id);
    assert.equal(opened?.description, 'I lost my phone, my pin is ****');
    assert.match(await write(phone, '4821'), /looks like a PIN/);
  });

  test('without words says how to write one, and other messages reach the agent service', async () => {
    const { id, phone } = await bank.wallet(0);
    assert.match(await write(phone, 'report'), /^Write REPORT and what happened/);
    assert.equal(await write(phone, 'Can you report to me?'), 'Good morning.');
    assert.equal(await write(phone, 'reporting hours?'), 'Good morning.');
    assert.deepEqual(await casesOf(id), []);
  });

  test('is refused after 20 in a day', async () => {
    const { id, phone } = await bank.wallet(0);
    for (let count = 0; count < 20; count += 1) await write(phone, `report number ${count}`);
    assert.match(await write(phone, 'report one more'), /^You have sent many reports today/);
    assert.equal((await casesOf(id)).length, 20);
  });
});
