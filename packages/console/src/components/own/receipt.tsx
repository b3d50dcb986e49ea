// A receipt to show to the customer, or to print.
import type { GetTransactionResponse, TransactionFee, TransactionParty } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { money } from '../../format/money.ts';
import { fullInstant } from '../../format/time.ts';
import { type Fact, Facts } from '../facts.tsx';
import { Icon } from '../icon.tsx';
import { lazyPart } from '../lazy-part.ts';
import { contactOf, NamedParty } from '../named-party.tsx';
import { MOVEMENT_NAMES } from './movement-names.ts';
import classes from './receipt.module.css';

const SendReceipt = lazyPart(() => import('./send-receipt.tsx'));

type Transaction = GetTransactionResponse['transaction'];

export interface ReceiptData {
  transactionId: string;
  type: string;
  amount: number;
  /** The customer's. */
  fee?: number;
  /** Charged to the agent or merchant, which the customer's copy does not show. */
  ownFee?: number;
  /** The agent's commission. */
  earned?: number;
  from?: ReactNode;
  to?: ReactNode;
  at: string;
  note?: string | null;
  /** Where the customer reads it; absent: it has no link, or something else shows it. */
  url?: string | null;
}

export function Receipt({ data, business }: { data: ReceiptData; business: string }) {
  const { t, i18n } = useLingui();
  const { type, amount, fee, ownFee = 0, earned = 0, from, to, at, transactionId, note, url } = data;
  const name = MOVEMENT_NAMES[type];
  const facts: Fact[] = [
    from ? [t`From`, from] : null,
    to ? [t`To`, to] : null,
    fee !== undefined && [t`Fee`, fee > 0 ? money(fee) : t`None`],
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
      {ownFee + earned > 0 && (
        <div className={classes.own}>
          <Facts
            facts={[ownFee > 0 && [t`Your fee`, money(ownFee)], earned > 0 && [t`You earned`, money(earned)]]}
            narrow
          />
        </div>
      )}
      {url && (
        <Suspense>
          <SendReceipt url={url} text={[business, money(amount)].filter(Boolean).join(' · ')} />
        </Suspense>
      )}
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

/** The fees of a payment that was just made. Its reply does not have all of them: they are read from the record. */
export function PaidReceipt({ data, business }: { data: ReceiptData; business: string }) {
  const { transactionId: id } = data;
  const record = useRead(['transaction', id], (options) => kissi.transactions.get(id, options)).data;
  return (
    <Receipt
      data={record ? { ...data, ...feesOf(record.transaction), url: record.transaction.receipt_url } : data}
      business={business}
    />
  );
}

/** From the reply to a payment. A transfer of float has no time in its reply. */
export const paidData = (reply: Record<string, unknown>, type: string, amount: number): ReceiptData => ({
  transactionId: String(reply.transaction_id),
  type,
  amount,
  at: String(reply.created_at ?? new Date().toISOString()),
});

/** From a transaction's record. */
export function receiptOf({ transaction }: GetTransactionResponse): ReceiptData {
  const { transaction_id, type, amount, payer, payee, created_at, narration } = transaction;
  return {
    transactionId: transaction_id,
    type,
    amount,
    ...feesOf(transaction),
    from: partyOf(payer),
    to: partyOf(payee),
    at: created_at,
    note: narration,
  };
}

const partyOf = (party: TransactionParty) => party.name && <NamedParty name={party.name} details={contactOf(party)} />;

const isOwn = ({ account_id }: TransactionFee) => /^(?:agent|proc)/.test(account_id ?? '');
const sumOf = (fees: TransactionFee[], name: 'charged' | 'earned') => fees.reduce((sum, fee) => sum + fee[name], 0);

/** Without an entry of the customer there is none, or the fee is not shown to this user. */
function feesOf({ fees }: Transaction): Pick<ReceiptData, 'fee' | 'ownFee' | 'earned'> {
  const [own, others] = [fees.filter(isOwn), fees.filter((fee) => !isOwn(fee))];
  return {
    ...(others.length > 0 ? { fee: sumOf(others, 'charged') } : {}),
    ownFee: sumOf(own, 'charged'),
    earned: sumOf(own, 'earned'),
  };
}
