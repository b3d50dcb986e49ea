// Registers a trust account, or changes one.
import type { TrustAccount } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Action } from '../../../components/action.tsx';

export function AccountForm({ account, onClose }: { account: TrustAccount | null; onClose: () => void }) {
  const { t } = useLingui();
  const [name, setName] = useState(account?.name ?? '');
  const [bank, setBank] = useState(account?.bank ?? '');
  const [number, setNumber] = useState(account?.account_number ?? '');
  const [isActive, setActive] = useState(account?.status !== 'closed');
  const fields = { name, bank, account_number: number };
  return (
    <Action
      onClose={onClose}
      title={account ? t`Edit the trust account` : t`Add a trust account`}
      submitLabel={t`Save`}
      isReady={[name, bank, number].every((text) => text.trim() !== '')}
      call={(client) =>
        account
          ? client.trustAccounts.update(account.id, { ...fields, status: isActive ? 'active' : 'closed' })
          : client.trustAccounts.create({ ...fields, currency: 'SLE' })
      }
      doneMessage={t`The trust account was saved.`}
      changes={['trust-accounts', 'overview']}
    >
      <TextInput
        label={t`Name`}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        required
        data-autofocus
      />
      <TextInput label={t`Bank`} value={bank} onChange={({ currentTarget }) => setBank(currentTarget.value)} required />
      <TextInput
        label={t`Account number`}
        description={t`As the bank's statements have it.`}
        value={number}
        onChange={({ currentTarget }) => setNumber(currentTarget.value)}
        required
      />
      {account && (
        <Switch
          label={t`In use`}
          description={t`A closed account takes no statements. Only an empty account can be closed.`}
          checked={isActive}
          onChange={({ currentTarget }) => setActive(currentTarget.checked)}
        />
      )}
    </Action>
  );
}
