// Adds a passkey of this device or of a security key.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { readAgain } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Dialog } from '../../components/dialog.tsx';
import { notify } from '../../components/notices.tsx';
import { Empty, RefusalNotice } from '../../components/states.tsx';
import { newPasskey } from '../../session/passkey.ts';
import { useShowCodes } from './first-factor.ts';
import { ProofFields, useProof } from './proof.tsx';

export function AddPasskey({ isFirst, onClose }: { isFirst: boolean; onClose: () => void }) {
  const { t } = useLingui();
  const { proof, isReady, ...fields } = useProof();
  const [name, setName] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isRunning, setRunning] = useState(false);
  const showCodes = useShowCodes();
  const add = async () => {
    const { options } = await kissi.secondFactor.passkeyOptions(proof);
    const credential = await newPasskey(options as never);
    const trimmed = name.trim();
    const body = { credential, ...(trimmed ? { name: trimmed } : {}) };
    const { recovery_codes } = await kissi.secondFactor.registerPasskey(body as never);
    notify(t`The passkey was added.`);
    onClose();
    showCodes(recovery_codes, isFirst);
    if (!isFirst) await readAgain('second-factor');
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isRunning) return;
    setRunning(true);
    setError(null);
    try {
      await add();
    } catch (failure) {
      setError(isCancelled(failure) ? new Error(t`The browser did not add a passkey. Try again.`) : failure);
    } finally {
      setRunning(false);
    }
  };
  return (
    <Dialog onClose={onClose} title={t`Add a passkey`}>
      {isSupported() ? (
        <form onSubmit={submit}>
          <Stack gap="md">
            <Text size="sm">{t`The browser then asks for your fingerprint, face, PIN or security key.`}</Text>
            <TextInput
              label={t`Name`}
              description={t`To tell your passkeys apart`}
              placeholder={t`Office laptop`}
              maxLength={60}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <ProofFields {...fields} canUseCode={!isFirst} />
            <RefusalNotice error={error} />
            <Group gap="xs" justify="flex-end">
              <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
              <Button type="submit" loading={isRunning} disabled={!isReady}>{t`Continue`}</Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Empty icon="key" title={<Trans>This browser cannot use passkeys here</Trans>}>
          <Trans>Passkeys need a current browser and an address with https.</Trans>
        </Empty>
      )}
    </Dialog>
  );
}

const isSupported = () =>
  'PublicKeyCredential' in globalThis && 'parseCreationOptionsFromJSON' in globalThis.PublicKeyCredential;

const isCancelled = (failure: unknown) => failure instanceof DOMException;
