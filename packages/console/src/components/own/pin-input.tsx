// A PIN of four digits, typed by the agent or by the customer.
import { PasswordInput } from '@mantine/core';
import type { SecretField } from '../payment/payment.tsx';

interface PinInputProps {
  label: string;
  description?: string;
  value: string;
  onChange: (pin: string) => void;
  error?: string | null;
}

export const isPin = (text: string) => /^\d{4}$/.test(text);

/** The PIN as the last step of a payment form. */
export const askPin = (party: string, label: string, description = ''): SecretField => ({
  party,
  isComplete: isPin,
  render: (pin, onChange) => <PinInput label={label} description={description} value={pin} onChange={onChange} />,
});

export function PinInput({ label, description, value, onChange, error = null }: PinInputProps) {
  return (
    <PasswordInput
      label={label}
      description={description}
      size="lg"
      inputMode="numeric"
      autoComplete="off"
      maxLength={4}
      required
      error={error}
      visibilityToggleButtonProps={{ style: { display: 'none' } }}
      data-1p-ignore
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value.replaceAll(/\D/g, ''))}
    />
  );
}
