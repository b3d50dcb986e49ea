// Cash out: the customer confirms with the PIN after amount and fee were shown, and gets cash from the agent.
import { useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { MoneyInput } from '../../components/money-input.tsx';
import { NamedParty } from '../../components/named-party.tsx';
import { OwnPage } from '../../components/own/own-page.tsx';
import { askPin } from '../../components/own/pin-input.tsx';
import { QuickAmounts } from '../../components/own/quick-amounts.tsx';
import { PaidReceipt } from '../../components/own/receipt.tsx';
import { PaymentForm } from '../../components/payment/payment.tsx';
import { readAmount } from '../../format/money.ts';
import { CustomerField, useCustomer } from './customer.tsx';
import { CHANGES, HOME, useAgentId, useOwnAgent } from './own-agent.ts';

export function CashOut() {
  const { t } = useLingui();
  const [round, setRound] = useState(0);
  return (
    <OwnPage title={t`Cash out`} home={HOME} narrow>
      <Form key={round} onRestart={() => setRound(round + 1)} />
    </OwnPage>
  );
}

function Form({ onRestart }: { onRestart: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const agentId = useAgentId();
  const business = useOwnAgent().data?.agent.business_name ?? '';
  const [number, setNumber] = useState('');
  const [text, setText] = useState('');
  const found = useCustomer(number);
  const amount = readAmount(text);
  const { customer } = found;
  const payer = customer && <NamedParty name={customer.name} details={[customer.details]} />;
  return (
    <PaymentForm
      kind="cash-out"
      party={customer?.id}
      large
      amount={amount}
      isReady={customer !== null}
      summary={[[t`From`, payer]]}
      quote={{ transaction_type: 'wallet_withdraw', agent_id: agentId }}
      confirmation={askPin(
        customer?.id ?? '',
        t`Customer's PIN`,
        t`Hand the phone to the customer. Do not look while the PIN is typed.`,
      )}
      pay={(client, request_id, pin) =>
        client.wallet.withdraw({
          subscriber_id: customer?.id ?? '',
          agent_id: agentId,
          amount: amount ?? 0,
          pin,
          request_id,
        })
      }
      submitLabel={t`Pay out`}
      doneTitle={t`Give the cash to the customer`}
      receipt={(reply) => (
        <PaidReceipt
          business={business}
          data={{
            transactionId: String(reply.transaction_id),
            type: 'wallet_withdraw',
            amount: amount ?? 0,
            fee: Number(reply.fee ?? 0),
            from: payer,
            at: String(reply.created_at),
          }}
        />
      )}
      changes={CHANGES}
      onRestart={onRestart}
      onClose={() => void navigate({ to: HOME })}
    >
      <CustomerField
        value={number}
        onChange={setNumber}
        found={found}
        missingNote={t`No customer is found with this number. Only the operator can pay out to customers who are not shown.`}
      />
      <MoneyInput size="lg" label={t`Amount`} value={text} onChange={setText} />
      <QuickAmounts value={text} onChange={setText} />
    </PaymentForm>
  );
}
