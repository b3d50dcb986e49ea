// The data of a customer as fields of a form, for registration and changes.
import { useLingui } from '@lingui/react/macro';
import { Select, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { DateInput } from '../../components/date-input.tsx';
import { today } from '../../format/time.ts';
import type { CustomerForm } from './customer-form.ts';

interface FieldsProps {
  form: UseFormReturnType<CustomerForm>;
}

export function PersonFields({ form }: FieldsProps) {
  const { t } = useLingui();
  const field = (name: keyof CustomerForm) => ({ autoComplete: 'off', ...form.getInputProps(name) });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TextInput label={t`First name`} required data-autofocus {...field('first_name')} />
      <TextInput label={t`Last name`} required {...field('last_name')} />
      <TextInput label={t`Phone number`} required type="tel" placeholder="+232 76 123456" {...field('phone_number')} />
      <TextInput label={t`Email`} type="email" {...field('email')} />
      <DateInput label={t`Date of birth`} {...field('date_of_birth')} max={today()} />
      <TextInput label={t`Address`} {...field('address')} />
    </SimpleGrid>
  );
}

export function DocumentFields({ form }: FieldsProps) {
  const { t } = useLingui();
  const field = (name: keyof CustomerForm) => ({ autoComplete: 'off', ...form.getInputProps(name) });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <Select
        label={t`Identity document`}
        data={[
          { value: 'NATIONAL_ID', label: t`National ID card` },
          { value: 'PASSPORT', label: t`Passport` },
          { value: 'DRIVERS_LICENSE', label: t`Driver's licence` },
        ]}
        value={form.values.id_type || null}
        onChange={(value) => form.setFieldValue('id_type', value ?? '')}
        clearable
      />
      <TextInput label={t`Document number`} {...field('id_number')} />
      <TextInput label={t`Link to the document`} type="url" placeholder="https://" {...field('id_document_url')} />
      <TextInput label={t`Link to the picture`} type="url" placeholder="https://" {...field('selfie_url')} />
      <TextInput label={t`Maximum child cards`} inputMode="numeric" {...field('max_child_cards')} />
    </SimpleGrid>
  );
}
