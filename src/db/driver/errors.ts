// Classifies errors of PostgreSQL and of the connection by SQLSTATE.
import pg from 'pg';
import { QUERY_TIMED_OUT } from './client.ts';

/** The five-character code of an error the server reported; null for any other error. */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null;
}

/** A deadlock or a serialization failure: the transaction was rolled back, and may be repeated. */
export function isSerializationFailure(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40P01' || state === '40001';
}

/** The unique constraint that an insert or update violated; null when it failed for another reason. */
export function violatedConstraint(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code === '23505' ? (error.constraint ?? null) : null;
}

/** Connection exceptions (class 08) and shutdowns (57P01 to 57P05): the server closes the connection. */
const ENDS_CONNECTION = /^(08|57P)/;
const SYSTEM_ERROR = /^E[A-Z]{4}/;

/** Whether all statements on the connection failed with this error, and not one statement alone. */
export function endsConnection(error: unknown): boolean {
  const state = sqlState(error);
  return state === null || ENDS_CONNECTION.test(state);
}

/** Whether a read that failed with this error can be repeated on a new connection. A timed-out read is not repeated. */
export function lostConnection(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (message === QUERY_TIMED_OUT) return false;
  return typeof code !== 'string' || ENDS_CONNECTION.test(code) || SYSTEM_ERROR.test(code);
}
