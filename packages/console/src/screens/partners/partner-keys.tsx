// A partner's API keys, and their rotation.
import type { ApiKey } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Action } from '../../components/action.tsx';
import { ChoiceInput } from '../../components/choice-input.tsx';
import { Link } from '../../components/link.tsx';
import { Panel } from '../../components/page.tsx';
import { showOnce } from '../../components/shown-once.tsx';
import { Waiting } from '../../components/states.tsx';
import { Instant, Status } from '../../components/values.tsx';
import { fullInstant } from '../../format/time.ts';
import classes from './partners.module.css';

type ListedKey = Pick<ApiKey, 'id' | 'name' | 'scopes' | 'created_at'> & { revoked_at: string | null };

export function PartnerKeys({ id }: { id: string }) {
  const { t } = useLingui();
  const [rotated, setRotated] = useState<ListedKey | null>(null);
  const { data, error, refetch } = useRead(['api-keys', 'partner', id], async (options) => {
    const { api_keys } = await kissi.apiKeys.list({ partner_id: id, limit: '100' }, options);
    return api_keys as ListedKey[];
  });
  return (
    <Panel title={t`API keys`} flush>
      {!data && <Waiting error={error} retry={refetch} rows={3} />}
      {data?.length === 0 && (
        <Text size="sm" c="dimmed" px="md" pb="md">
          <Trans>The partner has no key. Create one on the API keys screen.</Trans>
        </Text>
      )}
      {data && data.length > 0 && (
        <ul className={classes.keys}>
          {data.map((key) => (
            <Key key={key.id} apiKey={key} onRotate={() => setRotated(key)} />
          ))}
        </ul>
      )}
      {rotated && <Rotate apiKey={rotated} onClose={() => setRotated(null)} />}
    </Panel>
  );
}

function Key({ apiKey, onRotate }: { apiKey: ListedKey; onRotate: () => void }) {
  const { t } = useLingui();
  const { id, name, scopes, created_at, revoked_at } = apiKey;
  return (
    <li>
      <div>
        <Link to={`/keys/${id}`}>{name}</Link>
        <Text size="xs" c="dimmed">
          {scopes.join(', ')} · <Instant at={created_at} />
        </Text>
      </div>
      <Group gap="xs">
        <Status value={revoked_at ? 'revoked' : 'active'} />
        {!revoked_at && (
          <Button variant="default" size="compact-sm" onClick={onRotate} aria-label={t`Rotate the key ${name}`}>
            <Trans>Rotate</Trans>
          </Button>
        )}
      </Group>
    </li>
  );
}

function Rotate({ apiKey, onClose }: { apiKey: ListedKey; onClose: () => void }) {
  const { t } = useLingui();
  const [overlap, setOverlap] = useState('86400');
  return (
    <Action
      onClose={onClose}
      title={t`Rotate the key ${apiKey.name}`}
      description={t`The partner gets new secrets. The old ones stay valid for a while, so that the partner can switch.`}
      submitLabel={t`Rotate`}
      call={(client) => client.apiKeys.rotate(apiKey.id, { overlap_seconds: overlap })}
      doneMessage={t`The key was rotated.`}
      changes={['api-keys']}
      showsSecret
      onDone={(reply) => {
        if (!('secret' in reply)) return;
        const until = fullInstant(reply.previous_valid_until);
        showOnce({
          title: t`New key secrets`,
          note: t`The old secrets stay valid until ${until}.`,
          values: [
            [t`Key id`, reply.api_key.id],
            ...(reply.key ? [[t`Bearer value`, reply.key] as [string, string]] : []),
            [t`Signing secret`, reply.secret],
          ],
        });
      }}
    >
      <ChoiceInput
        label={t`The old secrets stay valid for`}
        data={[
          { value: '3600', label: t`1 hour` },
          { value: '86400', label: t`1 day` },
          { value: '604800', label: t`7 days` },
        ]}
        value={overlap}
        onChange={setOverlap}
      />
    </Action>
  );
}
