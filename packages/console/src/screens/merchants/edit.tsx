// Registers a merchant, and changes its record.
import type { GetProcessorResponse } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Action } from '../../components/action.tsx';

interface Form {
  business_name: string;
  contact_name: string;
  phone_number: string;
  email: string;
  merchant_id: string;
}

export function CreateMerchant({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [form, setForm] = useState<Form>({
    business_name: '',
    contact_name: '',
    phone_number: '',
    email: '',
    merchant_id: '',
  });
  return (
    <Action
      onClose={onClose}
      title={t`New merchant`}
      description={t`The login is sent to the phone number. Terminals send the merchant id with their payments.`}
      submitLabel={t`Create`}
      isReady={isComplete(form) && form.email.includes('@')}
      call={(client) => {
        const { merchant_id, ...rest } = trimmed(form);
        return client.processors.create({ ...rest, ...(merchant_id ? { merchant_id } : {}) });
      }}
      doneMessage={t`The merchant is registered.`}
      changes={['processors']}
      onDone={({ processor_id }) => void navigate({ to: `/merchants/${processor_id}` })}
    >
      <Fields form={form} onChange={setForm} isNew />
    </Action>
  );
}

interface EditMerchantProps {
  merchant: GetProcessorResponse['processor'];
  onClose: () => void;
}

export function EditMerchant({ merchant, onClose }: EditMerchantProps) {
  const { t } = useLingui();
  const [form, setForm] = useState<Form>(merchant);
  return (
    <Action
      onClose={onClose}
      title={t`Edit ${merchant.business_name}`}
      submitLabel={t`Save`}
      isReady={isComplete(form)}
      call={(client) => {
        const { business_name, contact_name, phone_number } = trimmed(form);
        return client.processors.update(merchant.id, { business_name, contact_name, phone_number });
      }}
      doneMessage={t`The record is changed.`}
      changes={['processor', 'processors']}
    >
      <Fields form={form} onChange={setForm} />
    </Action>
  );
}

function Fields({ form, onChange, isNew = false }: { form: Form; onChange: (form: Form) => void; isNew?: boolean }) {
  const { t } = useLingui();
  const field = (name: keyof Form, label: string, description?: string) => (
    <TextInput
      label={label}
      description={description}
      required={name !== 'merchant_id'}
      maxLength={name === 'email' ? 254 : 100}
      autoComplete="off"
      value={form[name]}
      onChange={({ currentTarget }) => onChange({ ...form, [name]: currentTarget.value })}
    />
  );
  return (
    <>
      {field('business_name', t`Business name`)}
      {field('contact_name', t`Contact`)}
      {field('phone_number', t`Phone number`)}
      {isNew && field('email', t`Email`)}
      {isNew && field('merchant_id', t`Merchant id`, t`Optional. The service makes one if it is empty.`)}
    </>
  );
}

function trimmed({ business_name, contact_name, phone_number, email, merchant_id }: Form): Form {
  return {
    business_name: business_name.trim(),
    contact_name: contact_name.trim(),
    phone_number: phone_number.trim(),
    email: email.trim(),
    merchant_id: merchant_id.trim(),
  };
}

const isComplete = ({ business_name, contact_name, phone_number }: Form) =>
  [business_name, contact_name, phone_number].every((text) => text.trim() !== '');
