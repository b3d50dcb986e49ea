// Closes a day once, or corrects its close: reads the figures in one snapshot, signs the document and appends it to the chain.
import { publicBytes, signatureOf } from '@kissi/signatures/documents';
import { type Author, SYSTEM } from '../../../audit/log.ts';
import { interruptedCommits } from '../../../db/citus/queries.ts';
import type { Queries } from '../../../db/database.ts';
import { sqlState } from '../../../db/driver/errors.ts';
import { DAY_MS, iso, MINUTE_MS } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { CURRENCY } from '../../../kernel/money.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { createListing } from '../reconciliation/service.ts';
import type { ClosesContext } from './context.ts';
import { type CloseDocument, dayOf, documentText, endOf, nextDay, sha256Of } from './document.ts';
import { type Figures, readFigures } from './figures.ts';
import * as store from './store.ts';

export interface CloseRequest {
  date: string;
  /** Set in a correction. */
  correction?: { corrects: string; reason: string };
}

/**
 * A batch reads its time before it commits, seconds earlier at most, and gateways' clocks may differ by a minute.
 * From then on no movement of the day can follow.
 */
export const CLOSABLE_AFTER_MS = 10 * MINUTE_MS;
const ATTEMPTS = 3;

export function createCloseDay(context: ClosesContext) {
  const { database, clock } = context;
  const listNewItems = createListing(context);

  return async function closeDay(author: Author, request: CloseRequest): Promise<store.CloseRow | Refusal> {
    const closableFrom = endOf(request.date) + CLOSABLE_AFTER_MS;
    if (clock.now() < closableFrom) return notOver(closableFrom);
    for (let attempt = 1; ; attempt++) {
      try {
        await listNewItems();
        // With many open items the figures take longer than other queries may.
        return await database.withLongQueries((queries) =>
          snapshot(queries, (trx) => closeIn(context, trx, author, request)),
        );
      } catch (error) {
        if (error instanceof RefusedClose) return error.refusal;
        // Another gateway has appended a close: the next attempt sees it.
        if (attempt >= ATTEMPTS || !isConflict(error)) throw error;
      }
    }
  };
}

/** The figures that a close of the day would sign now. */
export function createDayFigures(context: ClosesContext) {
  const { database, clock } = context;
  const listNewItems = createListing(context);

  return async function dayFigures(date: string): Promise<Figures | Refusal> {
    const closableFrom = endOf(date) + CLOSABLE_AFTER_MS;
    if (clock.now() < closableFrom) return notOver(closableFrom);
    await listNewItems();
    return database.withLongQueries((queries) => snapshot(queries, (trx) => readFigures(trx, date)));
  };
}

class RefusedClose extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

/** All figures are from one instant while payments go on. */
async function snapshot<Read>(queries: Queries, work: (trx: Queries) => Promise<Read | Refusal>): Promise<Read> {
  return queries
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const result = await work(trx);
      if (result instanceof Refusal) throw new RefusedClose(result);
      return result;
    });
}

const UNIQUE_VIOLATION = '23505';
const SERIALIZATION_FAILURE = '40001';

function isConflict(error: unknown): boolean {
  return [UNIQUE_VIOLATION, SERIALIZATION_FAILURE].includes(sqlState(error) ?? '');
}

async function closeIn(
  context: ClosesContext,
  trx: Queries,
  author: Author,
  request: CloseRequest,
): Promise<store.CloseRow | Refusal> {
  const { audit, key } = context;
  const refusal = (await orderRefusal(trx, request, context)) ?? (await correctionRefusal(trx, request));
  if (refusal) return refusal;
  if ((await interruptedCommits(trx)) > 0) return clusterRecovers();
  const row = await signedClose(context, trx, author, request);
  const keyRow = { id: key.id, public_key: publicBytes(key), created_at: row.created_at };
  const isNewKey = await store.insertKey(trx, keyRow);
  await store.insertClose(trx, row);
  const { id, date, sha256, corrects } = row;
  await audit.record(trx, author, {
    action: 'close.create',
    resourceType: 'close',
    resourceId: id,
    details: { date, sha256, key_id: key.id, ...(corrects === null ? {} : { corrects }) },
    ...(isNewKey ? { also: [{ kind: 'close_key', id: key.id }] } : {}),
  });
  return row;
}

/** A day closes once, and days follow each other without a gap. */
async function orderRefusal(
  trx: Queries,
  { date, correction }: CloseRequest,
  { clock }: Pick<ClosesContext, 'clock'>,
): Promise<Refusal | null> {
  if (correction) return null;
  const existing = await store.closeOfDay(trx, date);
  if (existing) return alreadyClosed('The day is closed. A correction names this close in corrects.', existing);
  const last = await store.lastClosedDay(trx);
  if (last !== null) return nextDay(last) === date ? null : outOfOrder(nextDay(last));
  const first = await earliestDay(trx, clock.now());
  return date >= first ? null : beforeTheBooks(first);
}

/** All days after the first close are closed too: thousands without a movement would follow one a century ago. */
async function earliestDay(trx: Queries, now: number): Promise<string> {
  const lastComplete = now - CLOSABLE_AFTER_MS - DAY_MS;
  return dayOf(Math.min(lastComplete, (await store.firstMovementAt(trx)) ?? lastComplete));
}

async function correctionRefusal(trx: Queries, { date, correction }: CloseRequest): Promise<Refusal | null> {
  if (!correction) return null;
  const corrected = await store.closeById(trx, correction.corrects);
  if (!corrected) return refuse('NOT_FOUND', 'There is no such close to correct.');
  if (corrected.date !== date) return refuse('INVALID_REQUEST', `The close to correct is for ${corrected.date}.`);
  const latest = await store.closeOfDay(trx, date);
  if (!latest || latest.id === corrected.id) return null;
  return alreadyClosed('The close has already been corrected. Correct its last correction.', latest);
}

async function signedClose(
  { key, operatorName, clock }: ClosesContext,
  trx: Queries,
  author: Author,
  { date, correction }: CloseRequest,
): Promise<store.CloseRow> {
  const last = await store.lastClose(trx);
  const corrected = correction ? await store.closeById(trx, correction.corrects) : undefined;
  const now = clock.now();
  const { id: userId } = author.caller;
  const content: CloseDocument = {
    version: 1,
    id: newId('close', clock),
    number: (last?.number ?? 0) + 1,
    date,
    instant: iso(endOf(date)),
    operator: operatorName,
    currency: CURRENCY,
    closed_at: iso(now),
    closed_by: author === SYSTEM ? { type: 'system', id: null } : { type: 'user', id: userId },
    corrects: corrected ? { id: corrected.id, sha256: corrected.sha256, reason: correction?.reason ?? '' } : null,
    previous_sha256: last?.sha256 ?? null,
    ...(await readFigures(trx, date)),
  };
  const document = documentText(content);
  return {
    ...{ id: content.id, number: content.number, date, document, sha256: sha256Of(document) },
    previous_sha256: content.previous_sha256,
    corrects: corrected?.id ?? null,
    signature: signatureOf(Buffer.from(document), key),
    key_id: key.id,
    created_by: author === SYSTEM ? 'system' : String(userId),
    created_at: new Date(now),
  };
}

function notOver(closableFrom: number): Refusal {
  const sentence = 'The day is not over yet, or its last payments may still be in flight.';
  return refuse('DAY_NOT_OVER', sentence, { details: { closable_from: iso(closableFrom) } });
}

function alreadyClosed(sentence: string, { id }: store.CloseRow): Refusal {
  return refuse('ALREADY_CLOSED', sentence, { details: { close_id: id } });
}

function outOfOrder(next: string): Refusal {
  const sentence = `Days are closed one after another. The next is ${next}.`;
  return refuse('CLOSE_OUT_OF_ORDER', sentence, { details: { next_date: next } });
}

function beforeTheBooks(first: string): Refusal {
  const sentence = `The first close must be for ${first} or later: there are no movements before it.`;
  return refuse('CLOSE_OUT_OF_ORDER', sentence, { details: { next_date: first } });
}

function clusterRecovers(): Refusal {
  return refuse('SERVICE_UNAVAILABLE', 'A server of the cluster was interrupted and is not complete yet: try again.');
}
