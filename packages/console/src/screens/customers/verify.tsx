// The code that a customer got by message: it proves that the number is theirs.
import type { SubscriberView } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Action } from '../../components/action.tsx';

export function VerifyDialog({ customer, onClose }: { customer: SubscriberView; onClose: () => void }) {
  const { t } = useLingui();
  const [code, setCode] = useState('');
  return (
    <Action
      onClose={onClose}
      title={t`Enter the code`}
      description={t`The customer got 6 digits by message on ${customer.phone_number ?? ''}.`}
      submitLabel={t`Verify the number`}
      doneMessage={t`The phone number is verified.`}
      isSecret
      isReady={/^\d{6}$/.test(code)}
      changes={['subscribers', 'audit']}
      call={(client) => client.registration.verify(customer.id, { code })}
    >
      <TextInput
        label={t`Code`}
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        maw={220}
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
    </Action>
  );
}
