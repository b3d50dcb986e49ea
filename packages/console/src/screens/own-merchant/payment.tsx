// One payment of the merchant: its receipt, its refunds, and a refund of what remains.
import type { GetTransactionResponse } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Button, Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Facts } from '../../components/facts.tsx';
import { ShareLink } from '../../components/own/lazy-share-link.ts';
import { Movements } from '../../components/own/movements.tsx';
import { OwnPage } from '../../components/own/own-page.tsx';
import { Receipt, type ReceiptData, receiptOf } from '../../components/own/receipt.tsx';
import { RefundForm } from '../../components/payment/refund-form.tsx';
import { remainsToRefund } from '../../components/payment/refundable.ts';
import { Waiting } from '../../components/states.tsx';
import { money } from '../../format/money.ts';
import { CHANGES, useMerchantId, useOwnMerchant } from './own-merchant.ts';

type Transaction = GetTransactionResponse['transaction'];

export function Payment() {
  const { t } = useLingui();
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const business = useOwnMerchant().data?.processor.business_name ?? '';
  const { data, error, refetch } = useRead(['transaction', id], (options) => kissi.transactions.get(id, options));
  return (
    <OwnPage title={t`Payment`} home="/shop/payments" narrow>
      {!data && <Waiting error={error} retry={refetch} />}
      {data && (
        <>
          <Receipt data={withoutOwnName(receiptOf(data), business)} business={business} />
          <ReceiptLink transaction={data.transaction} business={business} />
          <Details transaction={data.transaction} />
          <Related transaction={data.transaction} />
          <Refund key={id} payment={data.transaction} />
        </>
      )}
    </OwnPage>
  );
}

/** A charge without a text of its own is described by the shop's name, which the receipt has already. */
const withoutOwnName = (receipt: ReceiptData, business: string): ReceiptData =>
  receipt.note === business ? { ...receipt, note: null } : receipt;

/** Anybody with the link can check that the receipt is genuine. */
function ReceiptLink({
  transaction: { receipt_url, amount },
  business,
}: {
  transaction: Transaction;
  business: string;
}) {
  const { t } = useLingui();
  if (receipt_url === null) return null;
  return (
    <Suspense>
      <ShareLink url={receipt_url} title={t`Receipt`} text={[business, money(amount)].join(' · ')} />
    </Suspense>
  );
}

function Details({ transaction }: { transaction: Transaction }) {
  const { t } = useLingui();
  const { card, terminal_id, authorization_code } = transaction;
  return (
    <Facts
      facts={[
        card ? [t`Card`, card] : null,
        terminal_id ? [t`Terminal`, terminal_id] : null,
        authorization_code ? [t`Authorization code`, authorization_code] : null,
      ]}
    />
  );
}

function Related({ transaction }: { transaction: Transaction }) {
  const { t } = useLingui();
  const { related } = transaction;
  if (related.length === 0) return null;
  const rows = related.map((other) => ({
    ...other,
    direction: other.type === 'pos_refund' ? ('debit' as const) : ('credit' as const),
  }));
  return (
    <section>
      <Title order={2} mb="xs">{t`Related payments (SLE)`}</Title>
      <Movements rows={rows} receiptAt={(id) => `/shop/payments/${id}`} />
    </section>
  );
}

function Refund({ payment }: { payment: Transaction }) {
  const { t } = useLingui();
  const can = useCan();
  const id = useMerchantId();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  if (payment.type !== 'pos_payment' || !can('processors:refund')) return null;
  if (!isOpen && remainsToRefund(payment) <= 0) return null;
  if (!isOpen) return <Button size="lg" variant="default" onClick={() => setOpen(true)}>{t`Refund`}</Button>;
  return (
    <section>
      <Title order={2} mb="xs">{t`Refund`}</Title>
      <RefundForm
        kind="own-refund"
        large
        merchantId={id}
        payment={payment}
        changes={CHANGES}
        onRestart={close}
        onClose={close}
      />
    </section>
  );
}
