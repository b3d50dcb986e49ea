// Endpoint for the matrix of roles: what each permission allows, and the roles and scopes that have it.
import { Type } from 'typebox';
import { PERMISSION_DESCRIPTIONS } from '../../../auth/permission-descriptions.ts';
import { accessOf, PERMISSION_NAMES } from '../../../auth/permissions.ts';
import { ROLES, SCOPES } from '../../../auth/roles.ts';
import { type Endpoint, endpoint, ok } from '../../../http/endpoint.ts';

const scopes = (keys: string) =>
  Type.Array(Type.Enum(SCOPES), { description: `Scopes of ${keys}; one of them is sufficient.` });
const roles = (description: string) => Type.Array(Type.Enum(ROLES), { description });

const permissionRecord = Type.Object(
  {
    permission: Type.String({ description: 'Its name, as in refusals and in `GET /admin/me`.' }),
    description: Type.String({ description: 'What it allows.' }),
    roles: roles('The roles that have it.'),
    pep_access_authorized: Type.Boolean({ description: 'Whether only users with `pep_access_authorized` have it.' }),
    scopes: Type.Object(
      {
        operator: scopes('operator keys'),
        partner: scopes('partner keys'),
        processor: scopes('processor keys'),
      },
      { description: "API key scopes that have it, by the key's owner." },
    ),
  },
  { title: 'RolePermission' },
);

const rolesReply = Type.Object({ roles: roles('All roles.'), permissions: Type.Array(permissionRecord) });

export function roleRoutes(): Endpoint[] {
  return [
    endpoint({
      id: 'getRoles',
      clientMethod: 'users.roles',
      method: 'GET',
      path: '/admin/roles',
      permission: 'roles:read',
      summary: 'Get all roles and permissions, and which role and scope has which permission',
      replies: { 200: rolesReply },
      handle: async () => ok({ roles: ROLES, permissions: PERMISSIONS }),
    }),
  ];
}

const PERMISSIONS = PERMISSION_NAMES.map((permission) => {
  const { roles, scopes, pepAuthorized } = accessOf(permission);
  return {
    permission,
    description: PERMISSION_DESCRIPTIONS[permission],
    roles,
    pep_access_authorized: pepAuthorized,
    scopes,
  };
});
