// The list of customers.
import type { SubscriberView } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { Link as RouterLink } from '@tanstack/react-router';
import { useCan } from '../../api/user.ts';
import { Icon } from '../../components/icon.tsx';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Page } from '../../components/page.tsx';
import { Instant, Money, Status } from '../../components/values.tsx';

export default function Customers() {
  const { t } = useLingui();
  return (
    <Page title={t`Customers`} actions={<RegisterButton />}>
      <RecordList definition={useDefinition()} />
    </Page>
  );
}

function RegisterButton() {
  const mayRegister = useCan()('subscribers:write');
  if (!mayRegister) return null;
  return (
    <Button
      leftSection={<Icon name="plus" size={16} />}
      renderRoot={(root) => <RouterLink to="/customers/new" {...root} />}
    >
      <Trans>Register a customer</Trans>
    </Button>
  );
}

function useDefinition(): ListDefinition<SubscriberView> {
  const { t } = useLingui();
  const can = useCan();
  return {
    resource: 'subscribers',
    noun: t`customers`,
    fileName: 'customers',
    items: 'subscribers',
    read: (client, query, options) => client.subscribers.list(query as never, options),
    keyOf: ({ id }) => id,
    linkOf: ({ id }) => `/customers/${id}`,
    defaultSort: 'newest',
    filters: [
      { kind: 'text', name: 'search', label: t`Name`, placeholder: t`First or last name` },
      { kind: 'text', name: 'phone_number', label: t`Phone number`, placeholder: t`Whole number: +232…` },
      { kind: 'choice', name: 'status', label: t`Status`, options: ['ACTIVE', 'BLOCKED', 'PENDING'] },
      {
        kind: 'choice',
        name: 'kyc_level',
        label: t`KYC level`,
        options: ['1', '2', '3'].map((value) => ({ value, label: t`KYC level ${value}` })),
      },
    ],
    columns: [
      {
        title: t`Name`,
        keep: 'title',
        cell: ({ first_name, last_name, is_pep }) => (
          <Group gap={6} wrap="nowrap">
            <Text fw={600} inherit>
              {first_name} {last_name}
            </Text>
            {is_pep && <Status value="pep" text={t`PEP`} tone="grape" />}
          </Group>
        ),
      },
      { title: t`Phone number`, cell: ({ phone_number }) => phone_number },
      { title: t`Account`, keep: 'desktop', cell: ({ account_number }) => account_number },
      { title: t`KYC`, keep: 'tablet', cell: ({ kyc_level }) => kyc_level },
      { title: t`Cards`, keep: 'desktop', align: 'end', cell: ({ cards_count }) => cards_count },
      ...(can('balance:read')
        ? [
            {
              title: t`Balance (SLE)`,
              align: 'end' as const,
              cell: (row: SubscriberView) => <Money value={row.balance ?? 0} />,
            },
          ]
        : []),
      {
        title: t`Registered`,
        keep: 'desktop',
        sort: { up: 'oldest', down: 'newest' },
        cell: ({ created_at }) => <Instant at={created_at} />,
      },
      { title: t`Status`, cell: ({ status }) => <Status value={status} /> },
    ],
  };
}
