// The part of the overview about the database, the audit chain and administrators from outside.
import { Type } from 'typebox';
import { textOrNull, timestamp } from '../../http/fields.ts';

export const health = Type.Object(
  {
    audit_chain: Type.Object({
      unsealed: Type.Integer({
        description: 'Audit entries that are not in the hash chain yet, counted up to 20,000.',
      }),
      oldest_at: textOrNull('The oldest of them, ISO 8601, UTC; null: there are none.'),
    }),
    wal_archiving: Type.Object(
      {
        enabled: Type.Boolean({ description: 'The database server archives its write-ahead log.' }),
        last_archived_at: textOrNull('ISO 8601, UTC; null: never.'),
        last_failed_at: textOrNull('ISO 8601, UTC; null: never, or not since the statistics were reset.'),
      },
      { description: 'What the database knows about its backups; other backup tools are not visible to it.' },
    ),
    administrators_from_server: Type.Array(
      Type.Object({ id: Type.String(), email: Type.String(), created_at: timestamp() }),
      { description: 'Active administrators created by someone with server access, with npm run admin:create.' },
    ),
  },
  { description: 'For system_admin, audit_user and compliance_user.' },
);
