// One API key: what it may do, its recent requests, and its rotation.
import type { ApiKey } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Code, Group } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Choices } from '../../components/choices.tsx';
import { Facts } from '../../components/facts.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Waiting } from '../../components/states.tsx';
import { Id, Instant } from '../../components/values.tsx';
import { money } from '../../format/money.ts';
import { EditKey, RevokeKey, RotateKey } from './key-actions.tsx';
import { KeyRequests } from './key-requests.tsx';
import { KeyOwner, KeyStatus, keyStatus } from './key-values.tsx';

export default function Key() {
  const { t } = useLingui();
  const can = useCan();
  const { id } = useParams({ strict: false }) as { id: string };
  const mayRead = can('api-keys');
  const { data, error, refetch } = useRead(['api-keys', id], (options) => kissi.apiKeys.get(id, options), {
    enabled: mayRead,
  });
  const above = mayRead ? [{ title: t`API keys`, to: '/keys' }] : [];
  const key = data?.api_key;
  return (
    <Page
      title={key?.name ?? t`API key`}
      badge={key && <KeyStatus apiKey={key} />}
      above={above}
      actions={key && keyStatus(key) !== 'revoked' && <Actions apiKey={key} />}
    >
      {mayRead && !data && <Waiting error={error} retry={refetch} rows={4} />}
      {key && (
        <Panel>
          <KeyFacts apiKey={key} />
        </Panel>
      )}
      {can('api-keys:requests') && !error && <KeyRequests id={id} />}
    </Page>
  );
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useLingui();
  const { id, prefix, bearer, scopes, rate_limit, daily_limit, expires_at, created_at, revoked_at } = apiKey;
  return (
    <Facts
      facts={[
        [t`Key id`, <Id key="id" value={id} />],
        [t`Acts for`, <KeyOwner key="owner" apiKey={apiKey} />],
        [t`Used with`, bearer ? t`Bearer value ${prefix}… or signature` : t`Signature`],
        [
          t`Scopes`,
          <Group key="scopes" gap={4}>
            {scopes.map((scope) => (
              <Code key={scope}>{scope}</Code>
            ))}
          </Group>,
        ],
        [t`Rate limit`, rate_limit === null ? t`The service's default` : t`${rate_limit} requests a second`],
        daily_limit !== null && [t`Daily limit`, money(daily_limit)],
        [t`Created`, <Instant key="created" at={created_at} />],
        [t`Expires`, expires_at ? <Instant key="expires" at={expires_at} /> : t`Never`],
        revoked_at !== null && [t`Revoked`, <Instant key="revoked" at={revoked_at} />],
      ]}
    />
  );
}

function Actions({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useLingui();
  return (
    <Choices
      buttons={[
        { label: t`Edit`, dialog: (onClose) => <EditKey apiKey={apiKey} onClose={onClose} /> },
        { label: t`Rotate`, dialog: (onClose) => <RotateKey apiKey={apiKey} onClose={onClose} /> },
        { label: t`Revoke`, look: 'danger', dialog: (onClose) => <RevokeKey apiKey={apiKey} onClose={onClose} /> },
      ]}
    />
  );
}
