// The list of users who can log in.
import type { User } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Group, Text } from '@mantine/core';
import { NewRecord } from '../../components/choices.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Page } from '../../components/page.tsx';
import { Instant, label, Status } from '../../components/values.tsx';
import { ALL_ROLES } from './user-roles.ts';

/** Loaded when it is opened. */
const CreateUser = lazyPart(async () => ({ default: (await import('./create-user.tsx')).CreateUser }));

export default function Users() {
  const { t } = useLingui();
  return (
    <Page
      title={t`Users`}
      description={t`Everyone who can log in. Agents' and merchants' users are created with them.`}
      actions={<NewRecord label={t`New user`} dialog={(onClose) => <CreateUser onClose={onClose} />} />}
    >
      <RecordList definition={useDefinition()} />
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
      {
        kind: 'choice',
        name: 'second_factor',
        label: t`Second factor`,
        options: [
          { value: 'true', label: t`Set up` },
          { value: 'false', label: t`None` },
        ],
      },
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
      {
        title: t`Second factor`,
        keep: 'tablet',
        cell: ({ second_factor_since: since }) => (since ? t`Set up` : <Status value={t`None`} tone="yellow" />),
      },
      { title: t`Last login`, keep: 'tablet', cell: ({ last_login_at }) => <Instant at={last_login_at} /> },
      { title: t`Status`, cell: ({ status }) => <Status value={status} /> },
    ],
  };
}
