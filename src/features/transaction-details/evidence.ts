// Produces the evidence of a transaction, and records in the audit log that it was produced and with which digest.
import { createHash } from 'node:crypto';
import type { Actor, AuditLog } from '../../audit/log.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { ownAccountOf } from '../transactions/service.ts';
import type { TransactionDetails } from './details.ts';
import { evidencePdf } from './evidence-pdf.ts';

export interface EvidenceDependencies {
  database: Database;
  audit: Pick<AuditLog, 'record'>;
  clock: Clock;
  operatorName: string;
  /** ISO 3166 code; the document shows its local time. */
  country: string;
}

/** `describe`: the transaction as the caller may see it. */
export function createEvidence(
  { database, audit, clock, operatorName, country }: EvidenceDependencies,
  describe: (actor: Actor, id: string) => Promise<TransactionDetails | Refusal>,
) {
  const timeZone = timeZoneOf(country);
  return async function evidence(actor: Actor, id: string): Promise<Buffer | Refusal> {
    const transaction = await describe(actor, id);
    if (transaction instanceof Refusal) return transaction;
    const document = { operator: operatorName, documentId: actor.requestId, generatedAt: clock.now(), timeZone };
    const shown = { ownAccount: ownAccountOf(actor.caller), generatedBy: nameOf(actor) };
    const pdf = await evidencePdf(transaction, { ...document, ...shown });
    const sha256 = createHash('sha256').update(pdf).digest('hex');
    await audit.record(database.queries, actor, {
      action: 'transaction.evidence',
      resourceType: 'transaction',
      resourceId: transaction.transaction_id,
      details: { sha256 },
    });
    return pdf;
  };
}

function nameOf({ caller }: Actor): string {
  if (caller.kind === 'user') return `${caller.role} ${caller.id}`;
  return caller.kind === 'key' ? `API key ${caller.id}` : caller.kind;
}

/** The first time zone of the country; UTC if it has none. */
function timeZoneOf(country: string): string {
  const locale = new Intl.Locale('und', { region: country }) as Intl.Locale & { getTimeZones?(): string[] };
  return locale.getTimeZones?.()?.[0] ?? 'UTC';
}
