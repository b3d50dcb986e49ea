// Where a bulk payment is: a sentence in large letters, and how far the service is with checking or paying.
import type { BulkPayment } from '@kissi/client';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { count } from '../../format/money.ts';
import { instant } from '../../format/time.ts';
import classes from './bulk-payments.module.css';
import { isBusy } from './use-bulk-payment.ts';

const OVER: readonly BulkPayment['status'][] = ['stopped', 'cancelled'];

export function State({ payment }: { payment: BulkPayment }) {
  const { t } = useLingui();
  const { status, progress } = payment;
  const isShown = status !== 'checked' && status !== 'cancelled';
  return (
    <section className={classes.state} data-over={OVER.includes(status)} data-partly={isPartly(payment)}>
      {/* Read out by screen readers when it changes, without the figures that change every second. */}
      <b role="status">
        <Sentence payment={payment} />
      </b>
      {isShown && (
        <div
          className={classes.bar}
          role="progressbar"
          aria-label={status === 'checking' ? t`Checked` : t`Paid`}
          aria-valuenow={progress}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <span style={{ width: `${progress}%` }} />
        </div>
      )}
      <p>
        <Figures payment={payment} />
      </p>
    </section>
  );
}

/** Completed, and somebody in the file was not paid. */
const isPartly = ({ status, failed_count, invalid_count }: BulkPayment) =>
  status === 'completed' && failed_count + invalid_count > 0;

function Sentence({ payment }: { payment: BulkPayment }): ReactNode {
  const { status, starts_at } = payment;
  const when = starts_at === null ? '' : instant(starts_at);
  if (status === 'checking') return <Trans>The rows are being checked</Trans>;
  if (status === 'checked') return <Trans>Checked, and waits for approval</Trans>;
  if (status === 'approved' && !isBusy(payment)) return <Trans>Approved, and starts on {when}</Trans>;
  if (status === 'approved') return <Trans>Approved, and begins now</Trans>;
  if (status === 'running') return <Trans>The rows are being paid</Trans>;
  if (status === 'stopped') return <Trans>Stopped</Trans>;
  if (status === 'cancelled') return <Trans>Cancelled. Nobody was paid.</Trans>;
  if (isPartly(payment)) return <Trans>Completed, and not everybody is paid</Trans>;
  return <Trans>Everybody is paid</Trans>;
}

function Figures({ payment }: { payment: BulkPayment }): ReactNode {
  const { status, row_count, checked_count, valid_count, paid_count, unclaimed_count, failed_count, invalid_count } =
    payment;
  const [rows, checked, valid] = [count(row_count), count(checked_count), count(valid_count)];
  if (status === 'checking') {
    return (
      <Trans>
        {checked} of {rows} rows are checked. No money moves.
      </Trans>
    );
  }
  if (status === 'checked' || status === 'cancelled') {
    return (
      <Trans>
        {valid} of {rows} rows can be paid.
      </Trans>
    );
  }
  const paid = count(paid_count + unclaimed_count);
  return (
    <>
      <Trans>
        {paid} of {valid} rows are paid.
      </Trans>{' '}
      {failed_count > 0 && <Plural value={failed_count} one="# row failed." other="# rows failed." />}{' '}
      {invalid_count > 0 && <LeftOut value={invalid_count} />}
    </>
  );
}

/** Rows that checking found to be wrong. */
export const LeftOut = ({ value }: { value: number }) => (
  <Plural
    value={value}
    one="# row of the file cannot be paid and is left out."
    other="# rows of the file cannot be paid and are left out."
  />
);
