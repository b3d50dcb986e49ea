// Authentication of partner banks: signed requests with a narrow time window and a nonce against replay.
import { INBOUND_WINDOW_MS, inboundSignedString, isWithin, parseRfc3339Utc } from '@kissi/signatures/node';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { type KeyRecord, keyCaller } from '../key-records.ts';
import { type NonceStore, nonceExpiry } from '../signatures/nonces.ts';
import {
  checkPartner,
  createSignerLookup,
  type FindSigner,
  requiredHeaders,
  type SignerDependencies,
} from '../signatures/signers.ts';
import { type Authentication, header, type WireRequest } from './scheme.ts';

export interface InboundAuthDependencies extends SignerDependencies {
  nonces: Pick<NonceStore, 'consume'>;
}

const HEADERS = ['X-API-Key-ID', 'X-Timestamp', 'X-Nonce', 'X-Signature'] as const;
const STALE = "X-Timestamp must be an RFC 3339 UTC time within 2 minutes of the server's time.";
const VISIBLE_ASCII = /^[\x21-\x7e]{1,128}$/;

/** Routes decide whether X-Idempotency-Key is required. On routes that do not use it, signing it is optional. */
export function inboundAuthentication(dependencies: InboundAuthDependencies): Authentication {
  const findSigner = createSignerLookup(dependencies);
  return {
    name: 'inbound',
    needsBody: true,
    async authenticate(request) {
      const now = dependencies.clock.now();
      const sent = readSignatureHeaders(request, now);
      if (sent instanceof Refusal) return sent;
      const key = await authenticateKey(request, sent, findSigner);
      if (key instanceof Refusal) return key;
      // Last, so that requests that fail authentication do not consume a nonce.
      const expiresAt = nonceExpiry({ at: sent.at, now, windowMs: INBOUND_WINDOW_MS });
      if (!(await dependencies.nonces.consume(key.id, sent.nonce, expiresAt))) {
        return refuse('REPLAYED_REQUEST', 'X-Nonce was used before. Every request needs a new one, including retries.');
      }
      return keyCaller(key);
    },
  };
}

interface SignatureHeaders {
  keyId: string;
  signature: string;
  timestamp: string;
  at: number;
  nonce: string;
}

function readSignatureHeaders(request: WireRequest, now: number): SignatureHeaders | Refusal {
  const headers = requiredHeaders(request.headers, HEADERS);
  if (headers instanceof Refusal) return headers;
  const { 'X-API-Key-ID': keyId, 'X-Timestamp': timestamp, 'X-Nonce': nonce, 'X-Signature': signature } = headers;
  if (!VISIBLE_ASCII.test(nonce)) return refuse('UNAUTHORIZED', 'X-Nonce must be 1 to 128 visible ASCII characters.');
  const at = parseRfc3339Utc(timestamp);
  if (!isWithin(INBOUND_WINDOW_MS, at, now)) return refuse('STALE_REQUEST', STALE);
  return { keyId, signature, timestamp, at, nonce };
}

async function authenticateKey(
  request: WireRequest,
  sent: SignatureHeaders,
  findSigner: FindSigner,
): Promise<KeyRecord | Refusal> {
  const idempotencyKey = header(request.headers, 'x-idempotency-key') ?? '';
  const signerWith = (idempotencyKey: string) =>
    findSigner({ ...sent, signed: inboundSignedString({ ...request, ...sent, idempotencyKey }) });
  const mayBeUnsigned = idempotencyKey !== '' && !request.takesIdempotencyKey;
  const first = await signerWith(idempotencyKey);
  const isWrong = first instanceof Refusal && first.code === 'INVALID_SIGNATURE';
  const signer = isWrong && mayBeUnsigned ? await signerWith('') : first;
  if (signer instanceof Refusal) return signer;
  const key = checkPartner(signer.key, request, 'SCOPE_DENIED');
  if (key instanceof Refusal) return key;
  if (request.takesIdempotencyKey && idempotencyKey !== '' && !VISIBLE_ASCII.test(idempotencyKey)) {
    return refuse('INVALID_REQUEST', 'X-Idempotency-Key must be 1 to 128 visible ASCII characters.');
  }
  return key;
}
