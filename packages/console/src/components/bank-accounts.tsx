// The bank accounts to which a merchant is paid out: to choose one, and to add and remove them.
import type { BankAccount } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../api/queries.ts';
import { kissi } from '../api/session.ts';
import { useCan } from '../api/user.ts';
import { Action } from './action.tsx';
import { ChoiceInput } from './choice-input.tsx';
import { Icon } from './icon.tsx';
import { Panel } from './page.tsx';
import { Failed, Loading } from './states.tsx';
import { useFirst } from './use-first.ts';

const CHANGES = ['bank-accounts'];
const READ = '20';

export const accountName = ({ account_number, bank, holder }: BankAccount) =>
  [account_number, bank, holder].join(' · ');

function useBankAccounts(merchantId: string) {
  return useRead(['bank-accounts', merchantId], (options) => kissi.processors.bankAccounts(merchantId, options));
}

/** The number of the latest pay-out that did not come back. Empty until it is known, and if there is none. */
function useLastAccount(merchantId: string): string {
  const { data } = useRead([`payouts-${merchantId}`, 'last-account'], (options) =>
    kissi.processors.payouts(merchantId, { limit: READ }, options),
  );
  const found = data?.payouts.find(({ bank_account, state }) => bank_account && state !== 'returned');
  return useFirst(data && (found?.bank_account ?? '')) ?? '';
}

export interface ChosenAccount {
  accounts: BankAccount[] | undefined;
  /** Undefined: none is chosen. */
  account: BankAccount | undefined;
  choose: (number: string) => void;
  error: unknown;
  retry: () => void;
}

/** The only account, or that of the last pay-out, is chosen until the user chooses. */
export function useChosenAccount(merchantId: string): ChosenAccount {
  const { data, error, refetch } = useBankAccounts(merchantId);
  const last = useLastAccount(merchantId);
  const [chosen, choose] = useState<string | null>(null);
  const accounts = data?.bank_accounts;
  const number = chosen ?? (accounts?.length === 1 ? accounts[0]?.account_number : last);
  const account = accounts?.find((each) => each.account_number === number);
  return { accounts, account, choose, error: data ? null : error, retry: () => void refetch() };
}

interface AccountChoiceProps {
  chosen: ChosenAccount;
  /** Leaves the form for that of a new account. */
  onAdd: () => void;
  size?: 'lg';
}

/** A field of a pay-out. */
export function AccountChoice({
  chosen: { accounts, account, choose, error, retry },
  onAdd,
  size,
}: AccountChoiceProps) {
  const { t } = useLingui();
  const can = useCan();
  const add = can('beneficiaries:write') && (
    <Button variant="subtle" size="compact-sm" onClick={onAdd} style={{ justifySelf: 'start', alignSelf: 'start' }}>
      <Trans>Add a bank account</Trans>
    </Button>
  );
  if (error) return <Failed error={error} retry={retry} />;
  if (accounts?.length === 0) {
    return (
      <Alert color="yellow" icon={<Icon name="bank" />}>
        <Stack gap="xs">
          <Text size="sm">
            <Trans>No bank account is stored. Pay-outs go to stored accounts only.</Trans>
          </Text>
          {add}
        </Stack>
      </Alert>
    );
  }
  const choices = (accounts ?? []).map((each) => ({ value: each.account_number, label: accountName(each) }));
  return (
    <Stack gap={4}>
      <ChoiceInput
        label={t`Bank account`}
        value={account?.account_number ?? ''}
        onChange={choose}
        data={account ? choices : [{ value: '', label: accounts ? t`Choose` : '…' }, ...choices]}
        required
        {...(size ? { size } : {})}
      />
      {add}
    </Stack>
  );
}

/** The stored accounts of a merchant. */
export function BankAccounts({ merchantId, onAdd }: { merchantId: string; onAdd: () => void }) {
  const { t } = useLingui();
  const can = useCan();
  const [removed, setRemoved] = useState<BankAccount | null>(null);
  const { data, error, refetch } = useBankAccounts(merchantId);
  const mayChange = can('beneficiaries:write');
  const removeTitle = (number: string) => t`Remove the bank account ${number}`;
  return (
    <Panel
      title={t`Bank accounts`}
      aside={
        mayChange && (
          <Button variant="default" size="compact-sm" onClick={onAdd}>
            <Trans>Add</Trans>
          </Button>
        )
      }
    >
      {error && !data ? <Failed error={error} retry={() => void refetch()} /> : null}
      {!data && !error && <Loading rows={1} />}
      {data?.bank_accounts.length === 0 && (
        <Text size="sm" c="dimmed">
          <Trans>No bank account is stored. Pay-outs go to stored accounts only.</Trans>
        </Text>
      )}
      <Stack gap="sm">
        {data?.bank_accounts.map((account) => (
          <Group key={account.id} justify="space-between" gap="xs" wrap="nowrap">
            <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              <Text fw={600}>{account.account_number}</Text>
              <Text size="sm" c="dimmed">
                {account.bank} · {account.holder}
              </Text>
            </div>
            {mayChange && (
              <Button
                variant="default"
                size="compact-sm"
                onClick={() => setRemoved(account)}
                aria-label={removeTitle(account.account_number)}
              >
                <Trans>Remove</Trans>
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      {removed && (
        <Action
          opened
          onClose={() => setRemoved(null)}
          title={removeTitle(removed.account_number)}
          description={t`Nothing is paid out to it any more. Earlier pay-outs keep its number.`}
          submitLabel={t`Remove`}
          isDangerous
          call={(client) => client.processors.removeBankAccount(merchantId, removed.id)}
          doneMessage={t`The bank account is removed.`}
          changes={CHANGES}
        />
      )}
    </Panel>
  );
}

export function AddBankAccount({ merchantId, onClose }: { merchantId: string; onClose: () => void }) {
  const { t } = useLingui();
  const [fields, setFields] = useState({ account_number: '', bank: '', holder: '' });
  const field = (name: keyof typeof fields) => ({
    value: fields[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setFields((before) => ({ ...before, [name]: value })),
    autoComplete: 'off',
    required: true,
  });
  const isReady = Object.values(fields).every((text) => text.trim() !== '') && fields.account_number.trim().length >= 5;
  return (
    <Action
      opened
      onClose={onClose}
      title={t`Add a bank account`}
      description={t`Pay-outs can go to it. A second user may have to approve it first.`}
      submitLabel={t`Add`}
      isReady={isReady}
      call={(client) => client.processors.addBankAccount(merchantId, fields)}
      doneMessage={t`The bank account is added.`}
      changes={CHANGES}
    >
      <TextInput label={t`Account number`} maxLength={64} data-autofocus {...field('account_number')} />
      <TextInput label={t`Bank`} maxLength={100} {...field('bank')} />
      <TextInput label={t`Account holder`} description={t`As the bank has it.`} maxLength={100} {...field('holder')} />
    </Action>
  );
}
