// A card as the database keeps it and as the wire shows it, and how its serial is read.
import type { Selectable } from 'kysely';
import type { CardsTable } from '../../db/schema/tables.ts';
import { iso } from '../../kernel/clock.ts';

export type CardRow = Selectable<CardsTable>;

export const TYPES = ['parent', 'child'] as const;
export const STATUSES = ['unassigned', 'active', 'blocked'] as const;

export const COLUMNS = [
  'serial',
  'type',
  'status',
  'subscriber_id',
  'parent_serial',
  'label',
  'daily_limit',
  'linked_at',
  'created_at',
] as const satisfies readonly (keyof CardRow)[];

const SERIAL = /^[A-Za-z0-9._:-]{4,64}$/;
const SERIAL_START = /^[A-Za-z0-9._:-]{1,64}$/;
export const MAX_LABEL_CHARACTERS = 100;

/** In the form it is kept in, or null when it is no serial: readers write hexadecimal in either case, and both are one card. */
export function readSerial(text: string): string | null {
  return capitals(text, SERIAL);
}

/** What serials may begin with. */
export function readSerialStart(text: string): string | null {
  return capitals(text, SERIAL_START);
}

/** As far as two requests must agree on it: one card is the same in either case, and what is no serial is only the same as itself. */
export function sameSerial(text: string): string {
  return readSerial(text) ?? text;
}

// The form is looked at first: to a computer the capital of ſ is S.
function capitals(text: string, form: RegExp): string | null {
  const trimmed = text.trim();
  return form.test(trimmed) ? trimmed.toUpperCase() : null;
}

/** As much of one as a list shows of whose holder the caller may not see. */
export type HiddenCard = Pick<CardRow, 'serial' | 'status'>;

/** Every key is always there. */
export function recordOf(row: CardRow) {
  return {
    serial: row.serial,
    type: row.type,
    status: row.status,
    subscriber_id: row.subscriber_id,
    parent_serial: row.parent_serial,
    label: row.label,
    daily_limit: row.daily_limit,
    linked_at: row.linked_at && iso(row.linked_at),
    created_at: iso(row.created_at),
  };
}

export function listedOf(row: CardRow | HiddenCard) {
  return 'created_at' in row ? recordOf(row) : { serial: row.serial, status: row.status };
}
