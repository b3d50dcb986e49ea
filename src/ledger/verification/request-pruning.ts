// Reads the instant before which idempotency keys may be missing, and verifies its MAC.
import type { Connection } from '../../db/driver/connection.ts';
import type { LedgerEnd } from '../../db/key-closings.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';
import { pruningMac } from '../seals/format.ts';
import { type Findings, rowsOf } from './findings.ts';
import type { SealKeysInTime } from './key-closings.ts';

export const PRUNING_RULES = {
  pruning_differs: 'the instant before which idempotency keys are deleted was changed',
} as const;

/** A movement gets its id at most this long before it is posted. */
const ID_LEAD_MS = MINUTE_MS;

const PRUNING = `select (extract(epoch from before) * 1000)::bigint, encode(mac, 'hex') from request_pruning
  where before > '-infinity'`;

/** In milliseconds since 1970. Null: none were deleted, or it is not the service that says so. */
export async function keysPrunedBefore(
  connection: Connection,
  findings: Findings,
  keys: SealKeysInTime | null,
): Promise<number | null> {
  let before: number | null = null;
  for await (const [instant, mac] of rowsOf(connection, 'request_pruning_read', PRUNING)) {
    // The table has one row, which does not name its key.
    const found = keys?.matching(({ key }) => pruningMac(key, Number(instant)).toString('hex') === mac);
    if (found === null) {
      findings.fault('pruning_differs', 'request_pruning', 'its MAC does not match');
      continue;
    }
    const covers = ({ prunedBefore }: LedgerEnd) => prunedBefore !== null && Number(instant) <= prunedBefore;
    if (found) keys?.inTime(found.id, 'request_pruning', covers);
    before = Math.max(before ?? 0, Number(instant));
  }
  if (before !== null) {
    const date = new Date(before).toISOString();
    findings.notice(`Idempotency keys of parties before ${date} have expired and may have been deleted.`);
  }
  return before;
}

/** Whether keys of a batch may be missing. */
export function mayBePruned(prunedBefore: number | null, postedAt: number): boolean {
  return prunedBefore !== null && postedAt < prunedBefore + ID_LEAD_MS;
}
