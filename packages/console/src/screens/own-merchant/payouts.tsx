// Pay-outs to the merchant's bank account, and what became of them.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Title } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { BankAccounts } from '../../components/bank-account/accounts.tsx';
import own from '../../components/own/own.module.css';
import { OwnAction } from '../../components/own/own-action.tsx';
import { OwnPage } from '../../components/own/own-page.tsx';
import { PayoutForm } from '../../components/payment/payout-form.tsx';
import { Empty, Waiting } from '../../components/states.tsx';
import { Status } from '../../components/status.tsx';
import { amount as amountOf } from '../../format/money.ts';
import { instant } from '../../format/time.ts';
import { CHANGES, HOME, useMerchantId, useOwnMerchant } from './own-merchant.ts';

const SHOWN = '50';

export default function Payouts() {
  const { t } = useLingui();
  const id = useMerchantId();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const merchant = useOwnMerchant().data?.processor;
  return (
    <OwnPage title={t`Pay-outs`} home={HOME} narrow>
      {isOpen ? (
        <PayoutForm
          kind="own-payout"
          large
          merchantId={id}
          balance={merchant?.balance}
          changes={CHANGES}
          onRestart={close}
          onClose={close}
        />
      ) : (
        <Button size="lg" onClick={() => setOpen(true)}>{t`Pay out to the bank`}</Button>
      )}
      {merchant && <BankAccounts merchant={merchant} frame={OwnAction} />}
      <List />
    </OwnPage>
  );
}

function List() {
  const { t } = useLingui();
  const id = useMerchantId();
  const { data, error, refetch } = useRead(['own-merchant', id, 'payouts'], (options) =>
    kissi.processors.payouts(id, { limit: SHOWN }, options),
  );
  if (!data) return <Waiting error={error} retry={refetch} />;
  if (data.payouts.length === 0) return <Empty icon="bank" title={<Trans>No pay-outs yet</Trans>} />;
  return (
    <section>
      <Title order={2} mb="xs">{t`Earlier pay-outs (SLE)`}</Title>
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
