// One payment of the merchant: its receipt, its refunds, and a refund of what remains.
import type { GetTransactionResponse } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, TextInput, Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Facts } from '../../components/facts.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { contactOf, NamedParty } from '../../components/named-party.tsx';
import { Movements } from '../../components/own/movements.tsx';
import { OwnPage } from '../../components/own/own-page.tsx';
import { Receipt, receiptOf } from '../../components/own/receipt.tsx';
import { PaymentForm } from '../../components/payment/payment.tsx';
import { Waiting } from '../../components/states.tsx';
import { amount, money, readAmount } from '../../format/money.ts';
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
          <Receipt data={receiptOf(data)} business={business} />
          <Details transaction={data.transaction} />
          <Related transaction={data.transaction} />
          <Refund key={id} transaction={data.transaction} />
        </>
      )}
    </OwnPage>
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
  const { related } = transaction;
  if (related.length === 0) return null;
  const rows = related.map((other) => ({
    ...other,
    direction: other.type === 'pos_refund' ? ('debit' as const) : ('credit' as const),
  }));
  return (
    <section>
      <Title order={2} mb="xs">
        <Trans>Belongs to it (SLE)</Trans>
      </Title>
      <Movements rows={rows} receiptAt={(id) => `/shop/payments/${id}`} />
    </section>
  );
}

const refundedOf = ({ related }: Transaction) =>
  related.filter(({ type }) => type === 'pos_refund').reduce((sum, refund) => sum + refund.amount, 0);

function Refund({ transaction }: { transaction: Transaction }) {
  const can = useCan();
  const [isOpen, setOpen] = useState(false);
  const remaining = transaction.amount - refundedOf(transaction);
  if (transaction.type !== 'pos_payment' || !can('processors:refund')) return null;
  if (isOpen) return <RefundForm transaction={transaction} remaining={remaining} onClose={() => setOpen(false)} />;
  if (remaining <= 0) return null;
  return (
    <Button size="lg" variant="default" onClick={() => setOpen(true)}>
      <Trans>Refund</Trans>
    </Button>
  );
}

interface RefundFormProps {
  transaction: Transaction;
  remaining: number;
  onClose: () => void;
}

function RefundForm({ transaction, remaining, onClose }: RefundFormProps) {
  const { t } = useLingui();
  const id = useMerchantId();
  const [text, setText] = useState(amount(remaining));
  const [reason, setReason] = useState('');
  const minorUnits = readAmount(text);
  const { payer } = transaction;
  return (
    <section>
      <Title order={2} mb="xs">
        <Trans>Refund</Trans>
      </Title>
      <PaymentForm
        kind="own-refund"
        large
        amount={minorUnits}
        isReady
        summary={[[t`To`, <NamedParty key="to" name={payer.name ?? t`The customer`} details={contactOf(payer)} />]]}
        quote={{ transaction_type: 'pos_refund', transaction_id: transaction.transaction_id }}
        pay={(client, request_id) =>
          client.processors.refund(id, {
            transaction_id: transaction.transaction_id,
            amount: minorUnits ?? 0,
            request_id,
            ...(reason.trim() ? { reason: reason.trim() } : {}),
          })
        }
        submitLabel={t`Refund`}
        doneTitle={t`Refunded`}
        receipt={(reply) => (
          <Facts
            facts={[
              [t`Refunded`, money(Number(reply.amount ?? minorUnits))],
              [t`Remains`, money(Number(reply.remaining ?? 0))],
            ]}
          />
        )}
        changes={CHANGES}
        onRestart={onClose}
        onClose={onClose}
      >
        <MoneyInput size="lg" label={t`Amount`} value={text} onChange={setText} />
        <TextInput
          size="lg"
          label={t`Reason`}
          maxLength={500}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </PaymentForm>
    </section>
  );
}
