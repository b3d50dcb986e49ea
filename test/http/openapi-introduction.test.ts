// Runs the commands in the document's introduction, one for each way to authenticate, against the real server.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { testClock } from '../support/clock.ts';
import { ADMIN, gatewayForFile, type Json } from '../support/gateway.ts';
import { partnerBank } from '../support/partner.ts';
import { apiKey } from '../support/staff.ts';
import { TERMINAL_SCOPES } from '../support/terminal.ts';

const SERVICE = { NAME: 'reports', SECRET: 'the reports service secret' };
// The commands sign the machine's current time.
const kissi = await gatewayForFile({
  clock: testClock(Date.now()),
  env: { SERVICE_SECRETS: JSON.stringify({ [SERVICE.NAME]: SERVICE.SECRET }) },
});

const { info } = kissi.gateway.app.openApi() as Json;
const blocks: string[] = [...info.description.matchAll(/```sh\n(.*?)```/gs)].map(([, commands = '']) => commands);

/** The reply to a block's last command. */
async function run(commands: string, variables: Record<string, string>): Promise<Json> {
  const env = { PATH: process.env.PATH, HOST: kissi.url, ...variables };
  const { stdout } = await promisify(execFile)('bash', ['-euc', commands], { env });
  return JSON.parse(stdout);
}

test('each command in the introduction is authenticated', async () => {
  const token = await kissi.adminToken();
  const body = { phone_number: '+23276345678', first_name: 'Aminata', last_name: 'Kamara', pin: '4821' };
  const { json } = await kissi.call('POST', '/api/v1/subscribers', { body, token });
  const card = { card_serial: '04:A1:B2:C3', subscriber_id: json.subscriber_id };
  assert.equal((await kissi.call('POST', '/api/v1/cards/link', { body: card, token })).status, 201);
  const key = await apiKey(kissi, ['subscribers:read']);
  const terminal = await apiKey(kissi, TERMINAL_SCOPES);
  const partner = await partnerBank(kissi);
  const signer = { KEY_ID: partner.key.id, SECRET: partner.key.secret };
  const variables: Record<string, string>[] = [
    { EMAIL: ADMIN.email, PASSWORD: ADMIN.password },
    { API_KEY: key.key },
    { KEY_ID: terminal.id, SECRET: terminal.secret },
    { ...signer, PARTNER_ID: partner.id },
    signer,
    { ...SERVICE, SUBSCRIBER_ID: json.subscriber_id },
  ];
  assert.equal(blocks.length, variables.length);
  const replies = await Promise.all(blocks.map((commands, index) => run(commands, variables[index] ?? {})));
  const [me, list, verified, status, enquiry, record] = replies;
  assert.equal(me.email, ADMIN.email);
  assert.equal(list.total_count, 1);
  assert.equal(verified.valid, true);
  assert.equal(status.success, true, JSON.stringify(status));
  assert.equal(enquiry.data.account_name, 'Aminata K.');
  assert.equal(record.subscriber.id, json.subscriber_id);
});
