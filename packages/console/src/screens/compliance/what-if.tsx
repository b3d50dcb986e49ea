// Tries proposed values on the last 30 days before they are saved, for fees and rules.
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, type ButtonVariant, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import { Panel } from '../../components/page.tsx';
import { Empty, Loading, RefusalNotice } from '../../components/states.tsx';

export interface Trial<Reply> {
  run: () => void;
  isRunning: boolean;
  /** False while a field is missing or wrong. */
  isReady: boolean;
  error: unknown;
  reply: Reply | null;
  /** The reply is about the values as they are now. */
  isCurrent: boolean;
}

export function useTrial<Request, Reply>(
  request: Request | null,
  read: (request: Request) => PromiseLike<Reply>,
): Trial<Reply> {
  const [tried, setTried] = useState<{ of: string; reply: Reply } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isRunning, setRunning] = useState(false);
  const of = JSON.stringify(request);
  const run = async () => {
    if (!request || isRunning) return;
    setRunning(true);
    setError(null);
    try {
      setTried({ of, reply: await read(request) });
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return {
    run: () => void run(),
    isRunning,
    isReady: request !== null,
    error,
    reply: tried?.reply ?? null,
    isCurrent: tried?.of === of,
  };
}

export function TrialButton({ trial, variant }: { trial: Trial<unknown>; variant: ButtonVariant }) {
  return (
    <Button variant={variant} onClick={trial.run} loading={trial.isRunning} disabled={!trial.isReady}>
      <Trans>Try on the last 30 days</Trans>
    </Button>
  );
}

interface TrialResultProps<Reply> {
  trial: Trial<Reply>;
  /** While the first trial runs. */
  title: string;
  /** Before the first trial. */
  invitation: { title: string; text: ReactNode };
  children: (reply: Reply) => ReactNode;
}

export function TrialResult<Reply>({ trial, title, invitation, children }: TrialResultProps<Reply>) {
  const { t } = useLingui();
  const { reply, error, isRunning, isCurrent } = trial;
  const top = useRef<HTMLDivElement>(null);
  // The button is at the end of a long form, the result beside its beginning, or below it on a phone.
  useEffect(() => {
    if (reply) top.current?.scrollIntoView({ block: 'start' });
  }, [reply]);
  if (isRunning && !reply) {
    return (
      <Panel title={title}>
        <Loading />
      </Panel>
    );
  }
  return (
    <Stack gap="md" miw={0} ref={top} style={{ scrollMarginTop: '4.5rem' }}>
      <RefusalNotice error={error} />
      {reply && !isCurrent && (
        <Alert color="yellow" icon={<Icon name="refresh" />} role="status">
          <Text size="sm">{t`The values were changed since. Try them again.`}</Text>
        </Alert>
      )}
      {reply ? (
        children(reply)
      ) : (
        <Panel>
          <Empty icon="chart" title={invitation.title}>
            {invitation.text}
          </Empty>
        </Panel>
      )}
    </Stack>
  );
}

/** In the dialog that saves values. */
export const NotTried = () => (
  <Alert color="yellow" icon={<Icon name="alert" />}>
    <Text size="sm">
      <Trans>You have not tried these values on the last 30 days.</Trans>
    </Text>
  </Alert>
);
