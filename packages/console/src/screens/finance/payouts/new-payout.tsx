// Pays out a merchant to one of its stored bank accounts.
import type { Processor } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { AccountChoice, accountName, useChosenAccount } from '../../../components/bank-accounts.tsx';
import { MoneyInput } from '../../../components/money-input.tsx';
import { NamedParty } from '../../../components/named-party.tsx';
import { PaymentForm } from '../../../components/payment/payment.tsx';
import { Id } from '../../../components/values.tsx';
import { money, readAmount } from '../../../format/money.ts';

interface NewPayoutProps {
  merchant: Processor;
  /** Opens the form of a new bank account instead. */
  onAddAccount: () => void;
  onClose: () => void;
}

export function NewPayout({ merchant, onAddAccount, onClose }: NewPayoutProps) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const chosen = useChosenAccount(merchant.id);
  const { account } = chosen;
  const amount = readAmount(text);
  const balance = money(merchant.balance ?? 0);
  const isTooMuch = merchant.balance !== undefined && (amount ?? 0) > merchant.balance;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t`Pay out ${merchant.business_name}`}
      closeButtonProps={{ 'aria-label': t`Close` }}
    >
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
          [t`To the bank account`, account && accountName(account)],
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
        <AccountChoice chosen={chosen} onAdd={onAddAccount} />
      </PaymentForm>
    </Modal>
  );
}
