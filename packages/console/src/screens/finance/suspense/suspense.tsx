// Credits whose payer is unknown, oldest first, and how each is resolved.
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { useCan } from '../../../api/user.ts';
import { Link } from '../../../components/link.tsx';
import type { ListDefinition } from '../../../components/list/definition.ts';
import { RecordList } from '../../../components/list/list.tsx';
import { Page } from '../../../components/page.tsx';
import { Empty } from '../../../components/states.tsx';
import { Absent, Instant, Money } from '../../../components/values.tsx';
import { count, money } from '../../../format/money.ts';
import { zoneName } from '../../../format/time.ts';
import { Resolve, type SuspenseItem } from './resolve.tsx';

export default function Suspense() {
  const { t } = useLingui();
  const [resolved, setResolved] = useState<SuspenseItem | null>(null);
  const { data } = useRead(['suspense', 'total'], (options) => kissi.suspense.list({ limit: '1' }, options));
  const total = money(data?.total_amount ?? 0);
  return (
    <Page
      title={t`Suspense`}
      description={
        <Trans>
          Wallets were credited, and it is not known which partner owes the money. Together: <strong>{total}</strong>
        </Trans>
      }
    >
      <Hidden count={data?.hidden_count ?? 0} />
      <RecordList definition={useDefinition(setResolved)} />
      {resolved && <Resolve item={resolved} onClose={() => setResolved(null)} />}
    </Page>
  );
}

/** They are in the total, and not in the list. */
function Hidden({ count: hidden }: { count: number }) {
  if (hidden === 0) return null;
  return (
    <Text c="dimmed" mb="sm">
      <Plural
        value={hidden}
        one="# item belongs to a politically exposed person and is not listed."
        other="# items belong to politically exposed persons and are not listed."
      />
    </Text>
  );
}

function useDefinition(onResolve: (item: SuspenseItem) => void): ListDefinition<SuspenseItem> {
  const { t } = useLingui();
  const can = useCan();
  const zone = zoneName();
  return {
    resource: 'suspense',
    noun: t`items`,
    fileName: 'suspense',
    items: 'suspense',
    read: (client, query, options) => client.suspense.list(query as never, options),
    keyOf: ({ transaction_id }) => transaction_id,
    empty: (
      <Empty icon="approve" title={t`Nothing is in suspense`}>
        <Trans>Credits whose payer is unknown appear here.</Trans>
      </Empty>
    ),
    filters: [
      { kind: 'text', name: 'reference', label: t`Reference` },
      { kind: 'party', name: 'subscriber_id', label: t`Customer`, types: ['subscriber'] },
      {
        kind: 'choice',
        name: 'older_than_days',
        label: t`Age`,
        options: ['1', '3', '7', '30'].map((value) => ({ value, label: t`${value} days or more` })),
      },
    ],
    columns: [
      {
        name: 'reference',
        title: t`Reference`,
        keep: 'title',
        cell: (row) => <Reference item={row} />,
      },
      {
        name: 'customer',
        title: t`Credited to`,
        cell: ({ subscriber_id, subscriber_name }) =>
          subscriber_id ? <Link to={`/customers/${subscriber_id}`}>{subscriber_name ?? t`Customer`}</Link> : <Absent />,
      },
      {
        name: 'transaction',
        title: t`Transaction`,
        keep: 'desktop',
        cell: ({ transaction_id }) => (
          <Link to={`/transactions/${transaction_id}`}>{`txn_…${transaction_id.slice(-6)}`}</Link>
        ),
      },
      {
        name: 'at',
        title: t`Credited (${zone})`,
        keep: 'tablet',
        cell: ({ created_at }) => <Instant at={created_at} />,
      },
      { name: 'age', title: t`Age (days)`, align: 'end', cell: ({ age_days }) => count(age_days) },
      {
        name: 'amount',
        title: t`Amount (SLE)`,
        align: 'end',
        cell: (row) => (row.amount === undefined ? <Absent /> : <Money value={row.amount} />),
      },
      ...(can('suspense:resolve')
        ? [
            {
              name: 'resolve',
              title: '',
              align: 'end' as const,
              cell: (row: SuspenseItem) =>
                row.amount !== undefined && (
                  <Button variant="default" size="compact-sm" onClick={() => onResolve(row)}>
                    <Trans>Resolve</Trans>
                  </Button>
                ),
            },
          ]
        : []),
    ],
  };
}

function Reference({ item: { reference, card_serial, amount } }: { item: SuspenseItem }) {
  const { t } = useLingui();
  if (amount === undefined) {
    return (
      <Text inherit c="dimmed">
        <Trans>Hidden: a politically exposed person</Trans>
      </Text>
    );
  }
  return (
    <>
      <Text inherit fw={600}>
        {reference ?? t`Without a reference`}
      </Text>
      {card_serial && (
        <Text size="xs" c="dimmed">
          <Trans>Card {card_serial}</Trans>
        </Text>
      )}
    </>
  );
}
