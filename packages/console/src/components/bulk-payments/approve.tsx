// The second person approves a bulk payment: the file, the totals, what happens to rows that cannot be paid, and when it starts.
import type { BulkPayment } from '@kissi/client';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Alert, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { readAgain } from '../../api/queries.ts';
import { amount, money } from '../../format/money.ts';
import { zoneName } from '../../format/time.ts';
import type { Frame } from '../bank-account/account-forms.tsx';
import { DropZone } from '../drop-zone.tsx';
import { Facts } from '../facts.tsx';
import { Icon } from '../icon.tsx';
import { useReading } from '../payment/use-reading.ts';
import classes from './bulk-payments.module.css';
import { RadioButton, TickBox } from './tick-box.tsx';
import { missingOf, RowCount } from './totals.tsx';
import { inGroups, sha256 } from './upload.ts';
import { keepBulkPayment, RESOURCE } from './use-bulk-payment.ts';

interface ApproveProps {
  payment: BulkPayment;
  frame: Frame;
  onClose: () => void;
}

type Mode = NonNullable<BulkPayment['mode']>;

export default function Approve({ payment, frame: Form, onClose }: ApproveProps) {
  const { t } = useLingui();
  const [mode, setMode] = useState<Mode>('continue');
  const [start, setStart] = useState<string | null>(null);
  const [hash, setHash] = useState<string | null>(null);
  const { isRead, setQuoted } = useReading(true);
  useEffect(() => setQuoted(true), [setQuoted]);
  const { id, file_sha256, valid_count, valid_amount, valid_fees, total_amount, invalid_count } = payment;
  const total = money(total_amount);
  const isSame = hash === null || hash === file_sha256;
  return (
    <Form
      onClose={onClose}
      title={t`Approve the payments`}
      description={t`The total is held at once, and the rows are paid one after the other.`}
      submitLabel={t`Approve ${total}`}
      isReady={isRead && isSame && start !== ''}
      call={async (client) => {
        const starts_at = start ? { starts_at: `${start}:00.000Z` } : {};
        try {
          return await client.bulkPayments.approve(id, { file_sha256: file_sha256 ?? '', mode, ...starts_at });
        } catch (error) {
          // Somebody else may have decided, or the fees have changed.
          await readAgain(RESOURCE);
          throw error;
        }
      }}
      doneMessage={t`Approved.`}
      changes={[RESOURCE, 'own-merchant']}
      onDone={(reply) => keepBulkPayment(reply as { bulk_payment: BulkPayment })}
    >
      <Facts
        facts={[
          [t`Rows`, <RowCount key="rows" value={valid_count} />],
          [t`Sum`, amount(valid_amount)],
          [t`Fees`, amount(valid_fees)],
          [t`Held in total`, <strong key="total">{total}</strong>],
        ]}
      />
      <Codes payment={payment} />
      <Shortfall payment={payment} />
      <fieldset className={classes.choices}>
        <legend>
          <Trans>If a row cannot be paid</Trans>
        </legend>
        <RadioButton
          name="mode"
          label={t`Pay the others`}
          note={t`What was not paid is available again at the end.`}
          checked={mode === 'continue'}
          onChange={() => setMode('continue')}
        />
        <RadioButton
          name="mode"
          label={t`Start only if all rows can be paid`}
          note={
            invalid_count > 0 ? (
              <Plural
                value={invalid_count}
                one="Not possible: # row cannot be paid."
                other="Not possible: # rows cannot be paid."
              />
            ) : (
              t`Checked once more now.`
            )
          }
          checked={mode === 'all_or_nothing'}
          disabled={invalid_count > 0}
          onChange={() => setMode('all_or_nothing')}
        />
      </fieldset>
      <TickBox
        label={t`Start later`}
        note={t`The money is held from now on.`}
        checked={start !== null}
        onChange={(isLater) => setStart(isLater ? '' : null)}
      />
      {start !== null && (
        <TextInput
          type="datetime-local"
          size="md"
          label={t`Start (${zoneName()})`}
          required
          value={start}
          onChange={({ currentTarget }) => setStart(currentTarget.value)}
        />
      )}
      {payment.retry_of === null && (
        <CompareFile hash={file_sha256 ?? ''} isSame={isSame} found={hash} onHash={setHash} />
      )}
    </Form>
  );
}

function Codes({ payment: { unclaimed, code_count } }: Pick<ApproveProps, 'payment'>) {
  if (unclaimed === null || code_count === 0) return null;
  return (
    <Alert color="yellow" icon={<Icon name="phone" />}>
      <Plural
        value={code_count}
        one="# number without a wallet gets a cash-out code by SMS. What is not cashed within 7 days comes back."
        other="# numbers without a wallet get a cash-out code by SMS. What is not cashed within 7 days comes back."
      />
    </Alert>
  );
}

function Shortfall({ payment }: Pick<ApproveProps, 'payment'>) {
  const missing = missingOf(payment);
  const shortfall = money(missing);
  if (missing === 0) return null;
  return (
    <Alert color="red" icon={<Icon name="alert" />}>
      <Trans>When it was checked, {shortfall} was missing. The approval is refused until it is there.</Trans>
    </Alert>
  );
}

interface CompareFileProps {
  hash: string;
  isSame: boolean;
  /** Of the approver's file; null: none was chosen. */
  found: string | null;
  onHash: (hash: string) => void;
}

/** The approver may have got the file from somebody else than the uploader: it must be that one. */
function CompareFile({ hash, isSame, found, onHash }: CompareFileProps) {
  const { t } = useLingui();
  return (
    <details>
      <summary className={classes.summary}>
        <Trans>Compare it with your own copy of the file</Trans>
      </summary>
      <div className={classes.form}>
        <div>
          <small>{t`SHA-256 of the uploaded file`}</small>
          <div className={classes.hash}>{inGroups(hash)}</div>
        </div>
        <DropZone
          button={<Trans>Choose a file</Trans>}
          field={t`Your copy of the file`}
          accept=".csv,.json"
          large
          onFiles={([file]) => file && void sha256(file).then(onHash)}
        >
          <Trans>It stays on this device.</Trans>
        </DropZone>
        {found !== null && (
          <Alert color={isSame ? 'kissi' : 'red'} role="status" icon={<Icon name={isSame ? 'approve' : 'alert'} />}>
            {isSame ? <Trans>It is the same file.</Trans> : <Trans>It is another file. Do not approve this one.</Trans>}
          </Alert>
        )}
      </div>
    </details>
  );
}
