// Body fields that a route does not know: a likely misspelling is refused, others are named in a reply header.
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { Endpoint } from './endpoint.ts';
import { isPaymentRoute } from './payment-endpoint.ts';

export const IGNORED_FIELDS = 'kissi-ignored-fields';

const MAX_LISTED = 10;
const MAX_LISTED_CHARACTERS = 40;
/** If a body has more unknown fields, only the first ones are listed. */
const MAX_READ = 100;
/** Longer names are not compared: no field has a name like that. */
const MAX_COMPARED_CHARACTERS = 64;
/** Pairs of a sent and a known name. Only an attacker sends so many that are alike. */
const MAX_COMPARED = 1_000;
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
  const fields = absent.map((name) => ({ name, letters: lettersIn(name), edits: name.length >= LONG_NAME ? 2 : 1 }));
  let compared = 0;
  for (const sent of unknown) {
    const alike = sent.length > MAX_COMPARED_CHARACTERS ? [] : similar(sent, fields);
    compared += alike.length;
    if (compared > MAX_COMPARED) return refuse('INVALID_REQUEST', 'Too many unknown fields resemble known ones.');
    const meant = closest(sent, alike);
    if (meant) return refuse('INVALID_REQUEST', `Unknown field ${JSON.stringify(sent)}. Did you mean "${meant}"?`);
  }
  return null;
}

/** The value of the header, in characters that are safe in one. */
export function ignoredFields(unknown: readonly string[]): string {
  const names = unknown
    .slice(0, MAX_READ)
    .map((name) => name.slice(0, MAX_LISTED_CHARACTERS).replaceAll(/[^\w.-]/g, '_') || '_');
  return [...new Set(names)].slice(0, MAX_LISTED).join(', ');
}

interface AbsentField {
  name: string;
  letters: number;
  /** How many places may differ. */
  edits: number;
}

/** A body can have a hundred thousand unknown fields; nearly all differ in more letters than a misspelling does. */
function similar(sent: string, absent: readonly AbsentField[]): AbsentField[] {
  const letters = lettersIn(sent);
  return absent.filter((field) => bitsIn(letters ^ field.letters) <= 2 * field.edits);
}

function closest(sent: string, absent: readonly AbsentField[]): string | undefined {
  const near = absent.map(({ name, edits: most }) => ({ name, most, edits: editsBetween(sent, name) }));
  return near.filter(({ edits, most }) => edits <= most).toSorted((a, b) => a.edits - b.edits)[0]?.name;
}

function editsBetween(sent: string, name: string): number {
  if (lettersOf(sent) === lettersOf(name)) return 0;
  return Math.abs(sent.length - name.length) > 2 ? Number.POSITIVE_INFINITY : editDistance(sent, name);
}

/** A bit for each of the letters a to z that occur, in either case. */
function lettersIn(name: string): number {
  let bits = 0;
  for (let index = 0; index < name.length; index++) {
    const letter = (name.charCodeAt(index) | 0x20) - 0x61;
    if (letter >= 0 && letter < 26) bits |= 1 << letter;
  }
  return bits;
}

function bitsIn(word: number): number {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count++;
  return count;
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
