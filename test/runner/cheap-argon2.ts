// Replaces the password hash of src/auth/passwords.ts: still argon2id, but with the lowest cost, and a test can hold it.
import { type Options, hash as realHash, verify as realVerify } from '@node-rs/argon2';

const LOWEST_COST = { memoryCost: 8, timeCost: 1, parallelism: 1 };

let held: Promise<void> | undefined;

/** Comparisons of passwords wait until the returned function is called. */
export function holdPasswords(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  return resolve;
}

export function hash(password: string, cost: Options): Promise<string> {
  return realHash(password, { ...cost, ...LOWEST_COST });
}

export async function verify(stored: string, password: string): Promise<boolean> {
  await held;
  return realVerify(stored, password);
}
