// One-time codes of six digits that are sent to a phone: how they are made, stored, checked and counted.
import { randomInt } from 'node:crypto';
import type { AttemptCounts } from '../db/attempt-counts.ts';
import { type Clock, HOUR_MS } from '../kernel/clock.ts';
import { type Refusal, refuse, refuseForNow } from '../kernel/refusal.ts';
import type { PinHasher } from './pins/hasher.ts';

/** The columns of a code in the table of its purpose. */
export interface CodeColumns {
  code_salt: Buffer | null;
  code_hash: Buffer | null;
  code_expires_at: Date | null;
  tries_left: number;
}

type StoredCode = CodeColumns & { code_salt: Buffer; code_hash: Buffer; code_expires_at: Date };

export interface CodeOptions {
  /** Hashes codes with a key, as PINs. */
  hasher: PinHasher;
  /** The hash domain: PINs and the codes of other purposes are hashed with the same key. */
  purpose: string;
  validMs: number;
  clock: Clock;
  /** Wrong attempts until the code ends; 3 by default. */
  tries?: number;
}

export const TRIES = 3;

/** A code that was used, replaced or guessed too often. */
export const NO_CODE = { code_salt: null, code_hash: null, code_expires_at: null, tries_left: 0 };

export function createOneTimeCodes({ hasher, purpose, validMs, clock, tries = TRIES }: CodeOptions) {
  // A code that was prolonged, or moved to another holder or number, no longer matches.
  const domainOf = (holder: string, expiresAt: Date) => `${purpose}:${holder}:${expiresAt.getTime()}`;
  return {
    /** A new code, and the columns to store of it. `holder`: who has it, and at which number. */
    make(holder: string): { code: string; columns: StoredCode } {
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const code_expires_at = new Date(clock.now() + validMs);
      const { salt: code_salt, hash: code_hash } = hasher.make(domainOf(holder, code_expires_at), code);
      return { code, columns: { code_salt, code_hash, code_expires_at, tries_left: tries } };
    },
    isValid<Row extends CodeColumns>(row: Row): row is Row & StoredCode {
      const { code_salt, code_hash, code_expires_at, tries_left } = row;
      if (!code_salt || !code_hash || !code_expires_at || tries_left <= 0) return false;
      return code_expires_at.getTime() > clock.now();
    },
    matches(holder: string, code: string, { code_salt: salt, code_hash: hash, code_expires_at }: StoredCode): boolean {
      return hasher.matches(domainOf(holder, code_expires_at), code, { salt, hash });
    },
  };
}

/** The columns after a wrong attempt; the last one ends the code. */
export function afterWrongCode({ tries_left }: CodeColumns): Partial<CodeColumns> & { tries_left: number } {
  return tries_left <= 1 ? NO_CODE : { tries_left: tries_left - 1 };
}

export function noCodeRefusal(): Refusal {
  return refuse('INVALID_OTP', 'There is no valid code: request a new one.', { details: { attempts_remaining: 0 } });
}

export function wrongCodeRefusal(left: number): Refusal {
  const sentence = left === 0 ? 'The code is wrong and no attempts are left: request a new one.' : 'The code is wrong.';
  return refuse('INVALID_OTP', sentence, { details: { attempts_remaining: left } });
}

/** An attempt or a message, counted per hour for all gateways. */
export interface HourlyLimit {
  subject: string;
  limit: number;
}

/** Counts one for each subject in turn. A subject whose limit is reached uses up nothing of the next ones. */
export function createHourlyLimits({ counts, clock }: { counts: Pick<AttemptCounts, 'add'>; clock: Clock }) {
  return async function refusalOf(limits: HourlyLimit[], sentence: string): Promise<Refusal | null> {
    for (const { subject, limit } of limits) {
      const { counted, startedAt } = await counts.add(subject, { counted: 1, correct: 0 }, HOUR_MS);
      if (counted > limit) return refuseForNow('RATE_LIMITED', sentence, startedAt + HOUR_MS - clock.now());
    }
    return null;
  };
}
