// What lists have in common: conditions joined into one, and text searched for as it stands.
import { type RawBuilder, sql } from 'kysely';

export type Condition = RawBuilder<unknown>;

/** Text to be found as it is, or else a whole number in E.164. */
export interface Search {
  text: string;
  orPhone: string | null;
}

export function where(all: Condition[]): Condition {
  return all.length === 0 ? sql`` : sql`where ${sql.join(all, sql` and `)}`;
}

/** In tables that keep what is searched through in search_text, and telephone numbers in phone_number. */
export function found({ text, orPhone }: Search): Condition {
  const phone = orPhone === null ? sql`` : sql` or phone_number = ${orPhone}`;
  return sql`(search_text like ${containing(text)}${phone})`;
}

/** lower() is the database's on both sides, so that both agree on what a small letter is. */
function containing(text: string): Condition {
  const literal = text.replace(/[\\%_]/g, '\\$&');
  return sql`lower(${`%${literal}%`})`;
}
