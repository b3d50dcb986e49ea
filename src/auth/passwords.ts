// Passwords of staff: argon2id at rest, made where none is given, and a check that takes as long for a name nobody has.
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

// Made at once, so that the first unknown name takes no longer than the next.
const decoy = hashPassword(randomBytes(16).toString('hex'));

/** With no hash to compare, spends the same time on a decoy and says no. */
export async function passwordMatches(password: string, storedHash: string | null): Promise<boolean> {
  const compared = storedHash ?? (await decoy);
  const right = await bounded(() => verify(compared, password));
  return right && storedHash !== null;
}

const ALPHABETS = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789', '+-=@._:'] as const;
const GENERATED_LENGTH = 16;

/** Strong by its making: some of each kind, none that look alike, none that a shell or JSON would read otherwise. */
export function generatePassword(): string {
  const all = ALPHABETS.join('');
  const chars = ALPHABETS.map((alphabet) => pick(alphabet));
  while (chars.length < GENERATED_LENGTH) chars.splice(randomInt(chars.length + 1), 0, pick(all));
  return chars.join('');
}

function pick(alphabet: string): string {
  return alphabet.charAt(randomInt(alphabet.length));
}
