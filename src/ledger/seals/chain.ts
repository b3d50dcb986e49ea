// The chain of seals that one gateway writes: opened with its first batch, and replaced when its end becomes unknown.
import { int8Array } from '../../db/driver/binary-arrays.ts';
import { integer, text } from '../../db/driver/columns.ts';
import type { Connection } from '../../db/driver/connection.ts';
import { type Columns, statement } from '../../db/driver/statement.ts';
import type { Clock } from '../../kernel/clock.ts';
import { batchNumber, chainMac, NO_CHAIN, type SealedContent, type SealKey, type SealKeys, sealMac } from './format.ts';

/** A seal that is not committed yet. */
export interface Seal {
  batch: number;
  requestsDigest: Buffer | null;
  mac: Buffer;
}

const LATEST = statement(
  'ledger-seal-latest',
  `select id, encode(mac, 'hex') from seal_chains order by id desc limit 1`,
  ([id, mac]) => ({ id: integer(id), mac: Buffer.from(text(mac), 'hex') }),
);

// A head that an earlier chain lists is covered by the MAC of that chain.
const HEADS = statement(
  'ledger-seal-heads',
  `select s.batch, encode(s.mac, 'hex') from seal_chains c cross join lateral (
    select batch, mac from seals where batch > c.id::bigint << 32 and batch < (c.id::bigint + 1) << 32
    order by batch desc limit 1) s
  where s.batch not in (select unnest(heads) from seal_chains) order by s.batch`,
  ([batch, mac]: Columns) => ({ batch: integer(batch), mac: Buffer.from(text(mac), 'hex') }),
);

const OPEN = statement(
  'ledger-seal-open',
  `insert into seal_chains (id, started_at, heads, mac, key_id)
  values ($1, to_timestamp($2::double precision / 1000), $3::bigint[], $4::bytea, $5) on conflict do nothing`,
);

const CLOSED = statement(
  'ledger-seal-closed',
  `select number from key_closings where chain = 'ledger' and old_key = $1 limit 1`,
  ([number]) => integer(number),
);

const EXISTING = statement(
  'ledger-seal-existing',
  `select s.batch from unnest($1::bigint[]) as requested (batch) cross join lateral (
    select batch from seals where batch = requested.batch limit 1) s`,
  ([batch]) => integer(batch),
);

/** The numbers of the batches that were committed. */
export async function sealedBatches(connection: Connection, batches: number[]): Promise<Set<number>> {
  return new Set(await connection.run(EXISTING, [int8Array(batches)]));
}

interface OpenedChain extends SealKey {
  chain: number;
  mac: Buffer;
}

/**
 * Each statement commits by itself. Heads may move on while it runs. If a concurrent opener takes the id, this one tries again
 * with the next.
 */
async function openChain(connection: Connection, sealKey: SealKey, startedAt: number): Promise<OpenedChain> {
  const closed = await connection.run(CLOSED, [sealKey.id]);
  if (closed.length > 0)
    throw new Error(`the key ${sealKey.id} of MASTER_KEY was replaced: nothing is sealed under it`);
  for (;;) {
    const [latest = { id: 0, mac: NO_CHAIN }] = await connection.run(LATEST);
    const heads = await connection.run(HEADS);
    const start = { id: latest.id + 1, startedAt, heads };
    const mac = chainMac(sealKey.key, latest.mac, start);
    const batches = int8Array(heads.map(({ batch }) => batch));
    const values = [start.id, startedAt, batches, mac, sealKey.id];
    if ((await connection.execute(OPEN, values)) === 1) return { ...sealKey, chain: start.id, mac };
  }
}

export class SealChain {
  private readonly keys: SealKeys;
  private readonly clock: Clock;
  /** Null: no chain is open, or the outcome of its last batch is unknown. */
  private current: (OpenedChain & { count: number; writtenOn: Connection | null; openedAt: number }) | null = null;

  constructor(keys: SealKeys, clock: Clock) {
    this.keys = keys;
    this.clock = clock;
  }

  /** Opens a chain if none is open. */
  ready(connection: Connection): Promise<void> | null {
    return this.current === null ? this.open(connection) : null;
  }

  /**
   * Ends the chain if its key is no longer the one to write under. Also once when this gateway's announcement has lapsed:
   * the others may have closed the key meanwhile, which opening a chain finds out.
   */
  followKey(): void {
    if (this.current === null) return;
    const { announcedUntil, writing } = this.keys.ring;
    const hasLapsed = announcedUntil < performance.now() && this.current.openedAt < announcedUntil;
    if (hasLapsed || this.current.id !== writing.id) this.current = null;
  }

  private async open(connection: Connection): Promise<void> {
    const opened = await openChain(connection, this.keys.writing, this.clock.now());
    this.current = { ...opened, count: 0, writtenOn: connection, openedAt: performance.now() };
  }

  /**
   * The batch that must exist before the next one is written; null if this connection wrote it. Another connection may
   * lead to another server: after a failover with asynchronous replication the end of the chain may be lost.
   */
  unconfirmed(connection: Connection): number | null {
    const { chain, count, writtenOn } = this.chain();
    return count === 0 || writtenOn === connection ? null : batchNumber(chain, count);
  }

  /** The next batch's number. An attempt that was not committed leaves its number to the next. */
  get nextBatch(): number {
    const { chain, count } = this.chain();
    return batchNumber(chain, count + 1);
  }

  seal(content: SealedContent): Seal {
    const { batch, requestsDigest } = content;
    const { key, mac } = this.chain();
    return { batch, requestsDigest, mac: sealMac(key, mac, content) };
  }

  /** The seal is committed. */
  advance({ batch, mac }: Seal, connection: Connection): void {
    const chain = this.chain();
    if (batch !== this.nextBatch) throw new Error(`batch ${batch} does not continue the chain`);
    this.current = { ...chain, count: chain.count + 1, mac, writtenOn: connection };
  }

  /** The end of the chain is unknown: the next batch opens a new one, and no number is used twice. */
  abandon(): void {
    this.current = null;
  }

  private chain() {
    if (!this.current) throw new Error('no chain of seals is open');
    return this.current;
  }
}
