// Asks a customer for a payment: the amount, and a screen with a QR code and a number for the customer's own phone.
import { KissiConnectionError } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ChangeEvent, useEffect, useState } from 'react';
import { filledOnly } from '../../../components/form-values.ts';
import { MoneyInput } from '../../../components/money-input.tsx';
import { loadQr } from '../../../components/own/load-qr.ts';
import { OwnPage } from '../../../components/own/own-page.tsx';
import { QuickAmounts } from '../../../components/own/quick-amounts.tsx';
import { RefusalNotice } from '../../../components/states.tsx';
import { useSubmit } from '../../../components/use-submit.ts';
import { money, readAmount } from '../../../format/money.ts';
import { HOME, useOwnMerchant } from '../own-merchant.ts';
import classes from './requests.module.css';
import { useKeepRequest, useRequestId } from './use-request.ts';

const EMPTY = { payer_phone: '', description: '', reference: '' };

export function Charge() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const keep = useKeepRequest();
  const requestId = useRequestId();
  const name = useOwnMerchant().data?.processor.business_name;
  const [typed, setTyped] = useState('');
  const [details, setDetails] = useState(EMPTY);
  // While the amount is typed, so that the next screen needs no further round trip.
  useEffect(() => void loadQr().catch(() => undefined), []);
  const amount = readAmount(typed);
  const { submit, error, isRunning } = useSubmit(
    (client) => {
      // The payer reads what it is for; without a note it is the name above the till.
      const body = { amount: amount ?? 0, description: name ?? 'Payment', ...filledOnly(details) };
      return client.paymentRequests.create({ ...body, request_id: requestId(body) });
    },
    (reply) => {
      keep(reply);
      return navigate({ to: `/shop/requests/${reply.payment_request.id}`, replace: true });
    },
  );
  const text = (field: keyof typeof EMPTY) => ({
    size: 'lg',
    maxLength: field === 'payer_phone' ? 20 : 100,
    autoComplete: 'off',
    value: details[field],
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) =>
      setDetails((all) => ({ ...all, [field]: value })),
  });
  return (
    <OwnPage title={t`Charge`} home={HOME} narrow>
      <form onSubmit={submit} className={classes.form}>
        <MoneyInput label={t`Amount`} size="lg" autoFocus value={typed} onChange={setTyped} />
        <QuickAmounts value={typed} onChange={setTyped} />
        <TextInput
          label={t`Customer's phone (optional)`}
          description={t`A registered customer gets a message.`}
          type="tel"
          {...text('payer_phone')}
        />
        <details className={classes.more}>
          <summary>
            <Trans>Note and reference</Trans>
          </summary>
          <div className={classes.form}>
            <TextInput
              label={t`What it is for`}
              description={t`The customer reads it.`}
              placeholder={t`2 bags of rice`}
              {...text('description')}
            />
            <TextInput label={t`Your reference`} description={t`Such as an order number.`} {...text('reference')} />
          </div>
        </details>
        <RefusalNotice error={error} />
        {error instanceof KissiConnectionError && (
          <Text size="sm">
            <Trans>Nothing you typed is lost. Sending it again does not charge twice.</Trans>
          </Text>
        )}
        <Button type="submit" size="xl" loading={isRunning} disabled={amount === null}>
          {amount === null ? <Trans>Charge</Trans> : <Trans>Charge {money(amount)}</Trans>}
        </Button>
      </form>
    </OwnPage>
  );
}
