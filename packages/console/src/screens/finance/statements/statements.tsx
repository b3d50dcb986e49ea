// The trust accounts with their balances, the upload of statements, and the statements of one account.
import type { BankStatement, TrustAccount } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, SegmentedControl, Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { useCan } from '../../../api/user.ts';
import { Icon } from '../../../components/icon.tsx';
import type { ListDefinition } from '../../../components/list/definition.ts';
import { RecordList } from '../../../components/list/list.tsx';
import { Page } from '../../../components/page.tsx';
import { Empty, SectionTitle, Waiting } from '../../../components/states.tsx';
import { Instant, Money } from '../../../components/values.tsx';
import { count } from '../../../format/money.ts';
import { date, zoneName } from '../../../format/time.ts';
import { AccountForm } from './account-form.tsx';
import { AccountPanel } from './account-panel.tsx';
import classes from './statements.module.css';

export default function Statements() {
  const { t } = useLingui();
  const can = useCan();
  const [edited, setEdited] = useState<TrustAccount | 'new' | null>(null);
  const { data, error, refetch } = useRead(['trust-accounts'], (options) =>
    kissi.trustAccounts.list({ limit: '100' }, options),
  );
  const add = can('trust-accounts:write') && (
    <Button variant="default" leftSection={<Icon name="plus" size={16} />} onClick={() => setEdited('new')}>
      <Trans>Add a trust account</Trans>
    </Button>
  );
  return (
    <Page
      title={t`Bank statements`}
      description={t`The trust accounts hold the money behind the e-money. Record each bank's statement every morning.`}
      actions={add}
    >
      {!data && <Waiting error={error} retry={refetch} />}
      {data?.trust_accounts.length === 0 && (
        <Empty icon="bank" title={t`There is no trust account yet`}>
          <Trans>Add the bank account that holds your customers' money.</Trans>
        </Empty>
      )}
      {data && data.trust_accounts.length > 0 && (
        <>
          <div className={classes.accounts}>
            {data.trust_accounts.map((account) => (
              <AccountPanel key={account.id} account={account} onEdit={() => setEdited(account)} />
            ))}
          </div>
          <Recorded accounts={data.trust_accounts} />
        </>
      )}
      {edited && (
        <AccountForm
          key={edited === 'new' ? 'new' : edited.id}
          account={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
    </Page>
  );
}

function Recorded({ accounts }: { accounts: TrustAccount[] }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { account } = useSearch({ strict: false }) as { account?: string };
  const chosen = accounts.find(({ id }) => id === account) ?? accounts[0];
  if (!chosen) return null;
  return (
    <Stack gap="xs">
      <SectionTitle
        aside={
          accounts.length > 1 && (
            <SegmentedControl
              aria-label={t`Trust account`}
              size="xs"
              value={chosen.id}
              onChange={(id) => void navigate({ to: '.', search: { account: id } as never })}
              data={accounts.map(({ id, bank }) => ({ value: id, label: bank }))}
            />
          )
        }
      >
        <Trans>Recorded statements</Trans>
      </SectionTitle>
      <StatementList key={chosen.id} account={chosen} />
    </Stack>
  );
}

function StatementList({ account }: { account: TrustAccount }) {
  const { t } = useLingui();
  const zone = zoneName();
  const definition: ListDefinition<BankStatement> = {
    resource: `statements-${account.id}`,
    noun: t`statements`,
    fileName: `statements-${account.account_number}`,
    items: 'statements',
    pageSize: 10,
    read: (client, query, options) => client.trustAccounts.statements(account.id, query as never, options),
    keyOf: ({ id }) => id,
    linkOf: ({ id }) => `/finance/statements/${account.id}/${id}`,
    columns: [
      {
        title: t`Days`,
        keep: 'title',
        cell: ({ from, to }) => (from === to ? date(from) : `${date(from)} – ${date(to)}`),
      },
      { title: t`Format`, keep: 'tablet', cell: ({ format }) => format },
      { title: t`Entries`, align: 'end', cell: ({ entry_count }) => count(entry_count) },
      {
        title: t`Opening (SLE)`,
        align: 'end',
        keep: 'desktop',
        cell: ({ opening_balance }) => <Money value={opening_balance} />,
      },
      { title: t`Closing (SLE)`, align: 'end', cell: ({ closing_balance }) => <Money value={closing_balance} /> },
      { title: t`Recorded (${zone})`, keep: 'tablet', cell: ({ uploaded_at }) => <Instant at={uploaded_at} /> },
    ],
  };
  return <RecordList definition={definition} />;
}
