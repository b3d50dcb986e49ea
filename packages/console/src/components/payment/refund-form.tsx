// Refunds a card payment in full or in part, for staff and for the merchant.
import type { GetTransactionResponse } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { amount, money, readAmount } from '../../format/money.ts';
import { Facts } from '../facts.tsx';
import { MoneyInput } from '../money-input.tsx';
import { contactOf, NamedParty } from '../named-party.tsx';
import { type PayerProps, PaymentForm, sizeOf } from './payment.tsx';
import { remainsToRefund } from './refundable.ts';

interface RefundFormProps extends PayerProps {
  merchantId: string;
  payment: GetTransactionResponse['transaction'];
}

export function RefundForm({ merchantId, payment, ...payer }: RefundFormProps) {
  const { t } = useLingui();
  const { transaction_id, payer: customer } = payment;
  const [text, setText] = useState(() => amount(remainsToRefund(payment)));
  const [reason, setReason] = useState('');
  const minorUnits = readAmount(text);
  const to = <NamedParty name={customer.name ?? t`The customer`} details={contactOf(customer)} />;
  return (
    <PaymentForm
      {...payer}
      amount={minorUnits}
      isReady
      summary={[
        [t`To`, to],
        [t`Paid`, money(payment.amount)],
      ]}
      quote={{ transaction_type: 'pos_refund', transaction_id }}
      pay={(client, request_id) =>
        client.processors.refund(merchantId, {
          transaction_id,
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
    >
      <MoneyInput {...sizeOf(payer.large)} label={t`Amount`} value={text} onChange={setText} autoFocus />
      <TextInput
        {...sizeOf(payer.large)}
        label={t`Reason`}
        maxLength={500}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </PaymentForm>
  );
}
