// The card record and its API representation.
import { integerOrNull, text, textOrNull, timestamp, timestampOrNull } from '../../db/driver/columns.ts';
import { columnNames, type LookupColumns } from '../../db/lookup.ts';
import type { Row } from '../../db/schema/tables.ts';
import { iso } from '../../kernel/clock.ts';

export type CardRow = Row<'cards'>;

export const TYPES = ['parent', 'child'] as const;
export const STATUSES = ['unassigned', 'active', 'blocked'] as const;

export const DECODERS = {
  serial: text,
  type: text<CardRow['type']>,
  status: text<CardRow['status']>,
  subscriber_id: textOrNull,
  parent_serial: textOrNull,
  label: textOrNull,
  daily_limit: integerOrNull,
  linked_at: timestampOrNull,
  created_at: timestamp,
  retired_at: timestampOrNull,
  retired_subscriber_id: textOrNull,
  unlinked_subscriber_id: textOrNull,
} satisfies LookupColumns<'cards', keyof CardRow>;

export const COLUMNS = columnNames(DECODERS);

export const MAX_LABEL_CHARACTERS = 100;

/** The fields that a list shows of a card whose holder the caller may not see. */
export type HiddenCard = Pick<CardRow, 'serial' | 'status'>;

/** The holder, or a retired card's former holder, who made its payments. */
export function holderIdOf(row: CardRow): string | null {
  return row.subscriber_id ?? row.retired_subscriber_id;
}

/** Always contains every field. */
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
    retired_at: row.retired_at && iso(row.retired_at),
    created_at: iso(row.created_at),
  };
}

export function listedOf(row: CardRow | HiddenCard) {
  return 'created_at' in row ? recordOf(row) : { serial: row.serial, status: row.status };
}
