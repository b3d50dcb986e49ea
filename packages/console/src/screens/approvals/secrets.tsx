// Collects the secrets of an executed request once, such as those of a new API key. They are kept nowhere.
import type { Approval } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { readAgain } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useUser } from '../../api/user.ts';
import { CopyCurl } from '../../components/copy-curl.tsx';
import { Icon } from '../../components/icon.tsx';
import { notifyFailure } from '../../components/notices.tsx';
import { showOnce } from '../../components/shown-once.tsx';
import { fieldName } from './words.ts';

export function Secrets({ approval }: { approval: Approval }) {
  const { t } = useLingui();
  const { id } = useUser();
  const [isRunning, setRunning] = useState(false);
  const isOffered = approval.secrets_available && approval.requested_by === id;
  const collect = async () => {
    setRunning(true);
    try {
      const { secrets } = await kissi.approvals.collectSecrets(approval.id);
      const values = Object.entries(secrets).map(([name, value]): [string, string] => [fieldName(name), String(value)]);
      showOnce({ title: t`Secrets`, values });
    } catch (error) {
      notifyFailure(error);
    } finally {
      setRunning(false);
      await readAgain('approvals');
    }
  };
  if (!isOffered) return null;
  return (
    <Stack gap={6} mt="sm" align="flex-start">
      <Text size="sm">
        <Trans>It created secrets. You can collect them once; the approver never sees them.</Trans>
      </Text>
      <Button leftSection={<Icon name="key" size={16} />} loading={isRunning} onClick={collect}>
        <Trans>Collect the secrets</Trans>
      </Button>
      <CopyCurl call={(client) => client.approvals.collectSecrets(approval.id)} />
    </Stack>
  );
}
