// Asks for the login again, above the hidden page. Part of the first load, so that it is there without a connection.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import { leaveLock, session } from '../api/session.ts';
import { EndingNotice } from './ending-notice.tsx';
import classes from './login.module.css';
import { LoginForm } from './login-form.tsx';

export function LockDialog({ email, ended }: { email: string; ended: boolean }) {
  const { t } = useLingui();
  const titleId = useId();
  const dialog = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => void (before instanceof HTMLElement && before.focus());
  }, []);
  return (
    <div ref={dialog} role="dialog" aria-modal="true" aria-labelledby={titleId} className={classes.lock}>
      <Paper withBorder p="lg" radius="lg" className={classes.locked ?? ''}>
        <Stack gap="md">
          <Title order={2} size="h3" id={titleId}>
            {ended ? <Trans>Your session has ended</Trans> : <Trans>The console is locked</Trans>}
          </Title>
          <Text size="sm">{t`Log in again to continue. What you typed is kept.`}</Text>
          <EndingNotice />
          <LoginForm email={email} />
          <Button variant="subtle" color="gray" fullWidth onClick={leaveLock}>{t`Log in as another user`}</Button>
        </Stack>
      </Paper>
    </div>
  );
}

/** Before any dialog of the page hears it: a key must not close or open what is hidden. */
function keepFromPage(event: KeyboardEvent): void {
  if (session.get().kind !== 'locked') return;
  const isInLock = event.target instanceof Element && event.target.closest(`.${classes.lock}`) !== null;
  const isShortcut = event.key === 'Escape' || event.ctrlKey || event.metaKey;
  if (!isInLock || isShortcut) event.stopImmediatePropagation();
}

addEventListener('keydown', keepFromPage, { capture: true });
