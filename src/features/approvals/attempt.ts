// Runs a change in its transaction. A change that needs approval is rolled back: the attempt has made every check of it.
import type { Actor, AuditLog } from '../../audit/log.ts';
import type { Database } from '../../db/database.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { AnyChange, Input } from './operation.ts';

interface Attempted {
  result: unknown;
  committed: boolean;
  /** For a change that was rolled back: digests of its records. */
  states: Record<string, string>;
}

/** Returned by the transaction's work to roll it back. */
const ROLL_BACK = refuse('APPROVAL_REQUIRED', 'The change needs approval.');

export async function attempt(
  { database, audit }: { database: Database; audit: AuditLog },
  actor: Actor,
  operation: AnyChange,
  { input, isCovered }: { input: Input<unknown, unknown>; isCovered: boolean },
): Promise<Attempted | Refusal> {
  const run = await operation.plan(actor, input);
  if (run instanceof Refusal) return run;
  let checked: Omit<Attempted, 'committed'> | null = null;
  const outcome = await settle(operation, () =>
    database.transact(async (trx) => {
      const result = await run(trx);
      if (result instanceof Refusal || !isCovered) return result;
      // A request that changes nothing has no audit entry and needs no approval.
      if (!(operation.covers ? operation.covers(result) : audit.hasRecorded(trx))) return result;
      checked = { result, states: await audit.statesBefore(trx) };
      return ROLL_BACK;
    }),
  );
  if (outcome === ROLL_BACK && checked !== null)
    return { ...(checked as Omit<Attempted, 'committed'>), committed: false };
  return outcome instanceof Refusal ? outcome : { result: outcome, committed: true, states: {} };
}

/** Turns expected errors of the database into refusals, and invalidates caches whatever the outcome. */
export async function settle<T>(operation: AnyChange, work: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await work();
  } catch (error) {
    const refusal = operation.refusalOf?.(error);
    if (refusal) return refusal;
    throw error;
  } finally {
    operation.settled?.();
  }
}
