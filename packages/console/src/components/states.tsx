// What a screen shows instead of data: loading, nothing there, refused, failed, offline.
import { KissiConnectionError, KissiError } from '@kissi/client';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Code, Group, Loader, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { useOwnRefusal } from './own-refusals.ts';
import classes from './states.module.css';

export function Loading({ rows = 6 }: { rows?: number }) {
  const { t } = useLingui();
  return (
    <Stack gap="sm" role="status" aria-label={t`Loading`}>
      <Skeleton height={28} width="40%" />
      {Array.from({ length: rows - 1 }, (_, n) => `${100 - ((n * 17) % 35)}%`).map((width, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines do not change.
        <Skeleton key={n} height={18} width={width} />
      ))}
    </Stack>
  );
}

export const Busy = () => <Loader size="sm" type="dots" />;

interface EmptyProps {
  icon?: IconName;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}

export function Empty({ icon = 'inbox', title, children, action }: EmptyProps) {
  return (
    <div className={classes.empty}>
      <span className={classes.emptyIcon}>
        <Icon name={icon} size={26} />
      </span>
      <Text fw={600}>{title}</Text>
      {children && (
        <Text c="dimmed" size="sm" maw={420}>
          {children}
        </Text>
      )}
      {action}
    </div>
  );
}

export function Forbidden() {
  return (
    <Empty icon="lock" title={<Trans>Your role does not include this</Trans>}>
      <Trans>An administrator can change your role in Administration, Users.</Trans>
    </Empty>
  );
}

export function NotFound() {
  return (
    <Empty icon="search" title={<Trans>There is no such page</Trans>}>
      <Trans>Check the address, or search for a phone number, name, card or transaction.</Trans>
    </Empty>
  );
}

/** Instead of a whole screen or part of it. */
export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  if (error instanceof KissiError && error.code === 'FORBIDDEN') return <Forbidden />;
  if (error instanceof KissiError && error.code === 'NOT_FOUND') return <Missing error={error} />;
  return (
    <Stack align="flex-start" gap="sm">
      <RefusalNotice error={error} />
      {retry && (
        <Button variant="default" leftSection={<Icon name="refresh" size={16} />} onClick={retry}>
          <Trans>Try again</Trans>
        </Button>
      )}
    </Stack>
  );
}

/** Until there is data to show: that it is loading, or why it cannot be shown. */
export function Waiting({ error, retry, rows }: { error: unknown; retry: () => unknown; rows?: number }) {
  if (error) return <Failed error={error} retry={() => void retry()} />;
  return <Loading {...(rows ? { rows } : {})} />;
}

/** The service does not know the record, or does not show it to this role: trying again does not help. */
function Missing({ error }: { error: KissiError }) {
  const { isOwn, words } = useOwnRefusal(error);
  return (
    <Empty
      icon="search"
      title={words ?? error.message}
      action={
        <Button variant="default" leftSection={<Icon name="chevronLeft" size={16} />} onClick={() => history.back()}>
          <Trans>Back</Trans>
        </Button>
      }
    >
      <ForSupport code={error.code} requestId={error.requestId} isOwn={isOwn} />
    </Empty>
  );
}

/** The sentence and the code of a refusal, with the request id for support. */
export function RefusalNotice({ error }: { error: unknown }) {
  const { t } = useLingui();
  const { isOwn, words } = useOwnRefusal(error);
  if (!error) return null;
  const isWarning = error instanceof KissiConnectionError;
  const lost = isWarning ? t`The service cannot be reached. Check the connection.` : null;
  const { message, ...details } = detailsOf(error);
  const sentence = error instanceof KissiError && error.retryAfterMs ? withoutTime(message) : message;
  return (
    <Alert
      color={isWarning ? 'yellow' : 'red'}
      icon={<Icon name={isWarning ? 'offline' : 'alert'} />}
      role="alert"
      w="100%"
    >
      <Text size="sm">{lost ?? words ?? sentence}</Text>
      <RetryTime error={error} />
      <ForSupport {...details} isOwn={isOwn} />
    </Alert>
  );
}

/** The code and the request id. On a phone they are opened when support asks for them. */
function ForSupport({ code, requestId, isOwn }: { code: string; requestId: string | null; isOwn: boolean }) {
  const { t } = useLingui();
  const values = (
    <Group gap="xs" mt={6}>
      <Code>{code}</Code>
      {requestId && <Text size="xs" c="dimmed">{t`Request ${requestId}`}</Text>}
    </Group>
  );
  if (!isOwn) return values;
  return (
    <details>
      <Text component="summary" size="sm" c="dimmed" style={{ cursor: 'pointer' }}>{t`Details`}</Text>
      {values}
    </details>
  );
}

/** The service writes the time in seconds, in English only. */
const withoutTime = (message: string) => message.replace(/ Try again in \d+ s\.$/, '');

function RetryTime({ error }: { error: unknown }) {
  const waitMs = error instanceof KissiError ? error.retryAfterMs : null;
  if (!waitMs) return null;
  const [seconds, minutes] = [Math.ceil(waitMs / 1000), Math.ceil(waitMs / 60_000)];
  return (
    <Text size="sm">
      {seconds > 90 ? (
        <Plural value={minutes} one="Try again in # minute." other="Try again in # minutes." />
      ) : (
        <Plural value={seconds} one="Try again in # second." other="Try again in # seconds." />
      )}
    </Text>
  );
}

function detailsOf(error: unknown): { message: string; code: string; requestId: string | null } {
  if (error instanceof KissiError) {
    const { message, code, requestId } = error;
    return { message, code, requestId };
  }
  return { message: error instanceof Error ? error.message : String(error), code: 'ERROR', requestId: null };
}

export function SectionTitle({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <Group justify="space-between" align="center" mb="xs" wrap="wrap">
      <Title order={2}>{children}</Title>
      {aside}
    </Group>
  );
}
