// Request and response schemas of float requests.
import { type Static, Type } from 'typebox';
import { minorUnits, narration, pin, textOrNull, timestamp } from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { amountField, requestIdField } from '../../http/payment-endpoint.ts';
import { iso } from '../../kernel/clock.ts';
import { type SeenRequest, STATES, stateAt } from './store.ts';

const floatRequest = Type.Object(
  {
    id: Type.String(),
    agent_id: Type.String({ description: 'The sub-agent that asks.' }),
    agent_name: Type.String({ description: 'Its business name.' }),
    super_agent_id: Type.String({ description: 'Its super-agent, who decides.' }),
    super_agent_name: Type.String({ description: 'Its business name.' }),
    amount: minorUnits(),
    note: textOrNull('What the sub-agent wrote.'),
    state: Type.Enum(STATES, {
      description:
        'open until it is decided or its time is over. accepting: the transfer is being made, or its reply was lost: accept again.',
    }),
    created_at: timestamp(),
    expires_at: timestamp(),
    decided_at: textOrNull('ISO 8601, UTC.'),
    reason: textOrNull('Why it was declined.'),
    transaction_id: textOrNull('The transfer of float, once accepted.'),
  },
  { title: 'FloatRequest' },
);

export const askBody = Type.Object({
  amount: amountField(),
  note: Type.Optional(narration('Why, or when it is needed.')),
  request_id: Type.Optional(requestIdField()),
});
export const acceptBody = Type.Object({ pin: pin() });
export const declineBody = Type.Object({ reason: narration('Why; the sub-agent reads it.') });

const done = { success: Type.Literal(true), message: Type.String() };
export const floatRequestReply = Type.Object(
  { ...done, float_request: floatRequest },
  { title: 'ChangedFloatRequest' },
);
export const floatRequestsQuery = listQuery({
  state: Type.Optional(Type.Enum(STATES, { description: 'Only requests in this state.' })),
});
export const floatRequestsReply = listReply('float_requests', floatRequest);

export function floatRequestView(row: SeenRequest, now: number): Static<typeof floatRequest> {
  return {
    id: row.id,
    agent_id: row.agent_id,
    agent_name: row.agent_name,
    super_agent_id: row.super_agent_id,
    super_agent_name: row.super_agent_name,
    amount: row.amount,
    note: row.note,
    state: stateAt(row, now),
    created_at: iso(row.created_at),
    expires_at: iso(row.expires_at),
    decided_at: row.decided_at && iso(row.decided_at),
    reason: row.reason,
    transaction_id: row.transaction_id,
  };
}
