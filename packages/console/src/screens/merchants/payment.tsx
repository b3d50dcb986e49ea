// Pays a merchant's balance out to a bank account, or transfers it. A second user may have to approve it.
import type { GetProcessorResponse } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { AccountInput, AccountName } from '../../components/bank-account/account-input.tsx';
import { useAccount } from '../../components/bank-account/use-account.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { NamedParty } from '../../components/named-party.tsx';
import { PaymentForm } from '../../components/payment/payment.tsx';
import { money, readAmount } from '../../format/money.ts';

interface MerchantPaymentProps {
  kind: 'payout' | 'transfer';
  merchant: GetProcessorResponse['processor'];
  onClose: () => void;
}

export default function MerchantPayment({ kind, merchant, onClose }: MerchantPaymentProps) {
  const { t } = useLingui();
  const { id, business_name: name, balance } = merchant;
  const isPayout = kind === 'payout';
  const [text, setText] = useState('');
  const chosen = useAccount(id, isPayout);
  const { account } = chosen;
  const [recipient, setRecipient] = useState('');
  const amount = readAmount(text);
  const to = recipient.trim();
  const isTooMuch = (amount ?? 0) > balance;
  const isReady = !isTooMuch && (isPayout ? account !== undefined : /^(proc|sub)_/.test(to));
  return (
    <Dialog onClose={onClose} title={isPayout ? t`Pay out to the bank of ${name}` : t`Transfer from ${name}`}>
      <PaymentForm
        kind={isPayout ? 'merchant-payout' : 'merchant-transfer'}
        party={id}
        amount={amount}
        isReady={isReady}
        summary={[
          [t`From`, <NamedParty key="from" name={name} details={[merchant.contact_name, merchant.merchant_id]} />],
          [t`Balance now`, money(balance)],
          isPayout ? [t`Bank account`, <AccountName key="to" account={account} />] : [t`To`, to],
        ]}
        quote={{ transaction_type: isPayout ? 'processor_payout' : 'processor_transfer', processor_id: id }}
        pay={(client, request_id) => {
          const body = { amount: amount ?? 0, request_id };
          if (isPayout) return client.processors.payOut(id, { ...body, bank_account: account?.account_number ?? '' });
          const party = to.startsWith('proc_') ? { to_processor_id: to } : { to_subscriber_id: to };
          return client.processors.transfer(id, { ...body, ...party });
        }}
        submitLabel={isPayout ? t`Pay out` : t`Transfer`}
        doneTitle={isPayout ? t`The pay-out is on its way to the bank` : t`Transferred`}
        receipt={({ reference }) => (reference ? <Facts facts={[[t`Reference`, String(reference)]]} /> : null)}
        changes={['processor', 'processors', 'payouts', 'reconciliation', 'overview']}
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
        {isPayout ? (
          <AccountInput of={chosen} />
        ) : (
          <TextInput
            label={t`Id of the merchant or customer`}
            description={t`It begins with proc_ or sub_.`}
            required
            autoComplete="off"
            maxLength={128}
            value={recipient}
            onChange={({ currentTarget }) => setRecipient(currentTarget.value)}
          />
        )}
      </PaymentForm>
    </Dialog>
  );
}
