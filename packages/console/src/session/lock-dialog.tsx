// The dialog of a locked console.
import { Trans } from '@lingui/react/macro';
import { Button, Modal, Stack, Text } from '@mantine/core';
import { leaveLock } from '../api/session.ts';
import { EndingNotice } from './ending-notice.tsx';
import { LoginForm } from './login-form.tsx';

export default function LockDialog({ email, ended }: { email: string; ended: boolean }) {
  return (
    <Modal
      opened
      // Inside the page, because the dialogs beside it are hidden.
      withinPortal={false}
      onClose={() => undefined}
      withCloseButton={false}
      title={ended ? <Trans>Your session has ended</Trans> : <Trans>The console is locked</Trans>}
      closeOnEscape={false}
    >
      <Stack gap="md">
        <Text size="sm">
          <Trans>Log in again to continue. What you typed is kept.</Trans>
        </Text>
        <EndingNotice />
        <LoginForm email={email} />
        <Button variant="subtle" color="gray" fullWidth onClick={leaveLock}>
          <Trans>Log in as another user</Trans>
        </Button>
      </Stack>
    </Modal>
  );
}
