// Authentication of a gateway by the secret at the end of the path that it calls, and by its address.
import { createHash, timingSafeEqual } from 'node:crypto';
import { refuse } from '../../kernel/refusal.ts';
import { ipAllowed } from '../allowlist.ts';
import type { Authentication } from './scheme.ts';

export interface PathSecret {
  /** The caller's id. */
  name: string;
  /** Several while one is replaced by another. None: the routes do not exist. */
  secrets: readonly string[];
  /** Empty: any address. */
  allowed: readonly string[];
  /** The segment of the path that is the secret, counted from the first one. */
  segment: number;
}

export function pathSecretAuthentication({ name, secrets, allowed, segment }: PathSecret): Authentication {
  const hashes = secrets.map(hashOf);
  return {
    name: 'path-secret',
    needsBody: false,
    async authenticate({ target, ip }) {
      const [path = ''] = target.split('?', 1);
      const sent = hashOf(path.split('/')[segment] ?? '');
      // Each is compared, so that the time does not tell which one matched.
      const matches = hashes.filter((hash) => timingSafeEqual(hash, sent)).length;
      if (hashes.length === 0) return refuse('NOT_FOUND', 'No gateway is configured for this path.');
      if (matches === 0) return refuse('UNAUTHORIZED', 'The secret in the path is wrong.');
      if (!ipAllowed(allowed, ip)) return refuse('IP_NOT_ALLOWED', 'The request comes from an unknown address.');
      return { kind: 'service', id: name };
    },
  };
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
