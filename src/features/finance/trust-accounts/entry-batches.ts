// The rows of a statement's entries in batches, and the digest over all of them. The digest is part of the statement's protected
// record: a changed, added or removed entry does not match it.
import { createHash } from 'node:crypto';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Clock } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import type { ParsedEntry } from './parsing/statement-builder.ts';
import type { EntryRow } from './store.ts';

/** Id, position, day, amount, reference, counterparty and description as text, as PostgreSQL returns them. */
export type EntryColumns = readonly (string | null)[];

export class EntriesDigest {
  private readonly hash = createHash('sha256');

  add(columns: EntryColumns): void {
    this.hash.update(`${JSON.stringify(columns)}\n`);
  }

  end(): Buffer {
    return this.hash.digest();
  }
}

export interface EntryBatches {
  batches: EntryRow[][];
  digest: Buffer;
}

/** Inserting a batch takes about as long as a payment. */
const BATCH_ENTRIES = 2_000;

/** Other requests are served between two batches. */
export async function entryBatches(
  clock: Clock,
  ids: { trust_account_id: string; statement_id: string },
  entries: ParsedEntry[],
): Promise<EntryBatches> {
  const digest = new EntriesDigest();
  const batches: EntryRow[][] = [];
  for (let from = 0; from < entries.length; from += BATCH_ENTRIES) {
    const batch = entries.slice(from, from + BATCH_ENTRIES).map(({ bookedOn, ...entry }, index) => ({
      ...{ id: newId('bent', clock), ...ids, position: from + index + 1, booked_on: bookedOn, ...entry },
    }));
    for (const row of batch) digest.add(columnsOf(row));
    batches.push(batch);
    await yieldToOthers();
  }
  return { batches, digest: digest.end() };
}

function columnsOf({ id, position, booked_on, amount, reference, counterparty, description }: EntryRow): EntryColumns {
  return [id, String(position), booked_on, String(amount), reference, counterparty, description];
}
