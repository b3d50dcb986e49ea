// Asks for level 2 for a customer of the agent: the identity document's kind and number, and photos of it and of the face.
import type { Kissi } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { Icon } from '../../../components/icon.tsx';
import { OwnPage } from '../../../components/own/own-page.tsx';
import { RefusalNotice, Waiting } from '../../../components/states.tsx';
import { useSubmit } from '../../../components/use-submit.ts';
import { HOME } from '../own-agent.ts';
import { CashInLink } from './cash-in-link.tsx';
import { PhotoInput } from './photo-input.tsx';
import '../../../components/own/agent-texts.ts';

const CUSTOMERS = '/agent/customers';

export function Level() {
  const { t } = useLingui();
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data, error, refetch } = useRead(['own-agent', 'subscriber', id], (options) =>
    kissi.subscribers.get(id, options),
  );
  const [isSent, setSent] = useState(false);
  const { first_name, last_name, kyc_level } = data?.subscriber ?? {};
  return (
    <OwnPage title={t`Level 2`} home={CUSTOMERS} narrow>
      {!data && <Waiting error={error} retry={refetch} />}
      {data && (
        <p>
          {first_name} {last_name}
        </p>
      )}
      {data && isSent && <Sent number={data.subscriber.phone_number} />}
      {data && kyc_level === 1 && !isSent && <Form id={id} onDone={() => setSent(true)} />}
      {data && kyc_level !== 1 && <p>{t`This customer is at level ${String(kyc_level)} already.`}</p>}
    </OwnPage>
  );
}

function Form({ id, onDone }: { id: string; onDone: () => void }) {
  const { t } = useLingui();
  const [idType, setType] = useState('NATIONAL_ID');
  const [idNumber, setNumber] = useState('');
  const [identity, setIdentity] = useState<Blob | null>(null);
  const [face, setFace] = useState<Blob | null>(null);
  // One request, however often it is sent: a document that is sent again is the same one, too.
  const [requestId] = useState(() => crypto.randomUUID());
  const send = async (client: Kissi) => {
    if (!identity || !face) throw new Error('a photo is missing');
    const [one, two] = [await upload(client, id, 'identity', identity), await upload(client, id, 'face', face)];
    return client.subscribers.requestLevel(id, {
      id_type: idType as 'NATIONAL_ID',
      id_number: idNumber.trim(),
      identity_document_id: one,
      face_document_id: two,
      request_id: requestId,
    });
  };
  const { submit, error, isRunning } = useSubmit(send, onDone);
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        <NativeSelect
          label={t`Identity document`}
          size="lg"
          value={idType}
          onChange={({ currentTarget }) => setType(currentTarget.value)}
          data={[
            { value: 'NATIONAL_ID', label: t`National ID card` },
            { value: 'PASSPORT', label: t`Passport` },
            { value: 'DRIVERS_LICENSE', label: t`Driver's licence` },
          ]}
        />
        <TextInput
          label={t`Its number`}
          size="lg"
          required
          maxLength={64}
          autoComplete="off"
          value={idNumber}
          onChange={({ currentTarget }) => setNumber(currentTarget.value)}
        />
        <PhotoInput
          label={t`Photo of the document`}
          description={t`The whole document, with its text readable.`}
          facing="environment"
          photo={identity}
          onChange={setIdentity}
        />
        <PhotoInput
          label={t`Photo of the face`}
          description={t`The customer looks into the camera.`}
          facing="environment"
          photo={face}
          onChange={setFace}
        />
        <RefusalNotice error={error} />
        <Button type="submit" size="lg" loading={isRunning} disabled={!identity || !face || idNumber.trim() === ''}>
          {t`Send for approval`}
        </Button>
      </Stack>
    </form>
  );
}

async function upload(client: Kissi, id: string, kind: 'identity' | 'face', photo: Blob): Promise<string> {
  return (await client.subscribers.uploadDocument(id, photo, { query: { kind } })).document.id;
}

function Sent({ number }: { number: string | undefined }) {
  const { t } = useLingui();
  return (
    <Stack gap="md">
      <Alert color="kissi" icon={<Icon name="approve" />} role="status" title={<Trans>Sent for approval</Trans>} />
      <CashInLink number={number} primary />
      <Group grow gap="xs">
        <Button size="lg" variant="default" component={Link} to="/agent/register">{t`New customer`}</Button>
        <Button size="lg" variant="default" component={Link} to={HOME}>{t`Home`}</Button>
      </Group>
    </Stack>
  );
}
