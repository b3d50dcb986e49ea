// Streamed file uploads, sent as the body itself or as a multipart form.
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { Refusal, refuse } from '../kernel/refusal.ts';
import { rejectLateBody } from './malformed-http.ts';

export interface Upload {
  /** Accepted for a plain body. A form may have any type, because browsers guess it from the file name. */
  mediaTypes: readonly [string, ...string[]];
  /** The file is stored completely or not at all. Its type matters, so forms are refused. */
  atomic?: true;
  limitBytes: number;
  description: string;
  /** For the OpenAPI document: what a file of type application/json contains. */
  json?: TSchema;
}

/** A file's contents, in chunks. */
export type FileChunks = AsyncIterable<Buffer> | Iterable<Buffer>;

/** On average, of files that are held in memory: each chunk takes more than a hundred bytes besides its own. */
const MIN_CHUNK_BYTES = 64;
const FREE_CHUNKS = 1_024;

// Only a form's first file is read; fields before it are skipped.
const FORM_LIMITS = { files: 1, fileSize: Number.POSITIVE_INFINITY, fields: 16, fieldSize: 1024, parts: 32 };

/** Thrown by the stream in the middle of a file; its refusal becomes the reply. */
export class BrokenUpload extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Leaves bodies unread until the handler reads them. */
export async function leaveBodiesUnread(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  await scope.register(multipart, { limits: FORM_LIMITS });
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** Finds the file and sets request.upload, or returns a refusal. */
export async function openUpload(request: FastifyRequest, upload: Upload): Promise<Refusal | null> {
  if (Number(request.headers['content-length'] ?? 0) > upload.limitBytes) return tooLarge(upload, '');
  // The client has disconnected: reading a form would never end.
  if (request.raw.destroyed) return incomplete('');
  const isForm = request.isMultipart() && !upload.atomic;
  const file = isForm ? await fileOfForm(request) : bodyAsFile(request, upload);
  if (file instanceof Refusal) return file;
  request.upload = bounded(file, request, upload);
  return null;
}

/** The media type without parameters such as charset; empty if the header is absent. */
export function mediaTypeOf({ headers }: Pick<FastifyRequest, 'headers'>): string {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function bodyAsFile(request: FastifyRequest, { mediaTypes, atomic }: Upload): AsyncIterable<Buffer> | Refusal {
  if (!mediaTypes.includes(mediaTypeOf(request))) {
    const form = atomic ? '' : ', or multipart/form-data with a file in it';
    return refuse('UNSUPPORTED_MEDIA_TYPE', `The body must be ${mediaTypes.join(', ')}${form}.`);
  }
  // Destroying the request would close the connection before the reply is sent.
  return request.raw.iterator({ destroyOnReturn: false });
}

async function fileOfForm(request: FastifyRequest): Promise<AsyncIterable<Buffer> | Refusal> {
  const timeout = startTimeout(request);
  try {
    const part = await request.file();
    return part?.file ?? refuse('INVALID_REQUEST', 'The form contains no file.');
  } catch {
    return refuse('INVALID_REQUEST', 'The body is not valid multipart/form-data.');
  } finally {
    clearTimeout(timeout);
  }
}

/** Limits the time between chunks, not the total time. */
function startTimeout({ server, raw }: FastifyRequest): NodeJS.Timeout {
  return setTimeout(rejectLateBody, server.bodyTimeoutMs, raw);
}

async function* bounded(file: AsyncIterable<Buffer>, request: FastifyRequest, upload: Upload): AsyncGenerator<Buffer> {
  const { raw } = request;
  let [bytes, chunks] = [0, 0];
  let timeout = startTimeout(request);
  try {
    for await (const chunk of file) {
      clearTimeout(timeout);
      bytes += chunk.length;
      if (bytes > upload.limitBytes) {
        throw new BrokenUpload(tooLarge(upload, noteOf(upload, 'The part before the limit')));
      }
      chunks += 1;
      if (upload.atomic && chunks > FREE_CHUNKS + bytes / MIN_CHUNK_BYTES) throw new BrokenUpload(tooManyChunks());
      yield chunk;
      timeout = startTimeout(request);
    }
  } catch (error) {
    throw error instanceof BrokenUpload ? error : new BrokenUpload(incomplete(noteOf(upload, 'The received part')));
  } finally {
    clearTimeout(timeout);
    // The rest is read and discarded, so that a client that is still sending receives the reply.
    raw.unpipe();
    raw.resume();
  }
}

function tooLarge({ limitBytes }: Upload, note: string): Refusal {
  return refuse('PAYLOAD_TOO_LARGE', `The file is larger than ${limitBytes / 1024 / 1024} MiB.${note}`);
}

const tooManyChunks = () => refuse('INVALID_REQUEST', 'The file arrives in too many small chunks. Nothing was stored.');

function incomplete(note: string): Refusal {
  return refuse('INVALID_REQUEST', `The upload ended before it was complete.${note}`);
}

/** What happened to the part that was received. */
function noteOf({ atomic }: Upload, part: string): string {
  return atomic ? ' Nothing was stored.' : ` ${part} has been processed.`;
}
