// What names a payment request outside: the code that a payer types, and the token in its link.
import { hash, randomBytes, randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { luhnCheckDigit } from '../../kernel/account-number.ts';
import { type Clock, DAY_MS } from '../../kernel/clock.ts';

/** Longer than any request lives. */
const KEPT_MS = 400 * DAY_MS;
const TOKEN_BYTES = 16;

const CODE = /^0\d{9}$/;

/** Ten digits that begin with 0, which no account number does. The last one is a Luhn digit. */
export function isCode(text: string): boolean {
  return CODE.test(text) && luhnCheckDigit(text.slice(0, -1)) === Number(text.slice(-1));
}

function newCode(): string {
  const body = `0${String(randomInt(10 ** 8)).padStart(8, '0')}`;
  return body + luhnCheckDigit(body);
}

/** Reserved at once, so that most requests need no round trip for theirs. */
const AHEAD = 32;

/** Codes that no request of the last 400 days has. One stays reserved even if its request is then refused. */
export function createCodes(queries: Queries, clock: Clock): () => Promise<string> {
  const reserved: string[] = [];
  let refilling: Promise<void> | null = null;

  async function refill(): Promise<void> {
    const codes = [...new Set(Array.from({ length: AHEAD }, newCode))];
    const now = clock.now();
    const { rows } = await sql<{ code: string }>`insert into payment_request_codes as c (code, reserved_at)
      select code, ${new Date(now)} from unnest(${codes}::text[]) as new (code)
      on conflict (code) do update set reserved_at = excluded.reserved_at
        where c.reserved_at <= ${new Date(now - KEPT_MS)}
      returning code`.execute(queries);
    reserved.push(...rows.map(({ code }) => code));
  }

  return async function take(): Promise<string> {
    for (;;) {
      const code = reserved.pop();
      if (code !== undefined) return code;
      refilling ??= refill().finally(() => {
        refilling = null;
      });
      await refilling;
    }
  };
}

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Without a key: nobody finds 128 random bits from their hash. */
export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
