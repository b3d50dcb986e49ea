// The bank accounts to which a merchant is paid out. Staff and the merchant add and remove them; a second user may have to agree.
import type { BankAccount, GetProcessorResponse } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useCan } from '../../api/user.ts';
import { NamedParty } from '../named-party.tsx';
import classes from '../own/own.module.css';
import { Waiting } from '../states.tsx';
import { AddAccount, type Frame, RemoveAccount } from './account-forms.tsx';
import { useAccounts } from './use-account.ts';

interface BankAccountsProps {
  merchant: Pick<GetProcessorResponse['processor'], 'id' | 'business_name'>;
  frame: Frame;
}

export function BankAccounts({ merchant: { id, business_name }, frame }: BankAccountsProps) {
  const { t } = useLingui();
  const mayChange = useCan()('beneficiaries:write');
  const { data, error, refetch } = useAccounts(id);
  const [opened, setOpened] = useState<BankAccount | 'new' | null>(null);
  const form = { merchantId: id, frame, onClose: () => setOpened(null) };
  return (
    <Stack component="section" gap="xs">
      <Group justify="space-between">
        <Title order={2}>{t`Bank accounts`}</Title>
        {mayChange && <Button variant="default" onClick={() => setOpened('new')}>{t`Add an account`}</Button>}
      </Group>
      {opened === 'new' && <AddAccount {...form} name={business_name} />}
      {opened && opened !== 'new' && <RemoveAccount {...form} key={opened.id} account={opened} />}
      {!data && <Waiting error={error} retry={refetch} rows={2} />}
      {data?.bank_accounts.length === 0 && (
        <Text size="sm" c="dimmed">{t`None yet. Pay-outs go to stored accounts only.`}</Text>
      )}
      <ul className={classes.rows} hidden={!data?.bank_accounts.length}>
        {data?.bank_accounts.map((account) => (
          <li key={account.id} className={classes.row} style={{ cursor: 'default' }}>
            <span>
              <NamedParty name={<b>{account.account_number}</b>} details={[account.bank, account.holder]} />
            </span>
            {mayChange && (
              <Button
                variant="default"
                aria-label={t`Remove ${account.account_number}`}
                onClick={() => setOpened(account)}
              >
                <Trans>Remove</Trans>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Stack>
  );
}
