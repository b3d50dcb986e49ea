// Returns a transfer without the recipient's consent, on a legal order; a second user approves.
import { useLingui } from '@lingui/react/macro';
import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Action } from '../../components/action.tsx';
import { isFilled } from '../../components/form-values.ts';
import { MoneyInput } from '../../components/money-input.tsx';
import { amount, readAmount } from '../../format/money.ts';
import { MAX_TEXT } from './actions.tsx';
import { CHANGES } from './words.ts';

interface LegalOrderProps {
  id: string;
  /** The transfer's amount. */
  most: number;
  onClose: () => void;
}

export function LegalOrderDialog({ id, most, onClose }: LegalOrderProps) {
  const { t } = useLingui();
  const [requestId] = useState(() => crypto.randomUUID());
  const { values, getInputProps } = useForm({ initialValues: { order: '', reason: '', amount: amount(most) } });
  const minorUnits = readAmount(values.amount);
  return (
    <Action
      onClose={onClose}
      changes={CHANGES}
      isDangerous
      title={t`Return the transfer on a legal order`}
      description={t`The recipient is not asked. A second user must approve, with the order at hand.`}
      submitLabel={t`Request approval`}
      isReady={isFilled(values.order, values.reason) && minorUnits !== null && minorUnits <= most}
      call={(client) =>
        client.cases.legalOrder(id, {
          order_reference: values.order.trim(),
          reason: values.reason.trim(),
          amount: minorUnits ?? 0,
          request_id: requestId,
        })
      }
    >
      <TextInput
        label={t`Court or authority, and the number of the order`}
        required
        maxLength={100}
        data-autofocus
        {...getInputProps('order')}
      />
      <MoneyInput label={t`Amount`} {...getInputProps('amount')} />
      <Textarea
        label={t`What it orders`}
        required
        autosize
        minRows={2}
        maxLength={MAX_TEXT}
        {...getInputProps('reason')}
      />
    </Action>
  );
}
