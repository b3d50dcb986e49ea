// Who an account dealt with, and the parties of the movements that others refer to.
import { textArray } from '../../db/driver/binary-arrays.ts';
import { text, textOrNull } from '../../db/driver/columns.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { statement } from '../../db/driver/statement.ts';
import { type MovementType, sqlType } from '../movement-types.ts';
import { FREQUENT_TYPES } from './movement-search.ts';

export interface Dealings {
  /** Both parties of the account's movements. Null: it has more movements than are looked at. */
  partiesOf(accountId: string): Promise<string[] | null>;
  /** Both parties of the movement that each of these corrects, by the id of the correction. */
  originalParties(movementIds: readonly string[]): Promise<Map<string, string[]>>;
  /** The corrections of movements of these accounts, each with its own parties. */
  correctionsOf(accountIds: readonly string[]): Promise<Correction[]>;
}

export interface Correction {
  id: string;
  parties: string[];
}

/** Corrections between the operator and a partner: their amount is that of a customer's payment. */
export const CORRECTIONS: readonly MovementType[] = ['suspense_resolution', 'suspense_refund'];

/** Looked at within a few milliseconds. */
const MOST_MOVEMENTS = 2_000;

// The postings, which an index has in order, lead to the movements by their primary key.
export const PARTIES = statement(
  'ledger-parties',
  `with p as materialized (select movement_id from postings where account_id = $1 order by seq desc limit $2)
  select m.from_account, m.to_account, (select count(*) from p)::text from p join movements m on m.id = p.movement_id
  group by 1, 2`,
  ([from, to, read]) => ({ parties: [text(from), text(to)], read: Number(text(read)) }),
);

const RELATED = statement(
  'movements-related',
  'select id, related_id from movements where id = any($1::text[])',
  ([id, related]) => [text(id), textOrNull(related)] as const,
);
const SIDES = statement(
  'movement-sides',
  'select id, from_account, to_account from movements where id = any($1::text[])',
  ([id, from, to]): [string, string[]] => [text(id), [text(from), text(to)]],
);

// Few, by an index of their types. On a cluster, the original is on another server.
const CORRECTED = statement(
  'movements-corrected',
  `with c as materialized (select id, from_account, to_account, related_id from movements
    where type collate "C" in (${CORRECTIONS.map(sqlType).join(', ')}) and type not in (${FREQUENT_TYPES.join(', ')})),
  o as materialized (select id from movements where id in (select related_id from c)
    and (from_account in (select unnest($1::text[])) or to_account in (select unnest($1::text[]))))
  select c.id, c.from_account, c.to_account from c join o on o.id = c.related_id`,
  ([id, from, to]): Correction => ({ id: text(id), parties: [text(from), text(to)] }),
);

export function createDealings(reader: Reader): Dealings {
  return {
    async partiesOf(accountId) {
      const rows = await reader.run(PARTIES, [accountId, MOST_MOVEMENTS + 1]);
      const [first] = rows;
      if (first && first.read > MOST_MOVEMENTS) return null;
      return [...new Set(rows.flatMap(({ parties }) => parties))];
    },
    async originalParties(movementIds) {
      if (movementIds.length === 0) return new Map();
      const related = await reader.run(RELATED, [textArray([...movementIds])]);
      const originals = related.flatMap(([, original]) => (original === null ? [] : [original]));
      if (originals.length === 0) return new Map();
      const sides = new Map(await reader.run(SIDES, [textArray(originals)]));
      return new Map(related.map(([id, original]) => [id, sides.get(original ?? '') ?? []]));
    },
    correctionsOf: (accountIds) => reader.run(CORRECTED, [textArray([...accountIds])]),
  };
}
