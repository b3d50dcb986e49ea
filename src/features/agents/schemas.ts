// Request and response schemas for the agent endpoints.
import { Type } from 'typebox';
import { LOCK_REASONS, type LockReason } from '../../auth/pins/attempts.ts';
import {
  clearable,
  description,
  email,
  idField,
  integerOrNull,
  line,
  minorUnits,
  narration,
  phoneNumber,
  textOrNull,
  timestamp,
} from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { amountField, keyRequestIdField, paymentReply, requestIdField } from '../../http/payment-endpoint.ts';
import { putBody } from '../../http/put.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';
import { MAX_COMMISSION_PERCENT } from '../../payments/commission.ts';
import { COMMISSION_TIERS, SETTLEMENT_MODES, STATUSES, TYPES } from './record.ts';

const OPERATOR_ONLY = "Not for agents' users.";
const formatted = () => Type.String({ description: 'Formatted for display: 1,234.56 SLE.' });
/** Any text is accepted: the service refuses a malformed PIN with INVALID_PIN. */
const pin = () => Type.String({ description: "The agent's PIN, exactly 4 digits." });

const FOR_PIN_STAFF = 'For compliance_user, support_user and system_admin.';

const commissionPercent = () =>
  Type.Number({
    minimum: 0,
    maximum: MAX_COMMISSION_PERCENT,
    description: `The percentage of the commissions that an agent of the tier custom gets, with up to 4 decimals. ${OPERATOR_ONLY}`,
    [ERROR_MESSAGE]: `must be a number from 0 to ${MAX_COMMISSION_PERCENT}`,
  });

const agentRecord = Type.Object(
  {
    id: Type.String(),
    type: Type.Enum(TYPES),
    business_name: Type.String(),
    first_name: Type.String(),
    last_name: Type.String(),
    phone_number: Type.String({ description: 'E.164.' }),
    email: Type.String(),
    location: textOrNull(),
    commission_tier: Type.Enum(COMMISSION_TIERS),
    commission_percent: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['number', 'null'],
        description:
          'Tier custom only: the percentage of the commissions that it gets. Null: the same as tier standard.',
      }),
    ),
    settlement_mode: Type.Enum(SETTLEMENT_MODES),
    status: Type.Enum(STATUSES),
    float_balance_formatted: formatted(),
    sub_agent_count: Type.Optional(
      Type.Integer({ description: 'Super-agents only: the number of sub-agents, without terminated ones.' }),
    ),
    parent_agent_id: Type.Optional(Type.String({ description: 'Sub-agents only.' })),
    created_at: timestamp(),
    status_reason: Type.Optional(
      textOrNull(
        'Why it is suspended or terminated. For compliance_user and system_admin, and for a super-agent that suspended its own sub-agent.',
      ),
    ),
    pin_reset_code_until: Type.Optional(
      textOrNull(
        `Until then the holder can set a new PIN with the code that was sent; the old PIN keeps working. ISO 8601, UTC; null if no code is open. ${FOR_PIN_STAFF}`,
      ),
    ),
    outgoing_reduced_until: Type.Optional(
      textOrNull(
        `Until then outgoing payments are reduced, because the PIN was reset. ISO 8601, UTC. ${FOR_PIN_STAFF}`,
      ),
    ),
    reduced_floor: Type.Optional(
      integerOrNull(`What must stay in the float until then, in minor units. ${FOR_PIN_STAFF}`),
    ),
    pin_locked_until: Type.Optional(
      textOrNull(
        'ISO 8601, UTC; null if the account is not locked after wrong PINs. A locked account cannot pay. For compliance_user, support_user and system_admin.',
      ),
    ),
    pin_lock_reason: Type.Optional(
      Type.Unsafe<LockReason | null>({
        enum: [...LOCK_REASONS, null],
        description: `Three wrong PINs in a row (30 minutes), or ten on one UTC day (until 00:00 UTC). ${FOR_PIN_STAFF}`,
      }),
    ),
  },
  { title: 'Agent' },
);

export const registerBody = Type.Object({
  agent_type: Type.Enum(TYPES),
  business_name: line(),
  first_name: line(),
  last_name: line(),
  phone_number: phoneNumber(),
  email: email(),
  location: Type.Optional(line(200)),
  parent_agent_id: Type.Optional(
    Type.String({
      maxLength: 128,
      description: 'The super-agent that a sub-agent belongs to.',
      [ERROR_MESSAGE]: "must be a super-agent's id",
    }),
  ),
  commission_tier: Type.Optional(Type.Enum(COMMISSION_TIERS, { description: 'Default: standard.' })),
  commission_percent: Type.Optional(commissionPercent()),
  settlement_mode: Type.Optional(Type.Enum(SETTLEMENT_MODES, { description: 'Default: instant.' })),
});

export const changes = Type.Object({
  business_name: Type.Optional(line()),
  first_name: Type.Optional(line()),
  last_name: Type.Optional(line()),
  phone_number: Type.Optional(
    Type.String({ ...phoneNumber(), description: `In local format or E.164; also a login name. ${OPERATOR_ONLY}` }),
  ),
  location: clearable(line(200)),
  commission_tier: Type.Optional(Type.Enum(COMMISSION_TIERS, { description: OPERATOR_ONLY })),
  commission_percent: Type.Optional(commissionPercent()),
  settlement_mode: Type.Optional(Type.Enum(SETTLEMENT_MODES, { description: OPERATOR_ONLY })),
});

export const updateBody = putBody(changes, agentRecord, { email: 'is the login name and cannot be changed' });

const done = { success: Type.Literal(true), message: Type.String() };

export const registeredReply = Type.Object({
  ...done,
  agent_id: Type.String(),
  user_id: Type.String({ description: "The agent's login." }),
  agent: Type.Object({
    ...Type.Pick(agentRecord, ['id', 'type', 'business_name', 'status', 'created_at']).properties,
    parent_agent_id: textOrNull('Null on super-agents.'),
  }),
});

export const agentReply = Type.Object({ agent: agentRecord });
export const changedReply = Type.Object({ ...done, agent: agentRecord }, { title: 'ChangedAgent' });
export const messageReply = Type.Object(done, { title: 'MessageReply' });

export const agentsQuery = listQuery({
  type: Type.Optional(Type.Enum(TYPES)),
  status: Type.Optional(Type.Enum(STATUSES)),
  parent_agent_id: Type.Optional(idField('an agent')),
  search: Type.Optional(
    Type.String({ maxLength: 100, description: 'Part of a name, the business name or the phone.' }),
  ),
  sort: Type.Optional(
    Type.Enum(['newest', 'oldest', 'name'], {
      description: 'newest (default), oldest, or by the name of the business; as CSV newest first instead of by name.',
    }),
  ),
});
export const agentsReply = listReply('agents', agentRecord);

export const balanceReply = Type.Object(
  {
    agent_id: Type.String(),
    balance: Type.Integer({ description: 'Minor units.' }),
    balance_formatted: formatted(),
    currency: Type.String(),
  },
  { title: 'AgentBalance' },
);

export const suspendBody = Type.Object({ reason: narration('Why; kept in the audit log.') });
export const terminateBody = Type.Object({ reason: Type.Optional(narration('Why; kept in the audit log.')) });
export const changePinBody = Type.Object({ current_pin: pin(), new_pin: pin() });

export const fundBody = Type.Object(
  {
    amount: amountField(),
    request_id: Type.Optional(keyRequestIdField()),
    description: Type.Optional(description()),
  },
  { title: 'FloatPaymentRequest' },
);
export const fundReply = Type.Object(
  { ...paymentReply.properties, agent_id: Type.String() },
  { title: 'FloatPayment' },
);

export const cashInBody = Type.Object({
  agent_id: idField('an agent'),
  subscriber_id: Type.Optional(idField('a subscriber')),
  phone_number: Type.Optional(phoneNumber()),
  card_serial: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  amount: amountField(),
  pin: pin(),
  request_id: Type.Optional(requestIdField()),
  description: Type.Optional(description()),
});
export const cashInReply = Type.Object({ ...fundReply.properties, subscriber_id: Type.String() });

export const transferBody = Type.Object({
  from_agent_id: idField('an agent'),
  to_agent_id: idField('an agent'),
  amount: amountField(),
  pin: pin(),
  request_id: Type.Optional(requestIdField()),
  description: Type.Optional(description()),
});
export const transferReply = Type.Object({
  ...done,
  transaction_id: Type.String(),
  amount: formatted(),
  from_balance: Type.Optional(formatted()),
  to_balance: Type.Optional(formatted()),
});

export const totals = Type.Object(
  {
    count: Type.Integer({ description: 'The number of matching records, equal to total_count.' }),
    cash_in: minorUnits('Paid into wallets, without fees.'),
    cash_in_count: Type.Integer(),
    cash_out: minorUnits('Received from wallets for cash, without fees.'),
    cash_out_count: Type.Integer(),
    funded: minorUnits('Received from the treasury.'),
    returned: minorUnits('Returned to the treasury.'),
    transferred_in: minorUnits('Received from other agents.'),
    transferred_out: minorUnits('Sent to other agents.'),
    fees: minorUnits('Fees charged to the agent.'),
    commissions: minorUnits('Commissions paid into the float, at once or by settlement.'),
    balance_change: minorUnits(
      'The change of the float: cash_out - cash_in + funded - returned + transferred_in - transferred_out - fees + commissions.',
    ),
  },
  { title: 'AgentTotals' },
);
