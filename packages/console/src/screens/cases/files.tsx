// The files of a case: evidence that the customer brought, such as a picture of a receipt.
import type { CaseDetails } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { readAgain } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Download } from '../../components/download.tsx';
import { notify } from '../../components/notices.tsx';
import { Panel } from '../../components/page.tsx';
import { RefusalNotice } from '../../components/states.tsx';
import { Instant } from '../../components/values.tsx';
import classes from './cases.module.css';
import { CHANGES, isClosed } from './words.ts';

const TYPES = 'image/jpeg,image/png,application/pdf';

export function FilesPanel({ details }: { details: CaseDetails }) {
  const { t } = useLingui();
  const can = useCan();
  const { id, files } = details;
  const mayAdd = can('cases:write') && !isClosed(details);
  if (!mayAdd && files.length === 0) return null;
  return (
    <Panel title={t`Files`}>
      <Stack gap="sm">
        {files.length === 0 && <Text size="sm" c="dimmed">{t`No files yet.`}</Text>}
        {files.map((file) => (
          <Group key={file.id} justify="space-between" gap="xs">
            <div className={classes.text}>
              <Text size="sm">{file.name}</Text>
              <Text size="xs" c="dimmed">
                <Instant at={file.created_at} />
              </Text>
            </div>
            {can('cases:files') && (
              <Download
                size="compact-sm"
                call={(client) => client.cases.file(id, file.id)}
                name={file.name}
                label={t`Open`}
                title={t`Open ${file.name}`}
              />
            )}
          </Group>
        ))}
        {mayAdd && <Upload id={id} />}
      </Stack>
    </Panel>
  );
}

function Upload({ id }: { id: string }) {
  const { t } = useLingui();
  const [error, setError] = useState<unknown>(null);
  const [isRunning, setRunning] = useState(false);
  const upload = async (file: File | null) => {
    if (!file) return;
    setRunning(true);
    setError(null);
    try {
      await kissi.cases.uploadFile(id, file, { query: { name: file.name } });
      notify(t`The file was stored.`);
      await readAgain(...CHANGES);
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return (
    <>
      <FileButton accept={TYPES} onChange={(file) => void upload(file)}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            size="compact-sm"
            loading={isRunning}
            style={{ alignSelf: 'flex-start' }}
          >
            {t`Add a file`}
          </Button>
        )}
      </FileButton>
      <Text size="xs" c="dimmed">{t`JPEG, PNG or PDF of at most 1 MiB.`}</Text>
      <RefusalNotice error={error} />
    </>
  );
}
