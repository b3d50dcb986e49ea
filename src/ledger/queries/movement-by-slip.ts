// Finds movements by what is printed on a slip: transaction id, reference, request id or authorization code.
import { integer, text, timestamp } from '../../db/driver/columns.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { onCitus, statement } from '../../db/driver/statement.ts';
import { sqlType } from '../movement-types.ts';

/** Null if the text cannot be one. */
export interface SlipText {
  movementId: string | null;
  /** A reference or a request id. */
  reference: string;
  authorizationCode: string | null;
}

export type SlipField = 'transaction_id' | 'reference' | 'request_id' | 'authorization_code';

export interface SlipMovement {
  id: string;
  type: string;
  fromAccount: string;
  toAccount: string;
  amount: number;
  at: Date;
  matchedBy: SlipField;
}

// Each branch has an index and a limit. The conditions are those of the partial indexes.
const SLIPS = `select $1::text as id, 'transaction_id' as field, 1 as rank where $1 is not null
    union all (select movement_id, 'request_id', 3 from requests where request_id = $2 order by scope limit $4)
    union all (select id, 'reference', 2 from movements
      where reference is not null and reference collate "C" = $2 order by id desc limit $4)
    union all (select id, 'authorization_code', 4 from movements
      where type = ${sqlType('pos_payment')} and right(id, 6) = $3 order by id desc limit $4)`;
/** The slip of a captured payment was printed when it was authorised: it has the id and the code of the hold. */
const CAPTURES = `
    union all select id, 'transaction_id', 1 from hold_ends where hold_id = $1 and outcome = 'captured'
    union all (select id, 'authorization_code', 4 from hold_ends
      where outcome = 'captured' and right(hold_id, 6) = $3 order by hold_id desc limit $4)`;
const COLUMNS = 'm.id, m.type, m.from_account, m.to_account, m.amount, m.at';

export const BY_SLIP = onCitus(
  statement(
    'movements-by-slip',
    `select m.*, slip.field from (${SLIPS}${CAPTURES}) slip
  cross join lateral (select ${COLUMNS} from movements m where m.id = slip.id limit 1) m
  order by slip.rank, m.id desc`,
    ([id, type, fromAccount, toAccount, amount, at, field]) => ({
      id: text(id),
      type: text(type),
      fromAccount: text(fromAccount),
      toAccount: text(toAccount),
      amount: integer(amount),
      at: timestamp(at),
      matchedBy: text<SlipField>(field),
    }),
  ),
  `with slip as materialized (${SLIPS})
  select ${COLUMNS}, slip.field from slip join movements m on m.id = slip.id order by slip.rank, m.id desc`,
);

/** At most `limit` movements, each once. */
export async function movementsBySlip(reader: Reader, slip: SlipText, limit: number): Promise<SlipMovement[]> {
  const found = await reader.run(BY_SLIP, [slip.movementId, slip.reference, slip.authorizationCode, limit]);
  const byId = new Map(found.toReversed().map((movement) => [movement.id, movement]));
  return [...byId.values()].toReversed().slice(0, limit);
}
