// Asks for the password, then for the second factor if the user has one.
import { KissiError } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, Suspense, useState } from 'react';
import { logIn } from '../api/session.ts';
import { lazyPart } from '../components/lazy-part.ts';
import { LoadBoundary } from '../components/load-boundary.tsx';
import { RefusalNotice } from '../components/states.tsx';
import { type Challenge, challengeOf } from './challenge.ts';

/** Loaded by users who have a second factor. */
const SecondFactorForm = lazyPart(() => import('./second-factor-form.tsx'));

const ForgotPasswordForm = lazyPart(() => import('./forgot-password-form.tsx'));

/** `email`: whose lock it is; another user has to log out first. */
export function LoginForm({ email: lockedEmail }: { email?: string }) {
  const { t } = useLingui();
  const [email, setEmail] = useState(lockedEmail ?? '');
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isRunning, setRunning] = useState(false);
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const [isForgotten, setForgotten] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isRunning) return;
    setRunning(true);
    setError(null);
    try {
      await logIn(email.trim(), password);
    } catch (refusal) {
      const next = refusal instanceof KissiError ? challengeOf(refusal) : null;
      if (next) setChallenge(next);
      else setError(refusal);
    } finally {
      setRunning(false);
    }
  };
  if (challenge || isForgotten) {
    return (
      <LoadBoundary>
        <Suspense>
          {challenge ? (
            <SecondFactorForm challenge={challenge} onBack={() => setChallenge(null)} />
          ) : (
            <ForgotPasswordForm email={email} onBack={() => setForgotten(false)} />
          )}
        </Suspense>
      </LoadBoundary>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label={t`Email`}
          inputMode="email"
          name="email"
          autoComplete="username"
          required
          readOnly={lockedEmail !== undefined}
          autoFocus={lockedEmail === undefined}
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <PasswordInput
          label={t`Password`}
          name="password"
          autoComplete="current-password"
          required
          data-autofocus={lockedEmail !== undefined || undefined}
          visibilityToggleButtonProps={{ 'aria-label': t`Show the password` }}
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <RefusalNotice error={error} />
        <Button type="submit" loading={isRunning} fullWidth size="md">{t`Log in`}</Button>
        {lockedEmail === undefined && (
          <Button variant="subtle" onClick={() => setForgotten(true)}>{t`Forgot your password?`}</Button>
        )}
      </Stack>
    </form>
  );
}
