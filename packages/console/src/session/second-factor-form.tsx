// The second step of a login: a code of the authenticator app, a recovery code, or a passkey.
import type { KissiError } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Divider, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { finishLogin, type SecondFactorAnswer } from '../api/session.ts';
import { Icon } from '../components/icon.tsx';
import { RefusalNotice } from '../components/states.tsx';
import { assertionFor } from './passkey.ts';

export interface Challenge {
  id: string;
  methods: string[];
  /** The options for a passkey, if the user has one. */
  webauthn: PublicKeyCredentialRequestOptionsJSON | null;
}

/** The challenge of a login that needs a second factor; null for any other refusal. */
export function challengeOf({ code, fields }: KissiError): Challenge | null {
  if (code !== 'SECOND_FACTOR_REQUIRED') return null;
  const { challenge, methods, webauthn } = fields as { challenge: string } & Partial<Omit<Challenge, 'id'>>;
  return { id: challenge, methods: methods ?? [], webauthn: webauthn ?? null };
}

export function SecondFactorForm({ challenge, onBack }: { challenge: Challenge; onBack: () => void }) {
  const { t } = useLingui();
  const [code, setCode] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isRunning, setRunning] = useState(false);
  const answer = async (give: () => Promise<SecondFactorAnswer>) => {
    setRunning(true);
    setError(null);
    try {
      await finishLogin(challenge.id, await give());
    } catch (refusal) {
      setError(refusal);
    } finally {
      setRunning(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void answer(async () => ({ code: code.replaceAll(' ', '') }));
  };
  const { webauthn } = challenge;
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {webauthn && (
          <>
            <Button
              size="md"
              loading={isRunning}
              leftSection={<Icon name="key" />}
              onClick={() => void answer(async () => ({ assertion: await assertionFor(webauthn) }))}
            >
              <Trans>Use a passkey</Trans>
            </Button>
            <Divider label={<Trans>or</Trans>} />
          </>
        )}
        <TextInput
          label={t`Code of your authenticator app`}
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
        <Button type="submit" loading={isRunning} variant={webauthn ? 'default' : 'filled'} size="md">
          <Trans>Continue</Trans>
        </Button>
        <Button variant="subtle" color="gray" onClick={onBack}>
          <Trans>Back</Trans>
        </Button>
      </Stack>
    </form>
  );
}
