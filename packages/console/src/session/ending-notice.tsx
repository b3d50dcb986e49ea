// Says that a logout has not reached the service, or did not end all sessions.
import { Trans } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import { endingFailed, othersOpen } from '../api/session-end.ts';
import { useStore } from '../api/store.ts';

export function EndingNotice() {
  const [isFailed, areOthersOpen] = [useStore(endingFailed), useStore(othersOpen)];
  if (!isFailed && !areOthersOpen) return null;
  return (
    <Alert color="yellow" w="100%" ta="start" role="alert">
      {isFailed ? (
        <Trans>
          The service could not be reached, so your session is still open there. This page keeps trying to end it. Leave
          it open until this message disappears.
        </Trans>
      ) : (
        <Trans>
          Your session had ended before, so your other sessions were not ended. Log in and log out everywhere again.
        </Trans>
      )}
    </Alert>
  );
}
