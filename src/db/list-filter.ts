// SQL conditions that list queries share: filters joined by `and`, and substring search.
import { type RawBuilder, sql } from 'kysely';

export type Condition = RawBuilder<unknown>;

/** Matches records that contain the text, or that have the phone number (E.164). */
export interface Search {
  text: string;
  orPhone: string | null;
}

export function where(all: Condition[]): Condition {
  return all.length === 0 ? sql`` : sql`where ${sql.join(all, sql` and `)}`;
}

/** The columns equal their values; an undefined value does not filter. */
export function equal(columns: Record<string, unknown>): Condition[] {
  const filtered = Object.entries(columns).filter(([, value]) => value !== undefined);
  return filtered.map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
}

/** The records after the one with this id, in a list by descending id. None: the list begins with the newest record. */
export function afterId(id: string | null | undefined): Condition[] {
  return id ? [sql`id < ${id}`] : [];
}

/** For tables with the columns search_text (the concatenated searchable fields, indexed by trigrams) and phone_number. */
export function matches({ text, orPhone }: Search): Condition {
  const phone = orPhone === null ? sql`` : sql` or phone_number = ${orPhone}`;
  return sql`(search_text like ${containing(text)}${phone})`;
}

/** search_text is lower case by PostgreSQL's lower(), so the pattern must be too: JavaScript's differs for some letters. */
export function containing(text: string): Condition {
  const literal = text.replace(/[\\%_]/g, '\\$&');
  return sql`lower(${`%${literal}%`})`;
}
