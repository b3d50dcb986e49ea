// Makes and undoes matches. Everything is checked inside the transaction, on locked items.
import type { Actor, Author } from '../../../audit/log.ts';
import type { DatabaseTransaction, Queries } from '../../../db/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { archivedRefusal, refusalIfBefore } from '../../../ledger/queries/archives.ts';
import { haveReturn } from './claim-store.ts';
import { auditResource, type ReconciliationContext } from './context.ts';
import type { createListing } from './listing.ts';
import * as store from './store.ts';

export interface MatchRequest extends store.ItemIds {
  note: string | null;
}

export interface MatchDependencies extends Pick<ReconciliationContext, 'database' | 'audit' | 'clock'> {
  listNewItems: ReturnType<typeof createListing>;
}

export function createMatches({ database, audit, clock, listNewItems }: MatchDependencies) {
  /** A request's items, of which none is matched. */
  async function openItems(trx: DatabaseTransaction, request: store.ItemIds): Promise<store.OpenItem[] | Refusal> {
    await store.lockItems(trx);
    const items = await store.readItems(trx, request);
    const missing = await missingRefusal(trx, request, items);
    if (missing) return missing;
    const taken = items.filter(({ takenBy }) => takenBy !== null);
    if (taken.length > 0) return alreadyMatched(taken);
    return isExact(items) ? items : refuse('INVALID_REQUEST', 'The sum of the items exceeds 2^53.');
  }

  async function match(
    trx: DatabaseTransaction,
    actor: Author,
    request: MatchRequest,
    kind: store.MatchRow['kind'] = 'manual',
  ): Promise<store.MatchRow | Refusal> {
    if (request.bankIds.length + request.bookIds.length < 2) {
      return refuse('INVALID_REQUEST', 'Send at least two items: one of each side, or several that sum to zero.');
    }
    const items = await openItems(trx, request);
    if (items instanceof Refusal) return items;
    const { bank, books } = sumsOf(items);
    if (bank !== books) return doesNotBalance(bank, books);
    return add(trx, actor, { request, kind, items, action: 'reconciliation.match' });
  }

  /** Needs no balance. Pay-outs are refused: their amount would stay in transit forever. */
  async function writeOff(
    trx: DatabaseTransaction,
    actor: Actor,
    request: MatchRequest,
  ): Promise<store.MatchRow | Refusal> {
    if (request.bankIds.length + request.bookIds.length === 0) {
      return refuse('INVALID_REQUEST', 'Send at least one item to write off.');
    }
    const items = await openItems(trx, request);
    if (items instanceof Refusal) return items;
    if (items.some(({ clears }) => clears !== 0)) {
      return refuse(
        'PAYOUT_NOT_WRITTEN_OFF',
        'A pay-out is not written off: match it with the bank entry, or return it.',
      );
    }
    return add(trx, actor, { request, kind: 'write_off', items, action: 'reconciliation.write_off' });
  }

  async function add(
    trx: DatabaseTransaction,
    actor: Author,
    made: { request: MatchRequest; kind: store.MatchRow['kind']; items: store.OpenItem[]; action: string },
  ): Promise<store.MatchRow> {
    const { request, kind, items, action } = made;
    const by = { created_by: String(actor.caller.id), note: request.note };
    const row = { ...rowOf(request, items), kind, ...statusOf(kind), ...by, run_id: null };
    const [match] = await store.insertMatches(trx, [row]);
    if (!match) throw new Error('a match was not inserted');
    await store.takeItems(trx, [match]);
    const { bank_entry_ids, transaction_ids, bank_amount, books_amount, note } = match;
    const details = { kind, bank_entry_ids, transaction_ids, bank_amount, books_amount, note };
    await audit.record(trx, actor, { action, ...auditResource(match.id), details });
    return match;
  }

  /** The columns that follow from the items. */
  function rowOf(
    { bankIds, bookIds }: store.ItemIds,
    items: store.OpenItem[],
  ): Omit<store.NewMatch, 'kind' | 'status' | 'note' | 'created_by' | 'run_id'> {
    const { bank, books, clears } = sumsOf(items);
    return {
      id: newId('match', clock),
      bank_entry_ids: [...bankIds].sort(),
      transaction_ids: [...bookIds].sort(),
      bank_amount: Number(bank),
      books_amount: Number(books),
      clears: Number(clears),
      created_at: new Date(clock.now()),
    };
  }

  async function accept(actor: Actor, id: string, note: string | null): Promise<store.MatchRow | Refusal> {
    return database.transact(async (trx) => {
      await store.lockItems(trx);
      const suggestion = await store.findSuggestion(trx, id);
      if (!suggestion) return refuse('NOT_FOUND', 'There is no such suggestion, or it is no longer open.');
      const { rule, bank_entry_ids, transaction_ids } = suggestion;
      return match(trx, actor, { bankIds: bank_entry_ids, bookIds: transaction_ids, note }, rule);
    });
  }

  async function undo(actor: Actor, id: string): Promise<store.MatchRow | Refusal> {
    return database.transact(async (trx) => {
      await store.lockItems(trx);
      const current = await store.lockMatch(trx, id);
      if (!current) return refuse('NOT_FOUND', 'There is no such match.');
      if (current.status === 'undone') return refuse('ALREADY_UNDONE', 'The match is already undone.');
      // What its items clear is known from their movements.
      const before = await store.archivedBefore(trx);
      if (before && !(await store.areSince(trx, before, current.transaction_ids)))
        return archivedRefusal(before.getTime());
      if (await haveReturn(trx, current.transaction_ids)) {
        return refuse('PAYOUT_CLEARED', 'A pay-out was returned with this bank entry: the match cannot be undone.');
      }
      const by = { undone_by: String(actor.caller.id), undone_at: new Date(clock.now()) };
      const undone = await store.undoMatch(trx, id, by);
      await store.releaseItems(trx, id);
      const { kind, bank_entry_ids, transaction_ids } = undone;
      const details = { kind, bank_entry_ids, transaction_ids };
      await audit.record(trx, actor, { action: 'reconciliation.undo', ...auditResource(id), details });
      return undone;
    });
  }

  return {
    rowOf,
    openItems,
    matchIn: match,
    async match(actor: Actor, request: MatchRequest): Promise<store.MatchRow | Refusal> {
      await listNewItems();
      return database.transact((trx) => match(trx, actor, request));
    },
    writeOff,
    accept,
    undo,
  };
}

const statusOf = (kind: store.MatchRow['kind']) =>
  ({ status: kind === 'write_off' ? 'written_off' : 'matched' }) as const;

export function sumsOf(items: readonly store.OpenItem[]): { bank: bigint; books: bigint; clears: bigint } {
  const sums = { bank: 0n, books: 0n, clears: 0n };
  for (const { side, amount, clears } of items) {
    sums[side] += BigInt(amount);
    sums.clears += BigInt(clears);
  }
  return sums;
}

/** Whether the sums are safe integers. */
export function isExact(items: readonly store.OpenItem[]): boolean {
  return Object.values(sumsOf(items)).every((sum) => Number.isSafeInteger(Number(sum)));
}

async function missingRefusal(
  trx: Queries,
  { bankIds, bookIds }: store.ItemIds,
  items: readonly store.OpenItem[],
): Promise<Refusal | null> {
  const found = new Set(items.map(({ id }) => id));
  const entry = bankIds.find((id) => !found.has(id));
  if (entry !== undefined) return noSuchEntry(entry);
  const missing = bookIds.find((id) => !found.has(id));
  if (missing === undefined) return null;
  const movement = await findMovement(trx, missing);
  if (!movement || (await isOfPep(trx, movement))) {
    const archived = refusalIfBefore(missing, (await store.archivedBefore(trx))?.getTime() ?? null);
    return archived ?? refuse('NOT_FOUND', `There is no transaction ${missing}.`);
  }
  return refuse(
    'NOT_RECONCILABLE',
    `The transaction ${missing} (${movement.type}) does not represent money at a bank.`,
  );
}

function findMovement(trx: Queries, id: string) {
  const columns = ['type', 'from_account', 'to_account', 'related_id'] as const;
  return trx.selectFrom('movements').select(columns).where('id', '=', id).executeTakeFirst();
}

/** Another refusal would confirm that the payment exists, and its type. Nothing of it is reconciled, whoever asks. */
async function isOfPep(
  trx: Queries,
  movement: NonNullable<Awaited<ReturnType<typeof findMovement>>>,
): Promise<boolean> {
  const original = movement.related_id === null ? undefined : await findMovement(trx, movement.related_id);
  const parties = [movement, ...(original ? [original] : [])].flatMap((each) => [each.from_account, each.to_account]);
  const peps = trx.selectFrom('subscribers').select('id').where('is_pep', '=', true).where('id', 'in', parties);
  return (await peps.executeTakeFirst()) !== undefined;
}

export function noSuchEntry(id: string): Refusal {
  return refuse('NOT_FOUND', `There is no bank entry ${id}.`);
}

export function alreadyMatched(taken: readonly store.OpenItem[]): Refusal {
  const ids = taken.map(({ id }) => id).sort();
  return refuse('ALREADY_MATCHED', 'An item is already matched or written off.', { details: { matched_items: ids } });
}

export function doesNotBalance(bank: bigint, books: bigint): Refusal {
  return refuse('MATCH_DOES_NOT_BALANCE', 'The bank entries and the transactions do not add up to the same sum.', {
    details: { bank_amount: Number(bank), books_amount: Number(books) },
  });
}
