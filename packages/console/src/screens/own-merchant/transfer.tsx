// A transfer to another merchant or to a customer's wallet.
import { Trans, useLingui } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { MoneyInput } from '../../components/money-input.tsx';
import { OwnPage } from '../../components/own/own-page.tsx';
import { Receipt } from '../../components/own/receipt.tsx';
import { PaymentForm } from '../../components/payment/payment.tsx';
import { money, readAmount } from '../../format/money.ts';
import { CHANGES, HOME, useMerchantId, useOwnMerchant } from './own-merchant.ts';

export function Transfer() {
  const { t } = useLingui();
  const [round, setRound] = useState(0);
  return (
    <OwnPage title={t`Transfer`} home={HOME} narrow>
      <Form key={round} onRestart={() => setRound(round + 1)} />
    </OwnPage>
  );
}

function Form({ onRestart }: { onRestart: () => void }) {
  const { t } = useLingui();
  const id = useMerchantId();
  const navigate = useNavigate();
  const merchant = useOwnMerchant().data?.processor;
  const [recipient, setRecipient] = useState('');
  const [text, setText] = useState('');
  const [note, setNote] = useState('');
  const amount = readAmount(text);
  const to = recipient.trim();
  const isMerchant = to.startsWith('proc_');
  const isKnownKind = isMerchant || to.startsWith('sub_');
  return (
    <PaymentForm
      kind="own-transfer"
      large
      amount={amount}
      isReady={isKnownKind}
      summary={[[isMerchant ? t`To the merchant` : t`To the customer`, to]]}
      quote={{ transaction_type: 'processor_transfer', processor_id: id }}
      pay={(client, request_id) =>
        client.processors.transfer(id, {
          ...(isMerchant ? { to_processor_id: to } : { to_subscriber_id: to }),
          amount: amount ?? 0,
          request_id,
          ...(note.trim() ? { description: note.trim() } : {}),
        })
      }
      submitLabel={t`Transfer`}
      doneTitle={t`Transferred`}
      receipt={(reply) => (
        <Receipt
          business={merchant?.business_name ?? ''}
          data={{
            transactionId: String(reply.transaction_id),
            type: 'processor_transfer',
            amount: amount ?? 0,
            fee: Number(reply.fee ?? 0),
            to,
            at: String(reply.created_at),
          }}
        />
      )}
      changes={CHANGES}
      onRestart={onRestart}
      onClose={() => void navigate({ to: HOME })}
    >
      <p>
        <Trans>Balance: {merchant ? money(merchant.balance) : '…'}</Trans>
      </p>
      <TextInput
        size="lg"
        label={t`Id of the merchant or customer`}
        description={t`It begins with proc_ or sub_. The recipient or the operator can tell you.`}
        autoComplete="off"
        spellCheck={false}
        required
        value={recipient}
        onChange={({ currentTarget }) => setRecipient(currentTarget.value)}
        error={to.length > 5 && !isKnownKind ? t`An id begins with proc_ or sub_.` : null}
      />
      <MoneyInput size="lg" label={t`Amount`} value={text} onChange={setText} />
      <TextInput
        size="lg"
        label={t`Note`}
        maxLength={500}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
    </PaymentForm>
  );
}
