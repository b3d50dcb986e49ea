// A login's second step: a code from the authenticator app, a recovery code, or a passkey.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Divider, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { finishLogin, type SecondFactorAnswer } from '../api/session.ts';
import { Icon } from '../components/icon.tsx';
import { RefusalNotice } from '../components/states.tsx';
import type { Challenge } from './challenge.ts';
import { assertionFor } from './passkey.ts';

export default function SecondFactorForm({ challenge, onBack }: { challenge: Challenge; onBack: () => void }) {
  const { t } = useLingui();
  const [code, setCode] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [running, setRunning] = useState<'code' | 'passkey' | null>(null);
  const prompt = useRef<AbortController | null>(null);
  /** A prompt for a passkey that is still open is closed, so that a code can be used instead. */
  const answer = async (kind: 'code' | 'passkey', give: (signal: AbortSignal) => Promise<SecondFactorAnswer>) => {
    prompt.current?.abort();
    prompt.current = new AbortController();
    const { signal } = prompt.current;
    setRunning(kind);
    setError(null);
    try {
      await finishLogin(challenge.id, await give(signal));
    } catch (refusal) {
      if (!signal.aborted)
        setError(isCancelled(refusal) ? new Error(t`No passkey was used. Try again, or type a code.`) : refusal);
    } finally {
      if (!signal.aborted) setRunning(null);
    }
  };
  useEffect(() => () => prompt.current?.abort(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (running !== 'code') void answer('code', async () => ({ code: code.replaceAll(' ', '') }));
  };
  const { webauthn } = challenge;
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {webauthn && (
          <>
            <Button
              size="md"
              loading={running === 'passkey'}
              leftSection={<Icon name="key" />}
              onClick={() =>
                void answer('passkey', async (signal) => ({ assertion: await assertionFor(webauthn, signal) }))
              }
            >
              <Trans>Use a passkey</Trans>
            </Button>
            <Divider label={<Trans>or</Trans>} />
          </>
        )}
        <TextInput
          label={t`Code from your authenticator app`}
          description={t`Or one of your recovery codes`}
          autoComplete="one-time-code"
          inputMode="text"
          required
          data-autofocus
          autoFocus
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <RefusalNotice error={error} />
        <Button type="submit" loading={running === 'code'} variant={webauthn ? 'default' : 'filled'} size="md">
          <Trans>Continue</Trans>
        </Button>
        <Button variant="subtle" color="gray" onClick={onBack}>{t`Back`}</Button>
      </Stack>
    </form>
  );
}

/** The user closed the prompt, or there is no passkey on this device. */
const isCancelled = (failure: unknown) => failure instanceof DOMException;
