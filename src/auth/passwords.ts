// Users' passwords: argon2id hashing, constant-time verification and generation.
import { randomBytes, randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { boundedConcurrency } from '../kernel/bounded-concurrency.ts';

// OWASP's minimum for argon2id; the library's default variant is argon2id.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// Hashing occupies a core for tens of milliseconds. The limits leave threads of the pool to other work, and reject logins
// that could not be answered in time. Admission control does not cover logins, and rate limits are per address.
const bounded = boundedConcurrency({ maxRunning: 2, maxWaiting: 100 });

export function hashPassword(password: string): Promise<string> {
  return bounded(() => hash(password, COST));
}

// Computed at startup, so that the first login with an unknown email takes no longer than later ones.
const decoy = hashPassword(randomBytes(16).toString('hex'));

/** Without a stored hash, verifies a decoy and returns false, so that timing does not reveal which users exist. */
export async function passwordMatches(password: string, storedHash: string | null): Promise<boolean> {
  const comparedHash = storedHash ?? (await decoy);
  const matches = await bounded(() => verify(comparedHash, password));
  return matches && storedHash !== null;
}

const ALPHABETS = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789', '+-=@._:'] as const;
const GENERATED_LENGTH = 16;

/** Contains every character class, and no characters that look alike or are special in a shell or in JSON. */
export function generatePassword(): string {
  const all = ALPHABETS.join('');
  const chars = ALPHABETS.map((alphabet) => pick(alphabet));
  while (chars.length < GENERATED_LENGTH) chars.splice(randomInt(chars.length + 1), 0, pick(all));
  return chars.join('');
}

function pick(alphabet: string): string {
  return alphabet.charAt(randomInt(alphabet.length));
}
