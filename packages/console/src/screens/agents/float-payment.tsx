// Funds the float of an agent, or takes float back. A second user may have to approve it.
import type { GetAgentResponse } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { contactOfAgent, NamedParty } from '../../components/named-party.tsx';
import { PaymentForm } from '../../components/payment/payment.tsx';
import { amount as amountText, minorUnitsOf, money, readAmount } from '../../format/money.ts';

interface FloatPaymentProps {
  kind: 'fund' | 'return';
  agent: GetAgentResponse['agent'];
  /** Minor units. */
  initial?: number;
  /** There is one payment only: its transaction. */
  onPaid?: (transactionId: string) => void;
  onClose: () => void;
}

export function FloatPayment({ kind, agent, initial, onPaid, onClose }: FloatPaymentProps) {
  const { t } = useLingui();
  const { id, business_name: name, float_balance_formatted } = agent;
  const isFund = kind === 'fund';
  const [text, setText] = useState(initial ? amountText(initial) : '');
  const [note, setNote] = useState('');
  const amount = readAmount(text);
  return (
    <Dialog onClose={onClose} title={isFund ? t`Fund ${name}` : t`Take back float of ${name}`}>
      <PaymentForm
        kind={isFund ? 'agent-fund' : 'agent-return'}
        party="operator"
        amount={amount}
        isReady
        summary={[
          [isFund ? t`To` : t`From`, <NamedParty key="agent" name={name} details={contactOfAgent(agent)} />],
          [t`Float now`, money(minorUnitsOf(float_balance_formatted))],
        ]}
        quote={{ transaction_type: isFund ? 'agent_fund' : 'agent_return', agent_id: id }}
        pay={(client, request_id) => {
          const body = { amount: amount ?? 0, request_id, ...(note.trim() ? { description: note.trim() } : {}) };
          return isFund ? client.agents.fund(id, body) : client.agents.returnFloat(id, body);
        }}
        submitLabel={isFund ? t`Fund` : t`Return float`}
        doneTitle={isFund ? t`The float is funded` : t`The float is returned`}
        changes={['agent', 'agents', 'agent-floats', `agent-transactions-${id}`, 'reconciliation', 'overview']}
        {...(onPaid
          ? { onDone: ({ transaction_id }) => onPaid(String(transaction_id)) }
          : { onRestart: () => setText('') })}
        onClose={onClose}
      >
        <MoneyInput label={t`Amount`} value={text} onChange={setText} autoFocus />
        <TextInput
          label={t`Note`}
          maxLength={500}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
      </PaymentForm>
    </Dialog>
  );
}
