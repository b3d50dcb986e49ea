// Cash in: the customer gives cash, and the amount moves from the float to the wallet. The agent confirms with the own PIN.
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

export function CashIn() {
  const { t } = useLingui();
  const [round, setRound] = useState(0);
  return (
    <OwnPage title={t`Cash in`} home={HOME} narrow>
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
  const recipient = customer ? <NamedParty name={customer.name} details={[customer.details]} /> : number;
  // The service knows customers whose names it does not show to agents.
  const to = customer ? { subscriber_id: customer.id } : { phone_number: number.trim() };
  return (
    <PaymentForm
      kind="cash-in"
      large
      amount={amount}
      isReady={customer !== null || found.isMissing}
      summary={[[t`To`, recipient]]}
      quote={{ transaction_type: 'agent_cashin', agent_id: agentId }}
      confirmation={askPin(customer?.id ?? number, t`Your PIN`)}
      pay={(client, request_id, pin) =>
        client.agents.cashIn({ agent_id: agentId, ...to, amount: amount ?? 0, pin, request_id })
      }
      submitLabel={t`Pay in`}
      doneTitle={t`Paid in`}
      receipt={(reply) => (
        <PaidReceipt
          business={business}
          data={{
            transactionId: String(reply.transaction_id),
            type: 'agent_cashin',
            amount: amount ?? 0,
            to: recipient,
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
        missingNote={t`No name is shown for this number. Check it with the customer.`}
      />
      <MoneyInput size="lg" label={t`Amount`} value={text} onChange={setText} />
      <QuickAmounts value={text} onChange={setText} />
    </PaymentForm>
  );
}
