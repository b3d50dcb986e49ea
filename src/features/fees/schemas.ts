// Request and response schemas for fee settings.
import { type Static, Type } from 'typebox';
import { timestamp } from '../../http/fields.ts';
import { putBody } from '../../http/put.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';
import { iso } from '../../kernel/clock.ts';
import { PARTIES, PRICED_TYPES } from '../../ledger/movement-types.ts';
import { type Setting, toDecimal } from './record.ts';

const FEE_TYPES = ['percentage', 'flat'] as const;

const settingFields = {
  transaction_type: Type.Enum(PRICED_TYPES),
  party_type: Type.Enum(PARTIES),
  fee_type: Type.Enum(FEE_TYPES),
};
const fee_value = Type.Number({
  minimum: 0,
  description: 'Percent, at most 100 with up to 4 decimals; or, when flat, SLE with up to 2 decimals.',
  [ERROR_MESSAGE]: 'must be a number of 0 or more',
});

export const settingRecord = Type.Object(
  {
    id: Type.Union([Type.Integer(), Type.Null()], { description: 'Null for a built-in default.' }),
    ...settingFields,
    fee_value,
    debit_enabled: Type.Boolean({ description: 'The party is charged.' }),
    credit_enabled: Type.Boolean({ description: 'The party receives it as commission, paid from fee income.' }),
    is_default: Type.Boolean(),
    updated_at: Type.Union([timestamp(), Type.Null()]),
    updated_by: Type.Union([Type.String(), Type.Null()]),
    updated_by_name: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'The current name of that user or API key.',
      }),
    ),
  },
  { title: 'FeeSetting' },
);

const ignored = () => Type.Optional(Type.Unsafe<unknown>({ description: 'Ignored: the service sets it.' }));

export const settingInput = Type.Object({
  ...settingFields,
  fee_value,
  debit_enabled: Type.Optional(Type.Boolean({ description: 'Default: true.' })),
  credit_enabled: Type.Optional(Type.Boolean({ description: 'Default: false.' })),
  is_default: Type.Optional(
    Type.Boolean({
      description: 'As the record has it. true with the values of the default creates no custom setting.',
    }),
  ),
  updated_at: ignored(),
  updated_by: ignored(),
  updated_by_name: ignored(),
});
export type SettingInput = Static<typeof settingInput>;

export const putSettingBody = putBody(settingInput, settingRecord);

export const putSettingReply = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  setting: settingRecord,
});

export const settingsQuery = Type.Object({ transaction_type: Type.Optional(Type.Enum(PRICED_TYPES)) });
export const settingsReply = Type.Object({ settings: Type.Array(settingRecord), count: Type.Integer() });

/** Any text is accepted: an unknown type or party gets 404, not 400. */
export const settingParams = Type.Object({
  type: Type.String({ description: `One of ${PRICED_TYPES.join(', ')}.` }),
  party: Type.String({ description: `One of ${PARTIES.join(', ')}.` }),
});

export function settingView({ id, fee, updatedAt, updatedBy }: Setting): Static<typeof settingRecord> {
  return {
    id,
    transaction_type: fee.transactionType,
    party_type: fee.party,
    fee_type: fee.feeType,
    fee_value: toDecimal(fee.feeType, fee.value),
    debit_enabled: fee.debitEnabled,
    credit_enabled: fee.creditEnabled,
    is_default: id === null,
    updated_at: updatedAt && iso(updatedAt),
    updated_by: updatedBy,
  };
}
