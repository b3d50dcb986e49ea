// Cash in and cash out. Cash in: the agent confirms with their own PIN. Cash out: the customer does, after amount and fee were shown.
import type { Kissi } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { MoneyInput } from '../../components/money-input.tsx';
import { NamedParty } from '../../components/named-party.tsx';
import { type OwnPayer, OwnPayment } from '../../components/own/own-payment.tsx';
import { askPin } from '../../components/own/pin-input.tsx';
import { QuickAmounts } from '../../components/own/quick-amounts.tsx';
import { PaidReceipt, paidData } from '../../components/own/receipt.tsx';
import { PaymentForm } from '../../components/payment/payment.tsx';
import { readAmount } from '../../format/money.ts';
import { type Customer, CustomerField, useCustomer } from './customer.tsx';
import { CHANGES, HOME, useAgentId, useOwnAgent } from './own-agent.ts';

interface CashMovement {
  kind: 'cash-in' | 'cash-out';
  type: 'agent_cashin' | 'wallet_withdraw';
  title: string;
  /** Which side of the payment the customer is. */
  side: 'from' | 'to';
  sideLabel: string;
  pinLabel: string;
  pinNote?: string;
  submitLabel: string;
  doneTitle: string;
  missingNote: string;
  /** The service knows customers whose names it does not show to agents: cash can be paid in to their numbers. */
  acceptsUnnamed: boolean;
  pay: (client: Kissi, payment: CashPayment) => PromiseLike<unknown>;
}

interface CashPayment {
  agent_id: string;
  amount: number;
  pin: string;
  request_id: string;
  customer: Customer | null;
  number: string;
}

export function CashIn() {
  const { t } = useLingui();
  return (
    <Cash
      kind="cash-in"
      type="agent_cashin"
      title={t`Cash in`}
      side="to"
      sideLabel={t`To`}
      pinLabel={t`Your PIN`}
      submitLabel={t`Pay in`}
      doneTitle={t`Paid in`}
      missingNote={t`No name is shown for this number. Check it with the customer.`}
      acceptsUnnamed
      pay={(client, { customer, number, ...payment }) =>
        client.agents.cashIn({ ...payment, ...(customer ? { subscriber_id: customer.id } : { phone_number: number }) })
      }
    />
  );
}

export function CashOut() {
  const { t } = useLingui();
  return (
    <Cash
      kind="cash-out"
      type="wallet_withdraw"
      title={t`Cash out`}
      side="from"
      sideLabel={t`From`}
      pinLabel={t`Customer's PIN`}
      pinNote={t`Hand the phone to the customer. Do not look while the PIN is typed.`}
      submitLabel={t`Pay out`}
      doneTitle={t`Give the cash to the customer`}
      missingNote={t`No customer has this number. Only the operator can pay out to customers who are not shown.`}
      acceptsUnnamed={false}
      pay={(client, { customer, number, ...payment }) =>
        client.wallet.withdraw({ ...payment, subscriber_id: customer?.id ?? '' })
      }
    />
  );
}

/** From the screen that has just served the customer: for one payment, and not kept in the browser's history. */
function useGivenNumber(): string {
  const navigate = useNavigate();
  const { number = '' } = useLocation().state as { number?: string };
  const [given] = useState(number);
  useEffect(() => {
    if (number !== '') void navigate({ to: '.', replace: true, state: {} as never });
  }, [number, navigate]);
  return given;
}

const Cash = (movement: CashMovement) => (
  <OwnPayment title={movement.title} home={HOME}>
    {(payer) => <Form {...movement} {...payer} />}
  </OwnPayment>
);

function Form({ kind, type, side, sideLabel, pay, ...props }: CashMovement & OwnPayer) {
  const { t } = useLingui();
  const agentId = useAgentId();
  const business = useOwnAgent().data?.agent.business_name ?? '';
  const given = useGivenNumber();
  const [number, setNumber] = useState(given);
  const [text, setText] = useState('');
  const found = useCustomer(number);
  const amount = readAmount(text);
  const { customer } = found;
  const isCashOut = side === 'from';
  const shown = customer ? <NamedParty name={customer.name} details={[customer.details]} /> : number;
  return (
    <PaymentForm
      kind={kind}
      party={isCashOut ? customer?.id : undefined}
      large
      amount={amount}
      isReady={customer !== null || (props.acceptsUnnamed && found.isMissing)}
      summary={[[sideLabel, shown]]}
      quote={{ transaction_type: type, agent_id: agentId }}
      confirmation={askPin(customer?.id ?? number, props.pinLabel, props.pinNote)}
      pay={(client, request_id, pin) =>
        pay(client, { agent_id: agentId, amount: amount ?? 0, pin, request_id, customer, number: number.trim() })
      }
      submitLabel={props.submitLabel}
      doneTitle={props.doneTitle}
      receipt={(reply) => (
        <PaidReceipt
          business={business}
          data={{
            ...paidData(reply, type, amount ?? 0),
            [side]: shown,
            ...(isCashOut ? { fee: Number(reply.fee ?? 0) } : {}),
          }}
        />
      )}
      changes={CHANGES}
      onRestart={props.onRestart}
      onClose={props.onClose}
    >
      <CustomerField value={number} onChange={setNumber} found={found} missingNote={props.missingNote} />
      <MoneyInput size="lg" label={t`Amount`} value={text} onChange={setText} />
      <QuickAmounts value={text} onChange={setText} />
    </PaymentForm>
  );
}
