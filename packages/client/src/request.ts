// Turns the request of an operation into what is sent: target, body bytes and idempotency key.
import { type Bytes, encryptPin, utf8 } from '@kissi/signatures';
import type { FetchBody, OperationRequest } from './low-level.ts';
import type { Traits } from './traits.ts';

export interface PreparedRequest {
  method: string;
  /** Path and query string. */
  target: string;
  /** What fetch sends; undefined if there is no body. */
  body: FetchBody | undefined;
  /** The same as bytes, for signatures. Empty for bodies that no scheme signs. */
  bytes: Bytes;
  contentType: string | undefined;
  idempotencyKey: string | null;
  /** The value of X-Idempotency-Key, for operations that take it. */
  keyHeader: string | undefined;
  isIdempotent: boolean;
  /** False for a stream, which the first attempt has read. */
  canRepeat: boolean;
}

const NO_BYTES: Bytes = new Uint8Array(0);

/** Made once per call: all attempts send the same body. */
export async function prepareRequest(
  method: string,
  request: OperationRequest,
  traits: Traits,
  secret: string | undefined,
): Promise<PreparedRequest> {
  const { fields, key } = withKey(request, traits);
  const content = contentOf(await withEncryptedPin(fields, traits, secret), request);
  const canRepeat = !(content.body instanceof ReadableStream);
  return {
    method,
    target: targetOf(request),
    ...content,
    idempotencyKey: key,
    // A header carries only ASCII. A repeated payment has the same value, even in another process.
    keyHeader: traits.keyHeader && key !== null ? encodeURI(key) : undefined,
    isIdempotent: method !== 'POST' || traits.reads === true || key !== null,
    canRepeat,
  };
}

/** Adds the idempotency key to the body of a payment that has none. */
function withKey({ body, idempotencyKey }: OperationRequest, { key }: Traits): { fields: unknown; key: string | null } {
  if (!key) return { fields: body, key: null };
  const fields = (body ?? {}) as Record<string, unknown>;
  const value = String(fields[key] ?? idempotencyKey ?? crypto.randomUUID());
  return { fields: { ...fields, [key]: value }, key: value };
}

/** The service refuses a plain PIN in production, so the client never sends one. */
async function withEncryptedPin(body: unknown, { encryptsPin }: Traits, secret: string | undefined): Promise<unknown> {
  const { pin, ...others } = (body ?? {}) as Record<string, unknown>;
  if (!encryptsPin || pin === undefined || !secret) return body;
  return {
    ...others,
    encrypted_pin: await encryptPin(secret, { pin: String(pin), cardSerial: String(others.card_serial) }),
  };
}

function contentOf(body: unknown, { contentType, headers }: OperationRequest) {
  if (body === undefined || body === null) return { body: undefined, bytes: NO_BYTES, contentType: undefined };
  if (isUpload(body)) {
    const type = contentType ?? (body instanceof Blob && body.type !== '' ? body.type : headers?.['Content-Type']);
    // The platform writes the boundary of a form into the header.
    return { body, bytes: NO_BYTES, contentType: body instanceof FormData ? undefined : type };
  }
  const bytes = utf8(JSON.stringify(body));
  return { body: bytes, bytes, contentType: 'application/json' };
}

function isUpload(body: unknown): body is FetchBody {
  const kinds = [Blob, ArrayBuffer, Uint8Array, FormData, ReadableStream];
  return typeof body === 'string' || kinds.some((kind) => body instanceof kind);
}

function targetOf({ url, path, query }: OperationRequest): string {
  const values = (path ?? {}) as Record<string, unknown>;
  const filled = url.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    // An empty id would turn /cards/{serial} into /cards/, another operation.
    if (value === undefined || value === null || value === '') throw new TypeError(`${name} is missing`);
    const text = String(value);
    // URLs resolve these segments, encoded or not, to another operation.
    if (text === '.' || text === '..') throw new TypeError(`${name} cannot be "${text}"`);
    return encodeURIComponent(text);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null)
      search.append(name, value instanceof Date ? value.toISOString() : String(value));
  }
  return search.size === 0 ? filled : `${filled}?${search}`;
}
