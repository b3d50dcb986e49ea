// Fresh proof for changes to second factors: an access token alone, which may be stolen, is not enough.
import type { UserCaller } from '../../../auth/caller.ts';
import type { Database, Queries } from '../../../db/database.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { lockUser, type UserRow, userWithPassword } from '../users/service.ts';
import { wrongSecondFactor } from './refusals.ts';
import type { Method } from './verification.ts';

/** Exactly one is set: the password, or a TOTP or recovery code. */
export interface Proof {
  password?: string;
  code?: string;
}

/** The count of wrong passwords, which wrong codes share. */
export interface PasswordAttempts {
  attempt<T>(
    email: string,
    check: () => Promise<T | null>,
    keepsCount?: (result: T) => boolean,
  ): Promise<{ result: T | null } | { locked: { refusal: Refusal } }>;
  /** Counts an attempt in the transaction; the refusal if there were too many. */
  count(trx: Queries, email: string): Promise<{ locked: { refusal: Refusal } | null }>;
  uncount(trx: Queries, email: string): Promise<void>;
}

type Work<T> = (trx: Queries, user: UserRow) => Promise<T | Refusal>;

export function createProofs(
  { database, attempts }: { database: Database; attempts: PasswordAttempts },
  verifyCode: (trx: Queries, userId: string, code: string) => Promise<Method | null>,
) {
  async function withPassword<T>({ id, email }: UserCaller, password: string, work: Work<T>): Promise<T | Refusal> {
    const check = () => userWithPassword(database.queries, email, password);
    const attempted = await attempts.attempt(email, check, (user) => user.second_factor_at !== null);
    if ('locked' in attempted) return attempted.locked.refusal;
    const known = attempted.result;
    if (known?.id !== id) return refuse('UNAUTHORIZED', 'password is wrong.');
    return database.transact(async (trx) => {
      const user = await lockUser(trx, id);
      // The password may have been changed after the check.
      if (user?.status !== 'active' || user.password_hash !== known.password_hash) return ended();
      return work(trx, user);
    });
  }

  async function withCode<T>({ id }: UserCaller, code: string, work: Work<T>): Promise<T | Refusal> {
    // A refusal would roll back the count of a wrong code, so it is returned inside an object.
    const outcome = await database.transact<{ result: T } | { refusal: Refusal } | Refusal>(async (trx) => {
      const user = await lockUser(trx, id);
      if (user?.status !== 'active') return ended();
      const { locked } = await attempts.count(trx, user.email);
      if (locked) return { refusal: locked.refusal };
      if (!(await verifyCode(trx, id, code))) return { refusal: wrongSecondFactor() };
      await attempts.uncount(trx, user.email);
      const result = await work(trx, user);
      return result instanceof Refusal ? result : { result };
    });
    if (outcome instanceof Refusal) return outcome;
    return 'refusal' in outcome ? outcome.refusal : outcome.result;
  }

  return function withProof<T>(caller: UserCaller, { password, code }: Proof, work: Work<T>): Promise<T | Refusal> {
    if (password !== undefined && code === undefined) return withPassword(caller, password, work);
    if (code !== undefined && password === undefined) return withCode(caller, code, work);
    return Promise.resolve(refuse('INVALID_REQUEST', 'password or code is required, not both.'));
  };
}

function ended(): Refusal {
  return refuse('UNAUTHORIZED', 'The access of this user has ended.');
}
