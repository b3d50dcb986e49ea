// The dialog of a locked console.
import { Trans } from '@lingui/react/macro';
import { Modal, Text } from '@mantine/core';
import { LoginForm } from './login-form.tsx';

export default function LockDialog({ email }: { email: string }) {
  return (
    <Modal
      opened
      // Inside the page, because the dialogs beside it are hidden.
      withinPortal={false}
      onClose={() => undefined}
      withCloseButton={false}
      title={<Trans>The console is locked</Trans>}
      closeOnEscape={false}
    >
      <Text size="sm" mb="md">
        <Trans>Log in again to continue. What you typed is kept.</Trans>
      </Text>
      <LoginForm email={email} />
    </Modal>
  );
}
