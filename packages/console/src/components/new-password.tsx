// A new password with the rules that it still breaks.
import { Trans, useLingui } from '@lingui/react/macro';
import { PasswordInput, Text } from '@mantine/core';

interface Props {
  value: string;
  onChange(value: string): void;
}

export function NewPassword({ value, onChange }: Props) {
  const { t } = useLingui();
  const faults = rulesBroken(value);
  return (
    <div>
      <PasswordInput
        label={t`New password`}
        name="new"
        autoComplete="new-password"
        required
        visibilityToggleButtonProps={{ 'aria-label': t`Show the password` }}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Text size="xs" c="dimmed" mt={4} aria-live="polite">
        {value !== '' && faults.length > 0 ? (
          t`It still needs: ${faults.join(', ')}.`
        ) : (
          <Trans>
            8 to 128 characters with an uppercase letter, a lowercase letter, a digit and a special character.
          </Trans>
        )}
      </Text>
    </div>
  );
}

/** Tells what is missing while the user types; the service decides. */
export function rulesBroken(password: string): string[] {
  const rules: [string, boolean][] = [
    ['8 characters', password.length >= 8],
    ['an uppercase letter', /\p{Lu}/u.test(password)],
    ['a lowercase letter', /\p{Ll}/u.test(password)],
    ['a digit', /\d/.test(password)],
    ['a special character', /[^\p{L}\d]/u.test(password)],
  ];
  return rules.filter(([, isKept]) => !isKept).map(([name]) => name);
}
