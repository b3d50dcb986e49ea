// The text of a reason or note.
import { Textarea } from '@mantine/core';

interface ReasonInputProps {
  label: string;
  description?: string;
  value: string;
  onChange: (text: string) => void;
  /** True by default. */
  required?: boolean;
}

export const ReasonInput = ({ onChange, required = true, ...others }: ReasonInputProps) => (
  <Textarea
    {...others}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    maxLength={500}
    rows={2}
    required={required}
    data-autofocus
  />
);
