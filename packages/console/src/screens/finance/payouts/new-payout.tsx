// Pays out a merchant to a bank account.
import type { Processor } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useState } from 'react';
import { AccountInput, AccountName } from '../../../components/bank-account/account-input.tsx';
import { useAccount } from '../../../components/bank-account/use-account.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { MoneyInput } from '../../../components/money-input.tsx';
import { NamedParty } from '../../../components/named-party.tsx';
import { PaymentForm } from '../../../components/payment/payment.tsx';
import { Id } from '../../../components/values.tsx';
import { money, readAmount } from '../../../format/money.ts';

export function NewPayout({ merchant, onClose }: { merchant: Processor; onClose: () => void }) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const chosen = useAccount(merchant.id);
  const { account } = chosen;
  const amount = readAmount(text);
  const balance = money(merchant.balance ?? 0);
  const isTooMuch = merchant.balance !== undefined && (amount ?? 0) > merchant.balance;
  return (
    <Dialog onClose={onClose} title={t`Pay out ${merchant.business_name}`}>
      <PaymentForm
        kind="merchant-payout"
        party={merchant.id}
        amount={amount}
        isReady={account !== undefined && !isTooMuch}
        summary={[
          [
            t`From`,
            <NamedParty
              key="from"
              name={merchant.business_name}
              details={[merchant.contact_name, merchant.merchant_id]}
            />,
          ],
          [t`To the bank account`, <AccountName key="to" account={account} />],
        ]}
        quote={{ transaction_type: 'processor_payout', processor_id: merchant.id }}
        pay={(client, request_id) =>
          client.processors.payOut(merchant.id, {
            amount: amount ?? 0,
            bank_account: account?.account_number ?? '',
            request_id,
          })
        }
        submitLabel={t`Pay out`}
        doneTitle={t`Paid out. The amount is in transit until the bank has executed it.`}
        receipt={({ reference }) => (
          <Text size="sm">
            <Trans>Reference for the bank transfer:</Trans> <Id value={String(reference)} />
          </Text>
        )}
        changes={['payouts', 'processor', 'processors', 'reconciliation', 'overview']}
        onClose={onClose}
      >
        <Text size="sm" c="dimmed">
          <Trans>Balance: {balance}</Trans>
        </Text>
        <MoneyInput
          label={t`Amount`}
          value={text}
          onChange={setText}
          autoFocus
          error={isTooMuch ? t`More than the balance` : null}
        />
        <AccountInput of={chosen} />
      </PaymentForm>
    </Dialog>
  );
}
