// The list of users who can log in.
import type { User } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Page } from '../../components/page.tsx';
import { Instant, label, Status } from '../../components/values.tsx';
import { CreateUser } from './create-user.tsx';
import { ALL_ROLES } from './user-roles.ts';

export default function Users() {
  const { t } = useLingui();
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title={t`Users`}
      description={t`Everybody who can log in. Users of agents and merchants are created with them.`}
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>{t`New user`}</Button>
      }
    >
      <RecordList definition={useDefinition()} />
      {isCreating && <CreateUser onClose={() => setCreating(false)} />}
    </Page>
  );
}

function useDefinition(): ListDefinition<User> {
  const { t } = useLingui();
  return {
    resource: 'users',
    noun: t`users`,
    fileName: 'users',
    items: 'users',
    read: (client, query, options) => client.users.list(query as never, options),
    keyOf: ({ id }) => id,
    linkOf: ({ id }) => `/users/${id}`,
    filters: [
      { kind: 'text', name: 'search', label: t`Search`, placeholder: t`Name, email or phone number` },
      { kind: 'choice', name: 'role', label: t`Role`, options: ALL_ROLES },
      { kind: 'choice', name: 'status', label: t`Status`, options: ['active', 'inactive', 'suspended'] },
    ],
    columns: [
      {
        title: t`Name`,
        keep: 'title',
        cell: ({ first_name, last_name, pep_access_authorized }) => (
          <Group gap={6} wrap="nowrap">
            <Text fw={600} inherit>
              {first_name} {last_name}
            </Text>
            {pep_access_authorized && <Status value={t`PEP access`} tone="grape" />}
          </Group>
        ),
      },
      { title: t`Email`, cell: ({ email }) => email },
      { title: t`Role`, cell: ({ role }) => label(role) },
      { title: t`Phone number`, keep: 'desktop', cell: ({ phone_number }) => phone_number ?? '–' },
      { title: t`Last login`, keep: 'tablet', cell: ({ last_login_at }) => <Instant at={last_login_at} /> },
      { title: t`Status`, cell: ({ status }) => <Status value={status} /> },
    ],
  };
}
