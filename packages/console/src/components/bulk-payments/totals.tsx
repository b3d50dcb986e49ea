// What a bulk payment costs: rows, sum and fees, what is missing in the balance, and what was paid of it.
import type { BulkPayment } from '@kissi/client';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { amount, money } from '../../format/money.ts';
import { Icon } from '../icon.tsx';
import { Figure, Figures } from '../own/own-page.tsx';
import { LeftOut } from './state.tsx';

export const RowCount = ({ value }: { value: number }) => <Plural value={value} one="# row" other="# rows" />;

/** Minor units; zero if the balance sufficed when the rows were checked. */
export const missingOf = ({ total_amount, available_amount }: BulkPayment) =>
  available_amount === null ? 0 : Math.max(0, total_amount - available_amount);

export function Totals({ payment }: { payment: BulkPayment }) {
  const { t } = useLingui();
  const { status, valid_count, valid_amount, valid_fees, total_amount, invalid_count, invalid_amount } = payment;
  const { available_amount, paid_count, paid_amount, paid_fees, failed_count, failed_amount } = payment;
  const { unclaimed_count, unclaimed_amount, returned_count, returned_amount } = payment;
  const { cancelled_count, cancelled_amount } = payment;
  const isDecided = payment.approved_at !== null;
  const line = (label: string, rows: number, sum: number, isShown = rows > 0): ReactNode =>
    isShown && <Figure label={label} value={amount(sum)} note={<RowCount value={rows} />} />;
  return (
    <Figures>
      {line(t`Can be paid`, valid_count, valid_amount, true)}
      <Figure label={t`Fees`} value={amount(valid_fees)} />
      <Figure label={t`Total`} value={amount(total_amount)} />
      {!isDecided && available_amount !== null && (
        <Figure label={t`Available when it was checked`} value={amount(available_amount)} />
      )}
      {line(t`Cannot be paid`, invalid_count, invalid_amount)}
      {line(t`Paid`, paid_count, paid_amount, isDecided)}
      {paid_fees > 0 && <Figure label={t`Fees paid`} value={amount(paid_fees)} />}
      {line(t`Sent as codes`, unclaimed_count, unclaimed_amount)}
      {line(t`Codes not used`, returned_count, returned_amount)}
      {line(t`Failed`, failed_count, failed_amount)}
      {status !== 'checked' && line(t`Cancelled`, cancelled_count, cancelled_amount)}
    </Figures>
  );
}

/** What the second person should know before they approve it. */
export function Warnings({ payment }: { payment: BulkPayment }) {
  const { status, invalid_count, name_mismatch_count, repeated_count, code_count, compliance_count } = payment;
  const missing = missingOf(payment);
  const shortfall = money(missing);
  if (status !== 'checked') return null;
  const found: ReactNode[] = [
    invalid_count > 0 && <LeftOut value={invalid_count} />,
    name_mismatch_count > 0 && (
      <Plural value={name_mismatch_count} one="# name is not the wallet's." other="# names are not the wallets'." />
    ),
    repeated_count > 0 && (
      <Plural
        value={repeated_count}
        one="# row pays a wallet that an earlier row pays too."
        other="# rows pay a wallet that an earlier row pays too."
      />
    ),
    code_count > 0 && (
      <Plural
        value={code_count}
        one="# number has no wallet and gets a code by SMS."
        other="# numbers have no wallet and get a code by SMS."
      />
    ),
    (compliance_count ?? 0) > 0 && (
      <Plural
        value={compliance_count ?? 0}
        one="A monitoring rule will stop or flag # row."
        other="Monitoring rules will stop or flag # rows."
      />
    ),
  ].filter(Boolean);
  return (
    <>
      {missing > 0 && (
        <Alert color="red" icon={<Icon name="alert" />}>
          <Trans>{shortfall} is missing in the balance. Nothing is paid until it is there.</Trans>
        </Alert>
      )}
      {found.length > 0 && (
        <Alert color="yellow" icon={<Icon name="alert" />}>
          {found.map((warning, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the warnings keep their order.
            <div key={n}>{warning}</div>
          ))}
        </Alert>
      )}
    </>
  );
}
