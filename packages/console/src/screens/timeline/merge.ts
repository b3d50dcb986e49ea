// Merges several lists, each newest first, into one timeline: page by page, reading no more of a list than is needed.
import { KissiError } from '@kissi/client';

export interface Read<Row> {
  rows: Row[];
  /** Where the list goes on; undefined at its end. */
  next?: string | undefined;
}

export interface Source<Row> {
  id: string;
  /** `position`: '' for the first page. */
  read(position: string, options: { signal: AbortSignal }): Promise<Read<Row>>;
  /** ISO 8601, UTC. */
  at(row: Row): string;
  key(row: Row): string;
}

export interface Item {
  source: string;
  key: string;
  at: string;
  row: unknown;
}

interface Rest {
  /** Read, but not in a page yet. */
  items: Item[];
  next: string | undefined;
}

/** What follows a page, by source. */
export type Position = ReadonlyMap<string, Rest>;

export interface TimelinePage {
  items: Item[];
  /** Null after the last page. */
  rest: Position | null;
  /** The sources that the service did not show to this user. */
  refused: string[];
}

const NOTHING_YET: Rest = { items: [], next: '' };

/** An item is in the page once every list that goes on has an item to compare it with. */
export async function readPage<Row>(
  sources: readonly Source<Row>[],
  from: Position | null,
  size: number,
  options: { signal: AbortSignal },
): Promise<TimelinePage> {
  const rests = new Map(sources.map(({ id }) => [id, from?.get(id) ?? NOTHING_YET]));
  const refused: string[] = [];
  const items: Item[] = [];
  while (items.length < size) {
    const waiting = sources.filter(({ id }) => isUsedUp(rests.get(id)));
    const read = await Promise.all(waiting.map((source) => readOn(source, rests.get(source.id), options)));
    for (const [index, { id }] of waiting.entries()) {
      const rest = read[index];
      if (!rest) refused.push(id);
      rests.set(id, rest ?? { items: [], next: undefined });
    }
    if ([...rests.values()].some(isUsedUp)) continue;
    const newest = takeNewest(rests);
    if (!newest) break;
    items.push(newest);
  }
  const isEnd = [...rests.values()].every((rest) => rest.items.length === 0 && rest.next === undefined);
  return { items, rest: isEnd ? null : rests, refused };
}

const isUsedUp = (rest: Rest | undefined) => rest?.items.length === 0 && rest.next !== undefined;

/** Null: the service does not show this list to the user. */
async function readOn<Row>(source: Source<Row>, rest: Rest | undefined, options: { signal: AbortSignal }) {
  try {
    const { rows, next } = await source.read(rest?.next ?? '', options);
    const items = rows.map((row) => ({ source: source.id, key: source.key(row), at: source.at(row), row }));
    return { items, next };
  } catch (error) {
    if (error instanceof KissiError && ['FORBIDDEN', 'NOT_FOUND'].includes(error.code)) return null;
    throw error;
  }
}

function takeNewest(rests: Map<string, Rest>): Item | undefined {
  const firsts = [...rests.values()].flatMap(({ items: [first] }) => first ?? []);
  const [newest] = firsts.sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
  if (!newest) return undefined;
  const { items, next } = rests.get(newest.source) as Rest;
  rests.set(newest.source, { items: items.slice(1), next });
  return newest;
}
