// Errors for people and exit codes for scripts.
import type { KissiError } from '@kissi/client';
import { printable } from './output/terminal.ts';

export const EXIT = {
  ok: 0,
  /** The service refused the request, or a check failed. */
  refused: 1,
  usage: 2,
  authentication: 3,
  /** No reply: a payment may have been made. Repeat it with the same request_id. */
  connection: 4,
  /** The service failed or asks to wait: try again later. */
  unavailable: 5,
  interrupted: 130,
} as const;

/** A missing or invalid argument; the message is shown without a stack trace. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A check of this command failed, such as a signature; the message says which. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
}

/** Recognized by name, so that a command without requests does not load the client. */
export function isKissiError(error: unknown): error is KissiError {
  return error instanceof Error && /^Kissi\w*Error$/.test(error.name);
}

/** Hints for people that a command added to an error. */
const addedHints = new WeakMap<Error, string>();

export function addHint(error: Error, hint: string): void {
  addedHints.set(error, hint);
}

/** Says which login the command needs, if the credential is missing or lacks the rights. */
export async function withLoginHint<T>(command: string, roles: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isAboutLogin =
      isKissiError(error) && ['CREDENTIALS_MISSING', 'UNAUTHORIZED', 'FORBIDDEN'].includes(error.code);
    if (isAboutLogin && !addedHints.has(error)) {
      addHint(error, `${command} needs the login of a ${roles}: kissi login --email EMAIL`);
    }
    throw error;
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (!isKissiError(error)) return EXIT.refused;
  if (error.name === 'KissiAuthenticationError') return EXIT.authentication;
  if (error.name === 'KissiConnectionError') return EXIT.connection;
  if (error.name === 'KissiRateLimitError' || error.name === 'KissiError') return EXIT.unavailable;
  return EXIT.refused;
}

/** For scripts: one JSON object. */
export function errorRecord(error: unknown): object {
  if (!isKissiError(error)) {
    const code = error instanceof UsageError ? 'USAGE' : 'FAILED';
    return { code, message: error instanceof Error ? error.message : String(error) };
  }
  const { code, message, status, requestId, idempotencyKey, attempts, fields } = error;
  return {
    ...{ code, message, status, request_id: requestId, idempotency_key: idempotencyKey, attempts },
    ...(Object.keys(fields).length > 0 ? { fields } : {}),
    ...(addedHints.has(error) ? { hint: addedHints.get(error) } : {}),
  };
}

/** For people: the code and the sentence, then what helps to go on. */
export function errorLines(error: unknown, keyFlag = '--request-id'): string[] {
  if (!isKissiError(error)) return [printable(error instanceof Error ? error.message : String(error))];
  const { code, message, requestId, idempotencyKey, attempts, fields, retryAfterMs } = error;
  const lines = [
    `${code}: ${message}`,
    ...Object.entries(fields).map(
      ([name, value]) => `  ${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`,
    ),
    ...(attempts > 1 ? [`  after ${attempts} attempts`] : []),
    ...(retryAfterMs === null ? [] : [`  try again in ${Math.ceil(retryAfterMs / 1000)} s`]),
    ...(requestId === null ? [] : [`  X-Request-ID of the reply: ${requestId}`]),
    ...hintsFor(error, idempotencyKey, keyFlag),
  ];
  return lines.map(printable);
}

function hintsFor(error: KissiError, key: string | null, keyFlag: string): string[] {
  const { name, code } = error;
  const added = addedHints.get(error);
  if (added !== undefined) return [`  ${added}`];
  if (name === 'KissiConnectionError' && key !== null) {
    return [`  The payment may have been made. To make it once, repeat it with ${keyFlag} ${key}`];
  }
  if (code === 'CREDENTIALS_MISSING' || code === 'UNAUTHORIZED') return ['  Log in with: kissi login'];
  if (code === 'PASSWORD_CHANGE_REQUIRED') return ['  Change it with: kissi session change-password'];
  return [];
}
