// The page of users who are not logged in. The address stays, so that a link opens its screen after the login.
import { useLingui } from '@lingui/react/macro';
import { Alert, Paper, Text, Title } from '@mantine/core';
import { session } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { EndingNotice } from './ending-notice.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import classes from './login.module.css';
import { LoginForm } from './login-form.tsx';

export function LoginPage() {
  const { t } = useLingui();
  const state = useStore(session);
  return (
    <main className={classes.page}>
      <div className={classes.column}>
        <img src="/icon.svg" width={44} height={44} alt="" />
        <div>
          <Title order={1}>{t`Log in to Kissi`}</Title>
          <Text c="dimmed" size="sm">{t`For staff, agents and merchants`}</Text>
        </div>
        {state.kind === 'out' && state.ended && (
          <Alert color="yellow" w="100%" ta="start">{t`Your session has ended. Log in again to continue here.`}</Alert>
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
