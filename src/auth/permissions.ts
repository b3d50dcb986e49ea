// Whether a caller has a permission of the matrix, and who has it.
import type { Caller, KeyCaller } from './caller.ts';
import { type KeyOwner, PERMISSIONS, type Rule } from './permission-table.ts';
import { ROLES, type Role, type Scope } from './roles.ts';

export type Permission = keyof typeof PERMISSIONS;

export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as Permission[];

/** Who has a permission, for the documentation. */
export interface Access {
  /** system_admin included. */
  roles: readonly Role[];
  /** For API keys without an owner, and for a partner's or processor's keys; one of them is enough. */
  scopes: Record<'operator' | KeyOwner, readonly Scope[]>;
  pepAuthorized: boolean;
}

export function accessOf(permission: Permission): Access {
  const { scopes, ownedKeys = {}, roles, pepAuthorized }: Rule = PERMISSIONS[permission];
  const ofOwner = (owner: KeyOwner) => scopesOf(ownedKeys[owner]);
  return {
    roles: ROLES.filter((role) => hasRole(role, roles)),
    scopes: { operator: scopes, partner: ofOwner('partner'), processor: ofOwner('processor') },
    pepAuthorized: pepAuthorized === true,
  };
}

function hasRole(role: Role, roles: readonly Role[]): boolean {
  return roles.includes(role) || (role === 'system_admin' && !roles.includes('subscriber'));
}

const scopesOf = (one: Scope | readonly Scope[] = []): readonly Scope[] => (typeof one === 'string' ? [one] : one);

/** The scopes of which this key needs one. */
function sufficientScopes({ partnerId, processorId }: KeyCaller, { scopes, ownedKeys = {} }: Rule): readonly Scope[] {
  if (partnerId === null && processorId === null) return scopes;
  // A key with two owners would act for one of them on the other's routes. New ones are refused.
  if (partnerId !== null && processorId !== null) return [];
  return scopesOf(ownedKeys[partnerId === null ? 'processor' : 'partner']);
}

export function isAllowed(caller: Caller, permission: Permission): boolean {
  const rule: Rule = PERMISSIONS[permission];
  switch (caller.kind) {
    case 'user':
      if (rule.pepAuthorized && !caller.pepAccessAuthorized) return false;
      return hasRole(caller.role, rule.roles);
    case 'subscriber':
      return hasRole('subscriber', rule.roles);
    case 'key':
      return sufficientScopes(caller, rule).some((scope) => caller.scopes.includes(scope));
    // Only routes with service authentication accept a service at all.
    case 'service':
      return true;
    case 'public':
      return false;
  }
}

/** All permissions of a caller, sorted by name. */
export function permissionsOf(caller: Caller): Permission[] {
  return PERMISSION_NAMES.filter((permission) => isAllowed(caller, permission)).sort();
}

const NO_PEP_ACCESS =
  'Your user is not authorized to access politically exposed persons: another system_admin can set pep_access_authorized.';

/** Why the caller is not allowed, for people. */
export function forbiddenSentence(caller: Caller, permission: Permission): string {
  const rule: Rule = PERMISSIONS[permission];
  if (caller.kind === 'user' && rule.pepAuthorized && !caller.pepAccessAuthorized) return NO_PEP_ACCESS;
  if (caller.kind === 'user' || caller.kind === 'subscriber')
    return `The role ${caller.role} does not allow this: it needs the permission ${permission}.`;
  if (caller.kind !== 'key') return 'This route needs a credential.';
  const scopes = sufficientScopes(caller, rule);
  if (scopes.length > 0) return `This API key lacks the scope ${scopes.join(' or ')}.`;
  const isOwned = caller.partnerId !== null || caller.processorId !== null;
  return `${isOwned ? 'Keys of a partner or processor' : 'API keys'} cannot call this route, whatever their scopes.`;
}
