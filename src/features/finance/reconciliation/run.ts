// One run of the matcher over all open items: stores its matches and suggestions. One at a time over all gateways.
import type { Actor } from '../../../audit/log.ts';
import { iso, MINUTE_MS } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { createClearing } from './clearing.ts';
import type { ReconciliationContext } from './context.ts';
import type { createListing } from './listing.ts';
import { type Matching, matchBetweenEvents, type Proposal } from './matcher.ts';
import { type createMatches, isExact, sumsOf } from './matches.ts';
import { openBankItems, openBookItems } from './open-items.ts';
import * as store from './run-store.ts';
import { insertMatches, lockItems, type MatchRow, type OpenItem, readItems, takeItems } from './store.ts';

interface RunDependencies extends Pick<ReconciliationContext, 'database' | 'audit' | 'clock'> {
  listNewItems: ReturnType<typeof createListing>;
  matches: Pick<ReturnType<typeof createMatches>, 'rowOf'>;
  clearing: ReturnType<typeof createClearing>;
}

/** A gateway extends its lease with every batch. */
const LEASE_MS = 2 * MINUTE_MS;
/** Matches or suggestions written by one transaction, during which other matches wait. */
const BATCH = 500;

export function createRun({ database, audit, clock, listNewItems, matches, clearing }: RunDependencies) {
  const { queries } = database;
  const lease = () => new Date(clock.now() + LEASE_MS);

  async function run(actor: Actor): Promise<store.RunRow | Refusal> {
    const started = await begin(actor);
    if (!started) return refuse('RECONCILIATION_RUNNING', 'Another run is in progress.');
    try {
      const counts = await execute(actor, started.id);
      return await end(actor, started.id, counts);
    } catch (error) {
      const failed = { status: 'failed', finished_at: new Date(clock.now()) } as const;
      await store.endRun(queries, started.id, failed).catch(() => undefined);
      throw error;
    }
  }

  function begin(actor: Actor): Promise<store.RunRow | undefined> {
    const now = new Date(clock.now());
    const by = { started_by: String(actor.caller.id), started_at: now, lease_until: lease() };
    return database.transact((trx) => store.beginRun(trx, { id: newId('rrun', clock), status: 'running', ...by }, now));
  }

  async function execute(actor: Actor, runId: string): Promise<{ matched: number; suggested: number }> {
    await listNewItems();
    const books = await openBookItems(queries);
    const bank = await openBankItems(queries, books);
    const found = withoutUndone(await matchBetweenEvents(bank.items, books.items), bank.undone, books.undone);
    const stored = await storeMatches(actor, runId, found.matches);
    const suggested = await replaceSuggestions(runId, found.suggestions);
    return { matched: stored, suggested };
  }

  async function storeMatches(actor: Actor, runId: string, proposals: readonly Proposal[]): Promise<number> {
    let count = 0;
    for (const batch of batchesOf(proposals)) {
      await store.extendLease(queries, runId, lease());
      const rows = await database.transact((trx) => storeBatch(trx, batch));
      await clearing.completeAll(rows);
      count += rows.length;
    }
    return count;

    /** Items that a user has already matched are left out. */
    async function storeBatch(trx: Parameters<typeof lockItems>[0], batch: readonly Proposal[]): Promise<MatchRow[]> {
      await lockItems(trx);
      const open = await itemsOf(trx, batch);
      const valid = batch.filter((proposal) => isValid(itemsIn(proposal, open), proposal));
      if (valid.length === 0) return [];
      const rows = await insertMatches(
        trx,
        valid.map((proposal) => {
          const row = matches.rowOf(proposal, itemsIn(proposal, open));
          const byRun = { note: null, created_by: null, run_id: runId };
          return { ...row, kind: proposal.rule, status: 'matched', ...byRun } as const;
        }),
      );
      await takeItems(trx, rows);
      const also = rows.map(({ id }) => ({ kind: 'reconciliation_match', id }) as const);
      const details = { matched: rows.length };
      const resource = { resourceType: 'reconciliation_run', resourceId: runId };
      await audit.record(trx, actor, { action: 'reconciliation.run', ...resource, details, also });
      return rows;
    }
  }

  /** Suggestions that stay the same keep their ids. */
  async function replaceSuggestions(runId: string, proposals: readonly Proposal[]): Promise<number> {
    const wanted = new Map(proposals.map((each) => [keyOf(each.bankIds, each.bookIds), each]));
    const before = await store.allSuggestions(queries);
    const obsolete = before.filter((each) => !wanted.delete(keyOf(each.bank_entry_ids, each.transaction_ids)));
    for (const batch of batchesOf(obsolete)) {
      await store.extendLease(queries, runId, lease());
      await database.transact(async (trx) => {
        await lockItems(trx);
        await store.removeSuggestions(
          trx,
          batch.map(({ id }) => id),
        );
      });
    }
    let count = before.length - obsolete.length;
    for (const batch of batchesOf([...wanted.values()])) {
      await store.extendLease(queries, runId, lease());
      count += await database.transact(async (trx) => {
        await lockItems(trx);
        const open = await itemsOf(trx, batch);
        const valid = batch.filter((proposal) => {
          const items = itemsIn(proposal, open);
          return isValid(items, proposal) && items.every(({ suggestionId }) => suggestionId === null);
        });
        const at = new Date(clock.now());
        const rows = valid.map((proposal) => ({
          id: newId('sugg', clock),
          rule: proposal.rule,
          bank_entry_ids: proposal.bankIds,
          transaction_ids: proposal.bookIds,
          amount: Number(sumsOf(itemsIn(proposal, open)).bank),
          created_at: at,
        }));
        await store.storeSuggestions(trx, rows);
        return rows.length;
      });
    }
    return count;
  }

  function end(actor: Actor, id: string, counts: { matched: number; suggested: number }): Promise<store.RunRow> {
    return database.transact(async (trx) => {
      const ended = await store.endRun(trx, id, { status: 'finished', finished_at: new Date(clock.now()), ...counts });
      const resource = { resourceType: 'reconciliation_run', resourceId: id };
      const details = { ...counts, started_at: iso(ended.started_at) };
      await audit.record(trx, actor, { action: 'reconciliation.run', ...resource, details });
      return ended;
    });
  }

  return run;
}

/** A match that a user undid is not made again: it becomes a suggestion. */
function withoutUndone(found: Matching, ...undone: ReadonlySet<string>[]): Matching {
  const wasUndone = ({ bankIds, bookIds }: Proposal) =>
    [...bankIds, ...bookIds].some((id) => undone.some((ids) => ids.has(id)));
  return {
    matches: found.matches.filter((each) => !wasUndone(each)),
    suggestions: [...found.suggestions, ...found.matches.filter(wasUndone)],
  };
}

async function itemsOf(trx: Parameters<typeof lockItems>[0], batch: readonly Proposal[]) {
  const bankIds = batch.flatMap((each) => each.bankIds);
  const bookIds = batch.flatMap((each) => each.bookIds);
  return new Map((await readItems(trx, { bankIds, bookIds })).map((item) => [item.id, item]));
}

function itemsIn({ bankIds, bookIds }: Proposal, open: ReadonlyMap<string, OpenItem>): OpenItem[] {
  return [...bankIds, ...bookIds].flatMap((id) => open.get(id) ?? []);
}

/** The amounts are read again: a match is only as good as the rows it is stored with. */
function isValid(items: readonly OpenItem[], { bankIds, bookIds }: Proposal): boolean {
  const { bank, books } = sumsOf(items);
  const isOpen = items.every(({ takenBy }) => takenBy === null);
  return items.length === bankIds.length + bookIds.length && isOpen && bank === books && isExact(items);
}

function keyOf(bankIds: readonly string[], bookIds: readonly string[]): string {
  return `${bankIds.join()} ${bookIds.join()}`;
}

function* batchesOf<Value>(values: readonly Value[]): Generator<Value[]> {
  for (let start = 0; start < values.length; start += BATCH) yield values.slice(start, start + BATCH);
}
