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
  const what = useWhat();
  const { action, at, details } = entry;
  const { status, notes, resolution } = details as { status?: Change; notes?: Change; resolution?: Change };
  const text = String(resolution?.to ?? notes?.to ?? '');
  return (
    <li>
      <Text inherit fw={500}>
        {what(action, status)}
      </Text>
      {text && (
        <Text inherit className={classes.text ?? ''}>
          {text}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        <Instant at={at} /> · <By entry={entry} />
      </Text>
    </li>
  );
}

/** What was done with an alert, in words. */
function useWhat() {
  const { t } = useLingui();
  const done: Record<string, string> = {
    create: t`Raised`,
    assign: t`Assigned to the reviewer`,
    release: t`Released: it has no reviewer`,
    resolve: t`Resolved`,
  };
  return (action: string, status?: Change) => {
    const known = done[action.split('.').at(-1) ?? ''];
    if (known) return known;
    return status?.to ? label(String(status.to)) : t`Note changed`;
  };
}

function By({ entry: { actor_type, actor_id, actor_name } }: { entry: AuditEntry }) {
  if (actor_type === 'system') return <Trans>the service</Trans>;
  return <UserName id={actor_id} name={actor_name} />;
}

export function UserName({ id, name }: { id: string | null | undefined; name?: string | null | undefined }) {
  const user = useUser();
  if (!id) return <Absent />;
  if (id === user.id) return <Trans>by you</Trans>;
  return name ?? <Id value={id} short />;
}
