// Transfers from a merchant's balance to another merchant or to a customer's wallet, for staff and for the merchant.
import { useLingui } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { money, readAmount } from '../../format/money.ts';
import type { Fact } from '../facts.tsx';
import { MoneyInput } from '../money-input.tsx';
import { type PayerProps, PaymentForm, sizeOf } from './payment.tsx';

interface TransferFormProps extends PayerProps {
  merchantId: string;
  /** Minor units; absent while it is not known. */
  balance: number | undefined;
  /** Who pays. */
  summary?: Fact[];
  receipt?: (reply: Record<string, unknown>, amount: number, to: string) => ReactNode;
}

export function TransferForm({ merchantId, balance, summary = [], receipt, ...payer }: TransferFormProps) {
  const { t } = useLingui();
  const [recipient, setRecipient] = useState('');
  const [text, setText] = useState('');
  const [note, setNote] = useState('');
  const amount = readAmount(text);
  const to = recipient.trim();
  const isMerchant = to.startsWith('proc_');
  const isKnownKind = isMerchant || to.startsWith('sub_');
  const isTooMuch = balance !== undefined && (amount ?? 0) > balance;
  const shown = balance === undefined ? '…' : money(balance);
  const size = sizeOf(payer.large);
  return (
    <PaymentForm
      {...payer}
      amount={amount}
      isReady={isKnownKind && !isTooMuch}
      summary={[...summary, [isMerchant ? t`To the merchant` : t`To the customer`, to]]}
      quote={{ transaction_type: 'processor_transfer', processor_id: merchantId }}
      pay={(client, request_id) =>
        client.processors.transfer(merchantId, {
          ...(isMerchant ? { to_processor_id: to } : { to_subscriber_id: to }),
          amount: amount ?? 0,
          request_id,
          ...(note.trim() ? { description: note.trim() } : {}),
        })
      }
      submitLabel={t`Transfer`}
      doneTitle={t`Transferred`}
      {...(receipt ? { receipt: (reply: Record<string, unknown>) => receipt(reply, amount ?? 0, to) } : {})}
    >
      <p>{t`Balance: ${shown}`}</p>
      <TextInput
        {...size}
        label={t`Merchant or customer id`}
        description={t`It begins with proc_ or sub_. The recipient or the operator can tell you.`}
        autoComplete="off"
        spellCheck={false}
        maxLength={128}
        required
        value={recipient}
        onChange={({ currentTarget }) => setRecipient(currentTarget.value)}
        error={to.length > 5 && !isKnownKind ? t`An id begins with proc_ or sub_.` : null}
      />
      <MoneyInput
        {...size}
        label={t`Amount`}
        value={text}
        onChange={setText}
        error={isTooMuch ? t`More than the balance` : null}
      />
      <TextInput
        {...size}
        label={t`Note`}
        maxLength={500}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
    </PaymentForm>
  );
}
