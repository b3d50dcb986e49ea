// Verifies the seals: recomputes each from the tables in the order of batches, and follows the chains.
import type { Connection } from '../../db/driver/connection.ts';
import type { LedgerEnd } from '../../db/key-closings.ts';
import { type OutboxTable, sealedExpressions, sealedText } from '../../db/outbox-table.ts';
import { plural } from '../../kernel/plural.ts';
import {
  batchNumber,
  chainMac,
  chainOf,
  encodedColumns,
  MOVEMENT_COLUMNS,
  NO_CHAIN,
  outboxText,
  POSTING_COLUMNS,
  REQUEST_COLUMNS,
  requestsDigest,
  SEAL_FORMAT,
  type SealedRows,
  type SealKey,
  sealMac,
  selectList,
} from '../seals/format.ts';
import { BatchedRows, nameOf } from './batched-rows.ts';
import { bigintOf, type Findings, type Row, rowsOf } from './findings.ts';
import type { SealKeysInTime } from './key-closings.ts';
import { mayBePruned } from './request-pruning.ts';

export const SEAL_RULES = {
  seal_differs: 'what a batch wrote was changed, removed or added to: its seal does not match',
  seal_missing: "a batch's seal is missing",
  requests_differ: 'the idempotency records of a batch were changed, removed or added to',
  movement_time_differs: "a movement's time is not its batch's",
  chain_differs: 'the start of a chain of seals was changed',
  chain_missing: 'a chain of seals is missing',
  chain_shortened: 'a chain of seals ends before the batch that a later chain names',
  row_unsealed: 'a row was written without a seal',
} as const;

const MICROSECONDS = '(extract(epoch from at) * 1000000)::bigint';
const CHAINS = `select id, (extract(epoch from started_at) * 1000)::bigint, heads::text, encode(mac, 'hex'), key_id
  from seal_chains order by id`;
const SEALS = `select batch, format, ${MICROSECONDS}, encode(requests_digest, 'hex'), encode(mac, 'hex')
  from seals order by batch`;

const MOVEMENTS = `select batch, ${selectList(MOVEMENT_COLUMNS)}, ${MICROSECONDS} from movements where batch is not null
  order by batch`;
const POSTINGS = `select m.batch, ${selectList(POSTING_COLUMNS, 'p.')}
  from postings p join movements m on m.id = p.movement_id where m.batch is not null order by m.batch`;
const REQUESTS = `select batch, ${selectList(REQUEST_COLUMNS)} from requests where batch is not null order by batch`;

interface Chain {
  id: number;
  startedAt: number;
  heads: number[];
  mac: Buffer;
  /** Null: the key is not at hand. */
  key: SealKey | null;
}

export interface SealedTables {
  /** Tables whose rows are covered by seals. */
  tables: readonly OutboxTable[];
  /** Tables in which rows without a seal are normal: the ledger did not write them. */
  partly: readonly OutboxTable[];
}

export interface SealVerification {
  keys: SealKeysInTime;
  sealed: SealedTables;
  /** The instant before which idempotency keys may be missing; null if none are. */
  prunedBefore: number | null;
}

export async function verifySeals(
  connection: Connection,
  findings: Findings,
  options: SealVerification,
): Promise<void> {
  const { keys, sealed } = options;
  const chains = await readChains(connection, findings, keys);
  const heads = new Map(chains.flatMap((chain) => chain.heads.map((batch) => [batch, null as Buffer | null])));
  await new SealVerifier(connection, findings, options, chains, heads).run();
  verifyChains(findings, chains, heads);
  await verifyUnsealed(connection, findings, sealed);
}

async function readChains(connection: Connection, findings: Findings, keys: SealKeysInTime): Promise<Chain[]> {
  const chains: Chain[] = [];
  for await (const [id, startedAt, heads, mac, keyId] of rowsOf(connection, 'seal_chains_read', CHAINS)) {
    const previous = chains.at(-1)?.id ?? 0;
    for (let lost = previous + 1; lost < Number(id); lost++) findings.fault('chain_missing', `chain ${lost}`, 'no row');
    chains.push({
      id: Number(id),
      startedAt: Number(startedAt),
      heads: (heads ?? '{}').slice(1, -1).split(',').filter(Boolean).map(Number),
      mac: Buffer.from(mac ?? '', 'hex'),
      key: keys.find(String(keyId)),
    });
    keys.inTime(String(keyId), `chain ${id}`, ({ chain }) => Number(id) <= chain);
  }
  return chains;
}

/** A head that is missing was already reported; the MAC is then not comparable. */
function verifyChains(findings: Findings, chains: Chain[], macs: Map<number, Buffer | null>): void {
  let previous: Buffer = NO_CHAIN;
  for (const chain of chains) {
    const heads = chain.heads.map((batch) => ({ batch, mac: macs.get(batch) ?? NO_CHAIN }));
    const lost = chain.heads.filter((batch) => macs.get(batch) === null);
    for (const batch of lost) {
      findings.fault(
        'chain_shortened',
        `chain ${chainOf(batch)}`,
        `chain ${chain.id} names its batch ${nameOf(batch)}`,
      );
    }
    const { key } = chain;
    const isIntact = lost.length > 0 || !key || chainMac(key.key, previous, { ...chain, heads }).equals(chain.mac);
    if (!isIntact) findings.fault('chain_differs', `chain ${chain.id}`, 'its MAC does not match');
    previous = chain.mac;
  }
}

class SealVerifier {
  private readonly connection: Connection;
  private readonly findings: Findings;
  private readonly options: SealVerification;
  private readonly chains: Map<number, Chain>;
  private readonly heads: Map<number, Buffer | null>;

  constructor(
    connection: Connection,
    findings: Findings,
    options: SealVerification,
    chains: Chain[],
    heads: Map<number, Buffer | null>,
  ) {
    this.connection = connection;
    this.findings = findings;
    this.options = options;
    this.chains = new Map(chains.map((chain) => [chain.id, chain]));
    this.heads = heads;
  }

  async run(): Promise<void> {
    const { tables } = this.options.sealed;
    const read = (table: string, text: string) => new BatchedRows(this.connection, this.findings, table, text);
    const [movements, postings, requests] = [
      read('movements', MOVEMENTS),
      read('postings', POSTINGS),
      read('requests', REQUESTS),
    ];
    const outbox = tables.map((table) => ({ table, rows: read(table.name, outboxQuery(table)) }));
    let previous: Buffer = NO_CHAIN;
    let last = 0;
    for await (const [batchText, format, at, digest, mac] of rowsOf(this.connection, 'all_seals', SEALS)) {
      const batch = Number(batchText);
      previous = this.follow(batch, last, previous);
      last = batch;
      const rowsOfBatch = {
        movements: sorted(await movements.take(batch), [0]),
        postings: sorted(await postings.take(batch), [2, 0]),
        requests: sorted(await requests.take(batch), [3]),
        outbox: new Map<string, SealedRows>(),
      };
      for (const { table, rows } of outbox) rowsOfBatch.outbox.set(table.name, cellsOf(table, await rows.take(batch)));
      const stored = { batch, format: Number(format), atMicros: bigintOf(at), digest: digest ?? null };
      this.compare(stored, rowsOfBatch, previous, Buffer.from(mac ?? '', 'hex'));
      previous = Buffer.from(mac ?? '', 'hex');
      this.checkTime(batch, previous);
      if (this.heads.has(batch)) this.heads.set(batch, previous);
    }
    for (const rows of [movements, postings, requests, ...outbox.map((each) => each.rows)]) await rows.end();
  }

  /** A chain under an old key ends with the batch that the key's closing names. */
  private checkTime(batch: number, mac: Buffer): void {
    const id = this.chains.get(chainOf(batch))?.key?.id;
    if (id === undefined) return;
    this.options.keys.inTime(id, `batch ${nameOf(batch)}`, (end) => {
      const [last, lastMac] = headIn(end, chainOf(batch)) ?? [0, ''];
      return batch < last || (batch === last && mac.toString('hex') === lastMac);
    });
  }

  /** The MAC that the seal of the batch continues. A gap is reported once, and the chain goes on behind it. */
  private follow(batch: number, last: number, previous: Buffer): Buffer {
    const chain = chainOf(batch);
    const start = this.chains.get(chain);
    if (!start) {
      if (chainOf(last) !== chain)
        this.findings.fault('chain_missing', `chain ${chain}`, `batch ${nameOf(batch)} exists`);
      return chainOf(last) === chain ? previous : NO_CHAIN;
    }
    const expected = chainOf(last) === chain ? last + 1 : batchNumber(chain, 1);
    if (batch !== expected) {
      const missing = batch - expected;
      this.findings.fault('seal_missing', `batch ${nameOf(expected)}`, `${missing} missing before ${nameOf(batch)}`);
    }
    return chainOf(last) === chain ? previous : start.mac;
  }

  private compare(
    stored: { batch: number; format: number; atMicros: bigint; digest: string | null },
    rows: { movements: Row[]; postings: Row[]; requests: Row[]; outbox: Map<string, SealedRows> },
    previous: Buffer,
    mac: Buffer,
  ): void {
    const about = `batch ${nameOf(stored.batch)}`;
    for (const movement of rows.movements) {
      const at = bigintOf(movement.at(-1));
      if (at === stored.atMicros) continue;
      this.findings.fault('movement_time_differs', movement[0] as string, `${at}, of its batch ${stored.atMicros}`);
    }
    const digest =
      rows.requests.length === 0
        ? null
        : requestsDigest(encodedColumns(REQUEST_COLUMNS, rows.requests)).toString('hex');
    const isPruned = mayBePruned(this.options.prunedBefore, Number(stored.atMicros / 1_000n));
    if (digest !== stored.digest && !isPruned) {
      this.findings.fault('requests_differ', about, `it has ${rows.requests.length} requests`);
    }
    const content = {
      batch: stored.batch,
      at: Number(stored.atMicros / 1_000n),
      ledger: [...encodedColumns(MOVEMENT_COLUMNS, rows.movements), ...encodedColumns(POSTING_COLUMNS, rows.postings)],
      requestsDigest: stored.digest === null ? null : Buffer.from(stored.digest, 'hex'),
      outbox: outboxText(rows.outbox),
    };
    // What the batch wrote is archived, or part of it: the chain goes on with the stored seal.
    const { archivedBefore } = this.findings;
    if (archivedBefore !== null && Number(stored.atMicros / 1_000n) < archivedBefore) return;
    const start = this.chains.get(chainOf(stored.batch));
    const key = start ? start.key : this.options.keys.writing;
    if (!key) return;
    const expected = sealMac(key.key, previous, content);
    const isWhole = stored.atMicros % 1_000n === 0n && stored.format === SEAL_FORMAT;
    if (isWhole && expected.equals(mac)) return;
    const { movements } = rows;
    this.findings.fault(
      'seal_differs',
      about,
      `it has ${plural(movements.length, 'movement')}, the first is ${movements[0]?.[0]}`,
    );
  }
}

/** The heads of a closing by chain, made once for each. */
const HEADS = new WeakMap<LedgerEnd, Map<number, readonly [batch: number, mac: string]>>();

function headIn(end: LedgerEnd, chain: number) {
  const known = HEADS.get(end);
  if (known) return known.get(chain);
  const heads = new Map(end.heads.map(([batch, mac]) => [chainOf(Number(batch)), [Number(batch), mac] as const]));
  HEADS.set(end, heads);
  return heads.get(chain);
}

function outboxQuery({ name, sealed }: OutboxTable): string {
  const expressions = sealedExpressions(sealed ?? {});
  return `select batch, ${expressions.join(', ')} from ${name} where batch is not null order by batch`;
}

function cellsOf({ sealed }: OutboxTable, rows: Row[]): SealedRows {
  const kinds = Object.values(sealed ?? {});
  return rows.map((row) => row.map((cell, index) => sealedText(kinds[index], cell ?? null)));
}

/** In the order of the ledger, which sorts by id. */
function sorted(rows: Row[], columns: readonly number[]): Row[] {
  const keyOf = (row: Row) => columns.map((column) => row[column]).join('\n');
  return rows
    .map((row) => ({ row, key: keyOf(row) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ row }) => row);
}

async function verifyUnsealed(
  connection: Connection,
  findings: Findings,
  { tables, partly }: SealedTables,
): Promise<void> {
  const checked = ['movements', 'requests', ...tables.filter((each) => !partly.includes(each)).map(({ name }) => name)];
  for (const table of checked) {
    const text = `select (to_json(${table}))::text from ${table} where batch is null`;
    for await (const [row] of rowsOf(connection, `unsealed_${table}`, text)) {
      findings.fault('row_unsealed', table, (row as string).slice(0, 120));
    }
  }
}
