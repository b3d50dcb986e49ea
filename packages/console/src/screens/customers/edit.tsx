// Changes a customer's data. Only fields that differ are sent.
import type { SubscriberView } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useForm } from '@mantine/form';
import { useCan } from '../../api/user.ts';
import { Action } from '../../components/action.tsx';
import { changeRequest, formOf, isComplete } from './customer-form.ts';
import { DocumentFields, PersonFields } from './fields.tsx';

export function EditDialog({ customer, onClose }: { customer: SubscriberView; onClose: () => void }) {
  const { t } = useLingui();
  const seesDocuments = useCan()('subscribers:documents');
  const before = formOf(customer);
  const form = useForm({ initialValues: before });
  const changes = changeRequest(before, form.values);
  return (
    <Action
      onClose={onClose}
      title={t`Change data`}
      description={
        seesDocuments
          ? undefined
          : t`Document links are shown to compliance only. Leave them empty to keep what is on file.`
      }
      submitLabel={t`Save`}
      doneMessage={t`The record was changed.`}
      isReady={isComplete(form.values) && Object.keys(changes).length > 0}
      changes={['subscribers', 'audit']}
      call={(client) => client.subscribers.update(customer.id, changes as never)}
    >
      <PersonFields form={form} />
      <DocumentFields form={form} />
    </Action>
  );
}
