// Body fields that a route does not know: a likely misspelling is refused, others are named in a reply header.
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { Endpoint } from './endpoint.ts';
import { isPaymentRoute } from './payment-endpoint.ts';

export const IGNORED_FIELDS = 'kissi-ignored-fields';

const MAX_LISTED = 10;
const MAX_LISTED_CHARACTERS = 40;
/** Longer names are not compared: no field has a name like that. */
const MAX_COMPARED_CHARACTERS = 64;
/** Names of at least this length may differ in two places. */
const LONG_NAME = 8;

/**
 * Whether the route moves money or changes something on record, such as a credential, so that an ignored field can do
 * harm. Every such route has an audit action or an amount, so a new route cannot be left out.
 */
export function reportsUnknownFields({ body, action, ...endpoint }: Endpoint): boolean {
  return body !== undefined && (action !== undefined || isPaymentRoute({ body, ...endpoint }));
}

/** The refusal of the first field that is likely to be a misspelling of a field that is absent. */
export function misspeltRefusal(unknown: readonly string[], absent: readonly string[]): Refusal | null {
  for (const sent of unknown) {
    const meant = closest(sent, absent);
    if (meant) return refuse('INVALID_REQUEST', `Unknown field ${JSON.stringify(sent)}. Did you mean "${meant}"?`);
  }
  return null;
}

/** The value of the header, in characters that are safe in one. */
export function ignoredFields(unknown: readonly string[]): string {
  const names = unknown.map((name) => name.slice(0, MAX_LISTED_CHARACTERS).replaceAll(/[^\w.-]/g, '_') || '_');
  return [...new Set(names)].slice(0, MAX_LISTED).join(', ');
}

function closest(sent: string, absent: readonly string[]): string | undefined {
  if (sent.length > MAX_COMPARED_CHARACTERS) return undefined;
  const near = absent.map((name) => ({ name, edits: editsBetween(sent, name) }));
  const close = near.filter(({ name, edits }) => edits <= (name.length >= LONG_NAME ? 2 : 1));
  return close.toSorted((a, b) => a.edits - b.edits)[0]?.name;
}

function editsBetween(sent: string, name: string): number {
  if (lettersOf(sent) === lettersOf(name)) return 0;
  return Math.abs(sent.length - name.length) > 2 ? Number.POSITIVE_INFINITY : editDistance(sent, name);
}

/** requestID and request_id have the same letters. */
function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Insertions, deletions, replacements and transpositions of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(replaced, at(last, j) + 1, at(row, j - 1) + 1, swapped));
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, b.length);
}

const at = (row: readonly number[], index: number) => row[index] as number;
