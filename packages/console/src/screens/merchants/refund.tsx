// Refunds a card payment of a merchant, in full or in part.
import { useLingui } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { contactOf, NamedParty } from '../../components/named-party.tsx';
import { PaymentForm } from '../../components/payment/payment.tsx';
import { Empty, Failed, Loading } from '../../components/states.tsx';
import { amount, money, readAmount } from '../../format/money.ts';

interface RefundDialogProps {
  processorId: string;
  transactionId: string;
  onClose: () => void;
}

export function RefundDialog({ processorId, transactionId, onClose }: RefundDialogProps) {
  const { t } = useLingui();
  // Not read again after the refund: the form shows its result.
  const { data, error } = useRead(['refundable', transactionId], (options) =>
    kissi.transactions.get(transactionId, options),
  );
  const payment = data?.transaction;
  const refunded = (payment?.related ?? [])
    .filter(({ type }) => type === 'pos_refund')
    .reduce((sum, refund) => sum + refund.amount, 0);
  const remaining = (payment?.amount ?? 0) - refunded;
  return (
    <Dialog onClose={onClose} title={t`Refund`}>
      {error ? <Failed error={error} /> : null}
      {!payment && !error && <Loading rows={4} />}
      {payment && remaining <= 0 && <Empty icon="approve" title={t`This payment is refunded in full`} />}
      {payment && remaining > 0 && (
        <RefundForm
          processorId={processorId}
          transactionId={transactionId}
          customer={<NamedParty name={payment.payer.name ?? t`The customer`} details={contactOf(payment.payer)} />}
          paid={payment.amount}
          remaining={remaining}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface RefundFormProps extends RefundDialogProps {
  customer: ReactNode;
  paid: number;
  remaining: number;
}

function RefundForm({ processorId, transactionId, customer, paid, remaining, onClose }: RefundFormProps) {
  const { t } = useLingui();
  const [text, setText] = useState(amount(remaining));
  const [reason, setReason] = useState('');
  const minorUnits = readAmount(text);
  return (
    <PaymentForm
      kind="merchant-refund"
      party={processorId}
      amount={minorUnits}
      isReady
      summary={[
        [t`To`, customer],
        [t`Paid`, money(paid)],
      ]}
      quote={{ transaction_type: 'pos_refund', transaction_id: transactionId }}
      pay={(client, request_id) =>
        client.processors.refund(processorId, {
          transaction_id: transactionId,
          amount: minorUnits ?? 0,
          request_id,
          ...(reason.trim() ? { reason: reason.trim() } : {}),
        })
      }
      submitLabel={t`Refund`}
      doneTitle={t`Refunded`}
      receipt={(reply) => <Facts facts={[[t`Remains`, money(Number(reply.remaining ?? 0))]]} />}
      changes={['processor', 'processors', 'transaction', `processor-transactions-${processorId}`]}
      onRestart={onClose}
      onClose={onClose}
    >
      <MoneyInput label={t`Amount`} value={text} onChange={setText} autoFocus />
      <TextInput
        label={t`Reason`}
        maxLength={500}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </PaymentForm>
  );
}
