// Replaces the password hash of src/auth/passwords.ts: still argon2id, but with the lowest cost.
import { hash as hashWith, type Options } from '@node-rs/argon2';

export { verify } from '@node-rs/argon2';

const LOWEST_COST = { memoryCost: 8, timeCost: 1, parallelism: 1 };

export function hash(password: string, cost: Options): Promise<string> {
  return hashWith(password, { ...cost, ...LOWEST_COST });
}
