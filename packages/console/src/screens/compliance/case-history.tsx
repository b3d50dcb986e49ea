// What was done with an alert so far, from the audit log.
import type { AuditEntry } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useUser } from '../../api/user.ts';
import { Panel } from '../../components/page.tsx';
import { Absent, Id, Instant, label } from '../../components/values.tsx';
import classes from './compliance.module.css';

export function CaseHistory({ id }: { id: string }) {
  const { t } = useLingui();
  const { data } = useRead(['alerts', id, 'history'], (options) =>
    kissi.audit.list({ resource_id: id, limit: '50' }, options),
  );
  if (!data || data.logs.length === 0) return null;
  return (
    <Panel title={t`History`}>
      <ol className={classes.events}>
        {data.logs.map((entry) => (
          <Event key={entry.id} entry={entry} />
        ))}
      </ol>
    </Panel>
  );
}

type Change = { from?: unknown; to?: unknown };

function Event({ entry }: { entry: AuditEntry }) {
  const { action, actor_type, actor_id, at, details } = entry;
  const { status, notes, resolution } = details as { status?: Change; notes?: Change; resolution?: Change };
  const text = String(resolution?.to ?? notes?.to ?? '');
  return (
    <li>
      <Text inherit fw={500}>
        {action.endsWith('.create') ? (
          <Trans>Raised</Trans>
        ) : status?.to ? (
          label(String(status.to))
        ) : (
          <Trans>Note changed</Trans>
        )}
      </Text>
      {text && (
        <Text inherit className={classes.text ?? ''}>
          {text}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        <Instant at={at} /> · {actor_type === 'system' ? <Trans>the service</Trans> : <UserName id={actor_id} />}
      </Text>
    </li>
  );
}

/** Only administrators may read users' names. */
export function UserName({ id }: { id: string | null | undefined }) {
  const user = useUser();
  if (!id) return <Absent />;
  if (id === user.id) return <Trans>by you</Trans>;
  return <Id value={id} short />;
}
