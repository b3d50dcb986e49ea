// A receipt to show to the customer, or to print.
import type { GetTransactionResponse } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { money } from '../../format/money.ts';
import { fullInstant } from '../../format/time.ts';
import { type Fact, Facts } from '../facts.tsx';
import { Icon } from '../icon.tsx';
import { MOVEMENT_NAMES } from './movement-names.ts';
import classes from './receipt.module.css';

export interface ReceiptData {
  transactionId: string;
  type: string;
  amount: number;
  /** Of the customer. */
  fee?: number;
  from?: string | null;
  to?: string | null;
  at: string;
  note?: string | null;
}

export function Receipt({ data, business }: { data: ReceiptData; business: string }) {
  const { t, i18n } = useLingui();
  const { type, amount, fee = 0, from, to, at, transactionId, note } = data;
  const name = MOVEMENT_NAMES[type];
  const facts: Fact[] = [
    from ? [t`From`, from] : null,
    to ? [t`To`, to] : null,
    fee > 0 && [t`Fee`, money(fee)],
    note ? [t`Note`, note] : null,
    [t`Time`, fullInstant(at)],
    [
      t`Transaction`,
      <span key="id" className={classes.id}>
        {transactionId}
      </span>,
    ],
  ];
  return (
    <article className={classes.receipt} aria-label={t`Receipt`}>
      <div className={classes.business}>{business}</div>
      <div className={classes.mark}>
        <Icon name="approve" size={30} />
      </div>
      <div className={classes.type}>{name ? i18n._(name) : type}</div>
      <div className={classes.amount}>{money(amount)}</div>
      <Facts facts={facts} narrow />
      <Button
        variant="default"
        size="lg"
        fullWidth
        className={classes.print ?? ''}
        leftSection={<Icon name="document" />}
        onClick={() => print()}
      >
        <Trans>Print</Trans>
      </Button>
    </article>
  );
}

/** Of a payment that was just made, whose reply does not have the customer's fee: it is read from the record. */
export function PaidReceipt({ data, business }: { data: ReceiptData; business: string }) {
  const { transactionId: id } = data;
  const record = useRead(['transaction', id], (options) => kissi.transactions.get(id, options)).data;
  return <Receipt data={record ? { ...data, fee: receiptOf(record).fee ?? 0 } : data} business={business} />;
}

/** From the record of a transaction. */
export function receiptOf({ transaction }: GetTransactionResponse): ReceiptData {
  const { transaction_id, type, amount, fees, payer, payee, created_at, narration } = transaction;
  const isOwn = (account: string) => account.startsWith('agent') || account.startsWith('proc');
  return {
    transactionId: transaction_id,
    type,
    amount,
    fee: fees.filter(({ account_id }) => !isOwn(account_id)).reduce((sum, { charged }) => sum + charged, 0),
    from: payer?.name ?? null,
    to: payee?.name ?? null,
    at: created_at,
    note: narration,
  };
}
