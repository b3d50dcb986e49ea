// Uploads: rows are stored as they arrive and become a bulk payment when the whole file is right; otherwise nothing stays.
import type { Actor, ChangeContext } from '../../../audit/log.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import type { FileChunks } from '../../../http/upload.ts';
import { HOUR_MS, iso } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import type { PhoneReader } from '../../../kernel/phone.ts';
import { plural } from '../../../kernel/plural.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { type NamedPayer, noSuchBulkPayment, payerOf } from '../access.ts';
import { wordsOf } from '../reasons.ts';
import { changeBulkPayment, findBulkPayment, lockBulkPayment, lockPayer } from '../store.ts';
import type { BulkPayment, Payer } from '../types.ts';
import { FileFault } from './fault.ts';
import { formatOf, type ReadFile, readFile } from './read-file.ts';
import { rowLimitRefusal } from './row-limit.ts';
import * as store from './store.ts';

export interface UploadContext extends ChangeContext {
  phone: PhoneReader;
  /** Null when the payer exists and may pay. */
  payerRefusal(payer: Payer): Promise<Refusal | null>;
  /** Called when an upload waits to be checked. */
  uploaded(): void;
}

export interface UploadQuery extends NamedPayer {
  name?: string;
  unclaimed?: 'code';
  repeat_of?: string;
  file_sha256?: string;
}

export interface UploadedFile {
  mediaType: string;
  chunks: FileChunks;
}

interface Upload {
  id: string;
  actor: Actor;
  payer: Payer;
  query: UploadQuery;
  scope: string;
  mediaType: string;
}

/** Longer than a request may take. */
const ABANDONED_MS = HOUR_MS;

export function createUploads(context: UploadContext) {
  const { database, audit, clock, phone, payerRefusal, uploaded } = context;

  async function upload(actor: Actor, query: UploadQuery, file: UploadedFile): Promise<BulkPayment | Refusal> {
    const payer = payerOf(actor.caller, query);
    if (payer instanceof Refusal) return payer;
    const refusal = hashRefusal(actor, query) ?? (await payerRefusal(payer)) ?? (await repeatRefusal(payer, query));
    if (refusal) return refusal;
    const id = newId('bulk', clock);
    const scope = query.repeat_of === undefined ? payer.id : `${payer.id} ${id}`;
    const stored = await receive({ id, actor, payer, query, scope, mediaType: file.mediaType }, file.chunks);
    if (!(stored instanceof Refusal)) uploaded();
    return stored;
  }

  async function receive(upload: Upload, chunks: FileChunks): Promise<BulkPayment | Refusal> {
    const { id, scope, mediaType } = upload;
    const { queries } = database;
    let isBegun = false;
    const begin = async () => {
      if (!isBegun) await store.insertUpload(queries, await newPayment(upload));
      isBegun = true;
    };
    try {
      const read = await readFile(chunks, mediaType, {
        phone,
        async store(rows) {
          await begin();
          await store.insertRows(queries, { id, scope }, rows, wordsOf);
        },
      });
      const stored = wrongHash(upload, read) ?? (await database.transact((trx) => finish(trx, upload, read)));
      if (stored instanceof Refusal) await store.deleteUpload(queries, id);
      return stored;
    } catch (error) {
      if (isBegun) await store.deleteUpload(queries, id);
      if (error instanceof FileFault) return refuse('INVALID_REQUEST', `${error.message} Nothing was stored.`);
      throw error;
    }
  }

  async function newPayment({ id, actor, payer, query, scope, mediaType }: Upload) {
    const { caller } = actor;
    const isKey = caller.kind === 'key';
    return {
      ...{ id, status: 'uploading' as const, payer_kind: payer.kind, payer_id: payer.id, reference_scope: scope },
      name: query.name ?? `Bulk payment of ${iso(clock.now()).slice(0, 'YYYY-MM-DD'.length)}`,
      uploaded_by_type: isKey ? ('key' as const) : ('user' as const),
      uploaded_by: String(caller.id),
      key_created_by: isKey ? await store.keyCreator(database.queries, caller.id) : null,
      ...{ created_at: new Date(clock.now()), format: formatOf(mediaType).name },
      ...{ repeat_of: query.repeat_of ?? null, unclaimed: query.unclaimed ?? null },
    };
  }

  async function finish(trx: DatabaseTransaction, upload: Upload, read: ReadFile): Promise<BulkPayment | Refusal> {
    const { id, actor, payer, query } = upload;
    await lockPayer(trx, payer.id);
    // Another gateway has deleted it: it took too long.
    if ((await lockBulkPayment(trx, id))?.status !== 'uploading') {
      return refuse('INVALID_REQUEST', 'The upload took too long. Nothing was stored.');
    }
    const refusal =
      sameFileRefusal(await store.withSameFile(trx, payer.id, read.sha256), query.repeat_of) ??
      (await rowLimitRefusal(trx, payer.id, read.rowCount, clock.now()));
    if (refusal) return refusal;
    const payment = await changeBulkPayment(trx, id, {
      ...{ status: 'checking', file_sha256: read.sha256, rows_digest: read.rowsDigest },
      ...{ row_count: read.rowCount, amount: read.amount, checked_count: read.invalidCount },
      ...{ invalid_count: read.invalidCount, invalid_amount: read.invalidAmount },
    });
    await audit.record(trx, actor, {
      action: 'bulk_payment.create',
      ...{ resourceType: 'bulk_payment', resourceId: id },
      details: {
        ...{ payer_id: payer.id, name: payment.name, row_count: read.rowCount, amount: read.amount },
        ...{ file_sha256: read.sha256.toString('hex'), rows_digest: read.rowsDigest.toString('hex') },
        ...{ unclaimed: payment.unclaimed, repeat_of: payment.repeat_of },
      },
    });
    return payment;
  }

  async function repeatRefusal(payer: Payer, { repeat_of: id }: UploadQuery): Promise<Refusal | null> {
    if (id === undefined) return null;
    const first = await findBulkPayment(database.queries, id);
    return first?.payer_id === payer.id ? null : noSuchBulkPayment();
  }

  return {
    upload,

    /** Uploads whose gateway was killed. */
    async prune(): Promise<void> {
      const ids = await store.abandonedUploads(database.queries, new Date(clock.now() - ABANDONED_MS));
      for (const id of ids) await store.deleteUpload(database.queries, id);
    },
  };
}

/** A signature covers the path and its query; the body is read after it was verified. */
function hashRefusal({ caller }: Actor, { file_sha256 }: UploadQuery): Refusal | null {
  if (caller.kind !== 'key' || file_sha256 !== undefined) return null;
  return refuse('INVALID_REQUEST', "file_sha256 is required: it binds the key's request to the file.");
}

function wrongHash({ actor, query }: Upload, { sha256 }: ReadFile): Refusal | null {
  if (query.file_sha256 === undefined || query.file_sha256.toLowerCase() === sha256.toString('hex')) return null;
  const sentence = 'file_sha256 is not the SHA-256 of the file that arrived. Nothing was stored.';
  return refuse(actor.caller.kind === 'key' ? 'INVALID_SIGNATURE' : 'INVALID_REQUEST', sentence);
}

const NEXT: Partial<Record<BulkPayment['status'], string>> = {
  checking: ' Cancel that one first.',
  checked: ' Cancel that one first.',
  completed: ' To pay it again on purpose, send repeat_of with its id.',
};

/** `repeatOf` names the last one with the file, which was paid as a whole. */
function sameFileRefusal(same: BulkPayment | undefined, repeatOf: string | undefined): Refusal | null {
  if (!same) {
    return repeatOf === undefined
      ? null
      : refuse('INVALID_REQUEST', 'repeat_of names a bulk payment of another file, or one that was cancelled.');
  }
  if (same.id === repeatOf && same.status === 'completed') return null;
  const what = `The same file was uploaded before, with ${plural(same.row_count, 'row')}, and is ${same.status}.`;
  const next = NEXT[same.status] ?? '';
  return refuse('BULK_PAYMENT_EXISTS', `${what}${next} Nothing was stored.`, {
    details: { bulk_payment_id: same.id, bulk_status: same.status },
  });
}
