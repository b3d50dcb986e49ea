// An amount as people write it, repeated in words in English. Krio has no agreed way to write large numbers in words.
import { useLingui } from '@lingui/react/macro';
import { Text, TextInput } from '@mantine/core';
import { amount, readAmount } from '../format/money.ts';
import { amountInWords } from '../format/words.ts';

interface MoneyInputProps {
  label: string;
  /** What was typed. */
  value?: string;
  onChange: (text: string) => void;
  error?: string | null;
  autoFocus?: boolean;
  required?: boolean;
  size?: 'sm' | 'lg';
}

export function MoneyInput({
  label,
  value = '',
  onChange,
  error,
  autoFocus,
  required = true,
  size = 'sm',
}: MoneyInputProps) {
  const { t, i18n } = useLingui();
  const minorUnits = readAmount(value);
  const isWrong = value.trim() !== '' && minorUnits === null;
  return (
    <div>
      <TextInput
        label={label}
        size={size}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onBlur={() => minorUnits !== null && onChange(amount(minorUnits))}
        leftSection={<Text size={size}>SLE</Text>}
        leftSectionWidth={size === 'lg' ? 60 : 48}
        inputMode="decimal"
        placeholder="1,250.50"
        autoComplete="off"
        required={required}
        data-autofocus={autoFocus || undefined}
        error={isWrong ? t`Write an amount like 1,250.50` : (error ?? null)}
      />
      {minorUnits !== null && i18n.locale === 'en' && (
        <Text size="sm" mt={4} aria-live="polite">
          {amountInWords(minorUnits)}
        </Text>
      )}
    </div>
  );
}
