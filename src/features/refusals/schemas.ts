// Request and reply schemas of the lists of refused payments.
import { type Static, Type } from 'typebox';
import { integerOrNull, textOrNull, timestamp } from '../../http/fields.ts';
import { listQuery } from '../../http/paging.ts';
import { iso } from '../../kernel/clock.ts';
import { ERROR_CODE } from '../../kernel/refusal.ts';
import { MOVEMENT_TYPES } from '../../ledger/movement-types.ts';
import { CHANNELS } from './channel.ts';
import type { RefusalPage, RefusalRow } from './store.ts';
import { hasExcess, reasonInWords } from './words.ts';

const record = Type.Object(
  {
    id: Type.String(),
    at: timestamp('When it was refused, or the first of several.'),
    last_at: timestamp('The same, or the last of several.'),
    attempts: Type.Integer({
      description: 'How many attempts the record stands for: beyond five in a minute, equal ones share a record.',
    }),
    type: Type.Enum(Object.keys(MOVEMENT_TYPES) as (keyof typeof MOVEMENT_TYPES)[]),
    channel: Type.Enum([...CHANNELS], { description: 'Where the payment was requested.' }),
    amount: integerOrNull('Minor units. Null for several attempts, and where there was no valid one.'),
    code: Type.Unsafe<string>(ERROR_CODE),
    reason: textOrNull('The same in words. Null for merchants.'),
    excess: integerOrNull(
      'By how much the payment exceeded the balance or limit, in minor units: for the customer and for `balance:read`, otherwise null.',
    ),
    place_id: textOrNull('Where a customer was refused: the id of the merchant or agent.'),
    place_name: textOrNull('Its business name.'),
  },
  { title: 'RefusedPayment' },
);

export const refusalsQuery = listQuery({});
export const refusalsReply = Type.Object(
  {
    refusals: Type.Array(record),
    attempt_count: Type.Integer({ description: 'All refused attempts of the last 90 days.' }),
    total_count: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
  },
  { title: 'RefusedPayments' },
);

/** Who reads them. */
export interface Reader {
  seesReasons: boolean;
  seesAmounts: boolean;
}

export function refusalsView({ rows, total, attempts }: RefusalPage, reader: Reader) {
  return { refusals: rows.map((row) => view(row, reader)), attempt_count: attempts, total_count: total };
}

function view(row: RefusalRow, { seesReasons, seesAmounts }: Reader): Static<typeof record> {
  const excess = seesAmounts && hasExcess(row.code) ? row.excess : null;
  return {
    ...row,
    type: row.type as keyof typeof MOVEMENT_TYPES,
    at: iso(row.at),
    last_at: iso(row.last_at),
    reason: seesReasons ? reasonInWords(row.code, excess) : null,
    excess,
  };
}
