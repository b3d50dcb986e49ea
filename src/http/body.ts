// Request bodies: the exact bytes are kept for signatures, and read as JSON once the caller is believed.
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import sjson from 'secure-json-parse';
import { type Refusal, refuse } from '../kernel/refusal.ts';

export const BODY_LIMIT_BYTES = 1024 * 1024;
const MAX_DEPTH = 64;
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
  if (!isUtf8(raw)) return refuse('INVALID_REQUEST', 'The body is not valid UTF-8.');
  const text = raw.toString('utf8');
  if (text.length > MAX_DEPTH && depthOf(text) > MAX_DEPTH) {
    return refuse('INVALID_REQUEST', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  }
  try {
    request.body = sjson.parse(text, { protoAction: 'error', constructorAction: 'error' });
  } catch {
    return refuse('INVALID_REQUEST', 'The body is not valid JSON.');
  }
  // Only an escape can bring them in: neither is valid in UTF-8 text or in a JSON string as it is.
  return text.includes('\\u') ? unstorableRefusal('The body', request.body) : null;
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '');
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const STEP: Record<number, number> = { 91: 1, 123: 1, 93: -1, 125: -1 };

/** How deep the brackets go, found in one pass: code that recurses is never handed more than it can take. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === BACKSLASH) i++;
    else if (char === QUOTE) inString = !inString;
    else if (!inString) depth += STEP[char] ?? 0;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

/** PostgreSQL cannot store U+0000 or half a surrogate pair in text, so no field may hold them. */
export function unstorableRefusal(where: string, value: unknown): Refusal | null {
  const field = unstorableField(where, value);
  return field === null
    ? null
    : refuse('INVALID_REQUEST', `${field} must not contain U+0000 or half a surrogate pair.`);
}

function unstorableField(name: string, value: unknown): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : name;
  if (value === null || typeof value !== 'object') return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = isStorable(key) ? unstorableField(key, inner) : name;
    if (found !== null) return found;
  }
  return null;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
