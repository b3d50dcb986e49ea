// Records what a partner transferred to a trust account. A second user may have to approve it.
import type { Partner } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { PaymentForm } from '../../components/payment/payment.tsx';
import { amount as amountText, money, readAmount } from '../../format/money.ts';

interface SettleProps {
  partner: Partner;
  /** Minor units. */
  initial?: number;
  /** There is one payment only: its transaction. */
  onPaid?: (transactionId: string) => void;
  onClose: () => void;
}

export function Settle({ partner, initial, onPaid, onClose }: SettleProps) {
  const { t } = useLingui();
  const [text, setText] = useState(initial ? amountText(initial) : '');
  const [reference, setReference] = useState('');
  const amount = readAmount(text);
  const { id, name, outstanding } = partner;
  return (
    <Dialog onClose={onClose} title={t`Settlement of ${name}`}>
      <PaymentForm
        kind="partner-settle"
        party="operator"
        amount={amount}
        isReady={reference.trim() !== ''}
        summary={[
          [t`Partner`, name],
          [t`Owes now`, money(outstanding)],
          [t`Owes afterwards`, money(outstanding - (amount ?? 0))],
          [t`Reference`, reference],
        ]}
        pay={(client, request_id) =>
          client.partners.settle(id, { amount: amount ?? 0, reference: reference.trim(), request_id })
        }
        submitLabel={t`Record the settlement`}
        doneTitle={t`The settlement was recorded`}
        receipt={({ partner_outstanding }) =>
          typeof partner_outstanding === 'number' ? <Facts facts={[[t`Owes now`, money(partner_outstanding)]]} /> : null
        }
        changes={['partners', 'reconciliation', 'overview']}
        {...(onPaid
          ? { onDone: ({ transaction_id }) => onPaid(String(transaction_id)) }
          : { onRestart: () => setText('') })}
        onClose={onClose}
      >
        <MoneyInput label={t`Amount received`} value={text} onChange={setText} autoFocus />
        <TextInput
          label={t`Bank transfer reference`}
          value={reference}
          onChange={({ currentTarget }) => setReference(currentTarget.value)}
          maxLength={100}
          required
          autoComplete="off"
        />
      </PaymentForm>
    </Dialog>
  );
}
