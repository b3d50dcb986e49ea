// The API keys of a merchant's terminals. They are managed on the screen of the keys.
import { Trans, useLingui } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Panel } from '../../components/page.tsx';
import { Empty, Failed, Loading } from '../../components/states.tsx';
import { Absent, Id, Instant, Status } from '../../components/values.tsx';

const PAGE_SIZE = 100;
const MAX_PAGES = 10;

export function TerminalKeys({ id }: { id: string }) {
  const { t } = useLingui();
  const { data, error, refetch } = useRead(['api-keys', 'processor', id], ({ signal }) => keysOf(id, signal));
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <Loading />;
  if (data.length === 0)
    return (
      <Empty icon="key" title={<Trans>This merchant has no keys</Trans>}>
        <Trans>Terminals and apps sign their payments with a key. Create one on the screen API keys.</Trans>
      </Empty>
    );
  return (
    <Stack gap="md">
      {data.map((key) => (
        <Panel
          key={key.id}
          title={<Link to={`/keys/${key.id}`}>{key.name}</Link>}
          aside={<Status value={key.revoked_at ? 'revoked' : 'active'} />}
        >
          <Facts
            facts={[
              [t`Key id`, <Id key="id" value={key.id} />],
              [
                t`Scopes`,
                <Text key="scopes" size="sm">
                  {key.scopes.join(', ')}
                </Text>,
              ],
              [t`Created`, <Instant key="created" at={key.created_at} />],
              [t`Expires`, key.expires_at ? <Instant key="expires" at={key.expires_at} /> : <Absent key="never" />],
            ]}
          />
        </Panel>
      ))}
    </Stack>
  );
}

/** The service has no filter by merchant, so this reads the list. */
async function keysOf(processorId: string, signal: AbortSignal) {
  const found = [];
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { limit: String(PAGE_SIZE), offset: String(page * PAGE_SIZE) };
    const { api_keys, total_count } = await kissi.apiKeys.list(query, { signal });
    found.push(...api_keys.filter(({ processor_id }) => processor_id === processorId));
    if ((page + 1) * PAGE_SIZE >= total_count) break;
  }
  return found;
}
