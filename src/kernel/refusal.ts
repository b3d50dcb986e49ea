// Refusals: expected errors as values, each with a code of the catalogue.
import { SECOND_MS } from './clock.ts';
import { CATALOGUE } from './refusal-catalogue.ts';

export { CATALOGUE } from './refusal-catalogue.ts';

export type Code = keyof typeof CATALOGUE;

/** The schema of an error code. */
export const ERROR_CODE = {
  type: 'string',
  title: 'ErrorCode',
  description: 'An error code. Later versions may add more.',
  enum: Object.keys(CATALOGUE),
};

export interface RefusalExtras {
  /** If it differs from the catalogue's status on this route. */
  status?: number;
  /** Additional fields of the response. */
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
  audited?: AuditedRefusal;
}

/** Marks a refusal that is always audited, for any caller and for reads too. */
export interface AuditedRefusal {
  action: string;
  resourceType: string;
  /** Absent if the refusal is about no single record. */
  resourceId?: string;
}

/** By how much a payment exceeds what an account has left. */
export interface Excess {
  accountId: string;
  /** Minor units. */
  amount: number;
}

/** An expected refusal. Services return it as a value and never throw it. */
export class Refusal {
  readonly code: Code;
  /** For people. */
  readonly message: string;
  readonly status: number;
  readonly details: Record<string, unknown>;
  readonly headers: Record<string, string>;
  readonly audited: AuditedRefusal | null;
  /** Never in a reply: it tells the account's balance or limit. */
  excess: Excess | null = null;

  constructor(code: Code, message: string, extras: RefusalExtras = {}) {
    this.code = code;
    this.message = message;
    this.status = extras.status ?? CATALOGUE[code].status;
    this.details = extras.details ?? {};
    this.headers = extras.headers ?? {};
    this.audited = extras.audited ?? null;
  }
}

export function refuse(code: Code, message: string, extras?: RefusalExtras): Refusal {
  return new Refusal(code, message, extras);
}

/** A refusal that ends by itself: the sentence and the header Retry-After say when, in whole seconds and at least one. */
export function refuseForNow(code: Code, sentence: string, retryAfterMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / SECOND_MS));
  return refuse(code, `${sentence} Try again in ${seconds} s.`, { headers: { 'retry-after': String(seconds) } });
}
