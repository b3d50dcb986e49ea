// Changes the user's own password. The service ends all sessions, so the console logs in with the new password.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { kissi, leaveEndedSession, logIn } from '../../api/session.ts';
import { useUser } from '../../api/user.ts';
import { NewPassword, rulesBroken } from '../../components/new-password.tsx';
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
        <NewPassword value={next} onChange={setNext} />
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
