// GET /health/production: who may read it, and that it is what the checks find.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHECKS } from '../../../src/features/doctor/service.ts';
import { assertStatus, gatewayForFile, type Json } from '../../support/gateway.ts';
import { SECRETS } from '../../support/secrets.ts';
import { staffToken } from '../../support/staff.ts';

const kissi = await gatewayForFile({ env: { SERVICE_SECRETS: '{"chat": "a secret of the chat 0123"}' } });
const read = (token?: string) => kissi.call('GET', '/health/production', token ? { token } : {});

test('an administrator reads one line for each check, with what to do', async () => {
  const { status, checks } = assertStatus(await read(await kissi.adminToken()), 200).json;
  assert.equal(status, 'error');
  assert.deepEqual(
    checks.map(({ id }: Json) => id),
    CHECKS.map(({ id }) => id),
  );
  for (const { id, level, message, action } of checks) {
    assert.ok(message.length > 0, id);
    assert.equal(action === null, level === 'ok', id);
  }
  const environment = checks.find(({ id }: Json) => id === 'environment');
  assert.equal(environment.level, 'error');
});

test('no line contains a secret', async () => {
  const { text } = await read(await kissi.adminToken());
  for (const value of [...Object.values(SECRETS), 'a secret of the chat 0123']) assert.ok(!text.includes(value));
});

test('nobody else reads it', async () => {
  assertStatus(await read(), 401);
  for (const role of ['audit_user', 'compliance_user', 'finance_user'] as const) {
    assertStatus(await read(await staffToken(kissi, role)), 403);
  }
});
