// Says that the browser is offline or the service cannot be reached. What is shown may be old.
import { Trans } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { reachable } from '../../api/queries.ts';
import { useStore } from '../../api/store.ts';
import { Icon } from '../../components/icon.tsx';

export function Connection() {
  const { online } = useNetwork();
  const isReachable = useStore(reachable);
  if (online && isReachable) return null;
  return (
    <Alert color="yellow" icon={<Icon name="offline" />} mb="md" role="status">
      {online ? (
        <Trans>The service cannot be reached. What you see may be old; what you typed is kept.</Trans>
      ) : (
        <Trans>You are offline. What you see may be old; what you typed is kept.</Trans>
      )}
    </Alert>
  );
}
