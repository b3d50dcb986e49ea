// Uploads: a file that is read while it arrives, sent as the body itself or as the file of a form.
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal, refuse } from '../kernel/refusal.ts';
import { endLate } from './malformed-http.ts';

export interface Upload {
  /** What the file is; in a form any type is taken, since browsers guess it from the name. */
  mediaType: string;
  limitBytes: number;
  description: string;
}

/** The bytes of a file, in pieces. */
export type FileChunks = AsyncIterable<Buffer> | Iterable<Buffer>;

// Only the first file of a form is read, and what comes before it is passed over.
const FORM_LIMITS = { files: 1, fileSize: Number.POSITIVE_INFINITY, fields: 16, fieldSize: 1024, parts: 32 };

/** Thrown out of the stream in the middle of a file, and answered as the refusal it carries. */
export class BrokenUpload extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Bodies stay on the wire until the handler asks for them. */
export async function leaveBodiesUnread(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  await scope.register(multipart, { limits: FORM_LIMITS });
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** Finds the file and sets request.upload, or says why there is none. */
export async function openUpload(request: FastifyRequest, upload: Upload): Promise<Refusal | null> {
  if (Number(request.headers['content-length'] ?? 0) > upload.limitBytes) return tooLarge(upload, '');
  // Its client has gone meanwhile: whoever reads a form then waits for ever.
  if (request.raw.destroyed) return cutOff();
  const file = request.isMultipart() ? await fileOfForm(request) : bodyAsFile(request, upload);
  if (file instanceof Refusal) return file;
  request.upload = bounded(file, request, upload);
  return null;
}

function bodyAsFile(request: FastifyRequest, { mediaType }: Upload): AsyncIterable<Buffer> | Refusal {
  if (request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() !== mediaType) {
    return refuse('UNSUPPORTED_MEDIA_TYPE', `The body must be ${mediaType}, or multipart/form-data with a file in it.`);
  }
  // Destroying the request would take the connection, and the reply, with it.
  return request.raw.iterator({ destroyOnReturn: false });
}

async function fileOfForm(request: FastifyRequest): Promise<AsyncIterable<Buffer> | Refusal> {
  const late = waitFor(request);
  try {
    const part = await request.file();
    return part?.file ?? refuse('INVALID_REQUEST', 'The form has no file in it.');
  } catch {
    return refuse('INVALID_REQUEST', 'The body is not valid multipart/form-data.');
  } finally {
    clearTimeout(late);
  }
}

/** A file may take as long as it comes on; its sender may not stop. */
function waitFor({ server, raw }: FastifyRequest): NodeJS.Timeout {
  return setTimeout(endLate, server.bodyTimeoutMs, raw);
}

async function* bounded(file: AsyncIterable<Buffer>, request: FastifyRequest, upload: Upload): AsyncGenerator<Buffer> {
  const { raw } = request;
  let bytes = 0;
  let late = waitFor(request);
  try {
    for await (const chunk of file) {
      clearTimeout(late);
      bytes += chunk.length;
      if (bytes > upload.limitBytes) {
        throw new BrokenUpload(tooLarge(upload, ' What came before that has been processed.'));
      }
      yield chunk;
      late = waitFor(request);
    }
  } catch (error) {
    throw error instanceof BrokenUpload ? error : new BrokenUpload(cutOff());
  } finally {
    clearTimeout(late);
    // What is left is read and dropped, so that a caller who is still sending hears the answer.
    raw.unpipe();
    raw.resume();
  }
}

function tooLarge({ limitBytes }: Upload, aside: string): Refusal {
  return refuse('PAYLOAD_TOO_LARGE', `The file is larger than ${limitBytes / 1024 / 1024} MiB.${aside}`);
}

function cutOff(): Refusal {
  return refuse('INVALID_REQUEST', 'The upload ended before it was complete. What came before has been processed.');
}
