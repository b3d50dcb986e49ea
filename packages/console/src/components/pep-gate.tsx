// In place of the record of a politically exposed person: the code that opens it.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Paper, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { readAgain } from '../api/queries.ts';
import { kissi } from '../api/session.ts';
import { useCan } from '../api/user.ts';
import { Empty, RefusalNotice } from './states.tsx';

export function PepGate({ onOpen }: { onOpen?: () => void }) {
  const { t } = useLingui();
  const isAuthorized = useCan()('pep_access_authorized');
  const [sent, setSent] = useState<{ phone_number: string } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isRunning, setRunning] = useState(false);
  const run = async (work: () => Promise<void>) => {
    setRunning(true);
    setError(null);
    await work().catch(setError);
    setRunning(false);
  };
  const send = () => run(async () => setSent(await kissi.session.sendPepCode()));
  const verify = (code: string) =>
    run(async () => {
      await kissi.session.verifyPepCode({ code });
      await readAgain();
      onOpen?.();
    });
  const phone = sent?.phone_number ?? '';
  return (
    <Paper withBorder radius="md" maw={520} mx="auto" w="100%">
      <Empty
        icon="shield"
        title={<Trans>A politically exposed person</Trans>}
        action={
          <Stack gap="sm" mt="sm" w="100%" maw={320}>
            {isAuthorized && !sent && <Button onClick={send} loading={isRunning}>{t`Send me a code`}</Button>}
            {sent && <CodeForm isRunning={isRunning} onSubmit={verify} onRepeat={send} />}
            <RefusalNotice error={error} />
          </Stack>
        }
      >
        {!isAuthorized ? (
          <Trans>You are not authorized to open such records. An administrator can change this.</Trans>
        ) : sent ? (
          <Trans>The code was sent to {phone}. Access is recorded in the audit log.</Trans>
        ) : (
          <Trans>
            A code on your own phone opens such records for a short time. Access is recorded in the audit log.
          </Trans>
        )}
      </Empty>
    </Paper>
  );
}

interface CodeFormProps {
  isRunning: boolean;
  onSubmit: (code: string) => void;
  onRepeat: () => void;
}

function CodeForm({ isRunning, onSubmit, onRepeat }: CodeFormProps) {
  const { t } = useLingui();
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(code.trim());
    setCode('');
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={t`Code`}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={8}
          autoFocus
        />
        <Button type="submit" loading={isRunning} disabled={!/^\d{6}$/.test(code.trim())}>{t`Open the record`}</Button>
        <Button variant="subtle" color="gray" onClick={onRepeat} disabled={isRunning}>{t`Send another code`}</Button>
      </Stack>
    </form>
  );
}
