// Registers a merchant, and changes its record.
import type { Processor } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { Action } from '../../components/action.tsx';
import { isFilled, trimmed } from '../../components/form-values.ts';

const EMPTY = { business_name: '', contact_name: '', phone_number: '', email: '', merchant_id: '' };

const isComplete = ({ business_name, contact_name, phone_number }: typeof EMPTY) =>
  isFilled(business_name, contact_name, phone_number);

export function CreateMerchant({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const form = useForm({ initialValues: EMPTY });
  return (
    <Action
      onClose={onClose}
      title={t`New merchant`}
      description={t`The login is sent to the phone number. Terminals send the merchant id with their payments.`}
      submitLabel={t`Create`}
      isReady={isComplete(form.values) && form.values.email.includes('@')}
      call={(client) => {
        const { merchant_id, ...rest } = trimmed(form.values);
        return client.processors.create({ ...rest, ...(merchant_id ? { merchant_id } : {}) });
      }}
      doneMessage={t`The merchant is registered.`}
      changes={['processors']}
      onDone={({ processor_id }) => void navigate({ to: `/merchants/${processor_id}` })}
    >
      <Fields form={form} />
      <TextInput label={t`Email`} required maxLength={254} autoComplete="off" {...form.getInputProps('email')} />
      <TextInput
        label={t`Merchant id`}
        description={t`Optional. The service generates one if this is empty.`}
        maxLength={100}
        autoComplete="off"
        {...form.getInputProps('merchant_id')}
      />
    </Action>
  );
}

export function EditMerchant({ merchant, onClose }: { merchant: Processor; onClose: () => void }) {
  const { t } = useLingui();
  const form = useForm({ initialValues: { ...EMPTY, ...merchant } });
  return (
    <Action
      onClose={onClose}
      title={t`Edit ${merchant.business_name}`}
      submitLabel={t`Save`}
      isReady={isComplete(form.values)}
      call={(client) => {
        const { business_name, contact_name, phone_number } = trimmed(form.values);
        return client.processors.update(merchant.id, { business_name, contact_name, phone_number });
      }}
      doneMessage={t`The record is changed.`}
      changes={['processor', 'processors']}
    >
      <Fields form={form} />
    </Action>
  );
}

function Fields({ form }: { form: Pick<UseFormReturnType<typeof EMPTY>, 'getInputProps'> }) {
  const { t } = useLingui();
  const field = (name: keyof typeof EMPTY) => ({ maxLength: 100, autoComplete: 'off', ...form.getInputProps(name) });
  return (
    <>
      <TextInput label={t`Business name`} required {...field('business_name')} />
      <TextInput label={t`Contact`} required {...field('contact_name')} />
      <TextInput label={t`Phone number`} required {...field('phone_number')} />
    </>
  );
}
