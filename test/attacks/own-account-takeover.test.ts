// A stolen access token of an administrator can replace neither the password nor the phone that gets codes for PEP access.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatewayForFile } from '../support/gateway.ts';
import { assertRefused, auditLogs, login, messageTo, openSession, staffMember } from '../support/staff.ts';

const kissi = await gatewayForFile();
const admin = await kissi.adminToken();
const [owned, thiefs] = ['+23276990001', '+23276990002'];

const call = (method: string, path: string, token: string, body?: unknown) =>
  kissi.call(method, `/api/v1/admin${path}`, { token, ...(body === undefined ? {} : { body }) });

async function victim(extra: Record<string, unknown> = {}) {
  const staff = await staffMember(kissi, 'system_admin', { phone_number: owned, ...extra });
  return { ...staff, token: (await openSession(kissi, staff)).token };
}

test('only another administrator can change the phone number of a user with PEP access', async () => {
  const { id, token } = await victim({ pep_access_authorized: true });
  for (const body of [{ phone_number: thiefs }, { phone_number: thiefs, pep_access_authorized: false }]) {
    assertRefused(await call('PUT', `/users/${id}`, token, body), 403, 'FORBIDDEN', JSON.stringify(body));
  }
  const [refused] = await auditLogs(kissi, { resource_id: id, action: 'user.update.refused' });
  assert.equal(refused.actor_id, id);
  const sent = await call('POST', '/pep/otp', token);
  assert.equal(sent.json.phone_number, '********0001');
  assert.equal(await messageTo(kissi, thiefs), undefined);
  assert.equal((await call('PUT', `/users/${id}`, admin, { phone_number: thiefs })).status, 200);
});

test('users can send back their own phone number unchanged, and change it without PEP access', async () => {
  const authorized = await victim({ pep_access_authorized: true });
  for (const phone_number of [owned, '076 990001']) {
    const unchanged = { phone_number, last_name: `Same ${phone_number}` };
    assert.equal((await call('PUT', `/users/${authorized.id}`, authorized.token, unchanged)).status, 200);
  }
  const other = await victim();
  assert.equal((await call('PUT', `/users/${other.id}`, other.token, { phone_number: '+23276990003' })).status, 200);
});

test('users change their own password only with the current one, not through the user route', async () => {
  const user = await victim();
  const body = { password: 'Stolen-Password-1', last_name: 'Changed' };
  assertRefused(await call('PUT', `/users/${user.id}`, user.token, body), 403, 'FORBIDDEN');
  assertRefused(await login(kissi, { ...user, password: body.password }), 401, 'UNAUTHORIZED');
  const me = await call('GET', '/me', user.token);
  assert.deepEqual([me.status, me.json.last_name], [200, 'Person']);
  assert.equal((await call('PUT', `/users/${user.id}`, admin, { password: 'Reset-Password-9' })).status, 200);
});
