// Registers a trust account, or changes one.
import type { TrustAccount } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Action } from '../../../components/action.tsx';
import { isFilled } from '../../../components/form-values.ts';

export function AccountForm({ account, onClose }: { account: TrustAccount | null; onClose: () => void }) {
  const { t } = useLingui();
  const form = useForm({
    initialValues: {
      name: account?.name ?? '',
      bank: account?.bank ?? '',
      account_number: account?.account_number ?? '',
      isActive: account?.status !== 'closed',
    },
  });
  const { isActive, ...fields } = form.values;
  return (
    <Action
      onClose={onClose}
      title={account ? t`Edit the trust account` : t`Add a trust account`}
      submitLabel={t`Save`}
      isReady={isFilled(...Object.values(fields))}
      call={(client) =>
        account
          ? client.trustAccounts.update(account.id, { ...fields, status: isActive ? 'active' : 'closed' })
          : client.trustAccounts.create({ ...fields, currency: 'SLE' })
      }
      doneMessage={t`The trust account was saved.`}
      changes={['trust-accounts', 'overview']}
    >
      <TextInput label={t`Name`} required data-autofocus {...form.getInputProps('name')} />
      <TextInput label={t`Bank`} required {...form.getInputProps('bank')} />
      <TextInput
        label={t`Account number`}
        description={t`According to the bank's statements.`}
        required
        {...form.getInputProps('account_number')}
      />
      {account && (
        <Switch
          label={t`In use`}
          description={t`A closed account takes no statements. Only an empty account can be closed.`}
          {...form.getInputProps('isActive', { type: 'checkbox' })}
        />
      )}
    </Action>
  );
}
