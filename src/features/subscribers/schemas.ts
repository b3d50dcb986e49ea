// Request and response schemas for the subscriber endpoints.
import { Type } from 'typebox';
import { LOCK_REASONS, type LockReason } from '../../auth/pins/attempts.ts';
import {
  clearable,
  email,
  integerOrNull,
  line,
  narration,
  phoneNumber,
  textOrNull,
  timestamp,
  webUrl,
} from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { requestIdField } from '../../http/payment-endpoint.ts';
import { putBody } from '../../http/put.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';
import { DISABLABLE_TYPES } from '../../ledger/movement-types.ts';
import { ID_TYPES, STATUSES } from './record.ts';

/** Any text is accepted: the service refuses a malformed PIN with INVALID_PIN. */
const pin = () => Type.String({ description: 'Exactly 4 digits.' });

export const calendarDay = () => Type.String({ maxLength: 10, description: 'YYYY-MM-DD, a day in the past.' });
const maxChildCards = () =>
  Type.Integer({ minimum: 0, maximum: 100, [ERROR_MESSAGE]: 'must be a whole number from 0 to 100' });

const FOR_BLOCKERS = 'For compliance_user, support_user and system_admin only.';

const subscriber = Type.Object(
  {
    id: Type.String(),
    account_number: Type.String({ description: 'Ten digits, the last one a Luhn check digit.' }),
    phone_number: Type.String({ description: 'E.164.' }),
    first_name: Type.String(),
    last_name: Type.String(),
    email: textOrNull(),
    date_of_birth: textOrNull(),
    address: textOrNull(),
    kyc_level: Type.Integer({ minimum: 1, maximum: 3 }),
    status: Type.Enum(STATUSES),
    phone_verified: Type.Optional(
      Type.Boolean({
        description:
          'Absent, or false: the code sent to the number has not been entered yet, and the number does not find the wallet.',
      }),
    ),
    disabled_transaction_types: Type.Array(Type.String()),
    balance: Type.String({ description: 'Formatted for display: 1,234.56 SLE.' }),
    held: Type.String({ description: 'What authorised payments reserve of the balance. Formatted like it.' }),
    available: Type.String({ description: 'balance - held. Formatted like it.' }),
    id_number: textOrNull(),
    id_type: textOrNull(),
    partner_wallet_id: textOrNull(),
    cards_count: Type.Integer(),
    max_child_cards: Type.Integer(),
    is_pep: Type.Boolean({ description: 'A politically exposed person.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
    block_reason: Type.Optional(textOrNull(`Why it is blocked. ${FOR_BLOCKERS}`)),
    blocked_at: Type.Optional(textOrNull(`ISO 8601, UTC. ${FOR_BLOCKERS}`)),
    blocked_by: Type.Optional(textOrNull(`The id of the user or API key. ${FOR_BLOCKERS}`)),
    blocked_by_name: Type.Optional(textOrNull(`The current name of that user or API key. ${FOR_BLOCKERS}`)),
    pin_locked_until: Type.Optional(
      textOrNull(
        `ISO 8601, UTC; null if the account is not locked after wrong PINs. A locked account cannot pay. ${FOR_BLOCKERS}`,
      ),
    ),
    pin_lock_reason: Type.Optional(
      Type.Unsafe<LockReason | null>({
        enum: [...LOCK_REASONS, null],
        description: `Three wrong PINs in a row (30 minutes), or ten on one UTC day (until 00:00 UTC). ${FOR_BLOCKERS}`,
      }),
    ),
    pin_reset_code_until: Type.Optional(
      textOrNull(
        `Until then the holder can set a new PIN with the code that was sent; the old PIN keeps working. ISO 8601, UTC; null if no code is open. ${FOR_BLOCKERS}`,
      ),
    ),
    outgoing_reduced_until: Type.Optional(
      textOrNull(`Until then outgoing payments are reduced, because the PIN was reset. ISO 8601, UTC. ${FOR_BLOCKERS}`),
    ),
    reduced_daily_limit: Type.Optional(integerOrNull(`The daily limit until then, in minor units. ${FOR_BLOCKERS}`)),
    id_document_url: Type.Optional(textOrNull('For compliance_user and system_admin only.')),
    selfie_url: Type.Optional(textOrNull('For compliance_user and system_admin only.')),
  },
  { title: 'Subscriber' },
);

// Optional fields instead of a union: the serializer would try the branches of a union one by one.
const { id, status } = subscriber.properties;
const seen = {
  ...Type.Partial(subscriber).properties,
  id,
  name: Type.Optional(Type.String({ description: 'First name and initial of the last name.' })),
  status,
};
const FOR_AGENTS =
  "Agents' users get the record of a subscriber they registered without the balance; for any other subscriber, only id, name, status and kyc_level.";
const view = Type.Object(seen, {
  title: 'SubscriberView',
  description: `In lists, the record of a politically exposed person has id and status only for users without PEP access. ${FOR_AGENTS}`,
});
export const subscriberReply = Type.Object({ subscriber: view });
export const subscribersReply = listReply('subscribers', view);

const done = { success: Type.Literal(true), message: Type.String() };
const { balance, held, available, ...withoutBalance } = subscriber.properties;
const changedSubscriber = Type.Object(
  { ...withoutBalance, ...Type.Partial(Type.Object({ balance, held, available })).properties },
  { title: 'UpdatedSubscriber', description: "Without the balance for agents' users." },
);
export const changedReply = Type.Object({ ...done, subscriber: changedSubscriber }, { title: 'ChangedSubscriber' });
export const messageReply = Type.Object(done, { title: 'MessageReply' });
export const registeredReply = Type.Object(
  {
    success: Type.Literal(true),
    subscriber_id: Type.String(),
    message: Type.String(),
    subscriber,
  },
  { title: 'RegisteredSubscriber' },
);
export const unblockedReply = Type.Object({ ...done, unblocked_at: timestamp(), unblocked_by: Type.String() });
export const verifiedReply = Type.Object({ success: Type.Literal(true), verified: Type.Literal(true) });

const rejectedField = (error: string) =>
  Type.Optional(Type.Never({ [ERROR_MESSAGE]: error, description: `Refused: ${error}.` }));

export const registration = Type.Object(
  {
    phone_number: phoneNumber(),
    first_name: line(),
    last_name: line(),
    pin: pin(),
    email: Type.Optional(email()),
    date_of_birth: Type.Optional(calendarDay()),
    address: Type.Optional(line(500)),
    id_number: Type.Optional(line(64)),
    id_type: Type.Optional(Type.Enum(ID_TYPES)),
    max_child_cards: Type.Optional(maxChildCards()),
    id_document_url: Type.Optional(webUrl()),
    selfie_url: Type.Optional(webUrl()),
    status: Type.Optional(
      Type.Literal('PENDING', {
        description: 'Staff only: the subscriber must be activated.',
        [ERROR_MESSAGE]: 'may only be PENDING',
      }),
    ),
    is_pep: rejectedField('is set afterwards by compliance, with PUT /subscribers/{id}'),
    request_id: Type.Optional(requestIdField()),
  },
  { title: 'SubscriberRegistration' },
);

export const update = Type.Object({
  phone_number: Type.Optional(phoneNumber()),
  first_name: Type.Optional(line()),
  last_name: Type.Optional(line()),
  email: clearable(email()),
  date_of_birth: clearable(calendarDay()),
  address: clearable(line(500)),
  id_number: clearable(line(64)),
  id_type: clearable(Type.Enum(ID_TYPES, { [ERROR_MESSAGE]: `must be one of ${ID_TYPES.join(', ')}` })),
  id_document_url: clearable(webUrl()),
  selfie_url: clearable(webUrl()),
  partner_wallet_id: clearable(line(128)),
  max_child_cards: Type.Optional(maxChildCards()),
  kyc_level: Type.Optional(Type.Integer({ minimum: 1, maximum: 3, [ERROR_MESSAGE]: 'must be 1, 2 or 3' })),
  is_pep: Type.Optional(Type.Boolean({ [ERROR_MESSAGE]: 'must be true or false' })),
});

/** Read-only fields, and how each of them changes. */
const READ_ONLY = {
  status: 'is changed with POST /subscribers/{id}/block, /unblock and /activate',
  disabled_transaction_types: 'is changed with POST /subscribers/{id}/block, /unblock and /enable-types',
  balance: 'changes only when money moves',
  held: 'changes only when payments are authorised, captured or released',
  available: 'changes only with the balance and what is held',
  cards_count: 'changes only when cards are linked',
  block_reason: 'is changed with POST /subscribers/{id}/block',
  blocked_at: 'is set by the service',
  blocked_by: 'is set by the service',
  blocked_by_name: 'is set by the service',
  pin_locked_until: 'is changed with POST /subscribers/{id}/unlock',
  pin_lock_reason: 'is set by the service',
  pin_reset_code_until: 'is set by the service',
  outgoing_reduced_until: 'is set by the service',
  reduced_daily_limit: 'is set by the service',
  id: 'never changes',
  account_number: 'never changes',
  created_at: 'is set by the service',
  updated_at: 'is set by the service',
};

export const updateBody = putBody(
  Type.Object({
    ...update.properties,
    pin: rejectedField('is changed with POST /subscribers/{id}/change-pin'),
  }),
  subscriber,
  READ_ONLY,
);

const transactionTypes = (description: string) =>
  Type.Array(Type.Enum(DISABLABLE_TYPES), { minItems: 1, maxItems: 20, description });

export const block = Type.Object({
  reason: narration('Why; kept in the audit log.'),
  transaction_types: Type.Optional(
    transactionTypes('Disables only these types and keeps the status. Without this field the subscriber is BLOCKED.'),
  ),
});

export const unblock = Type.Object({ reason: Type.Optional(narration('Why; kept in the audit log.')) });

export const enableTypes = Type.Object({ transaction_types: transactionTypes('Enables these types again.') });

export const codeBody = Type.Object({
  // A malformed code is rejected here and does not count as an attempt.
  code: Type.String({ pattern: '^[0-9]{6}$', description: 'Six digits.', [ERROR_MESSAGE]: 'must be 6 digits' }),
});

export const pinBody = Type.Object({ pin: pin() });
export const changePinBody = Type.Object({ current_pin: pin(), new_pin: pin() });

export const subscribersQuery = listQuery({
  status: Type.Optional(Type.Enum(STATUSES)),
  kyc_level: Type.Optional(Type.Enum(['1', '2', '3'])),
  phone_number: Type.Optional(Type.String({ maxLength: 100, description: 'In local format or E.164.' })),
  account_number: Type.Optional(Type.String({ maxLength: 100 })),
  card_serial: Type.Optional(Type.String({ maxLength: 100, description: "This card's holder." })),
  is_pep: Type.Optional(
    Type.Enum(['true'], { description: 'Only politically exposed persons; for users with open PEP access.' }),
  ),
  search: Type.Optional(
    Type.String({ maxLength: 100, description: 'Part of a name, phone number, account number or email.' }),
  ),
  sort: Type.Optional(Type.Enum(['newest', 'oldest'], { description: 'newest (default) or oldest first.' })),
});
