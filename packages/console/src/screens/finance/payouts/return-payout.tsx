// Gives a pay-out that the bank sent back to the merchant: with the bank's credit, if the bank has executed it.
import type { PayoutRecord, Processor } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { ChoiceInput } from '../../../components/choice-input.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Icon } from '../../../components/icon.tsx';
import { PaymentForm } from '../../../components/payment/payment.tsx';
import { ReasonInput } from '../../../components/reason-input.tsx';
import { Waiting } from '../../../components/states.tsx';
import { date } from '../../../format/time.ts';
import { BankEntries, entryText } from './bank-entries.tsx';

interface ReturnProps {
  merchant: Pick<Processor, 'id' | 'business_name'>;
  payout: Pick<PayoutRecord, 'transaction_id' | 'reference' | 'amount'>;
  /** The bank's credit that was chosen before. */
  initialEntry?: string | undefined;
  onClose: () => void;
}

export function ReturnPayout({ merchant, payout, initialEntry = '', onClose }: ReturnProps) {
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  const [entry, setEntry] = useState(initialEntry);
  const { data, error, refetch } = useRead(['payouts', 'at-bank', payout.transaction_id], (options) =>
    kissi.processors.payoutAtBank(merchant.id, payout.transaction_id, options),
  );
  const isRequired = data?.credit_required ?? false;
  const credit = data?.credits.find(({ id }) => id === entry);
  const name = merchant.business_name;
  return (
    <Dialog onClose={onClose} title={t`Return the pay-out ${payout.reference ?? ''}`}>
      <PaymentForm
        kind="payout-return"
        party="operator"
        amount={payout.amount}
        isReady={reason.trim() !== '' && data !== undefined && (!isRequired || credit !== undefined)}
        summary={[
          [t`Back to`, name],
          [t`Reason`, reason],
          credit ? [t`Credit of the bank`, `${date(credit.date)} · ${entryText(credit)}`] : null,
        ]}
        pay={(client, request_id) =>
          client.processors.returnPayout(merchant.id, payout.transaction_id, {
            reason,
            ...(credit ? { bank_entry_id: credit.id } : {}),
            request_id,
          })
        }
        submitLabel={t`Return`}
        doneTitle={t`Returned to ${name}.`}
        changes={['payouts', 'processor', 'processors', 'reconciliation', 'overview']}
        onClose={onClose}
      >
        <ReasonInput label={t`Why the bank sent it back`} value={reason} onChange={setReason} />
        {!data && <Waiting error={error} retry={refetch} rows={2} />}
        {data && data.bank_entries.length > 0 && (
          <Stack gap={4}>
            <Text size="sm" fw={600}>{t`What the bank says (SLE)`}</Text>
            <BankEntries entries={data.bank_entries} />
          </Stack>
        )}
        {data && isRequired && data.credits.length === 0 && (
          <Alert color="yellow" icon={<Icon name="alert" />}>
            <Trans>
              The bank has executed this pay-out, and no open credit of its amount is in the statements. Upload the
              statement that shows it first.
            </Trans>
          </Alert>
        )}
        {data && data.credits.length > 0 && (
          <ChoiceInput
            label={t`Credit of the bank`}
            description={t`The entry with which the bank sent the money back. It is matched with the return.`}
            value={entry}
            onChange={setEntry}
            required={isRequired}
            data={[
              { value: '', label: isRequired ? t`Choose` : t`None: the bank has not executed it` },
              ...data.credits.map((each) => ({ value: each.id, label: `${date(each.date)} · ${entryText(each)}` })),
            ]}
          />
        )}
      </PaymentForm>
    </Dialog>
  );
}
