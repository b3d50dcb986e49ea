// The page of users who are not logged in. The address stays, so that a link opens its screen after the login.
import { Trans } from '@lingui/react/macro';
import { Alert, Paper, Text, Title } from '@mantine/core';
import { session } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { EndingNotice } from './ending-notice.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import classes from './login.module.css';
import { LoginForm } from './login-form.tsx';

export function LoginPage() {
  const state = useStore(session);
  return (
    <main className={classes.page}>
      <div className={classes.column}>
        <img src="/icon.svg" width={44} height={44} alt="" />
        <div>
          <Title order={1}>
            <Trans>Log in to Kissi</Trans>
          </Title>
          <Text c="dimmed" size="sm">
            <Trans>For staff, agents and merchants</Trans>
          </Text>
        </div>
        {state.kind === 'out' && state.ended && (
          <Alert color="yellow" w="100%" ta="start">
            <Trans>Your session has ended. Log in again to continue here.</Trans>
          </Alert>
        )}
        <EndingNotice />
        <Paper withBorder p="lg" radius="lg" w="100%">
          <LoginForm />
        </Paper>
        <LanguageSwitch />
      </div>
    </main>
  );
}
