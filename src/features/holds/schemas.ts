// Request and response schemas for holds.
import { Type } from 'typebox';
import { idField, integerOrNull, minorUnits, textOrNull, timestamp } from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { HOLD_PURPOSES } from '../../ledger/holds/tables.ts';
import { HOLD_STATUSES } from './record.ts';

export const holdsQuery = listQuery({
  subscriber_id: Type.Optional(idField('the customer whose money is held')),
  processor_id: Type.Optional(idField('the processor that may capture it')),
  status: Type.Optional(Type.Enum(HOLD_STATUSES, { description: 'Only holds in this state.' })),
});

const OF_A_CUSTOMER = 'Null for the merchant, and where it is not shown to the reader.';

export const hold = Type.Object(
  {
    id: Type.String({ description: 'Also the transaction_id of the authorised payment.' }),
    status: Type.Enum(HOLD_STATUSES, {
      description: 'active until it is captured or released, or until expires_at.',
    }),
    purpose: Type.Enum(HOLD_PURPOSES, { description: 'What the money is held for.' }),
    type: Type.String({ description: 'What kind of transaction a capture is.' }),
    amount: minorUnits('What can be captured. Minor units.'),
    reserved: minorUnits("The amount and the payer's fee. Minor units."),
    remaining: minorUnits(
      'What is still reserved: less than reserved once payments of a bulk payment were made from it.',
    ),
    captured_amount: integerOrNull('Minor units; null unless it was captured.'),
    capture_transaction_id: textOrNull('The payment that captured it.'),
    currency: Type.String(),
    payer_id: textOrNull(`Whose money is held. ${OF_A_CUSTOMER}`),
    payer_name: Type.Optional(textOrNull('For users only.')),
    payee_id: textOrNull('Who may capture it; null for a cash-out code, which any agent may redeem.'),
    payee_name: Type.Optional(textOrNull('For users only.')),
    narration: textOrNull(),
    request_id: textOrNull(),
    created_at: timestamp(),
    expires_at: timestamp(),
    ended_at: textOrNull('When it was captured, released or found to have expired.'),
  },
  { title: 'Hold' },
);

export const holdsReply = listReply('holds', hold);
export const holdReply = Type.Object({ hold });
