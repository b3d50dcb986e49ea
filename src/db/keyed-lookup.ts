// Rows by a key: read in batches over the shared reader, or together with a payment, in the round trip that locks its accounts.
import { type BatchOptions, batchLoader, type Load } from './batch-loader.ts';
import { textArray } from './driver/binary-arrays.ts';
import type { Reader } from './driver/reader.ts';
import type { Statement } from './driver/statement.ts';

export interface KeyedLookup<Row> {
  /** Names it in the statement that locks the accounts of a batch. */
  readonly name: string;
  /** Sends its statement synchronously, so that it can join a pipeline. Each key occurs once. */
  fetch(reader: Reader, keys: string[]): Promise<ReadonlyMap<string, Row>>;
  /** SQL: the accounts that the rows name, given the number of the parameter with the keys. */
  readonly accounts?: (parameter: string) => string;
}

/** One row that a payment needs. */
export interface Read<Row> {
  readonly lookup: KeyedLookup<Row>;
  readonly key: string;
}

/** The rows that were read for a batch. */
export interface Rows {
  get<Row>(read: Read<Row>): Row | null;
}

/** The statement has the keys as its only parameter, and returns each row with its key. */
export function keyedLookup<Row>(
  statement: Statement<readonly [key: string, row: Row]>,
  accounts?: KeyedLookup<Row>['accounts'],
): KeyedLookup<Row> {
  return {
    name: statement.name,
    fetch: async (reader, keys) => new Map(await reader.run(statement, [textArray(keys)])),
    ...(accounts ? { accounts } : {}),
  };
}

/** A small table that is read as a whole: with a payment's other rows, or alone. */
export interface TableReader<Table> {
  readonly read: Read<Table>;
  /** Not cached: callers that arrive during a read share the next one. */
  load(): Promise<Table>;
}

/** A table that does not change. */
export function fixedTable<Table>(table: Table): TableReader<Table> {
  const lookup: KeyedLookup<Table> = { name: 'fixed', fetch: async () => new Map([['', table]]) };
  return { read: { lookup, key: '' }, load: async () => table };
}

export function tableReader<Row, Table>(
  reader: Reader,
  statement: Statement<Row>,
  collect: (rows: readonly Row[]) => Table,
): TableReader<Table> {
  const key = '';
  const lookup: KeyedLookup<Table> = {
    name: statement.name,
    fetch: async (reader) => new Map([[key, collect(await reader.run(statement))]]),
  };
  const load = loader(reader, lookup, { maxBatch: Number.POSITIVE_INFINITY });
  return { read: { lookup, key }, load: () => load(key) as Promise<Table> };
}

export function loader<Row>(
  reader: Reader,
  lookup: KeyedLookup<Row>,
  options: Pick<BatchOptions<string, Row>, 'maxBatch'> = {},
): Load<string, Row | null> {
  return batchLoader({
    ...options,
    async fetch(keys: string[]) {
      const found = await lookup.fetch(reader, [...new Set(keys)]);
      return keys.map((key) => found.get(key) ?? null);
    },
  });
}

/** The reads of a batch by look-up, without repeated keys. */
export class BatchReads {
  private readonly keys = new Map<KeyedLookup<unknown>, Set<string>>();

  constructor(reads: Iterable<Read<unknown>>) {
    for (const { lookup, key } of reads) {
      const keys = this.keys.get(lookup);
      if (keys) keys.add(key);
      else this.keys.set(lookup, new Set([key]));
    }
  }

  /** Those whose rows name accounts, in the order of their names. */
  naming(): (readonly [lookup: KeyedLookup<unknown>, keys: string[]])[] {
    const naming = [...this.keys].filter(([{ accounts }]) => accounts !== undefined);
    return naming.sort(([a], [b]) => (a.name < b.name ? -1 : 1)).map(([lookup, keys]) => [lookup, [...keys]] as const);
  }

  /** One statement per look-up, sent synchronously. */
  async run(reader: Reader): Promise<Rows> {
    const reading = [...this.keys].map(
      async ([lookup, keys]) => [lookup, await lookup.fetch(reader, [...keys])] as const,
    );
    const found = new Map<KeyedLookup<unknown>, ReadonlyMap<string, unknown>>(await Promise.all(reading));
    return { get: <Row>({ lookup, key }: Read<Row>) => (found.get(lookup)?.get(key) ?? null) as Row | null };
  }
}
