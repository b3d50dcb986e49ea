// Instants and dates, always with their time zone.

let zone = 'UTC';

/** Sets the operator's time zone, which the console gets from the service after login. */
export function setTimeZone(name: string): void {
  zone = name;
}

export const timeZone = () => zone;

const formats = new Map<string, Intl.DateTimeFormat>();

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = zone + JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.DateTimeFormat('en-SL', { timeZone: zone, ...options });
  formats.set(key, known);
  return known;
}

/** Such as `16 Nov 2026, 21:05`; list headings show the zone. */
export const instant = (iso: string) =>
  format({ dateStyle: 'medium', timeStyle: 'short', hour12: false }).format(new Date(iso));

/** Such as `16 November 2026, 21:05:33 GMT`. */
export const fullInstant = (iso: string) =>
  format({
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hour12: false,
    timeZoneName: 'short',
  }).format(new Date(iso));

export const clockTime = (iso: string) => format({ timeStyle: 'short', hour12: false }).format(new Date(iso));

/** Such as `Tuesday`. */
export const weekday = (iso: string) => format({ weekday: 'long' }).format(new Date(iso));

/** For dates without a time, such as 2026-11-16. */
export const date = (iso: string) =>
  new Intl.DateTimeFormat('en-SL', { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${iso.slice(0, 10)}T00:00:00Z`),
  );

/** Such as `16 Nov`, for chart axes. The service counts days in UTC. */
export const calendarDay = (iso: string) =>
  new Intl.DateTimeFormat('en-SL', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(iso));

/** The zone's short name, such as GMT. */
export const zoneName = () =>
  format({ timeZoneName: 'short' })
    .formatToParts(new Date())
    .find(({ type }) => type === 'timeZoneName')?.value ?? zone;

const STEPS: [limitMs: number, unit: Intl.RelativeTimeFormatUnit, unitMs: number][] = [
  [3_600_000, 'minute', 60_000],
  [86_400_000, 'hour', 3_600_000],
  [Number.POSITIVE_INFINITY, 'day', 86_400_000],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** Such as `5 minutes ago` or `in 2 hours`. Anything longer is in days, like every age in the console. */
export function fromNow(iso: string, now = Date.now()): string {
  const difference = new Date(iso).getTime() - now;
  if (Math.abs(difference) < 60_000) return difference > 0 ? 'in less than a minute' : 'just now';
  const [, unit, unitMs] = STEPS.find(([limit]) => Math.abs(difference) < limit) ?? ['', 'day' as const, 86_400_000];
  return relative.format(Math.trunc(difference / unitMs), unit);
}

/** The date in the operator's zone, in the format the service expects: 2026-11-16. */
export function today(offsetDays = 0): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(Date.now() + offsetDays * 86_400_000));
}
