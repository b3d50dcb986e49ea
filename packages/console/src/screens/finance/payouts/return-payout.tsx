// Gives a pay-out that the bank sent back to the merchant.
import type { PayoutRecord, Processor } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Modal, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { PaymentForm } from '../../../components/payment/payment.tsx';

interface ReturnProps {
  merchant: Pick<Processor, 'id' | 'business_name'>;
  payout: PayoutRecord;
  onClose: () => void;
}

export function ReturnPayout({ merchant, payout, onClose }: ReturnProps) {
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  const [entry, setEntry] = useState('');
  const isCleared = payout.state === 'cleared';
  const name = merchant.business_name;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t`Return the pay-out ${payout.reference ?? ''}`}
      closeButtonProps={{ 'aria-label': t`Close` }}
    >
      <PaymentForm
        kind="payout-return"
        party="operator"
        amount={payout.amount}
        isReady={reason.trim() !== '' && (!isCleared || entry.trim() !== '')}
        summary={[
          [t`Back to`, name],
          [t`Reason`, reason],
        ]}
        pay={(client, request_id) =>
          client.processors.returnPayout(merchant.id, payout.transaction_id, {
            reason,
            ...(isCleared ? { bank_entry_id: entry.trim() } : {}),
            request_id,
          })
        }
        submitLabel={t`Return`}
        doneTitle={t`Returned to ${name}.`}
        changes={['payouts', 'processor', 'processors', 'reconciliation', 'overview']}
        onClose={onClose}
      >
        <Textarea
          label={t`Why the bank sent it back`}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          maxLength={500}
          rows={2}
          required
          data-autofocus
        />
        {isCleared && (
          <TextInput
            label={t`Bank entry of the credit`}
            description={t`The bank has executed this pay-out: its credit is matched with the return.`}
            value={entry}
            onChange={({ currentTarget }) => setEntry(currentTarget.value)}
            autoComplete="off"
            required
          />
        )}
      </PaymentForm>
    </Modal>
  );
}
