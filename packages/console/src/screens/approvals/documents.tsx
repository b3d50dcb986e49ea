// The photos on which an agent asks for a higher level. They are loaded when the reviewer asks: each look is audited.
import type { Approval, Kissi } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useCan } from '../../api/user.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Panel } from '../../components/page.tsx';
import { PictureView } from '../../components/picture-view.tsx';
import { RefusalNotice } from '../../components/states.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { isLevelRequest } from './words.ts';

export function ApprovalDocuments({ approval }: { approval: Approval }) {
  const { t } = useLingui();
  const can = useCan();
  const { id, identity_document_id, face_document_id } = { ...approval.params, ...approval.input } as Record<
    string,
    string
  >;
  if (!isLevelRequest(approval) || !id || !identity_document_id || !face_document_id) return null;
  if (!can('subscribers:documents')) return null;
  return (
    <Panel title={t`Photos`}>
      <Documents id={id} ids={[identity_document_id, face_document_id]} />
    </Panel>
  );
}

function Documents({ id, ids: [identity, face] }: { id: string; ids: [string, string] }) {
  const { t } = useLingui();
  const [pictures, setPictures] = useState<Blob[]>([]);
  const { submit, error, isRunning } = useSubmit(
    (client: Kissi) => Promise.all([client.subscribers.document(id, identity), client.subscribers.document(id, face)]),
    setPictures,
  );
  const [document, portrait] = pictures;
  return (
    <Stack gap="sm">
      {!document && (
        <Text size="sm" c="dimmed">
          <Trans>Compare name, number and face. That you opened the photos is kept in the audit log.</Trans>
        </Text>
      )}
      {document && <Photo picture={document} label={t`Identity document`} />}
      {portrait && <Photo picture={portrait} label={t`Photo of the face`} />}
      <RefusalNotice error={error} />
      {!document && (
        <Button
          variant="default"
          loading={isRunning}
          onClick={() => void submit()}
          style={{ alignSelf: 'flex-start' }}
        >{t`Show the photos`}</Button>
      )}
    </Stack>
  );
}

function Photo({ picture, label }: { picture: Blob; label: string }) {
  const { t } = useLingui();
  const [isLarge, { open, close }] = useDisclosure(false);
  return (
    <div>
      <PictureView picture={picture} label={label} />
      <Button variant="subtle" size="compact-sm" mt={4} onClick={open}>{t`Show large: ${label}`}</Button>
      {isLarge && (
        <Dialog title={label} size="100%" onClose={close}>
          <PictureView picture={picture} label={label} isLarge />
        </Dialog>
      )}
    </div>
  );
}
