// Archives old quarters of the ledger, when the layers above the ledger have nothing open in them.
import { createAuditLog, SYSTEM } from '../audit/log.ts';
import { type Database, openConnection } from '../db/database.ts';
import { BOOK_CLEARS, IS_BOOK_ITEM } from '../features/finance/reconciliation/book-items.ts';
import { IS_ITEM, RESOLVING_TYPES } from '../features/finance/suspense/store.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Keys } from '../kernel/key-ring.ts';
import { plural } from '../kernel/plural.ts';
import { archiveLedger, type Obstacle, quarterOf } from '../ledger/archive/archive.ts';
import { sqlType } from '../ledger/movement-types.ts';
import { sealKeys } from '../ledger/seals/format.ts';

const INSTANT = 'to_timestamp($1::double precision / 1000)';

/** Movements at banks that are in no match. */
const UNMATCHED = (
  count: string,
) => `select ${count} from movements m left join reconciliation_items i on i.side = 'books' and i.item_id = m.id
  where ${IS_BOOK_ITEM} and m.at < ${INSTANT} and i.match_id is null`;
const LOCK_MATCHES = 'select from reconciliation_progress for update';

/** What is open is read from its movement, which must stay in the database. */
const OBSTACLES: readonly Obstacle[] = [
  {
    what: (count) => `${plural(count, 'open item')} of the suspense account: resolve them`,
    count: `select count(*) from movements m where ${IS_ITEM} and m.at < ${INSTANT} and m.id not in (
      select r.related_id from movements r where r.type in (${RESOLVING_TYPES.map(sqlType).join(', ')}) and r.related_id is not null)`,
  },
  {
    what: (count) =>
      `${plural(count, 'movement')} at banks not matched with bank statements: match them or write them off`,
    // As a filter of the count: Citus refuses it as a condition of the outer join.
    count: `${UNMATCHED('count(*) filter (where (select count(*) from trust_accounts) > 0)')} and (${BOOK_CLEARS}) = 0`,
    lock: LOCK_MATCHES,
  },
  {
    // Their amount is in transit, also before there is a trust account.
    what: (count) =>
      `${plural(count, 'pay-out')} or their returns not matched: match them with bank entries, or with each other`,
    count: `${UNMATCHED('count(*)')} and (${BOOK_CLEARS}) <> 0`,
    lock: LOCK_MATCHES,
  },
  {
    what: (count) => `${plural(count, 'commission account')} with commission that is not settled: settle it`,
    count: `select count(*) from accounts where kind = 'agent_commission' and balance <> 0 and last_seq < $1::bigint * 1000`,
  },
];

export interface ArchiveRequest {
  /** The table owner's. */
  url: string;
  database: Database;
  clock: Clock;
  masterKey: Keys;
  directory: string;
  historyMonths: number;
  /** An earlier instant than HISTORY_MONTHS allows. Null: the latest one. */
  before: number | null;
  report(line: string): void;
  /** See ArchiveOptions. */
  noticeMs?: number | undefined;
}

/** The start of the quarter that is `months` ago. */
export function latestCut(now: number, months: number): number {
  const date = new Date(now);
  return quarterOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1));
}

/** Returns how many archives were written. */
export async function archiveBooks(request: ArchiveRequest): Promise<number> {
  const { url, database, clock, masterKey, directory, historyMonths, report } = request;
  const latest = latestCut(clock.now(), historyMonths);
  const before = request.before ?? latest;
  if (before > latest) {
    throw new Error(`HISTORY_MONTHS=${historyMonths} keeps all movements since ${new Date(latest).toISOString()}`);
  }
  const audit = createAuditLog({ database, clock, masterKey });
  const connection = await openConnection(url, 'kissi ledger:archive');
  try {
    return await archiveLedger(connection, {
      ...{
        key: sealKeys(masterKey).writing,
        directory,
        before,
        now: clock.now(),
        obstacles: OBSTACLES,
        report,
        noticeMs: request.noticeMs,
      },
      auditRow: ({ number, ...details }) =>
        audit.outboxRow(SYSTEM, {
          action: 'ledger.archived',
          resourceType: 'ledger_archive',
          resourceId: String(number),
          details: { ...details, before: new Date(details.before).toISOString() },
        }),
    });
  } finally {
    connection.discard();
  }
}
