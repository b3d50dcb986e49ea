// What names a payment request outside: the code that a payer types, and the token in its link.
import { hash, randomBytes, randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { luhnCheckDigit } from '../../kernel/account-number.ts';
import { DAY_MS } from '../../kernel/clock.ts';

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

/** A code that no request of the last 400 days has. It stays reserved even if the request is then refused. */
export async function reserveCode(queries: Queries, requestId: string, now: number): Promise<string> {
  for (;;) {
    const code = newCode();
    const { rows } = await sql`insert into payment_request_codes as c (code, request_id, reserved_at)
      values (${code}, ${requestId}, ${new Date(now)})
      on conflict (code) do update set request_id = excluded.request_id, reserved_at = excluded.reserved_at
        where c.reserved_at <= ${new Date(now - KEPT_MS)}
      returning code`.execute(queries);
    if (rows.length > 0) return code;
  }
}

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Without a key: nobody finds 128 random bits from their hash. */
export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
