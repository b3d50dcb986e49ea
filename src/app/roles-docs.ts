// docs/roles.md: the routes that each role and each scope may call, generated from the route table and the permissions.
import type { Access } from '../auth/permissions.ts';
import { ROLES, SCOPES } from '../auth/roles.ts';
import { endpointAccess } from '../http/access.ts';
import type { RouteGroup } from '../http/endpoint.ts';

interface Route {
  family: string;
  /** For example GET /subscribers/{id}, without the prefix /api/v1. */
  name: string;
  /** Null: needs neither role nor scope. */
  access: Access | null;
}

const OWNERS = { operator: '', partner: ' (partner keys)', processor: ' (processor keys)' } as const;

export function rolesDocument(groups: readonly RouteGroup[]): string {
  const routes = groups.flatMap(routesOf);
  const everyRole = routes.filter(({ access }) => access?.roles.length === ROLES.length);
  const others = routes.filter((route) => !everyRole.includes(route));
  const ofRole = (role: (typeof ROLES)[number]) => others.filter(({ access }) => access?.roles.includes(role));
  return `# Roles and scopes

A user may do what the role allows, and an API key what its scopes allow. Paths are relative to \`/api/v1\`, except those
that begin with \`/health\`, \`/metrics\`, \`/webhooks\` or \`/external\`. Some routes show a role only part of a record, or
accept only some of its fields; the OpenAPI document describes these limits. Users of agents and processors, and keys of a
partner or processor, act for their own account only.

This page is generated from the source code by \`npm run docs\`.

## Roles

### Every user

${listOf(everyRole)}

${ROLES.map((role) => `### ${role}\n\n${listOf(ofRole(role))}`).join('\n\n')}

## API key scopes

A key without an owner belongs to the operator. A partner's or processor's key can call only the routes marked for it.

${SCOPES.map((scope) => `### ${scope}\n\n${scopeText(routes, scope)}`).join('\n\n')}

## No role or scope

Registration, login, health, and requests that are authenticated by another signature or code.

${listOf(routes.filter(({ access }) => access === null))}
`;
}

function routesOf(group: RouteGroup): Route[] {
  const prefix = group.prefix.replace(/^\/api\/v1/, '');
  return group.endpoints.map((endpoint) => ({
    family: group.family,
    name: `${endpoint.method} ${prefix}${endpoint.path.replaceAll(/:(\w+)/g, '{$1}')}`,
    access: endpointAccess(group, endpoint),
  }));
}

/** One line per family. A path that is served with and without the prefix is listed once. */
function listOf(routes: readonly Route[]): string {
  const families = Map.groupBy(routes, ({ family }) => family);
  const lines = [...families].map(([family, each]) => {
    const names = [...new Set(each.map(nameOf))];
    return `- **${family}**: ${names.join(', ')}`;
  });
  return lines.length > 0 ? lines.join('\n') : 'No other routes.';
}

function nameOf({ name, access }: Route): string {
  return `\`${name}\`${access?.pepAuthorized ? ' (only with `pep_access_authorized`)' : ''}`;
}

function scopeText(routes: readonly Route[], scope: (typeof SCOPES)[number]): string {
  const owners = (['operator', 'partner', 'processor'] as const).map((owner) => {
    const open = routes.filter(({ access }) => access?.scopes[owner].includes(scope));
    return open.length > 0 ? listOf(open).replaceAll(/^- \*\*([^*]+)\*\*/gm, `- **$1**${OWNERS[owner]}`) : '';
  });
  return owners.filter((text) => text !== '').join('\n');
}
