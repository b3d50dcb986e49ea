// Request and reply schemas of cases.
import { Type } from 'typebox';
import { dayOrInstant } from '../../http/date-range.ts';
import { freeText, idField, line, minorUnits, pin, textOrNull, timestamp } from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { amountField, requestIdField, signedRequestIdField } from '../../http/payment-endpoint.ts';
import { FILE_TYPES } from './files.ts';
import { CHANNELS, KINDS, RECALL_STATES, RULES, STATES } from './tables.ts';

const nullable = <Value extends string>(values: readonly Value[], description: string) =>
  Type.Unsafe<Value | null>({ enum: [...values, null], description });

const description = () => freeText('What happened, in the words of the customer.');
const whenOrNull = (what: string) => textOrNull(`${what} ISO 8601, UTC.`);

const kindField = () => Type.Enum(KINDS, { description: 'What the case is about.' });

const NUMBER = 'What people read out, such as C-2026-4817362. The last digit is a check digit.';

const common = {
  id: Type.String(),
  number: Type.String({ description: NUMBER }),
  kind: kindField(),
  state: Type.Enum(STATES, { description: 'resolved and rejected are final.' }),
  transaction_id: textOrNull('The payment it is about.'),
  is_complex: Type.Boolean({ description: 'It has more time than others.' }),
  resolve_by: timestamp('When it is to be resolved.'),
  created_at: timestamp(),
  closed_at: whenOrNull('When it was resolved or rejected; null while it is open.'),
};

const fields = {
  ...common,
  channel: Type.Enum(CHANNELS, { description: 'Where it was opened.' }),
  subscriber_id: Type.String({ description: 'The customer whose case it is.' }),
  customer_name: Type.String({ description: 'First and last name.' }),
  description: Type.String({ description: 'What happened, as it was reported.' }),
  assignee_id: textOrNull('The user who works on it.'),
  assignee_name: textOrNull('First and last name.'),
  opened_by: Type.String({ description: 'The user or customer who opened it.' }),
  opened_by_name: textOrNull('First and last name of the user; null for a customer.'),
  acknowledge_by: timestamp('When somebody is to have begun with it.'),
  acknowledged_at: whenOrNull('When somebody began with it.'),
  is_overdue: Type.Boolean({ description: 'Nobody began with it in time, or it was to be resolved by now.' }),
  updated_at: timestamp(),
};

const RECALL_STATE =
  'staff_decides: outside the rules, so staff decide before anything is held. placing: the hold is being made. asked: the recipient can answer. nothing_left: nothing was in the wallet. returned, contested, expired: how it ended.';

export const caseRecord = Type.Object(
  { ...fields, recall_state: nullable(RECALL_STATES, `${RECALL_STATE} Null: there is no recall.`) },
  { title: 'Case' },
);

const recall = Type.Object(
  {
    state: Type.Enum(RECALL_STATES, { description: RECALL_STATE }),
    outside_rule: nullable(RULES, 'The rule that the transfer is outside of; null if it is within the rules.'),
    reason: textOrNull('The same in words.'),
    transaction_id: Type.String({ description: 'The transfer.' }),
    sender_id: Type.String({ description: 'The customer who made the transfer.' }),
    recipient_id: Type.String({ description: 'The customer who received it.' }),
    amount: minorUnits('The amount of the transfer.'),
    held: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'What is held for it, in minor units.',
    }),
    hold_id: textOrNull('The hold, as GET /holds/{id} shows it.'),
    returned: minorUnits('What was returned.'),
    confirmed_at: timestamp('When the sender confirmed it with the PIN.'),
    decided_by: textOrNull('The user who decided to ask the recipient although it is outside the rules.'),
    asked_at: whenOrNull('When the recipient was asked.'),
    expires_at: whenOrNull('When the hold ends unless the recipient answers.'),
    contested_at: whenOrNull('When the recipient contested it.'),
    extended_until: whenOrNull('Two users extended the hold until then.'),
    extended_by: Type.Array(Type.String(), { description: 'These users.' }),
  },
  { title: 'Recall' },
);

const event = Type.Object(
  {
    id: Type.String(),
    kind: Type.String({ description: 'opened, note, state, assigned, complex, file, message, or a step of a recall.' }),
    text: textOrNull('A note, a reason or a message.'),
    details: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'Depends on the kind: for a state from and to.',
    }),
    is_shown: Type.Boolean({ description: 'The customer sees it.' }),
    actor_type: Type.String({ description: 'user, subscriber, service or system.' }),
    actor_id: textOrNull(),
    actor_name: textOrNull('Of a user.'),
    at: timestamp(),
  },
  { title: 'CaseEvent' },
);

const file = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: Type.String(),
    size: Type.Integer({ description: 'Bytes.' }),
    sha256: Type.String({ description: 'Hexadecimal.' }),
    uploaded_by: Type.String(),
    created_at: timestamp(),
  },
  { title: 'CaseFile' },
);

const details = Type.Object(
  {
    ...fields,
    recall: Type.Union([recall, Type.Null()], { description: 'Null: there is no recall.' }),
    timeline: Type.Array(event, { description: 'Oldest first.' }),
    files: Type.Array(file),
  },
  { title: 'CaseDetails' },
);

export const openBody = Type.Object({
  kind: kindField(),
  subscriber_id: idField('the customer'),
  transaction_id: Type.Optional(idField("one of the customer's payments")),
  description: description(),
});
export const casesQuery = listQuery({
  state: Type.Optional(Type.Enum(STATES, { description: 'Only cases in this state.' })),
  is_open: Type.Optional(Type.Enum(['true', 'false'], { description: 'Neither resolved nor rejected.' })),
  is_overdue: Type.Optional(Type.Enum(['true', 'false'])),
  kind: Type.Optional(kindField()),
  assignee_id: Type.Optional(Type.String({ description: 'A user; none: nobody.' })),
  subscriber_id: Type.Optional(Type.String({ description: 'Cases of this customer, and recalls that ask them.' })),
  transaction_id: Type.Optional(Type.String()),
  number: Type.Optional(Type.String({ description: NUMBER })),
  from: Type.Optional(dayOrInstant('Opened on this day or later')),
  to: Type.Optional(dayOrInstant('Opened on this day or earlier')),
  sort: Type.Optional(
    Type.Enum(['newest', 'oldest', 'due'], {
      description:
        'newest (default), oldest, or due: the open case whose clock runs out first, with overdue ones at the top; closed cases come last. As CSV newest first instead of by due.',
    }),
  ),
});
export const casesReply = listReply('cases', caseRecord);
export const caseDetailsReply = Type.Object({ case: details });
export const changedReply = Type.Object(
  { success: Type.Literal(true), message: Type.String(), case: details },
  { title: 'ChangedCase' },
);

export const assignBody = Type.Object({
  assignee_id: Type.Optional(idField('the user. Absent: nobody works on it')),
});
export const noteBody = Type.Object({ text: freeText('What other staff should know. Customers do not see it.') });
export const messageBody = Type.Object({ text: freeText('What the customer should read or answer.') });
export const stateBody = Type.Object({
  state: Type.Enum(STATES, { description: 'The new state.' }),
  reason: freeText('Why. Staff see it; of a resolved or rejected case the customer sees it too.'),
});
export const reasonBody = Type.Object({ reason: freeText('Why.') });
export const legalOrderBody = Type.Object({
  order_reference: line(100, 'Court or authority, and the number of the order.'),
  reason: freeText('What it orders.'),
  amount: amountField('Minor units. At most what is left of the transfer.'),
  request_id: Type.Optional(requestIdField()),
});
export const extensionReply = Type.Object(
  {
    success: Type.Literal(true),
    message: Type.String(),
    case_id: Type.String({ description: 'The case of the recall.' }),
    state: Type.Enum(RECALL_STATES, { description: RECALL_STATE }),
    expires_at: whenOrNull('When the hold ends.'),
    extended_until: whenOrNull('When the longer hold ends.'),
  },
  { title: 'ExtendedHold' },
);
export const legalOrderReply = Type.Object(
  {
    success: Type.Literal(true),
    message: Type.String(),
    transaction_id: Type.String(),
    request_id: textOrNull(),
    status: Type.Literal('COMPLETED'),
    amount: minorUnits('What was returned.'),
    currency: Type.String(),
    case_id: Type.String({ description: 'The case of the recall.' }),
    created_at: timestamp(),
  },
  { title: 'ReturnedByLegalOrder' },
);
export const fileParams = Type.Object({
  id: Type.String({ minLength: 1 }),
  fileId: Type.String({ minLength: 1, description: 'One of the files of the case.' }),
});
export const fileQuery = Type.Object({ name: Type.Optional(line(100, 'What staff call the file.')) });
export const fileContent = Type.Unsafe<unknown>({
  description: 'The file, as an attachment.',
  content: Object.fromEntries(
    FILE_TYPES.map((type) => [type, { schema: Type.String({ format: 'binary', description: 'The file.' }) }]),
  ),
});
export const fileReply = Type.Object(
  { success: Type.Literal(true), message: Type.String(), file },
  { title: 'UploadedCaseFile' },
);

const ownRecall = Type.Object(
  {
    state: Type.Enum(RECALL_STATES, { description: RECALL_STATE }),
    reason: textOrNull('Why staff decide first; null if the transfer is within the rules.'),
    counterparty: Type.String({ description: 'Masked.' }),
    amount: minorUnits('What the sender asks for; to the recipient: what is held of it.'),
    returned: minorUnits('What was returned.'),
    answer_by: whenOrNull('Until when the recipient can answer.'),
    contested_at: whenOrNull('When the recipient contested it.'),
  },
  { title: 'OwnRecall' },
);
const own = {
  ...common,
  role: Type.Enum(['customer', 'recipient'], {
    description: 'customer: it is your case. recipient: the sender of a transfer asks you to return it.',
  }),
  description: textOrNull('Null for a recipient.'),
  can_confirm: Type.Boolean({ description: 'You can ask for the transfer back with your PIN.' }),
  recall: Type.Union([ownRecall, Type.Null()], { description: 'Null: there is no recall.' }),
};
export const ownCase = Type.Object(own, { title: 'OwnCase' });
const ownEvent = Type.Object(
  {
    kind: Type.String({ description: 'opened, state, complex, message, or a step of a recall.' }),
    state: nullable(STATES, 'The new state of the case; null for any other kind.'),
    text: textOrNull('A reason or a message.'),
    by_you: Type.Boolean({ description: 'You did it.' }),
    at: timestamp(),
  },
  { title: 'OwnCaseEvent' },
);
const ownDetails = Type.Object({ ...own, timeline: Type.Array(ownEvent) }, { title: 'OwnCaseDetails' });

export const openOwnBody = Type.Object({
  kind: kindField(),
  transaction_id: Type.Optional(idField('one of your payments')),
  description: description(),
  pin: Type.Optional(pin()),
});
export const ownCasesQuery = listQuery({});
export const ownCasesReply = listReply('cases', ownCase);
export const ownCaseReply = Type.Object({ case: ownDetails });
export const changedOwnReply = Type.Object(
  { success: Type.Literal(true), message: Type.String(), case: ownDetails },
  { title: 'ChangedOwnCase' },
);
export const confirmBody = Type.Object({ pin: pin() });
export const acceptBody = Type.Object({ pin: pin(), request_id: signedRequestIdField() });
export const acceptReply = Type.Object(
  {
    success: Type.Literal(true),
    message: Type.String(),
    transaction_id: Type.String(),
    request_id: Type.String(),
    status: Type.Literal('COMPLETED'),
    amount: minorUnits('What was returned.'),
    currency: Type.String(),
    case_id: Type.String({ description: 'The case of the recall.' }),
    balance: Type.Optional(minorUnits('Your balance afterwards. Absent if another credential sent the request.')),
    created_at: timestamp(),
  },
  { title: 'AcceptedRecall' },
);
export const contestBody = Type.Object({
  reason: Type.Optional(freeText('Why the money is yours. Staff see it.')),
});
