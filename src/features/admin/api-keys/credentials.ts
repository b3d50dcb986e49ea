// What a key is known by: a bearer value and a signing secret, both random and both shown once.
import { randomBytes } from 'node:crypto';
import { KEY_PREFIX } from '../../../auth/schemes/bearer.ts';

const SECRET_BYTES = 32;
const RECOGNISED_BY = 4;

interface KeyIdentity {
  id: string;
  environment: 'live' | 'test';
}

/** How the key's bearer values begin: from its id, so that a value found somewhere can be told without being stored. */
export function visiblePrefix({ id, environment }: KeyIdentity): string {
  return KEY_PREFIX[environment] + id.slice(-RECOGNISED_BY);
}

export interface NewCredentials {
  key: string;
  secret: string;
}

export function newCredentials(key: KeyIdentity): NewCredentials {
  return { key: visiblePrefix(key) + randomText(), secret: randomText() };
}

function randomText(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
