// What a user may do, for the console: the permissions of the current user, and the matrix of all roles.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ROLES } from '../../../src/auth/roles.ts';
import { gatewayForFile, type Json } from '../../support/gateway.ts';
import { newAuthorizedStaff } from '../../support/pep.ts';
import { staffToken } from '../../support/staff.ts';

const kissi = await gatewayForFile();
const get = async (path: string, token: string): Promise<Json> => {
  const { status, json } = await kissi.call('GET', `/api/v1${path}`, { token });
  assert.equal(status, 200, path);
  return json;
};
const matrix = await get('/admin/roles', await kissi.adminToken());

describe('GET /admin/me', () => {
  for (const role of ['support_user', 'audit_user', 'sales_user'] as const) {
    test(`lists the permissions of ${role} as the matrix has them`, async () => {
      const { permissions } = await get('/admin/me', await staffToken(kissi, role));
      const granted = matrix.permissions.filter(
        (each: Json) => each.roles.includes(role) && !each.pep_access_authorized,
      );
      assert.deepEqual(permissions, granted.map(({ permission }: Json) => permission).sort());
    });
  }

  test('a user has the permissions of the role and no other', async () => {
    const { permissions } = await get('/admin/me', await staffToken(kissi, 'sales_user'));
    for (const granted of ['subscribers:write', 'cards:read', 'own-account']) assert.ok(permissions.includes(granted));
    for (const other of ['users', 'payments:read', 'roles:read', 'pep_access_authorized']) {
      assert.ok(!permissions.includes(other), other);
    }
  });

  test('pep_access_authorized is a permission of authorized users only, system_admin included', async () => {
    const permissionsOf = async (token: string) => (await get('/admin/me', token)).permissions as string[];
    const { token: authorized } = await newAuthorizedStaff(kissi, 'support_user');
    assert.ok((await permissionsOf(authorized)).includes('pep_access_authorized'));
    const { permissions, pep_access_authorized } = await get('/admin/me', await kissi.adminToken());
    assert.equal(permissions.includes('pep_access_authorized'), pep_access_authorized);
    assert.ok(permissions.includes('users'));
  });

  test('names the service: environment, version and time zone', async () => {
    const { service } = await get('/admin/me', await kissi.adminToken());
    assert.deepEqual(service, { environment: 'development', version: '0.0.0-test', time_zone: 'UTC' });
  });
});

describe('GET /admin/roles', () => {
  test("has every permission once, with a description, its roles and keys' scopes", () => {
    assert.deepEqual(matrix.roles, ROLES);
    const names = matrix.permissions.map(({ permission }: Json) => permission);
    assert.equal(new Set(names).size, names.length);
    for (const { permission, description, roles } of matrix.permissions) {
      assert.match(description, /^[A-Z].{7,}\.$/, permission);
      const who = permission.startsWith('me:') ? 'subscriber' : 'system_admin';
      assert.equal(roles[0], who, permission);
    }
    const fund = matrix.permissions.find(({ permission }: Json) => permission === 'payments:fund');
    assert.deepEqual(fund.roles, ['system_admin', 'finance_user']);
    assert.deepEqual(fund.scopes, { operator: ['treasury:write'], partner: ['payments:write'], processor: [] });
  });

  test('auditors read it', async () => {
    assert.deepEqual(await get('/admin/roles', await staffToken(kissi, 'audit_user')), matrix);
  });
});
