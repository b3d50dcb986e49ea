// One trust account: its balance by the last statement, and the upload of the next one.
import type { TrustAccount } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, CloseButton, Group, Stack, Text } from '@mantine/core';
import { useCan } from '../../../api/user.ts';
import { CopyCurlIcon } from '../../../components/copy-curl-icon.tsx';
import { DropZone } from '../../../components/drop-zone.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Link } from '../../../components/link.tsx';
import { Panel } from '../../../components/page.tsx';
import { Busy, RefusalNotice } from '../../../components/states.tsx';
import { Status } from '../../../components/values.tsx';
import { count, money } from '../../../format/money.ts';
import { date } from '../../../format/time.ts';
import { dayBefore } from '../words.ts';
import classes from './statements.module.css';
import { type Upload, uploadExample, useUploads } from './upload.ts';

export function AccountPanel({ account, onEdit }: { account: TrustAccount; onEdit: () => void }) {
  const { t } = useLingui();
  const can = useCan();
  const { uploads, send, dismiss } = useUploads(account.id);
  const { name, bank, account_number, status, balance, balance_date } = account;
  const isActive = status === 'active';
  return (
    <Panel
      title={bank}
      aside={
        <Group gap="xs">
          {!isActive && <Status value={status} />}
          {can('trust-accounts:write') && (
            <Button variant="subtle" color="gray" size="compact-sm" onClick={onEdit} aria-label={t`Edit ${bank}`}>
              <Trans>Edit</Trans>
            </Button>
          )}
        </Group>
      }
    >
      <Stack gap="sm">
        <div>
          <Text size="xs" c="dimmed">
            {name} · {account_number}
          </Text>
          <div className={classes.balance}>{balance === null ? '–' : money(balance)}</div>
          <Covered until={balance_date} isActive={isActive} />
        </div>
        {isActive && can('trust-accounts:write') && (
          <DropZone
            button={<Trans>Choose files</Trans>}
            label={t`Choose files from ${bank}`}
            field={t`Bank statements`}
            accept=".xml,.csv,.txt,.sta,.mt940,.940"
            multiple
            onFiles={(files) => void send(files)}
            aside={
              <CopyCurlIcon
                action={t`Upload a statement from ${bank}`}
                call={(client) => uploadExample(client, account.id)}
              />
            }
          >
            <Trans>Drop statements here</Trans>
            <small>{t`camt.053 (.xml), MT940 (.txt, .sta) or CSV`}</small>
          </DropZone>
        )}
        {uploads.map((upload) => (
          <Result key={upload.key} upload={upload} onClose={() => dismiss(upload.key)} />
        ))}
      </Stack>
    </Panel>
  );
}

function Covered({ until, isActive }: { until: string | null; isActive: boolean }) {
  const { t } = useLingui();
  const day = until ? date(until) : '';
  const isMissing = isActive && (until === null || until < dayBefore());
  return (
    <Group gap="xs" mt={2}>
      <Text size="sm" c="dimmed">
        {until === null ? <Trans>No statement yet</Trans> : <Trans>at the end of {day}</Trans>}
      </Text>
      {isMissing && until !== null && <Status value={t`Yesterday is missing`} tone="yellow" />}
    </Group>
  );
}

function Result({ upload, onClose }: { upload: Upload; onClose: () => void }) {
  const { t } = useLingui();
  const { fileName, reply, isKnown, error } = upload;
  if (error) {
    return (
      <Stack gap={4} role="alert">
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>{t`${fileName} was not recorded`}</Text>
          <CloseButton size="sm" aria-label={t`Close`} onClick={onClose} />
        </Group>
        <RefusalNotice error={error} />
      </Stack>
    );
  }
  if (!reply) {
    return (
      <Group gap="xs" role="status">
        <Busy />
        <Text size="sm">{t`Sending ${fileName}`}</Text>
      </Group>
    );
  }
  const { statement, warnings } = reply;
  const entries = count(statement.entry_count);
  const closing = money(statement.closing_balance);
  return (
    <Alert
      color={warnings.length > 0 ? 'yellow' : 'kissi'}
      icon={<Icon name={warnings.length > 0 ? 'alert' : 'approve'} />}
      role="status"
      withCloseButton
      closeButtonLabel={t`Close`}
      onClose={onClose}
    >
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {isKnown ? <Trans>{fileName} was recorded before</Trans> : <Trans>{fileName} is recorded</Trans>}
      </Text>
      <Text size="sm">
        <Trans>
          {entries} entries, closing balance {closing}.
        </Trans>{' '}
        <Link to={`/finance/statements/${statement.trust_account_id}/${statement.id}`}>{t`Show`}</Link>
        {' · '}
        <Link to="/finance/reconciliation" search={{ statement: statement.id }}>{t`Match it`}</Link>
      </Text>
      {warnings.map((warning) => (
        <Text key={warning} size="sm" mt={4}>
          {warning}
        </Text>
      ))}
    </Alert>
  );
}
