// What is typed about a customer, and the requests that it makes.
import type { SubscriberView } from '@kissi/client';
import { changedOnly, filledOnly, isFilled } from '../../components/form-values.ts';

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

export const isComplete = ({ phone_number, first_name, last_name }: CustomerForm) =>
  isFilled(phone_number, first_name, last_name);

export function formOf(customer: SubscriberView): CustomerForm {
  const names = Object.keys(EMPTY_FORM) as (keyof CustomerForm)[];
  return Object.fromEntries(names.map((name) => [name, String(customer[name] ?? '')])) as unknown as CustomerForm;
}

export const registerRequest = (form: CustomerForm) => withNumbers(filledOnly(form));

export const changeRequest = (before: CustomerForm, after: CustomerForm) => withNumbers(changedOnly(before, after));

/** The service takes the number of cards as a number. */
const withNumbers = ({ max_child_cards, ...texts }: Partial<CustomerForm>): Record<string, string | number> => ({
  ...texts,
  ...(max_child_cards === undefined ? {} : { max_child_cards: Number(max_child_cards) }),
});
