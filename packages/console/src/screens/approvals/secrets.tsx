// Collects the secrets of an executed request once, such as those of a new API key. They are kept nowhere.
import type { Approval } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { readAgain } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useUser } from '../../api/user.ts';
import { CopyCurl } from '../../components/copy-curl.tsx';
import { Facts } from '../../components/facts.tsx';
import { Icon } from '../../components/icon.tsx';
import { notifyFailure } from '../../components/notices.tsx';
import { Id } from '../../components/values.tsx';
import { fieldName } from './words.ts';

export function Secrets({ approval }: { approval: Approval }) {
  const { t } = useLingui();
  const { id } = useUser();
  const [secrets, setSecrets] = useState<Record<string, unknown> | null>(null);
  const [isRunning, setRunning] = useState(false);
  const isOffered = approval.secrets_available && approval.requested_by === id;
  const collect = async () => {
    setRunning(true);
    try {
      setSecrets((await kissi.approvals.collectSecrets(approval.id)).secrets);
    } catch (error) {
      notifyFailure(error);
    } finally {
      setRunning(false);
      await readAgain('approvals');
    }
  };
  return (
    <>
      {isOffered && (
        <Stack gap={6} mt="sm" align="flex-start">
          <Text size="sm">
            <Trans>It made secrets. You can collect them once; the approver never sees them.</Trans>
          </Text>
          <Button leftSection={<Icon name="key" size={16} />} loading={isRunning} onClick={collect}>
            <Trans>Collect the secrets</Trans>
          </Button>
          <CopyCurl call={(client) => client.approvals.collectSecrets(approval.id)} />
        </Stack>
      )}
      <Modal
        opened={secrets !== null}
        onClose={() => setSecrets(null)}
        title={t`Secrets`}
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': t`Close` }}
      >
        <Stack gap="md">
          <Alert color="yellow" icon={<Icon name="alert" />}>
            <Trans>Copy them now. They cannot be shown again.</Trans>
          </Alert>
          <Facts
            narrow
            facts={Object.entries(secrets ?? {}).map(([name, value]) => [
              fieldName(name),
              <Id key={name} value={String(value)} />,
            ])}
          />
          <Button onClick={() => setSecrets(null)}>
            <Trans>I have copied them</Trans>
          </Button>
        </Stack>
      </Modal>
    </>
  );
}
