// Shown instead of a part of the console whose files cannot be loaded, for example when offline or after an upgrade.
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Group, Stack } from '@mantine/core';
import { Component, type ReactNode, useEffect } from 'react';
import { askAgain, forgetFailures } from './lazy-part.ts';

export class LoadBoundary extends Component<{ children: ReactNode }, { isFailed: boolean }> {
  override state = { isFailed: false };

  static getDerivedStateFromError() {
    return { isFailed: true };
  }

  override render() {
    if (!this.state.isFailed) return this.props.children;
    return <LoadFailed retry={() => this.setState({ isFailed: false })} />;
  }
}

export function LoadFailed({ retry }: { retry: () => void }) {
  const { t } = useLingui();
  // A user who leaves the screen and comes back gets a new attempt too.
  useEffect(() => forgetFailures, []);
  const tryAgain = () => {
    askAgain();
    retry();
  };
  return (
    <Stack p="md" gap="md" role="alert">
      <Alert color="yellow">
        <Trans>This part of the console could not be loaded. Check the connection, then load the page again.</Trans>
      </Alert>
      <Group>
        <Button onClick={tryAgain}>{t`Try again`}</Button>
        <Button variant="default" onClick={() => location.reload()}>{t`Load the page again`}</Button>
      </Group>
    </Stack>
  );
}
