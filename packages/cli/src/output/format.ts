// Formats values of replies for people: money as 1,250.50 SLE, times with their zone.
import { formatMoney } from '@kissi/client';
import { printable } from './terminal.ts';

export interface FormatOptions {
  /** Names of the fields that are amounts in minor units. */
  money: ReadonlySet<string>;
  currency?: string;
  /** The time zone of the user by default. */
  timeZone?: string;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

export function formatValue(name: string, value: unknown, options: FormatOptions): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' && options.money.has(name))
    return formatMoney(value, { currency: options.currency ?? 'SLE' });
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return TIME.test(value) ? formatTime(value, options.timeZone) : printable(value);
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object')) return printable(value.join(', '));
  return typeof value === 'object' ? printable(JSON.stringify(value)) : String(value);
}

/** 2026-11-16 18:24:11 UTC, in the zone of the user. */
export function formatTime(iso: string, timeZone?: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return printable(iso);
  const parts = formatter(timeZone).formatToParts(at);
  const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')} ${part('timeZoneName')}`;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const digits = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  } as const;
  const created = new Intl.DateTimeFormat('en-GB', { ...digits, hourCycle: 'h23', timeZone, timeZoneName: 'short' });
  formatters.set(timeZone, created);
  return created;
}

/** A field name as people read it: created_at becomes "created at". */
export const label = (name: string) => name.replaceAll('_', ' ');

const GOOD = new Set(['active', 'completed', 'delivered', 'ok', 'passed', 'success', 'approved', 'matched', 'clear']);
const BAD = new Set([
  'blocked',
  'failed',
  'rejected',
  'abandoned',
  'revoked',
  'terminated',
  'unavailable',
  'suspended',
  'reversed',
]);

/** The colour of a status; none for what is neither good nor bad. */
export function statusColour(name: string, value: unknown): 'green' | 'red' | 'yellow' | null {
  if (!/(^|_)(status|state)$/.test(name) || typeof value !== 'string') return null;
  const word = value.toLowerCase();
  if (GOOD.has(word)) return 'green';
  if (BAD.has(word)) return 'red';
  return /pending|waiting|processing|degraded|open/.test(word) ? 'yellow' : null;
}
