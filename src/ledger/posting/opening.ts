// Begins the transaction of a batch: reads what its payments need, and locks their accounts and running totals.
import type { Connection } from '../../db/driver/connection.ts';
import { BatchReads, type Rows } from '../../db/keyed-lookup.ts';
import { endedHolds } from '../holds/lookup.ts';
import { sealedBatches } from '../seals/chain.ts';
import { type Account, type Draft, isDraft, type KnownRequest, type MovementRequest, type Order } from '../types.ts';
import { orDefectiveOrder } from './batch-errors.ts';
import { assertBalanced } from './decide.ts';
import type { LedgerEngine } from './engine.ts';
import { lockAccounts, lockAllowances } from './locks.ts';
import type { RecentRequests } from './recent-requests.ts';
import { knownRequests } from './store.ts';

const NONE: ReadonlySet<number> = new Set();
const NO_HOLDS: ReadonlySet<string> = new Set();

export interface Opened {
  /** In the order of the batch; null: a draft that was not completed. */
  orders: readonly (Order | null)[];
  accounts: ReadonlyMap<string, Account>;
  allowances: Map<string, number>;
  /** Of the expected batches, those that were committed. */
  sealed: ReadonlySet<number>;
  known: Map<string, KnownRequest>;
  /** The requests that were looked up among the known ones. */
  lookedUp: Set<MovementRequest>;
  /** Of the holds that the batch ends or draws from, those that have ended before. */
  endedHolds: ReadonlySet<string>;
}

export interface OpeningContext {
  engine: LedgerEngine;
  recent: RecentRequests;
}

export class Opening {
  private readonly entries: readonly (Order | Draft)[];
  private readonly requests: readonly MovementRequest[];
  private readonly reads: BatchReads;
  /** Sorted. */
  private readonly accountIds: string[];
  private readonly allowances: { existing: readonly string[]; opened: readonly string[] };
  private readonly holds: readonly string[];
  private readonly engine: LedgerEngine;
  private readonly recent: RecentRequests;

  constructor(entries: readonly (Order | Draft)[], { engine, recent }: OpeningContext) {
    this.entries = entries;
    this.requests = entries.flatMap((entry) => (isDraft(entry) ? entry.request : entry.movement.request) ?? []);
    this.reads = new BatchReads(entries.flatMap((entry) => (isDraft(entry) ? entry.reads : [])));
    this.accountIds = sortedSet(entries.flatMap((entry) => (isDraft(entry) ? entry.accountIds : accountsOf(entry))));
    this.allowances = {
      existing: entries.flatMap((entry) => (isDraft(entry) ? entry.allowanceIds : [])),
      opened: entries.flatMap((entry) => (isDraft(entry) ? [] : allowancesOf(entry))),
    };
    this.holds = entries.flatMap((entry) => (isDraft(entry) ? [] : holdsOf(entry)));
    this.engine = engine;
    this.recent = recent;
  }

  /**
   * In one round trip, if one statement can lock the accounts that rows name. `held`: the orders of an attempt that may
   * have been committed; their accounts are locked too.
   */
  async open(client: Connection, expected: number[], held: readonly (Order | null)[]): Promise<Opened> {
    const lookedUp = this.recent.mayExist(this.requests);
    this.recent.add(this.requests);
    const early = this.engine.locksNamed ? null : await this.readFirst(client);
    const accountIds = sortedSet([...this.accountIds, ...[...held, ...(early ?? [])].flatMap(accountsOf)]);
    // Pipelined: the reads behind the locks run while the locks are held, so that they see what others committed before.
    const [, accounts, rows, allowances, sealed, known, ended] = await client.pipeline(() =>
      Promise.all([
        early ? null : client.begin(),
        lockAccounts(this.engine, client, accountIds, early ? null : this.reads),
        early ? null : this.reads.run(client),
        lockAllowances(this.engine, client, this.allowances),
        expected.length > 0 ? sealedBatches(client, expected) : NONE,
        knownRequests(client, lookedUp),
        this.holds.length > 0 ? endedHolds(client, this.holds) : NO_HOLDS,
      ]),
    );
    const completed = early ?? this.complete(rows as Rows);
    // An account that is not locked does not exist, or the row that names it has just changed.
    const orders = this.entries.map((entry, n) => {
      const order = completed[n] ?? null;
      return isDraft(entry) && !accountsOf(order).every((id) => accounts.has(id)) ? null : order;
    });
    const expectedTotals = new Set([...this.allowances.existing, ...this.allowances.opened]);
    const opened = orders.flatMap(allowancesOf).filter((id) => !expectedTotals.has(id));
    const others = await lockAllowances(this.engine, client, { existing: [], opened });
    for (const [id, used] of others) allowances.set(id, used);
    const requests = { known: new Map(known), lookedUp: new Set(lookedUp) };
    return { orders, accounts, allowances, sealed, ...requests, endedHolds: ended };
  }

  private async readFirst(client: Connection): Promise<(Order | null)[]> {
    const [, rows] = await client.pipeline(() => Promise.all([client.begin(), this.reads.run(client)]));
    return this.complete(rows);
  }

  private complete(rows: Rows): (Order | null)[] {
    return orDefectiveOrder(() =>
      this.entries.map((entry) => {
        if (!isDraft(entry)) return entry;
        const order = entry.complete(rows);
        if (order) assertBalanced(order.movement);
        return order;
      }),
    );
  }
}

const sortedSet = (ids: readonly string[]) => [...new Set(ids)].sort();

function accountsOf(order: Order | null): string[] {
  if (!order) return [];
  const { legs, locks } = order.movement;
  return locks === undefined ? legs.map(({ accountId }) => accountId) : [locks];
}

function holdsOf({ movement: { endsHold, drawsFrom } }: Order): string[] {
  return [endsHold?.id ?? [], drawsFrom?.holdId ?? []].flat();
}

function allowancesOf(order: Order | null): string[] {
  return order?.movement.allowances?.map(({ id }) => id) ?? [];
}
