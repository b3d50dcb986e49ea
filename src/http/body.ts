// Request bodies: the exact bytes are kept for signatures, and read as JSON once the caller is believed.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import sjson from 'secure-json-parse';
import { type Refusal, refuse } from '../kernel/refusal.ts';

export const BODY_LIMIT_BYTES = 1024 * 1024;
const MAX_DEPTH = 64;
const STRINGS = /"(?:[^"\\]|\\.)*"/g;
const EMPTY = Buffer.alloc(0);

/** Every content type arrives as bytes; what is not JSON is refused by readJson, after authentication. */
export function keepRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES }, (request, bytes, done) => {
    request.rawBody = bytes as Buffer;
    done(null, undefined);
  });
}

export function rawBodyOf(request: FastifyRequest): Buffer {
  return request.rawBody ?? EMPTY;
}

/** Sets request.body, or says what is wrong with it. */
export function readJson(request: FastifyRequest): Refusal | null {
  const raw = rawBodyOf(request);
  if (raw.length === 0) return null;
  if (!isJson(request.headers['content-type'])) {
    return refuse('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON: send Content-Type: application/json.');
  }
  const text = raw.toString('utf8');
  if (depthOf(text) > MAX_DEPTH) {
    return refuse('INVALID_REQUEST', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  }
  try {
    request.body = sjson.parse(text, { protoAction: 'error', constructorAction: 'error' });
  } catch {
    return refuse('INVALID_REQUEST', 'The body is not valid JSON.');
  }
  return text.includes('\\u0000') ? nulRefusal('body', request.body) : null;
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '');
}

/** How deep the brackets go, found without building anything: code that recurses is never handed more than it can take. */
function depthOf(text: string): number {
  if (text.length <= MAX_DEPTH) return 0;
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of text.replace(STRINGS, '').matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** PostgreSQL cannot store U+0000 in text, so no field may hold it. */
export function nulRefusal(where: string, value: unknown): Refusal | null {
  const field = fieldWithNul(where, value);
  return field === null ? null : refuse('INVALID_REQUEST', `${field} must not contain the character U+0000.`);
}

function fieldWithNul(name: string, value: unknown): string | null {
  if (typeof value === 'string') return value.includes('\0') ? name : null;
  if (value === null || typeof value !== 'object') return null;
  for (const [key, inner] of Object.entries(value)) {
    if (key.includes('\0')) return name;
    const found = fieldWithNul(key, inner);
    if (found !== null) return found;
  }
  return null;
}
