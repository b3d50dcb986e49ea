// The list of API keys.
import type { ApiKey } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { NewRecord } from '../../components/choices.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Page } from '../../components/page.tsx';
import { Instant } from '../../components/values.tsx';
import { KeyOwner, KeyStatus } from './key-values.tsx';

/** Loaded when it is opened: its search for an owner is larger than the list. */
const CreateKey = lazyPart(async () => ({ default: (await import('./create-key.tsx')).CreateKey }));

export default function Keys() {
  const { t } = useLingui();
  return (
    <Page
      title={t`API keys`}
      description={t`Credentials for systems: banks, terminals, and your own programs.`}
      actions={<NewRecord label={t`New key`} dialog={(onClose) => <CreateKey onClose={onClose} />} />}
    >
      <RecordList definition={useDefinition()} />
    </Page>
  );
}

function useDefinition(): ListDefinition<ApiKey> {
  const { t } = useLingui();
  return {
    resource: 'api-keys',
    noun: t`keys`,
    fileName: 'api-keys',
    items: 'api_keys',
    read: (client, query, options) => client.apiKeys.list(query, options),
    keyOf: ({ id }) => id,
    linkOf: ({ id }) => `/keys/${id}`,
    columns: [
      {
        title: t`Name`,
        keep: 'title',
        cell: ({ name, prefix }) => (
          <>
            <Text fw={600} inherit>
              {name}
            </Text>
            <Text size="xs" c="dimmed" ff="monospace">
              {prefix}…
            </Text>
          </>
        ),
      },
      { title: t`Acts for`, cell: (key) => <KeyOwner apiKey={key} /> },
      { title: t`Scopes`, keep: 'desktop', cell: ({ scopes }) => scopes.join(', ') },
      { title: t`Created`, keep: 'tablet', cell: ({ created_at }) => <Instant at={created_at} /> },
      {
        title: t`Expires`,
        keep: 'tablet',
        cell: ({ expires_at }) => (expires_at ? <Instant at={expires_at} /> : t`Never`),
      },
      { title: t`Status`, cell: (key) => <KeyStatus apiKey={key} /> },
    ],
  };
}
