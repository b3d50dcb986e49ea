// Pays a merchant's balance out to one of its bank accounts, for staff and for the merchant.
import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { money, readAmount } from '../../format/money.ts';
import { AccountInput } from '../bank-account/account-input.tsx';
import { useAccount } from '../bank-account/use-account.ts';
import { type Fact, Facts } from '../facts.tsx';
import { MoneyInput } from '../money-input.tsx';
import { type PayerProps, PaymentForm, sizeOf } from './payment.tsx';

interface PayoutFormProps extends PayerProps {
  merchantId: string;
  /** Minor units; absent while it is not known. */
  balance: number | undefined;
  /** Who is paid out. */
  summary?: Fact[];
  /** How the reference for the bank is shown. */
  showReference?: (reference: string) => ReactNode;
}

export function PayoutForm({ merchantId, balance, summary = [], showReference, ...payer }: PayoutFormProps) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const chosen = useAccount(merchantId);
  const { account } = chosen;
  const amount = readAmount(text);
  const isTooMuch = balance !== undefined && (amount ?? 0) > balance;
  const shown = balance === undefined ? '…' : money(balance);
  return (
    <PaymentForm
      {...payer}
      amount={amount}
      isReady={account !== undefined && !isTooMuch}
      summary={[
        ...summary,
        account ? [t`Bank`, account.bank] : null,
        account ? [t`Account holder`, account.holder] : null,
        account ? [t`Account number`, account.account_number] : null,
      ]}
      quote={{ transaction_type: 'processor_payout', processor_id: merchantId }}
      pay={(client, request_id) =>
        client.processors.payOut(merchantId, {
          amount: amount ?? 0,
          bank_account: account?.account_number ?? '',
          request_id,
        })
      }
      submitLabel={t`Pay out`}
      doneTitle={t`The pay-out is on its way to the bank`}
      receipt={({ reference = '' }) => (
        <Facts facts={[[t`Reference`, showReference?.(String(reference)) ?? String(reference)]]} />
      )}
    >
      <p>{t`Balance: ${shown}`}</p>
      <MoneyInput
        {...sizeOf(payer.large)}
        label={t`Amount`}
        value={text}
        onChange={setText}
        autoFocus
        error={isTooMuch ? t`More than the balance` : null}
      />
      <AccountInput
        of={chosen}
        large={payer.large ?? false}
        addAt={payer.large ? undefined : `/merchants/${merchantId}`}
        onLeave={payer.onClose}
      />
    </PaymentForm>
  );
}
