// Schemas of the clocks of cases.
import { Type } from 'typebox';
import { line, textOrNull } from '../../../http/fields.ts';
import { listQuery, listReply } from '../../../http/paging.ts';

const whenOrNull = (what: string) => textOrNull(`${what} ISO 8601, UTC.`);

const clocks = {
  valid_from: Type.String({
    description: 'The first day on which cases that are opened have these clocks: YYYY-MM-DD.',
  }),
  acknowledge_days: Type.Integer({ minimum: 1, maximum: 60, description: 'Working days.' }),
  resolve_days: Type.Integer({ minimum: 1, maximum: 120, description: 'Working days.' }),
  complex_days: Type.Integer({ minimum: 1, maximum: 120, description: 'Further working days of a complex case.' }),
  working_days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    minItems: 1,
    maxItems: 7,
    description: '1 is Monday.',
  }),
  holidays: Type.Array(Type.String(), { maxItems: 500, description: 'Days without work: YYYY-MM-DD.' }),
  source: line(500, 'The law, directive or decision that the numbers come from.'),
};
const clocksRecord = Type.Object(
  {
    id: textOrNull('Null: built in.'),
    ...clocks,
    created_by: textOrNull('The user who entered them; null: built in.'),
    created_at: whenOrNull('When they were entered.'),
    is_default: Type.Boolean({ description: 'They apply as long as no others do.' }),
  },
  { title: 'CaseClocks' },
);
export const clocksBody = Type.Object(clocks);
export const clocksQuery = listQuery({});
export const clocksListReply = listReply('clocks', clocksRecord);
export const clocksReply = Type.Object({ success: Type.Literal(true), message: Type.String(), clocks: clocksRecord });
