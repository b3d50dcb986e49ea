// Replaces a forgotten password: a code goes to the user's phone, and the new password is entered with it.
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { recovery } from '../api/session.ts';
import { NewPassword, rulesBroken } from '../components/new-password.tsx';
import { RefusalNotice } from '../components/states.tsx';

interface Props {
  /** What was entered at the login. */
  email: string;
  onBack(): void;
}

export default function ForgotPasswordForm({ email: entered, onBack }: Props) {
  const { t } = useLingui();
  const [email, setEmail] = useState(entered);
  const [challenge, setChallenge] = useState<string | null>(null);
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [isReplaced, setReplaced] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isRunning, setRunning] = useState(false);

  const ask = async () => setChallenge((await recovery.forgotPassword({ email: email.trim() })).challenge);
  const replace = async (asked: string) => {
    await recovery.recoverPassword({ challenge: asked, code: code.trim(), new_password: password });
    setReplaced(true);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isRunning) return;
    setRunning(true);
    setError(null);
    try {
      await (challenge === null ? ask() : replace(challenge));
    } catch (refusal) {
      setError(refusal);
    } finally {
      setRunning(false);
    }
  };

  if (isReplaced) {
    return (
      <Stack gap="md">
        <Alert color="green" role="status">
          <Trans>Your password was replaced. For 24 hours you cannot approve anything.</Trans>
        </Alert>
        <Button onClick={onBack} fullWidth size="md" data-autofocus autoFocus>{t`Log in`}</Button>
      </Stack>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {challenge === null ? (
          <>
            <Text size="sm">
              <Trans>We send a code to the phone number of your login. With it you choose a new password.</Trans>
            </Text>
            <TextInput
              label={t`Email`}
              description={t`Agents and merchants may enter their phone number.`}
              name="email"
              autoComplete="username"
              inputMode="email"
              required
              autoFocus
              value={email}
              onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            />
          </>
        ) : (
          <>
            <Text size="sm" role="status">
              <Trans>
                If this login exists and has a phone number, a code is on its way. No code? Ask an administrator.
              </Trans>
            </Text>
            <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
            <TextInput
              label={t`Code from the message`}
              name="code"
              autoComplete="one-time-code"
              inputMode="numeric"
              maxLength={6}
              required
              autoFocus
              value={code}
              onChange={({ currentTarget }) => setCode(currentTarget.value)}
            />
            <NewPassword value={password} onChange={setPassword} />
          </>
        )}
        <RefusalNotice error={error} />
        <Button
          type="submit"
          loading={isRunning}
          disabled={challenge !== null && rulesBroken(password).length > 0}
          fullWidth
          size="md"
        >
          {challenge === null ? t`Send a code` : t`Replace the password`}
        </Button>
        <Button variant="subtle" onClick={onBack}>{t`Back to the login`}</Button>
      </Stack>
    </form>
  );
}
