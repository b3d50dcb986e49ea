// Files that are served from memory: compressed if the client accepts it, and not sent again if the client has them.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** In order of preference. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** All replies share one buffer: unauthenticated clients can send many requests at once without reading the replies. */
export interface StaticFile {
  type: string;
  hash: string;
  bytes: Buffer;
  compressed: Partial<Record<Encoding, Buffer>>;
}

export function staticFile(type: string, bytes: Buffer, compressed: StaticFile['compressed'] = {}): StaticFile {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { type, hash, bytes, compressed };
}

/** Three quarters of the best compression in a fiftieth of its time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Outside the main thread. */
export async function compressedFile(type: string, bytes: Buffer): Promise<StaticFile> {
  const [br, gz] = await Promise.all([promisify(brotliCompress)(bytes, BROTLI), promisify(gzip)(bytes)]);
  return staticFile(type, bytes, { br, gzip: gz });
}

/** Sets headers before the 304, because browsers replace the headers of what they have by those of a 304. */
export function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { file, cacheControl }: { file: StaticFile; cacheControl: string },
): FastifyReply {
  const encoding = encodingFor(headers['accept-encoding'], file);
  const etag = `"${file.hash}${encoding ? `-${encoding}` : ''}"`;
  reply.headers({ 'cache-control': cacheControl, vary: 'accept-encoding', etag });
  if (isCurrent(headers['if-none-match'], etag)) return reply.code(304).send();
  if (encoding) reply.header('content-encoding', encoding);
  return reply.type(file.type).send((encoding && file.compressed[encoding]) ?? file.bytes);
}

function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

function encodingFor(header: string | string[] | undefined, { compressed }: StaticFile): Encoding | null {
  const accepted = qualities(String(header ?? ''));
  return ENCODINGS.find((name) => compressed[name] && (accepted.get(name) ?? accepted.get('*') ?? 0) > 0) ?? null;
}

function qualities(header: string): Map<string, number> {
  return new Map(
    header.split(',').map((entry) => {
      const [name = '', quality] = entry.split(';').map((part) => part.trim().toLowerCase());
      return [name, quality?.startsWith('q=') ? Number(quality.slice(2)) : 1] as const;
    }),
  );
}

/** Browsers ask for HTML when they open a page, other clients do not. */
export function wantsPage({ headers }: FastifyRequest): boolean {
  return (headers.accept ?? '').includes('text/html');
}
