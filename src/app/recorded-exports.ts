// Records CSV exports in the audit log: who exported which list with which filter, and how many rows.
import type { AuditLog } from '../audit/log.ts';
import type { Queries } from '../db/database.ts';
import type { ExportRecord } from '../http/csv/exports.ts';

export function recordExport(
  audit: Pick<AuditLog, 'record'>,
  queries: Queries,
): (record: ExportRecord) => Promise<void> {
  return ({ call, path, filter, end }) =>
    audit.record(queries, call, {
      action: end ? 'list.export_ended' : 'list.export',
      resourceType: 'list',
      resourceId: path,
      details: { ...filter, ...end },
    });
}
