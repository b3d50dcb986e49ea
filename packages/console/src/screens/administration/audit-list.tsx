// The newest entries of the audit log about one user or record.
import { useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { actionInWords } from '../../components/audit-words.ts';
import { Failed, Loading } from '../../components/states.tsx';
import { Instant } from '../../components/values.tsx';
import classes from './administration.module.css';
import { Resource } from './audit-entry.tsx';

export function AuditList({ query }: { query: { actor_id?: string; resource_id?: string } }) {
  const { t } = useLingui();
  const request = { ...query, limit: 10 };
  const { data, error } = useRead(['audit', request], (options) => kissi.audit.list(request, options));
  if (error) return <Failed error={error} />;
  if (!data) return <Loading rows={3} />;
  if (data.logs.length === 0) {
    return <Text size="sm" c="dimmed">{t`No entries yet.`}</Text>;
  }
  return (
    <ul className={classes.entries}>
      {data.logs.map((entry) => (
        <li key={entry.id}>
          <span>
            {actionInWords(entry.action)}{' '}
            <Text span inherit c="dimmed">
              <Resource entry={entry} />
            </Text>
          </span>
          <Text span inherit c="dimmed">
            <Instant at={entry.at} />
          </Text>
        </li>
      ))}
    </ul>
  );
}
