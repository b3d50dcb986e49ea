// Shown instead of a part of the console whose files cannot be loaded, such as without a connection or after an upgrade.
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Stack } from '@mantine/core';
import { Component, type ReactNode } from 'react';

export class LoadBoundary extends Component<{ children: ReactNode }, { isFailed: boolean }> {
  override state = { isFailed: false };

  static getDerivedStateFromError() {
    return { isFailed: true };
  }

  override render() {
    if (!this.state.isFailed) return this.props.children;
    return (
      <Stack p="md" gap="md" role="alert">
        <Alert color="yellow">
          <Trans>This part of the console could not be loaded. Check the connection, then load the page again.</Trans>
        </Alert>
        <Button variant="default" onClick={() => location.reload()}>
          <Trans>Load the page again</Trans>
        </Button>
      </Stack>
    );
  }
}
