// What happened with a record, newest first: the entries of the audit log about it, in words.
import type { AuditEntry, Kissi } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { zoneName } from '../format/time.ts';
import { ActorName } from './actor-name.tsx';
import { actionInWords } from './audit-words.ts';
import type { ListDefinition } from './list/definition.ts';
import { RecordList } from './list/list.tsx';
import { Instant, label, Titled } from './values.tsx';

const PAGE_SIZE = 10;

export default function RecordEvents({ id }: { id: string }) {
  const { t } = useLingui();
  const zone = zoneName();
  const definition: ListDefinition<AuditEntry> = {
    resource: 'audit',
    name: 'events',
    noun: t`events`,
    items: 'logs',
    fixed: { resource_id: id },
    pageSize: PAGE_SIZE,
    read: (client: Kissi, query, options) => client.audit.list(query as never, options),
    keyOf: (row) => row.id,
    columns: [
      {
        title: t`What`,
        keep: 'title',
        cell: (entry) => <Titled name={actionInWords(entry.action)} note={changedFields(entry)} />,
      },
      { title: t`Time (${zone})`, cell: ({ at }) => <Instant at={at} /> },
      { title: t`By`, cell: (entry) => <ActorName entry={entry} /> },
    ],
  };
  return <RecordList definition={definition} embedded />;
}

/** The fields that a change changed, and the reason that was given for it. */
function changedFields({ details }: AuditEntry): string {
  const isChange = (value: unknown) =>
    typeof value === 'object' && value !== null && ('from' in value || 'to' in value);
  const { reason } = details as { reason?: unknown };
  const fields = Object.entries(details).filter(([, value]) => isChange(value));
  const names = fields.map(([name]) => label(name)).join(', ');
  return [names, typeof reason === 'string' ? reason : ''].filter(Boolean).join(' · ');
}
