// Refuses query parameters that an endpoint does not have.
import { BODY_HASH } from '@kissi/signatures/node';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { Endpoint, RouteGroup } from './endpoint.ts';

export type QueryCheck = (query: unknown) => Refusal | null;

const MAX_NAME_CHARACTERS = 100;

export function queryCheck({ authentication }: RouteGroup, { query, ignoresQuery }: Endpoint): QueryCheck {
  if (ignoresQuery) return () => null;
  const { properties = {} } = (query ?? {}) as { properties?: object };
  const documented = Object.keys(properties);
  // A service may bind its signature to the body on every route that accepts one.
  const signed = authentication.name === 'bearer-or-service' ? [BODY_HASH] : [];
  const names = new Set([...documented, ...signed]);
  const hint = documented.length === 0 ? 'this route takes none' : `this route takes ${documented.join(', ')}`;
  return (sent) => {
    for (const name in sent as object) {
      if (!names.has(name)) return unknownParameter(name, hint);
    }
    return null;
  };
}

function unknownParameter(name: string, hint: string): Refusal {
  const shown = name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name;
  return refuse('INVALID_REQUEST', `The query parameter ${shown} is unknown: ${hint}.`);
}
