// A further login of a merchant, such as for its office. The password is sent to the phone of its owner.
import type { CreateProcessorLoginRequest, GetProcessorResponse } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Action } from '../../components/action.tsx';

type Form = CreateProcessorLoginRequest;

interface AddLoginProps {
  merchant: GetProcessorResponse['processor'];
  onClose: () => void;
}

export default function AddLogin({ merchant: { id, business_name: name }, onClose }: AddLoginProps) {
  const { t } = useLingui();
  const [form, setForm] = useState<Form>({ first_name: '', last_name: '', email: '', phone_number: '' });
  const field = (key: keyof Form, label: string, description?: string) => (
    <TextInput
      label={label}
      description={description}
      required
      maxLength={key === 'email' ? 254 : 100}
      autoComplete="off"
      value={form[key]}
      onChange={({ currentTarget }) => setForm({ ...form, [key]: currentTarget.value })}
    />
  );
  const isReady = Object.values(form).every((text) => text.trim() !== '') && form.email.includes('@');
  return (
    <Action
      onClose={onClose}
      title={t`Add a login of ${name}`}
      description={t`It sees and does the same as the first login. Every person should have a login of their own.`}
      submitLabel={t`Add the login`}
      isReady={isReady}
      call={(client) => client.processors.createUser(id, trimmed(form))}
      doneMessage={t`The login was created. Its password was sent to the phone.`}
      changes={['users', 'audit']}
    >
      {field('first_name', t`First name`)}
      {field('last_name', t`Last name`)}
      {field('email', t`Email`, t`The name of the login.`)}
      {field('phone_number', t`Phone number`, t`A temporary password is sent to it.`)}
    </Action>
  );
}

const trimmed = ({ first_name, last_name, email, phone_number }: Form): Form => ({
  first_name: first_name.trim(),
  last_name: last_name.trim(),
  email: email.trim(),
  phone_number: phone_number.trim(),
});
