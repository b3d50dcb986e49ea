// The data of a customer as fields of a form, for registration and changes.
import { useLingui } from '@lingui/react/macro';
import { Select, SimpleGrid, TextInput, type TextInputProps } from '@mantine/core';

export interface CustomerForm {
  phone_number: string;
  first_name: string;
  last_name: string;
  email: string;
  date_of_birth: string;
  address: string;
  id_type: string;
  id_number: string;
  id_document_url: string;
  selfie_url: string;
  max_child_cards: string;
}

export const EMPTY_FORM: CustomerForm = {
  phone_number: '',
  first_name: '',
  last_name: '',
  email: '',
  date_of_birth: '',
  address: '',
  id_type: '',
  id_number: '',
  id_document_url: '',
  selfie_url: '',
  max_child_cards: '',
};

interface FieldsProps {
  form: CustomerForm;
  onChange: (changes: Partial<CustomerForm>) => void;
}

export const isComplete = ({ phone_number, first_name, last_name }: CustomerForm) =>
  [phone_number, first_name, last_name].every((value) => value.trim() !== '');

export function PersonFields({ form, onChange }: FieldsProps) {
  const { t } = useLingui();
  const field = fieldOf(form, onChange);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TextInput label={t`First name`} required data-autofocus {...field('first_name')} />
      <TextInput label={t`Last name`} required {...field('last_name')} />
      <TextInput label={t`Phone number`} required type="tel" placeholder="+232 76 123456" {...field('phone_number')} />
      <TextInput label={t`Email`} type="email" {...field('email')} />
      <TextInput label={t`Date of birth`} type="date" {...field('date_of_birth')} />
      <TextInput label={t`Address`} {...field('address')} />
    </SimpleGrid>
  );
}

export function DocumentFields({ form, onChange }: FieldsProps) {
  const { t } = useLingui();
  const field = fieldOf(form, onChange);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <Select
        label={t`Identity document`}
        data={[
          { value: 'NATIONAL_ID', label: t`National ID card` },
          { value: 'PASSPORT', label: t`Passport` },
          { value: 'DRIVERS_LICENSE', label: t`Driver's licence` },
        ]}
        value={form.id_type || null}
        onChange={(value) => onChange({ id_type: value ?? '' })}
        clearable
      />
      <TextInput label={t`Number of the document`} {...field('id_number')} />
      <TextInput label={t`Link to the document`} type="url" placeholder="https://" {...field('id_document_url')} />
      <TextInput label={t`Link to the picture`} type="url" placeholder="https://" {...field('selfie_url')} />
      <TextInput label={t`Child cards at most`} inputMode="numeric" {...field('max_child_cards')} />
    </SimpleGrid>
  );
}

/** The value of a field and what follows a change of it. */
function fieldOf(form: CustomerForm, onChange: FieldsProps['onChange']) {
  return (name: keyof CustomerForm): TextInputProps => ({
    value: form[name],
    onChange: ({ currentTarget }) => onChange({ [name]: currentTarget.value }),
    autoComplete: 'off',
  });
}

/** Without fields that were left empty; numbers as numbers. */
export function filled(form: CustomerForm): Record<string, string | number> {
  const entries = Object.entries(form)
    .map(([name, value]) => [name, String(value).trim()] as const)
    .filter(([, value]) => value !== '');
  return Object.fromEntries(entries.map(([name, value]) => [name, name === 'max_child_cards' ? Number(value) : value]));
}
