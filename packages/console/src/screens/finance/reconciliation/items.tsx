// All bank entries and transactions by age, with their state.
import type { ReconciliationItem } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { useOverview } from '../../../api/overview.ts';
import type { ListDefinition } from '../../../components/list/definition.ts';
import { RecordList } from '../../../components/list/list.tsx';
import { Panel } from '../../../components/page.tsx';
import { SmallTable } from '../../../components/small-table.tsx';
import { useTypeName } from '../../../components/type-name.ts';
import { Absent, Money, Status } from '../../../components/values.tsx';
import { count } from '../../../format/money.ts';
import { date } from '../../../format/time.ts';
import type { Ages } from '../open-items.ts';
import { Owner } from './owner.tsx';
import { recordOf } from './record-link.tsx';

export function Items() {
  return (
    <Stack gap="lg">
      <AgeTable />
      <RecordList definition={useDefinition()} />
    </Stack>
  );
}

function AgeTable() {
  const { t } = useLingui();
  const { data } = useOverview();
  const unmatched = data?.finance?.unmatched;
  if (!unmatched) return null;
  const rows: [string, Ages][] = [
    [t`Bank`, unmatched.bank],
    [t`Books`, unmatched.books],
  ];
  return (
    <Panel title={t`Without a match`} flush>
      <SmallTable
        rows={rows}
        columns={[
          { title: t`Side`, cell: ([name]) => name },
          { title: t`Today`, end: true, cell: ([, ages]) => count(ages.under_1_day) },
          { title: t`1–3 days`, end: true, cell: ([, ages]) => count(ages.under_3_days) },
          { title: t`3–7 days`, end: true, cell: ([, ages]) => count(ages.under_7_days) },
          { title: t`Older`, end: true, cell: ([, ages]) => count(ages.older) },
        ]}
      />
    </Panel>
  );
}

function useDefinition(): ListDefinition<ReconciliationItem> {
  const { t } = useLingui();
  const typeName = useTypeName();
  return {
    resource: 'reconciliation',
    noun: t`items`,
    fileName: 'reconciliation',
    items: 'items',
    read: (client, query, options) => client.reconciliation.list(query as never, options),
    keyOf: ({ id }) => id,
    linkOf: recordOf,
    filters: [
      {
        kind: 'choice',
        name: 'status',
        label: t`Status`,
        options: ['unmatched', 'suggested', 'matched', 'written_off'],
      },
      {
        kind: 'choice',
        name: 'owner',
        label: t`Owner`,
        options: [
          { value: 'me', label: t`Mine` },
          { value: 'none', label: t`Without an owner` },
        ],
      },
      { kind: 'choice', name: 'side', label: t`Side`, options: ['bank', 'books'] },
      {
        kind: 'choice',
        name: 'older_than_days',
        label: t`Age`,
        options: ['0', '2', '6', '29'].map((value) => {
          const days = Number(value) + 1;
          return { value, label: days === 1 ? t`1 day or more` : t`${days} days or more` };
        }),
      },
    ],
    columns: [
      {
        title: t`Item`,
        keep: 'title',
        cell: ({ counterparty, description, type, side }) => (
          <>
            <Text inherit fw={600}>
              {counterparty ?? description ?? typeName(type)}
            </Text>
            <Text size="xs" c="dimmed">
              {side === 'bank' ? <Trans>Bank entry</Trans> : typeName(type)}
              {counterparty && description ? ` · ${description}` : ''}
            </Text>
          </>
        ),
      },
      { title: t`Reference`, keep: 'desktop', cell: ({ reference }) => reference ?? <Absent /> },
      { title: t`Date`, cell: (row) => date(row.date) },
      { title: t`Age (days)`, align: 'end', cell: ({ age_days }) => count(age_days) },
      { title: t`Amount (SLE)`, align: 'end', cell: (row) => <Money value={row.amount} signed /> },
      { title: t`Owner`, cell: (row) => <Owner item={row} /> },
      { title: t`Status`, cell: ({ status }) => <Status value={status} /> },
    ],
  };
}
