// The ledger: the trial balance now or at an earlier instant, and all accounts.
import type { LedgerAccount } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { AddressTabs } from '../../../components/address-tabs.tsx';
import { DateInput } from '../../../components/date-input.tsx';
import { Link } from '../../../components/link.tsx';
import type { ListDefinition } from '../../../components/list/definition.ts';
import { RecordList } from '../../../components/list/list.tsx';
import { Page, Panel } from '../../../components/page.tsx';
import { SmallTable } from '../../../components/small-table.tsx';
import { Waiting } from '../../../components/states.tsx';
import { Absent, Instant, Money, Status } from '../../../components/values.tsx';
import { count } from '../../../format/money.ts';
import { fullInstant, zoneName } from '../../../format/time.ts';
import { KIND_NAMES, kindName } from '../words.ts';

export default function Ledger() {
  const { t } = useLingui();
  return (
    <Page title={t`Ledger`} description={t`Every amount is in two accounts, so all balances add up to zero.`}>
      <AddressTabs
        name="view"
        tabs={[
          { value: 'balance', title: t`Trial balance`, content: <TrialBalance /> },
          { value: 'accounts', title: t`Accounts`, content: <RecordList definition={useAccounts()} /> },
        ]}
      />
    </Page>
  );
}

function TrialBalance() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { at = '' } = useSearch({ strict: false }) as { at?: string };
  const { data, error, refetch } = useRead(
    ['trial-balance', at],
    (options) => kissi.reports.trialBalance(at === '' ? {} : { at }, options),
    { keepPrevious: true },
  );
  const set = (day: string) => void navigate({ to: '.', search: (day === '' ? {} : { at: day }) as never });
  const instant = data ? fullInstant(data.at) : '';
  return (
    <Panel
      title={t`By kind of account`}
      flush
      aside={
        <Group gap="xs" align="center">
          <DateInput size="xs" aria-label={t`At the start of this day (UTC)`} value={at} onChange={set} />
          {at !== '' && (
            <Button variant="subtle" color="gray" size="compact-sm" onClick={() => set('')}>{t`Now`}</Button>
          )}
        </Group>
      }
    >
      {!data && <Waiting error={error} retry={refetch} />}
      {data && (
        <>
          <Text size="sm" c="dimmed" px="md" pb="sm">
            {instant}
          </Text>
          <SmallTable
            rows={data.kinds}
            columns={[
              {
                title: t`Kind of account`,
                cell: ({ kind }) => (
                  <Link to="/finance/ledger" search={{ view: 'accounts', kind }}>
                    {kindName(kind)}
                  </Link>
                ),
              },
              { title: t`Balance (SLE)`, end: true, cell: ({ balance }) => <Money value={balance} /> },
            ]}
            total={[t`Total`, <Money key="total" value={data.total} />]}
          />
        </>
      )}
    </Panel>
  );
}

const OWNERS: Record<string, string> = {
  wallet: '/customers',
  agent_float: '/agents',
  processor: '/merchants',
  partner_clearing: '/partners',
};

function useAccounts(): ListDefinition<LedgerAccount> {
  const { t } = useLingui();
  const zone = zoneName();
  return {
    resource: 'ledger-accounts',
    noun: t`accounts`,
    fileName: 'ledger-accounts',
    items: 'accounts',
    read: (client, query, options) => client.reports.ledgerAccounts(query as never, options),
    keyOf: ({ account_id }) => account_id,
    linkOf: ({ kind, account_id }) => (OWNERS[kind] ? `${OWNERS[kind]}/${account_id}` : null),
    filters: [
      {
        kind: 'choice',
        name: 'kind',
        label: t`Kind`,
        options: KIND_NAMES.map((value) => ({ value, label: kindName(value) })),
      },
      { kind: 'party', name: 'owner', label: t`Owner`, types: ['subscriber', 'agent', 'processor', 'partner'] },
    ],
    columns: [
      {
        title: t`Account`,
        keep: 'title',
        cell: ({ account_id, frozen }) => (
          <Group gap={6}>
            <Text ff="monospace" fz="xs" style={{ overflowWrap: 'anywhere' }}>
              {account_id}
            </Text>
            {frozen && <Status value={t`Frozen`} tone="red" />}
          </Group>
        ),
      },
      { title: t`Kind`, cell: ({ kind }) => kindName(kind) },
      {
        title: t`Postings`,
        align: 'end',
        keep: 'tablet',
        cell: ({ posting_count }) => (posting_count === undefined ? <Absent /> : count(posting_count)),
      },
      {
        title: t`Last posting (${zone})`,
        keep: 'desktop',
        cell: ({ last_posting_at }) => <Instant at={last_posting_at} />,
      },
      {
        title: t`Balance (SLE)`,
        align: 'end',
        cell: ({ balance }) => (balance === undefined ? t`Hidden` : <Money value={balance} />),
      },
    ],
  };
}
