// Says that the browser is offline. What is shown may be old, and nothing can be sent.
import { Trans } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { Icon } from '../../components/icon.tsx';

export function Connection() {
  const { online } = useNetwork();
  if (online) return null;
  return (
    <Alert color="yellow" icon={<Icon name="offline" />} mb="md" role="status">
      <Trans>You are offline. What you see may be old; what you typed is kept.</Trans>
    </Alert>
  );
}
