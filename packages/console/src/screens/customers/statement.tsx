// A wallet's statement for a period, as PDF, CSV or JSON.
import type { SubscriberView } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DateInput } from '../../components/date-input.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Download } from '../../components/download.tsx';
import { today } from '../../format/time.ts';

const FORMATS = ['pdf', 'csv', 'json'] as const;

export function StatementDialog({ customer, onClose }: { customer: SubscriberView; onClose: () => void }) {
  const { t } = useLingui();
  const [from, setFrom] = useState(`${today().slice(0, 8)}01`);
  const [to, setTo] = useState(today());
  const isReady = from !== '' && to !== '' && from <= to;
  const { id, account_number } = customer;
  return (
    <Dialog onClose={onClose} title={t`Statement`}>
      <Stack gap="md">
        <Group grow align="flex-start">
          <DateInput label={t`From`} value={from} onChange={setFrom} data-autofocus />
          <DateInput label={t`To`} value={to} onChange={setTo} error={from > to ? t`Before the first day` : null} />
        </Group>
        <Text size="sm" c="dimmed">
          <Trans>Days in UTC, at most 366. The opening balance plus all entries equals the closing balance.</Trans>
        </Text>
        <Group gap="xs">
          {FORMATS.map((format) => (
            <Download
              key={format}
              disabled={!isReady}
              name={`statement-${account_number ?? id}-${from}-${to}.${format}`}
              call={(client) => client.wallet.statement({ subscriber_id: id, from, to, format })}
              label={format.toUpperCase()}
            />
          ))}
        </Group>
      </Stack>
    </Dialog>
  );
}
