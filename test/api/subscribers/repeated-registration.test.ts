// A registration whose reply was lost is sent again with its request id, and registers nobody twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentToken, assertRefused, newAgent } from '../../support/agents.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { auditLogs } from '../../support/staff.ts';

const { kissi } = await bankForFile();
const token = await agentToken(kissi, await newAgent(kissi));
let phones = 76_700_000;

const person = (): Json => ({ phone_number: `0${phones++}`, first_name: 'Isatu', last_name: 'Koroma', pin: PIN });
const register = (body: Json, by = token) => kissi.call('POST', '/api/v1/subscribers', { token: by, body });

test('a repeated request id gets the first subscriber, however many are sent at once', async () => {
  const body = { ...person(), request_id: 'reg-1' };
  const replies = await Promise.all(Array.from({ length: 5 }, () => register(body)));
  const ids = replies.map((reply) => assertStatus(reply, 201).json.subscriber_id);
  assert.equal(new Set(ids).size, 1);
  assert.equal((await auditLogs(kissi, { action: 'subscriber.register', resource_id: ids[0] })).length, 1);
  assertRefused(await register({ ...body, last_name: 'Sesay' }), 409, 'REQUEST_CONFLICT');
  assertRefused(await register({ ...body, request_id: 'reg-2' }), 409, 'DUPLICATE_PHONE');
});

test('the id belongs to the agent: another one learns nothing by it', async () => {
  const body = { ...person(), request_id: 'reg-3' };
  assertStatus(await register(body), 201);
  assertRefused(await register(body, await agentToken(kissi, await newAgent(kissi))), 409, 'DUPLICATE_PHONE');
});

test('a refused registration leaves its id free', async () => {
  const body = { ...person(), request_id: 'reg-4' };
  assertRefused(await register({ ...body, pin: '12' }), 400, 'INVALID_PIN');
  assertStatus(await register(body), 201);
});
