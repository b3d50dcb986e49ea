// Which roles and scopes may call an endpoint. The OpenAPI document and docs/roles.md show this.
import type { UserRestriction } from '../auth/caller.ts';
import { type Access, accessOf } from '../auth/permissions.ts';
import type { Endpoint, RouteGroup } from './endpoint.ts';

const NO_ACCESS: Access = {
  roles: [],
  scopes: { operator: [], partner: [], processor: [] },
  pepAuthorized: false,
};

/** Null for an endpoint that needs neither role nor scope. Only bearer tokens belong to users. */
export function endpointAccess({ authentication }: RouteGroup, { permission }: Endpoint): Access | null {
  if (permission === 'anyone') return null;
  const access = accessOf(permission);
  switch (authentication.name) {
    case 'bearer':
    case 'bearer-or-service':
    case 'bearer-or-signed':
      return access;
    case 'pos':
    case 'partner':
    case 'inbound':
      return { ...access, roles: [] };
    default:
      return NO_ACCESS;
  }
}

/** The text for an operation's description. */
export function accessText(group: RouteGroup, endpoint: Endpoint): string {
  const access = endpointAccess(group, endpoint);
  if (!access) return 'Needs no role or scope.';
  const { roles, scopes, pepAuthorized } = access;
  const keys = [
    ...(scopes.operator.length > 0 ? [`scope ${scopes.operator.join(' or ')}`] : []),
    ...(['partner', 'processor'] as const).flatMap((owner) =>
      scopes[owner].map((scope) => `${owner} keys with scope ${scope}`),
    ),
  ];
  return [
    ...(roles.length > 0 ? [`Roles: ${roles.join(', ')}.`] : []),
    ...(pepAuthorized ? ['Only users with pep_access_authorized.'] : []),
    keys.length > 0 ? `API keys: ${keys.join('; ')}.` : 'Not for API keys.',
    ...(group.authentication.name === 'bearer-or-signed'
      ? ['Keys may sign the request instead of sending a bearer value.']
      : []),
    ...(group.authentication.name === 'bearer-or-service' ? ['Internal services may call it too.'] : []),
  ].join(' ');
}

/** Why a user may call only a few routes. */
export const RESTRICTED: Record<UserRestriction, string> = {
  PASSWORD_CHANGE_REQUIRED: 'Change the generated password first, with POST /admin/change-password.',
  SECOND_FACTOR_ENROLMENT_REQUIRED: 'Enrol a second factor first, with POST /admin/second-factor/totp or a passkey.',
};
