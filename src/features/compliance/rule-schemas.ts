// Request and response schemas for monitoring rules.
import { type Static, Type } from 'typebox';
import { line, timestamp } from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { amountField } from '../../http/payment-endpoint.ts';
import { putBody } from '../../http/put.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';
import { iso } from '../../kernel/clock.ts';
import { ALL_TYPES, type MovementType } from '../../ledger/movement-types.ts';
import { KINDS, OUTCOMES, SEVERITIES, SIDES } from '../../payments/compliance-rules.ts';
import type { RuleRow } from './rule-store.ts';

/** 31 days. Bounds the history that is evaluated before every payment. */
const MAX_WINDOW_SECONDS = 31 * 24 * 3_600;

const WINDOW_ERROR = `must be a whole number of seconds from 1 to ${MAX_WINDOW_SECONDS}`;

const SIDE =
  'The account that the rule applies to. payer: the paying account or, when something other than a wallet pays into a wallet, that wallet. payee: the account that is paid; the velocity kinds then count what wallets receive.';

/** Not checked: they follow payments that were, and move money between accounts of one party or of the operator, or back. */
const FOLLOWING_TYPES: readonly MovementType[] = [
  ...(['commission_settlement', 'payout_cleared', 'payout_uncleared', 'recall'] as const),
];
export const RULE_TYPES = ALL_TYPES.filter((type) => !FOLLOWING_TYPES.includes(type));

export const ruleFields = {
  name: line(),
  kind: Type.Enum(KINDS, {
    description:
      'The value compared with the threshold: the amount of one payment, or the number or sum of payments in a window.',
  }),
  side: Type.Enum(SIDES, { description: SIDE }),
  transaction_types: Type.Array(Type.Enum(RULE_TYPES), { minItems: 1, uniqueItems: true }),
  outcome: Type.Enum(OUTCOMES, {
    description: 'flag: the payment proceeds with an alert. block: it is refused with an alert.',
  }),
  severity: Type.Enum(SEVERITIES, {
    description: 'The severity of alerts raised by a flagging rule; blocked payments raise CRITICAL alerts.',
  }),
  enabled: Type.Boolean(),
};

const threshold = amountField('The highest allowed value: minor units, or a number of payments for velocity_count.');
const window_seconds = Type.Integer({
  minimum: 1,
  maximum: MAX_WINDOW_SECONDS,
  description: 'The sliding window; required for velocity_count and velocity_amount, not allowed for amount.',
  [ERROR_MESSAGE]: WINDOW_ERROR,
});

export const createRuleBody = Type.Object({
  ...ruleFields,
  threshold,
  window_seconds: Type.Optional(window_seconds),
  severity: Type.Optional({
    ...ruleFields.severity,
    description: 'Default: CRITICAL if the rule blocks, otherwise MEDIUM.',
  }),
  enabled: Type.Optional({ ...ruleFields.enabled, description: 'Default: true.' }),
  side: Type.Optional({ ...ruleFields.side, description: `${SIDE} Default: payer.` }),
});

/** The fields of a change; those that are omitted keep their values. */
export const changes = Type.Partial(Type.Object({ ...ruleFields, threshold, window_seconds }));
export type RuleFields = Static<typeof changes>;
export type NewRule = Static<typeof createRuleBody>;

const ruleRecord = Type.Object(
  {
    id: Type.String(),
    ...ruleFields,
    threshold: Type.Integer(),
    window_seconds: Type.Union([Type.Integer(), Type.Null()]),
    version: Type.Integer({
      description: 'Incremented with every change; alerts contain the version that raised them.',
    }),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { title: 'ComplianceRule' },
);

export const updateRuleBody = putBody(changes, ruleRecord);
export const ruleReply = Type.Object({ rule: ruleRecord });
export const ruleSavedReply = Type.Object(
  { success: Type.Literal(true), message: Type.String(), rule: ruleRecord },
  { title: 'SavedComplianceRule' },
);

export const rulesQuery = listQuery({
  kind: Type.Optional(Type.Enum(KINDS)),
  outcome: Type.Optional(Type.Enum(OUTCOMES)),
  severity: Type.Optional(Type.Enum(SEVERITIES)),
  transaction_type: Type.Optional(Type.Enum(ALL_TYPES)),
  side: Type.Optional(Type.Enum(SIDES)),
  enabled: Type.Optional(Type.Enum(['true', 'false'])),
});
export const rulesReply = listReply('rules', ruleRecord);

export function ruleView(row: RuleRow): Static<typeof ruleRecord> {
  return { ...row, created_at: iso(row.created_at), updated_at: iso(row.updated_at) } as Static<typeof ruleRecord>;
}
