// Reads the session of a customer's access token on each request: the end of the session, its device or the wallet takes effect at once.
import { batchLoader } from '../db/batch-loader.ts';
import { textArray } from '../db/driver/binary-arrays.ts';
import { bytes, integer, text, timestamp } from '../db/driver/columns.ts';
import type { Reader } from '../db/driver/reader.ts';
import { type Columns, statement } from '../db/driver/statement.ts';
import type { Clock } from '../kernel/clock.ts';
import { kycLimits } from '../kernel/kyc.ts';
import { customerCaller, type NewDevice, type SubscriberCaller } from './caller.ts';

interface Dependencies {
  reader: Reader;
  clock: Clock;
  /** Older sessions have ended. */
  sessionMaxMs: number;
}

/** Of the daily limit: what new devices may pay. */
const NEW_DEVICE_SHARE = 10;

const BY_SESSION = statement(
  'session-customer',
  `select c.* from unnest($1::text[]) as requested (session_id) cross join lateral (
    select s.id as session_id, s.subscriber_id, s.device_id, d.restricted_until, d.total_id, b.kyc_level, p.salt
    from customer_sessions s join customer_devices d on d.id = s.device_id join subscribers b on b.id = s.subscriber_id
      join pins p on p.owner_id = s.subscriber_id
    where s.id = requested.session_id and s.revoked_at is null and s.created_at > $2
      and d.ended_at is null and b.status = 'ACTIVE' limit 1) c`,
  (columns) => columns,
);

/** Null: there is no such session, or it has ended. */
export function customerLoader({ reader, clock, sessionMaxMs }: Dependencies) {
  return batchLoader<string, SubscriberCaller | null>({
    async fetch(ids) {
      const now = clock.now();
      const rows = await reader.run(BY_SESSION, [textArray([...new Set(ids)]), new Date(now - sessionMaxMs)]);
      const callers = new Map(rows.map((columns) => [text(columns[0]), customerOf(columns, now)]));
      return ids.map((id) => callers.get(id) ?? null);
    },
  });
}

function customerOf(
  [sessionId, subscriberId, deviceId, restrictedUntil, totalId, level, salt]: Columns,
  now: number,
): SubscriberCaller {
  const until = timestamp(restrictedUntil).getTime();
  const newDevice: NewDevice | null =
    until > now ? { until, totalId: text(totalId), limit: newDeviceLimit(integer(level)) } : null;
  const session = { id: text(sessionId), deviceId: text(deviceId) };
  return { ...customerCaller(text(subscriberId), bytes(salt)), session, newDevice };
}

/** What all new devices of a wallet may pay together while one of them is new. */
function newDeviceLimit(kycLevel: number): number {
  return Math.floor(kycLimits(kycLevel).dailyLimit / NEW_DEVICE_SHARE);
}
