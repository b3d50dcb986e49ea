// The browser's own select field, for short lists of choices: small, and familiar on a phone.
import { NativeSelect } from '@mantine/core';

interface ChoiceInputProps<Value extends string> {
  label?: string;
  /** Instead of a visible label. */
  'aria-label'?: string;
  value?: Value;
  onChange: (value: Value) => void;
  data: { value: Value; label: string }[];
  description?: string;
  required?: boolean;
  disabled?: boolean;
  flex?: number;
  size?: string;
  /** Where the description is. */
  inputWrapperOrder?: ('label' | 'input' | 'description' | 'error')[];
}

export function ChoiceInput<Value extends string>({ onChange, ...props }: ChoiceInputProps<Value>) {
  return <NativeSelect {...props} onChange={({ currentTarget }) => onChange(currentTarget.value as Value)} />;
}
