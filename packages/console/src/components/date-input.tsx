// A field for a date, written as everywhere in the console: 16 Nov 2026. The browser's own field follows the computer's settings.
import { useLingui } from '@lingui/react/macro';
import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { readDate } from '../format/read-date.ts';
import { date, instant } from '../format/time.ts';

interface DateInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'min' | 'max'> {
  /** Such as 2026-11-16, or an instant; empty for none. */
  value?: string;
  onChange: (value: string) => void;
  /** The last day that is accepted. */
  max?: string;
}

/** Addresses may have anything. */
function written(value: string): string {
  if (Number.isNaN(Date.parse(value))) return value;
  return value.includes('T') ? instant(value) : date(value);
}

/** Before, it may be the beginning of a longer date. */
const HAS_YEAR = /\d{4}/;

export function DateInput({ value = '', onChange, max, ...props }: DateInputProps) {
  const { t } = useLingui();
  const [typed, setTyped] = useState<{ text: string; isLeft: boolean } | null>(null);
  const read = typed && readDate(typed.text);
  const isLate = read !== null && max !== undefined && read > max;
  const isWrong = typed !== null && typed.text.trim() !== '' && (read === null || isLate);
  const take = (text: string) => {
    const next = text.trim() === '' ? '' : readDate(text);
    if (next === null || (max !== undefined && next > max)) return false;
    if (next !== value) onChange(next);
    return true;
  };
  const leave = () => typed && setTyped(take(typed.text) ? null : { ...typed, isLeft: true });
  return (
    <TextInput
      placeholder={t`like 16 Nov 2026`}
      autoComplete="off"
      {...props}
      value={typed?.text ?? written(value)}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped({ text, isLeft: false });
        if (HAS_YEAR.test(text)) take(text);
      }}
      onKeyDown={({ key }) => key === 'Enter' && leave()}
      onBlur={leave}
      error={isWrong && typed?.isLeft ? (isLate ? t`This date is too late.` : t`Write it like 16 Nov 2026.`) : null}
    />
  );
}
