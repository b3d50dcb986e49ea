// Changes the data of a customer. Only fields that differ are sent.
import type { SubscriberView } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useCan } from '../../api/user.ts';
import { Action } from '../../components/action.tsx';
import { type CustomerForm, DocumentFields, EMPTY_FORM, isComplete, PersonFields } from './fields.tsx';

export function EditDialog({ customer, onClose }: { customer: SubscriberView; onClose: () => void }) {
  const { t } = useLingui();
  const seesDocuments = useCan()('subscribers:documents');
  const before = formOf(customer);
  const [form, setForm] = useState(before);
  const change = (changes: Partial<CustomerForm>) => setForm((old) => ({ ...old, ...changes }));
  const changes = differences(before, form);
  return (
    <Action
      onClose={onClose}
      title={t`Change data`}
      description={
        seesDocuments
          ? undefined
          : t`Links to documents are shown to compliance only. Left empty, they keep what is on file.`
      }
      submitLabel={t`Save`}
      doneMessage={t`The record was changed.`}
      isReady={isComplete(form) && Object.keys(changes).length > 0}
      changes={['subscribers', 'audit']}
      call={(client) => client.subscribers.update(customer.id, changes as never)}
    >
      <PersonFields form={form} onChange={change} />
      <DocumentFields form={form} onChange={change} />
    </Action>
  );
}

function formOf(customer: SubscriberView): CustomerForm {
  const names = Object.keys(EMPTY_FORM) as (keyof CustomerForm)[];
  return Object.fromEntries(names.map((name) => [name, String(customer[name] ?? '')])) as unknown as CustomerForm;
}

function differences(before: CustomerForm, after: CustomerForm): Record<string, string | number> {
  const names = (Object.keys(before) as (keyof CustomerForm)[]).filter((name) => before[name] !== after[name].trim());
  const written = (name: keyof CustomerForm) => (name === 'max_child_cards' ? Number(after[name]) : after[name].trim());
  return Object.fromEntries(names.map((name) => [name, written(name)]));
}
