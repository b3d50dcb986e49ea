// Changes the user's own password. The service ends all sessions, so the console logs in with the new password.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { kissi, leaveEndedSession, logIn } from '../../api/session.ts';
import { useUser } from '../../api/user.ts';
import { notify } from '../../components/notices.tsx';
import { RefusalNotice } from '../../components/states.tsx';

export function PasswordForm() {
  const { t } = useLingui();
  const { email } = useUser();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [repeated, setRepeated] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isRunning, setRunning] = useState(false);
  const faults = rulesBroken(next);
  const differs = repeated !== '' && repeated !== next;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isRunning || faults.length > 0 || repeated !== next) return;
    setRunning(true);
    setError(null);
    try {
      await kissi.session.changePassword({ current_password: current, new_password: next });
      notify(t`The password was changed. Your other sessions have ended.`);
      // Refused if the user has a second factor, which the login then asks for.
      await logIn(email, next).catch(leaveEndedSession);
      setCurrent('');
      setNext('');
      setRepeated('');
    } catch (refusal) {
      setError(refusal);
    } finally {
      setRunning(false);
    }
  };
  const toggle = { 'aria-label': t`Show the password` };
  return (
    <form onSubmit={submit}>
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <Stack gap="md" maw={420}>
        <PasswordInput
          label={t`Current password`}
          name="current"
          autoComplete="current-password"
          required
          visibilityToggleButtonProps={toggle}
          value={current}
          onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
        />
        <div>
          <PasswordInput
            label={t`New password`}
            name="new"
            autoComplete="new-password"
            required
            visibilityToggleButtonProps={toggle}
            value={next}
            onChange={({ currentTarget }) => setNext(currentTarget.value)}
          />
          <Text size="xs" c="dimmed" mt={4} aria-live="polite">
            {next !== '' && faults.length > 0 ? (
              t`It still needs: ${faults.join(', ')}.`
            ) : (
              <Trans>
                8 to 128 characters with an uppercase letter, a lowercase letter, a digit and a special character.
              </Trans>
            )}
          </Text>
        </div>
        <PasswordInput
          label={t`New password again`}
          name="repeated"
          autoComplete="new-password"
          required
          visibilityToggleButtonProps={toggle}
          value={repeated}
          onChange={({ currentTarget }) => setRepeated(currentTarget.value)}
          error={differs ? t`The two passwords differ` : null}
        />
        <RefusalNotice error={error} />
        <Button
          type="submit"
          loading={isRunning}
          disabled={!current || faults.length > 0 || repeated !== next}
          style={{ alignSelf: 'flex-start' }}
        >
          <Trans>Change the password</Trans>
        </Button>
      </Stack>
    </form>
  );
}

/** Tells what is missing while the user types; the service decides. */
function rulesBroken(password: string): string[] {
  const rules: [string, boolean][] = [
    ['8 characters', password.length >= 8],
    ['an uppercase letter', /\p{Lu}/u.test(password)],
    ['a lowercase letter', /\p{Ll}/u.test(password)],
    ['a digit', /\d/.test(password)],
    ['a special character', /[^\p{L}\d]/u.test(password)],
  ];
  return rules.filter(([, isKept]) => !isKept).map(([name]) => name);
}
