// A link that many customers can pay until it expires, such as for a school fee or on a shop's page.
import { useLingui } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ChangeEvent, useState } from 'react';
import { ChoiceInput } from '../../../components/choice-input.tsx';
import { filledOnly, isFilled } from '../../../components/form-values.ts';
import { MoneyInput } from '../../../components/money-input.tsx';
import { OwnAction } from '../../../components/own/own-action.tsx';
import { readAmount } from '../../../format/money.ts';
import { useKeepRequest, useRequestId } from './use-request.ts';

const DAY_SECONDS = 86_400;

export default function NewLink({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const keep = useKeepRequest();
  const requestId = useRequestId();
  const [typed, setTyped] = useState('');
  const [days, setDays] = useState('30');
  const [details, setDetails] = useState({ description: '', reference: '' });
  const amount = readAmount(typed);
  const text = (field: keyof typeof details) => ({
    ...{ size: 'lg', maxLength: 100, autoComplete: 'off', value: details[field] },
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) =>
      setDetails((all) => ({ ...all, [field]: value })),
  });
  return (
    <OwnAction
      onClose={onClose}
      title={t`New link`}
      description={t`Many customers can pay with it until it expires.`}
      submitLabel={t`Make the link`}
      isReady={isFilled(details.description) && (amount !== null || typed.trim() === '')}
      call={(client) => {
        const body = {
          ...{ description: '', ...filledOnly(details), single_use: false, expires_in: Number(days) * DAY_SECONDS },
          ...(amount === null ? {} : { amount }),
        };
        return client.paymentRequests.create({ ...body, request_id: requestId(body) });
      }}
      doneMessage={t`The link is ready.`}
      changes={['own-merchant']}
      onDone={(reply) => {
        keep(reply);
        void navigate({ to: `/shop/requests/${reply.payment_request.id}` });
      }}
    >
      <TextInput
        label={t`What it is for`}
        description={t`The customer reads it.`}
        required
        data-autofocus
        {...text('description')}
      />
      <MoneyInput label={t`Amount (if it is fixed)`} size="lg" required={false} value={typed} onChange={setTyped} />
      <TextInput label={t`Your reference (optional)`} {...text('reference')} />
      <ChoiceInput
        label={t`Valid for`}
        size="lg"
        value={days}
        onChange={setDays}
        data={[
          { value: '1', label: t`1 day` },
          { value: '7', label: t`1 week` },
          { value: '30', label: t`1 month` },
          { value: '365', label: t`1 year` },
        ]}
      />
    </OwnAction>
  );
}
