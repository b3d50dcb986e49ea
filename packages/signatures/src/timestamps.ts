// Timestamps of signed requests: strict parsing, and the allowed difference from the server's time.

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const SIGNATURE_WINDOW_MS = 5 * MINUTE_MS;
export const INBOUND_WINDOW_MS = 2 * MINUTE_MS;

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/i;

/** Milliseconds since the epoch; null for anything that RFC 3339 does not allow. */
export function parseRfc3339(text: string): number | null {
  const match = RFC_3339.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const offset = offsetMs(match[8], Number(match[9] ?? 0), Number(match[10] ?? 0));
  if (hour > 23 || minute > 59 || second > 60 || offset === null) return null;
  const midnight = Date.UTC(year, month - 1, day);
  if (!isCalendarDay(midnight, year, month, day)) return null;
  const at = midnight + hour * 60 * MINUTE_MS + minute * MINUTE_MS + second * SECOND_MS - offset;
  // A leap second occurs only at the end of a UTC day.
  if (second === 60 && at % DAY_MS !== 0) return null;
  return at + Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
}

/** Like parseRfc3339, but requires the offset Z or +00:00. */
export function parseRfc3339Utc(text: string): number | null {
  return /(?:Z|\+00:00)$/i.test(text) ? parseRfc3339(text) : null;
}

/** Milliseconds since the epoch. The text must be whole seconds in decimal digits. */
export function parseUnixSeconds(text: string): number | null {
  return /^\d{1,12}$/.test(text) ? Number(text) * SECOND_MS : null;
}

/** Boundaries are included. False for null, a timestamp that could not be parsed. */
export function isWithin(windowMs: number, at: number | null, now: number): at is number {
  return at !== null && Math.abs(now - at) <= windowMs;
}

function offsetMs(sign: string | undefined, hours: number, minutes: number): number | null {
  if (hours > 23 || minutes > 59) return null;
  const size = (hours * 60 + minutes) * MINUTE_MS;
  return sign === '-' ? -size : size;
}

/** Date.UTC turns 30 February into a day of March, which this detects. */
function isCalendarDay(midnight: number, year: number, month: number, day: number): boolean {
  const date = new Date(midnight);
  return date.getUTCFullYear() === year && date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
}
