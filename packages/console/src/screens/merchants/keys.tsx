// The API keys of a merchant's terminals. They are managed on the screen of the keys.
import { Trans, useLingui } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Panel } from '../../components/page.tsx';
import { Empty, Waiting } from '../../components/states.tsx';
import { Absent, Id, Instant, Status } from '../../components/values.tsx';

export function TerminalKeys({ id }: { id: string }) {
  const { t } = useLingui();
  const { data, error, refetch } = useRead(['api-keys', 'processor', id], async (options) => {
    const { api_keys } = await kissi.apiKeys.list({ processor_id: id, limit: '100' }, options);
    return api_keys;
  });
  if (!data) return <Waiting error={error} retry={refetch} />;
  if (data.length === 0)
    return (
      <Empty icon="key" title={<Trans>This merchant has no keys</Trans>}>
        <Trans>Terminals and apps sign their payments with a key. Create one on the API keys screen.</Trans>
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
