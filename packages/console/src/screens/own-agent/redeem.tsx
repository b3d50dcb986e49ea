// Pays out a customer's cash-out code: code and number are the customer's, the PIN is the agent's.
import { useLingui } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { type OwnPayer, OwnPayment } from '../../components/own/own-payment.tsx';
import { askPin } from '../../components/own/pin-input.tsx';
import { PaidReceipt, paidData } from '../../components/own/receipt.tsx';
import { PaymentForm } from '../../components/payment/payment.tsx';
import { CHANGES, HOME, useOwnAgent } from './own-agent.ts';

export function Redeem() {
  const { t } = useLingui();
  return (
    <OwnPayment title={t`Pay out a code`} home={HOME}>
      {(payer) => <Form {...payer} />}
    </OwnPayment>
  );
}

function Form(payer: OwnPayer) {
  const { t } = useLingui();
  const business = useOwnAgent().data?.agent.business_name ?? '';
  const [typedNumber, setNumber] = useState('');
  const [typedCode, setCode] = useState('');
  const number = typedNumber.trim();
  const code = typedCode.replaceAll(/\s/g, '');
  return (
    <PaymentForm
      {...payer}
      kind="cash-out-code"
      isReady={number !== '' && /^\d{8}$/.test(code)}
      summary={[
        [t`From`, number],
        [t`Code`, typedCode],
      ]}
      confirmation={askPin(`${number} ${code}`, t`Your PIN`, t`The next page says how much to pay out.`)}
      pay={(client, request_id, pin) => client.agents.redeemCode({ code, phone_number: number, pin, request_id })}
      submitLabel={t`Pay out`}
      doneTitle={t`Give the cash to the customer`}
      receipt={(reply) => (
        <PaidReceipt
          business={business}
          data={{ ...paidData(reply, 'wallet_withdraw', Number(reply.amount ?? 0)), from: number }}
        />
      )}
      changes={CHANGES}
    >
      <TextInput
        label={t`Customer's phone number`}
        size="lg"
        inputMode="tel"
        autoComplete="off"
        placeholder="076 123456"
        required
        value={typedNumber}
        onChange={({ currentTarget }) => setNumber(currentTarget.value)}
      />
      <TextInput
        label={t`Code`}
        description={t`Eight digits, which the customer got by SMS or in the wallet.`}
        size="lg"
        inputMode="numeric"
        autoComplete="off"
        maxLength={9}
        required
        value={typedCode}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
    </PaymentForm>
  );
}
