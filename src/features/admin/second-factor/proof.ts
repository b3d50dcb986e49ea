// Fresh proof for changes to second factors: an access token alone, which may be stolen, is not enough.
import type { UserCaller } from '../../../auth/caller.ts';
import { type Guesser, sessionGuesser } from '../../../auth/guesser.ts';
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
    guesser: Guesser,
    check: () => Promise<T | null>,
    keepsCount?: (result: T) => boolean,
  ): Promise<{ result: T | null } | { locked: { refusal: Refusal } }>;
  /** Counts an attempt in the transaction. `locked` has the refusal if there were too many. */
  count(trx: Queries, guesser: Guesser): Promise<{ locked: { refusal: Refusal } | null }>;
  uncount(trx: Queries, guesser: Guesser): Promise<void>;
}

/** A logged-in user, and the request's address. */
export interface Prover {
  caller: UserCaller;
  ip: string;
}

type Work<T> = (trx: Queries, user: UserRow) => Promise<T | Refusal>;

export function createProofs(
  { database, attempts }: { database: Database; attempts: PasswordAttempts },
  verifyCode: (trx: Queries, userId: string, code: string) => Promise<Method | null>,
) {
  async function withPassword<T>({ caller, ip }: Prover, password: string, work: Work<T>): Promise<T | Refusal> {
    const { id, email } = caller;
    const check = () => userWithPassword(database.queries, email, password);
    const attempted = await attempts.attempt(
      sessionGuesser(caller, ip),
      check,
      ({ second_factor_at }) => second_factor_at !== null,
    );
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

  async function withCode<T>({ caller, ip }: Prover, code: string, work: Work<T>): Promise<T | Refusal> {
    const { id } = caller;
    const guesser = sessionGuesser(caller, ip);
    // A refusal would roll back the count of a wrong code, so it is returned inside an object.
    const outcome = await database.transact<{ result: T } | { refusal: Refusal } | Refusal>(async (trx) => {
      const user = await lockUser(trx, id);
      if (user?.status !== 'active') return ended();
      const { locked } = await attempts.count(trx, guesser);
      if (locked) return { refusal: locked.refusal };
      if (!(await verifyCode(trx, id, code))) return { refusal: wrongSecondFactor() };
      await attempts.uncount(trx, guesser);
      const result = await work(trx, user);
      return result instanceof Refusal ? result : { result };
    });
    if (outcome instanceof Refusal) return outcome;
    return 'refusal' in outcome ? outcome.refusal : outcome.result;
  }

  return function withProof<T>(prover: Prover, { password, code }: Proof, work: Work<T>): Promise<T | Refusal> {
    if (password !== undefined && code === undefined) return withPassword(prover, password, work);
    if (code !== undefined && password === undefined) return withCode(prover, code, work);
    return Promise.resolve(refuse('INVALID_REQUEST', 'password or code is required, not both.'));
  };
}

function ended(): Refusal {
  return refuse('UNAUTHORIZED', "This user's access has ended.");
}
