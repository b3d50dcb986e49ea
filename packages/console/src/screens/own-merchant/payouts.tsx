// Pay-outs to the merchant's bank account, and what became of them.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Title } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { AccountInput, AccountName } from '../../components/bank-account/account-input.tsx';
import { BankAccounts } from '../../components/bank-account/accounts.tsx';
import { useAccount } from '../../components/bank-account/use-account.ts';
import { Facts } from '../../components/facts.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import own from '../../components/own/own.module.css';
import { OwnAction } from '../../components/own/own-action.tsx';
import { OwnPage } from '../../components/own/own-page.tsx';
import { PaymentForm } from '../../components/payment/payment.tsx';
import { Empty, Waiting } from '../../components/states.tsx';
import { Status } from '../../components/status.tsx';
import { amount as amountOf, money, readAmount } from '../../format/money.ts';
import { instant } from '../../format/time.ts';
import { CHANGES, HOME, useMerchantId, useOwnMerchant } from './own-merchant.ts';

const SHOWN = '50';

export default function Payouts() {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const merchant = useOwnMerchant().data?.processor;
  return (
    <OwnPage title={t`Pay-outs`} home={HOME} narrow>
      {isOpen ? (
        <PayoutForm balance={merchant?.balance} onClose={() => setOpen(false)} />
      ) : (
        <Button size="lg" onClick={() => setOpen(true)}>
          <Trans>Pay out to the bank</Trans>
        </Button>
      )}
      {merchant && <BankAccounts merchant={merchant} frame={OwnAction} />}
      <List />
    </OwnPage>
  );
}

function usePayouts() {
  const id = useMerchantId();
  return useRead(['own-merchant', id, 'payouts'], (options) => kissi.processors.payouts(id, { limit: SHOWN }, options));
}

function PayoutForm({ balance, onClose }: { balance: number | undefined; onClose: () => void }) {
  const { t } = useLingui();
  const id = useMerchantId();
  const [text, setText] = useState('');
  const chosen = useAccount(id);
  const { account } = chosen;
  const amount = readAmount(text);
  const isTooMuch = balance !== undefined && (amount ?? 0) > balance;
  return (
    <PaymentForm
      kind="own-payout"
      large
      amount={amount}
      isReady={account !== undefined && !isTooMuch}
      summary={[[t`Bank account`, <AccountName key="account" account={account} />]]}
      quote={{ transaction_type: 'processor_payout', processor_id: id }}
      pay={(client, request_id) =>
        client.processors.payOut(id, { amount: amount ?? 0, bank_account: account?.account_number ?? '', request_id })
      }
      submitLabel={t`Pay out`}
      doneTitle={t`The pay-out is on its way to the bank`}
      receipt={(reply) => <Facts facts={[[t`Reference`, String(reply.reference ?? '')]]} />}
      changes={CHANGES}
      onRestart={onClose}
      onClose={onClose}
    >
      <p>
        <Trans>Balance: {balance === undefined ? '…' : money(balance)}</Trans>
      </p>
      <MoneyInput
        size="lg"
        label={t`Amount`}
        value={text}
        onChange={setText}
        error={isTooMuch ? t`More than the balance` : null}
      />
      <AccountInput of={chosen} large />
    </PaymentForm>
  );
}

function List() {
  const { data, error, refetch } = usePayouts();
  if (!data) return <Waiting error={error} retry={refetch} />;
  if (data.payouts.length === 0) return <Empty icon="bank" title={<Trans>No pay-outs yet</Trans>} />;
  return (
    <section>
      <Title order={2} mb="xs">
        <Trans>Earlier pay-outs (SLE)</Trans>
      </Title>
      <ul className={own.rows}>
        {data.payouts.map(({ transaction_id, amount, bank_account, state, created_at, reference }) => (
          <li key={transaction_id}>
            <div className={own.row} style={{ cursor: 'default' }}>
              <b>{bank_account ?? reference}</b>
              <b className={own.end}>{amountOf(amount)}</b>
              <small>{instant(created_at)}</small>
              <small className={own.end}>
                <Status value={state} tone={state === 'cleared' ? 'kissi' : state === 'returned' ? 'red' : 'yellow'} />
              </small>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
