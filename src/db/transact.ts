// Runs work in a transaction over Kysely.
import type { Kysely, Transaction } from 'kysely';
import { Refusal } from '../kernel/refusal.ts';
import { isSerializationFailure } from './driver/errors.ts';
import type { Tables } from './schema/tables.ts';

const TRANSACTION_ATTEMPTS = 4;

class RolledBack extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

/** A thrown error or a returned Refusal rolls it back. It is repeated after a deadlock. */
export async function transact<T>(queries: Kysely<Tables>, work: (trx: Transaction<Tables>) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    let failure: unknown;
    try {
      return await queries.transaction().execute(async (trx) => {
        try {
          const result = await work(trx);
          if (result instanceof Refusal) throw new RolledBack(result);
          return result;
        } catch (error) {
          failure = error;
          throw error;
        }
      });
    } catch (last) {
      // If the connection is lost, the rollback fails too, and its error says nothing.
      const error = failure ?? last;
      if (error instanceof RolledBack) return error.refusal as T;
      if (attempt >= TRANSACTION_ATTEMPTS || !isSerializationFailure(error)) throw error;
    }
  }
}
