// Downloads the signed certificate of a close.
import type { CloseSummary } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { saveFile } from '../../../api/save-file.ts';
import { kissi } from '../../../api/session.ts';
import { Icon } from '../../../components/icon.tsx';
import { notifyFailure } from '../../../components/notices.tsx';
import { date } from '../../../format/time.ts';

export function CertificateButton({ close, small = false }: { close: CloseSummary; small?: boolean }) {
  const { t } = useLingui();
  const [isRunning, setRunning] = useState(false);
  const day = date(close.date);
  const save = async () => {
    setRunning(true);
    try {
      await saveFile(await kissi.closes.pdf(close.id), `close-${close.date}-${close.number}.pdf`);
    } catch (error) {
      notifyFailure(error);
    } finally {
      setRunning(false);
    }
  };
  return (
    <Button
      variant="default"
      size={small ? 'compact-sm' : 'sm'}
      leftSection={<Icon name="download" size={small ? 14 : 16} />}
      loading={isRunning}
      onClick={save}
      aria-label={t`PDF: certificate of ${day}`}
    >
      {small ? 'PDF' : <Trans>PDF certificate</Trans>}
    </Button>
  );
}
