// A further login of a merchant, such as for its office. The password is sent to its owner's phone.
import type { Processor } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Action } from '../../components/action.tsx';
import { isFilled, trimmed } from '../../components/form-values.ts';

interface AddLoginProps {
  merchant: Processor;
  onClose: () => void;
}

export default function AddLogin({ merchant: { id, business_name: name }, onClose }: AddLoginProps) {
  const { t } = useLingui();
  const form = useForm({ initialValues: { first_name: '', last_name: '', email: '', phone_number: '' } });
  const { values } = form;
  const field = (key: keyof typeof values) => ({
    required: true,
    maxLength: key === 'email' ? 254 : 100,
    autoComplete: 'off',
    ...form.getInputProps(key),
  });
  return (
    <Action
      onClose={onClose}
      title={t`Add a login for ${name}`}
      description={t`It can see and do the same as the first login. Every person should have their own login.`}
      submitLabel={t`Add the login`}
      isReady={isFilled(...Object.values(values)) && values.email.includes('@')}
      call={(client) => client.processors.createUser(id, trimmed(values))}
      doneMessage={t`The login was created. Its password was sent to the phone.`}
      changes={['users', 'audit']}
    >
      <TextInput label={t`First name`} {...field('first_name')} />
      <TextInput label={t`Last name`} {...field('last_name')} />
      <TextInput label={t`Email`} description={t`The name of the login.`} {...field('email')} />
      <TextInput
        label={t`Phone number`}
        description={t`A temporary password is sent to it.`}
        {...field('phone_number')}
      />
    </Action>
  );
}
