// The form fields of a fee.
import type { FeeSetting, PutFeeSettingRequestWritable } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Checkbox, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';

export interface FeeDraft {
  type: 'percentage' | 'flat';
  /** As typed. */
  value: string;
  pays: boolean;
  earns: boolean;
}

export const feeDraftOf = ({ fee_type, fee_value, debit_enabled, credit_enabled }: FeeSetting): FeeDraft => ({
  type: fee_type,
  value: String(fee_value),
  pays: debit_enabled,
  earns: credit_enabled,
});

/** Null while a field is missing or wrong. */
export function feeRequestOf(setting: FeeSetting, draft: FeeDraft): PutFeeSettingRequestWritable | null {
  const value = readValue(draft);
  if (value === null) return null;
  return {
    transaction_type: setting.transaction_type,
    party_type: setting.party_type,
    fee_type: draft.type,
    fee_value: value,
    debit_enabled: draft.pays,
    credit_enabled: draft.earns,
  };
}

function readValue({ type, value }: FeeDraft): number | null {
  const text = value.trim().replaceAll(',', '');
  const isNumber = type === 'percentage' ? /^\d{1,3}(\.\d{1,4})?$/.test(text) : /^\d{1,9}(\.\d{1,2})?$/.test(text);
  if (!isNumber || (type === 'percentage' && Number(text) > 100)) return null;
  return Number(text);
}

interface FeeFormProps {
  draft: FeeDraft;
  party: string;
  onChange: (changes: Partial<FeeDraft>) => void;
}

export function FeeForm({ draft, party, onChange }: FeeFormProps) {
  const { t } = useLingui();
  const isPercentage = draft.type === 'percentage';
  const isWrong = draft.value.trim() !== '' && readValue(draft) === null;
  return (
    <Stack gap="md">
      <SegmentedControl
        fullWidth
        aria-label={t`Kind of fee`}
        value={draft.type}
        onChange={(type) => onChange({ type: type as FeeDraft['type'] })}
        data={[
          { value: 'percentage', label: t`Percentage` },
          { value: 'flat', label: t`Fixed` },
        ]}
      />
      <TextInput
        label={isPercentage ? t`Percentage of the amount` : t`Fee for each payment`}
        value={draft.value}
        onChange={({ currentTarget }) => onChange({ value: currentTarget.value })}
        inputMode="decimal"
        required
        autoComplete="off"
        {...(isPercentage
          ? { rightSection: <Text size="sm">%</Text> }
          : { leftSection: <Text size="sm">SLE</Text>, leftSectionWidth: 48 })}
        error={
          isWrong
            ? isPercentage
              ? t`Enter a percentage such as 1.5, at most 100`
              : t`Enter an amount such as 2.50`
            : null
        }
      />
      <Checkbox
        label={t`${party} pays it`}
        checked={draft.pays}
        onChange={({ currentTarget }) => onChange({ pays: currentTarget.checked })}
      />
      <Checkbox
        label={t`${party} earns it as commission`}
        checked={draft.earns}
        onChange={({ currentTarget }) => onChange({ earns: currentTarget.checked })}
      />
    </Stack>
  );
}
