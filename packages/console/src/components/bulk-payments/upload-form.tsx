// The form that uploads a file of payments. It is checked, and paid only after a second person's approval.
import { type BulkPayment, KissiError } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { saveFile } from '../../api/save-file.ts';
import type { Frame } from '../bank-account/account-forms.tsx';
import { DropZone } from '../drop-zone.tsx';
import { Icon } from '../icon.tsx';
import { Link } from '../link.tsx';
import classes from './bulk-payments.module.css';
import { TickBox } from './tick-box.tsx';
import { type PayerQuery, TEMPLATE_NAME, template, upload } from './upload.ts';
import { keepBulkPayment, RESOURCE } from './use-bulk-payment.ts';

interface UploadFormProps {
  frame: Frame;
  /** Null until it is chosen. */
  payer: PayerQuery | null;
  /** The list's address, below which each bulk payment has its own. */
  list: string;
  onClose: () => void;
  onUploaded: (payment: BulkPayment) => void;
  /** The choice of the payer. */
  children?: ReactNode;
}

interface SameFile {
  id: string;
  status: string;
}

export default function UploadForm({ frame: Form, payer, list, onClose, onUploaded, children }: UploadFormProps) {
  const { t } = useLingui();
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useState('');
  const [paysCodes, setPaysCodes] = useState(false);
  const [same, setSame] = useState<SameFile | null>(null);
  const [isRepeated, setRepeated] = useState(false);
  const choose = ([chosen]: File[]) => {
    if (!chosen) return;
    setFile(chosen);
    setSame(null);
    setRepeated(false);
    if (name === '') setName(chosen.name.replace(/\.\w+$/, '').slice(0, 100));
  };
  return (
    <Form
      onClose={onClose}
      title={t`Upload a file`}
      description={t`The rows are checked first. No money moves until a second person approves them.`}
      submitLabel={t`Upload and check`}
      isReady={file !== null && payer !== null && name.trim() !== ''}
      call={async (client) => {
        try {
          return await upload(client, file as File, {
            ...payer,
            name: name.trim(),
            ...(paysCodes ? { unclaimed: 'code' as const } : {}),
            ...(same && isRepeated ? { repeat_of: same.id } : {}),
          });
        } catch (error) {
          setSame(sameFileIn(error));
          throw error;
        }
      }}
      changes={[RESOURCE]}
      onDone={(reply) => {
        keepBulkPayment(reply as { bulk_payment: BulkPayment });
        onUploaded((reply as { bulk_payment: BulkPayment }).bulk_payment);
      }}
    >
      {children}
      <DropZone
        button={file ? <Trans>Another file</Trans> : <Trans>Choose a file</Trans>}
        field={t`File of payments`}
        accept=".csv,.json,text/csv,application/json"
        large
        onFiles={choose}
      >
        {file ? <b>{file.name}</b> : <Trans>Drop the file here</Trans>}
        <small>
          <Trans>CSV with commas, UTF-8, up to 100,000 rows. Amounts in leones, such as 1250.50.</Trans>
        </small>
      </DropZone>
      <div>
        <Button
          variant="subtle"
          size="compact-md"
          leftSection={<Icon name="download" size={16} />}
          onClick={() => void saveFile(template(), TEMPLATE_NAME)}
        >
          <Trans>Download a template</Trans>
        </Button>
      </div>
      <TextInput
        label={t`Name`}
        description={t`So that the second person knows what it is.`}
        placeholder={t`Nurses, November`}
        size="md"
        required
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TickBox
        label={t`Pay numbers without a wallet by a code`}
        note={t`They get a cash-out code by SMS, valid for 7 days. Without this, such rows cannot be paid.`}
        checked={paysCodes}
        onChange={setPaysCodes}
      />
      {same && (
        <Alert color="yellow" icon={<Icon name="alert" />}>
          <div className={classes.form}>
            <Link to={`${list}/${same.id}`}>
              <Trans>Open the one with the same file</Trans>
            </Link>
            {same.status === 'completed' && (
              <TickBox
                label={t`Pay this file once more, on purpose`}
                note={t`Everybody in it is paid a second time.`}
                checked={isRepeated}
                onChange={setRepeated}
              />
            )}
          </div>
        </Alert>
      )}
    </Form>
  );
}

function sameFileIn(error: unknown): SameFile | null {
  if (!(error instanceof KissiError) || error.code !== 'BULK_PAYMENT_EXISTS') return null;
  const { bulk_payment_id: id, bulk_status: status } = error.fields;
  return { id: String(id), status: String(status) };
}
