// The errors of a batch: which of them one of its orders causes, and which mean that nothing was committed.
import { sqlState } from '../../db/driver/errors.ts';

/** An order's callback threw. */
class DefectiveOrder extends Error {}

export function orDefectiveOrder<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new DefectiveOrder('an order of the batch cannot be recorded', { cause });
  }
}

const UNIQUE_VIOLATION = '23505';

export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: unknown }).code === UNIQUE_VIOLATION;
}

/** An earlier attempt without locks was committed after all. Its outcome is found by its idempotency keys. */
export function isSealConflict(error: unknown): boolean {
  return (error as { constraint?: unknown }).constraint === 'seals_pkey';
}

export function isRejectedByServer(error: unknown): boolean {
  return /^(22|23|40|42|54)...$/.test(sqlState(error) ?? '');
}

/** Errors that an order causes: its callback throws, or it has a value that the tables do not accept. */
export function isDefect(error: unknown): boolean {
  if (error instanceof DefectiveOrder || error instanceof TypeError || error instanceof RangeError) return true;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(22|23|42|54)...$/.test(code) && code !== UNIQUE_VIOLATION;
}
