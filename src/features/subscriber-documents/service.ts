// Documents of subscribers: uploaded once, never changed, read by those who decide on the KYC level, and audited at each read.
import { createHash } from 'node:crypto';
import type { Actor } from '../../audit/log.ts';
import { isAgentUser } from '../../auth/caller.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import type { FileChunks } from '../../http/upload.ts';
import { boundedConcurrency } from '../../kernel/bounded-concurrency.ts';
import { newId } from '../../kernel/ids.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { noSuchSubscriber } from '../../parties/subscriber.ts';
import type { DocumentsContext, DocumentType, Kind } from './context.ts';
import { PICTURE_TYPES, type PictureType, reencode } from './image.ts';
import { createLevelRequest } from './level-request.ts';
import * as store from './store.ts';

export type { DocumentsContext } from './context.ts';

export type SubscriberDocuments = ReturnType<typeof createSubscriberDocuments>;

interface NewDocument {
  chunks: FileChunks;
  type: string;
  kind: Kind;
}

/** Files are in memory while they arrive. */
const UPLOADS = { maxRunning: 16, maxWaiting: 64 };
const MOST_DOCUMENTS = 20;
/** Documents are never deleted: staff can add theirs whatever an agent has uploaded. */
const MOST_OF_AGENTS = 15;
const ENDINGS: Record<DocumentType, string> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'application/pdf': 'pdf' };

export function createSubscriberDocuments(context: DocumentsContext) {
  const { database, audit, ownKeys, pep, holders, subscribers, clock } = context;
  const { queries } = database;
  const inMemory = boundedConcurrency(UPLOADS);

  async function accessRefusal(actor: Actor, subscriberId: string): Promise<Refusal | null> {
    const [holder, pepRefusal] = await Promise.all([
      holders.statusById(subscriberId),
      pep.refusalOf(actor, subscriberId, 'record'),
    ]);
    return holder ? pepRefusal : noSuch();
  }

  /** The same file again is the same document, so a client that got no reply can send it again. */
  async function insert(
    trx: DatabaseTransaction,
    actor: Actor,
    subscriberId: string,
    { bytes, type, kind }: { bytes: Buffer; type: DocumentType; kind: Kind },
  ): Promise<store.StoredDocument | Refusal> {
    const sha256 = createHash('sha256').update(bytes).digest();
    const stored = await store.documentsOf(trx, subscriberId);
    const same = stored.find((document) => document.kind === kind && document.sha256.equals(sha256));
    if (same) return same;
    const most = isAgentUser(actor.caller) ? MOST_OF_AGENTS : MOST_DOCUMENTS;
    if (stored.length >= most) return tooMany(most);
    const id = newId('doc', clock);
    const sealed = await ownKeys.seal(trx, subscriberId, bytes.toString('base64'), id);
    if (!sealed) return noSuch();
    const row = await store.insertDocument(trx, {
      id,
      subscriber_id: subscriberId,
      kind,
      type,
      size: bytes.length,
      sha256,
      sealed,
      uploaded_by: String(actor.caller.id),
      created_at: new Date(clock.now()),
    });
    await audit.record(trx, actor, {
      action: 'subscriber.upload_document',
      ...resource(subscriberId),
      details: { document_id: id, kind, type, size: bytes.length, sha256: sha256.toString('hex') },
    });
    return row;
  }

  /** Checked before the file is decoded, and again on the locked record. */
  async function filingRefusal(trx: DatabaseTransaction, actor: Actor, subscriberId: string): Promise<Refusal | null> {
    const row = await subscribers.lock(trx, subscriberId);
    return row ? subscribers.levels.filingRefusal(trx, actor, row) : noSuch();
  }

  return {
    async add(
      actor: Actor,
      subscriberId: string,
      { chunks, type, kind }: NewDocument,
    ): Promise<store.StoredDocument | Refusal> {
      const early = await database.transact((trx) => filingRefusal(trx, actor, subscriberId));
      if (early) return early;
      return inMemory(async () => {
        const bytes = await readable(Buffer.concat(await Array.fromAsync(chunks)), type as DocumentType, kind);
        if (bytes instanceof Refusal) return bytes;
        return database.transact(async (trx) => {
          const refusal = await filingRefusal(trx, actor, subscriberId);
          return refusal ?? insert(trx, actor, subscriberId, { bytes, type: type as DocumentType, kind });
        });
      });
    },

    async list(actor: Actor, subscriberId: string): Promise<store.StoredDocument[] | Refusal> {
      return (await accessRefusal(actor, subscriberId)) ?? store.documentsOf(queries, subscriberId);
    },

    async read(actor: Actor, subscriberId: string, documentId: string) {
      const refusal = await accessRefusal(actor, subscriberId);
      if (refusal) return refusal;
      const found = await store.findContent(queries, subscriberId, documentId);
      const content = found && (await ownKeys.open(queries, subscriberId, found.sealed, found.id));
      if (!content) return refuse('NOT_FOUND', 'The subscriber has no such document.');
      const details = { document_id: documentId };
      await audit.record(queries, actor, {
        action: 'subscriber.read_document',
        ...resource(subscriberId),
        details,
      });
      return {
        bytes: Buffer.from(content, 'base64'),
        type: found.type,
        name: `${found.id}.${ENDINGS[found.type as DocumentType]}`,
      };
    },

    levelRequest: createLevelRequest(context),
  };
}

async function readable(bytes: Buffer, type: DocumentType, kind: Kind): Promise<Buffer | Refusal> {
  if (PICTURE_TYPES.includes(type as PictureType)) return reencode(bytes, type as PictureType);
  if (kind === 'face') return refuse('INVALID_REQUEST', 'The photo of a face must be image/jpeg or image/png.');
  return bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))
    ? bytes
    : refuse('INVALID_REQUEST', `The file is not of the type ${type}.`);
}

const resource = (id: string) => ({ resourceType: 'subscriber', resourceId: id });
const noSuch = () => noSuchSubscriber('subscriber', 'NOT_FOUND');
const tooMany = (most: number) => refuse('FILE_LIMIT', `A subscriber has at most ${most} documents.`);
