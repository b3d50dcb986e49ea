// Shown instead of the console while the service demands a new password or a second factor.
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Paper, Stack, Title } from '@mantine/core';
import { logOut, type Restriction } from '../../api/session.ts';
import { useUser } from '../../api/user.ts';
import { Icon } from '../../components/icon.tsx';
import { useTitle } from '../../components/title.ts';
import classes from './account.module.css';
import { PasswordForm } from './password-form.tsx';
import { SecondFactors } from './second-factors.tsx';

export default function RequiredStep({ restriction }: { restriction: Restriction }) {
  const { t } = useLingui();
  const { email } = useUser();
  const isPassword = restriction === 'PASSWORD_CHANGE_REQUIRED';
  const title = isPassword ? t`Choose a new password` : t`Set up a second factor`;
  useTitle(title);
  return (
    <main className={classes.required}>
      <Stack w="100%" maw={520} gap="lg">
        <Title order={1}>{title}</Title>
        <Alert color="yellow" icon={<Icon name="lock" />}>
          {isPassword ? (
            <Trans>You logged in with a temporary password. Replace it to continue.</Trans>
          ) : (
            <Trans>Staff need a second factor. Add an authenticator app or a passkey to continue.</Trans>
          )}
        </Alert>
        {isPassword ? (
          <Paper withBorder p="lg" radius="md">
            <PasswordForm />
          </Paper>
        ) : (
          <SecondFactors />
        )}
        <Button variant="subtle" color="gray" onClick={() => logOut()} leftSection={<Icon name="logout" size={16} />}>
          <Trans>Log out {email}</Trans>
        </Button>
      </Stack>
    </main>
  );
}
