// What the daily close works with.
import type { SigningKey } from '@kissi/signatures/documents';
import type { AuditLog } from '../../../audit/log.ts';
import type { Database } from '../../../db/database.ts';
import type { Clock } from '../../../kernel/clock.ts';

export interface ClosesContext {
  database: Database;
  audit: AuditLog;
  /** Signs new closes. */
  key: SigningKey;
  /** The legal name on the documents. */
  operatorName: string;
  clock: Clock;
}
