// Transfers from a merchant to another merchant or to a wallet. A second user may have to approve it.
import type { GetProcessorResponse } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { MoneyInput } from '../../components/money-input.tsx';
import { NamedParty } from '../../components/named-party.tsx';
import { PaymentForm } from '../../components/payment/payment.tsx';
import { money, readAmount } from '../../format/money.ts';

interface MerchantTransferProps {
  merchant: GetProcessorResponse['processor'];
  onClose: () => void;
}

export function MerchantTransfer({ merchant, onClose }: MerchantTransferProps) {
  const { t } = useLingui();
  const { id, business_name: name, balance } = merchant;
  const [text, setText] = useState('');
  const [recipient, setRecipient] = useState('');
  const amount = readAmount(text);
  const to = recipient.trim();
  const isTooMuch = (amount ?? 0) > balance;
  return (
    <Modal opened onClose={onClose} title={t`Transfer from ${name}`} closeButtonProps={{ 'aria-label': t`Close` }}>
      <PaymentForm
        kind="merchant-transfer"
        party={id}
        amount={amount}
        isReady={!isTooMuch && /^(proc|sub)_/.test(to)}
        summary={[
          [t`From`, <NamedParty key="from" name={name} details={[merchant.contact_name, merchant.merchant_id]} />],
          [t`Balance now`, money(balance)],
          [t`To`, to],
        ]}
        quote={{ transaction_type: 'processor_transfer', processor_id: id }}
        pay={(client, request_id) => {
          const party = to.startsWith('proc_') ? { to_processor_id: to } : { to_subscriber_id: to };
          return client.processors.transfer(id, { amount: amount ?? 0, request_id, ...party });
        }}
        submitLabel={t`Transfer`}
        doneTitle={t`Transferred`}
        changes={['processor', 'processors', 'overview']}
        onRestart={() => setText('')}
        onClose={onClose}
      >
        <MoneyInput
          label={t`Amount`}
          value={text}
          onChange={setText}
          autoFocus
          error={isTooMuch ? t`More than the balance` : null}
        />
        <TextInput
          label={t`Id of the merchant or customer`}
          description={t`It begins with proc_ or sub_.`}
          required
          autoComplete="off"
          maxLength={128}
          value={recipient}
          onChange={({ currentTarget }) => setRecipient(currentTarget.value)}
        />
      </PaymentForm>
    </Modal>
  );
}
