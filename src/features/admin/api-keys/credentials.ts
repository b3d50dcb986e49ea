// Generates the credentials of an API key: a random bearer value and a random signing secret, each shown once.
import { randomBytes } from 'node:crypto';
import { KEY_PREFIX } from '../../../auth/schemes/bearer.ts';

const SECRET_BYTES = 32;
const ID_SUFFIX_LENGTH = 4;

interface KeyIdentity {
  id: string;
  environment: 'live' | 'test';
}

/** Public prefix of the key's bearer values; it contains part of the id, so that a leaked value can be traced. */
export function visiblePrefix({ id, environment }: KeyIdentity): string {
  return KEY_PREFIX[environment] + id.slice(-ID_SUFFIX_LENGTH);
}

export interface NewCredentials {
  key: string;
  secret: string;
}

/** The credentials as shown to the administrator; `key` is null for a key without a bearer value. */
export interface IssuedCredentials {
  key: string | null;
  secret: string;
}

export function newCredentials(key: KeyIdentity): NewCredentials {
  return { key: visiblePrefix(key) + randomText(), secret: randomText() };
}

function randomText(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
