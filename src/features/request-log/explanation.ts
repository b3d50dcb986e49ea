// Says why a signed request was refused, more precisely than the reply may: it reveals nothing about keys to callers.
import {
  commonMistakes,
  type HttpRequest,
  hmac,
  hmacHex,
  parseRfc3339,
  type Scheme,
  schemeForPath,
  signatureMatches,
} from '@kissi/signatures/node';
import { isCredentialValid, type KeyCredential, type KeyRecord } from '../../auth/key-records.ts';
import type { Vault } from '../../auth/vault.ts';
import { iso, SECOND_MS } from '../../kernel/clock.ts';
import type { CollectedRequest } from './collector.ts';

/** Each common mistake hashes the body again. */
const MAX_EXPLAINED_BYTES = 16 * 1024;

/** Null: the reply says all there is to say. */
export function refusalReason(request: CollectedRequest, key: KeyRecord, vault: Vault): string | null {
  switch (request.code) {
    case 'EXPIRED_TIMESTAMP':
    case 'STALE_REQUEST':
      return timestampOffset(request);
    case 'IP_NOT_ALLOWED':
      return `The request came from ${request.ip}, which is not in the partner's allowlist.`;
    case 'CERTIFICATE_REQUIRED':
      return 'The proxy passed on no certificate, or another one than PARTNER_CERTIFICATES names.';
    case 'INVALID_SIGNATURE':
      return signatureFault(request, key, vault);
    default:
      return null;
  }
}

function timestampOffset({ headers, at }: CollectedRequest): string {
  const text = String(headers['x-timestamp'] ?? '');
  const sent = parseRfc3339(text);
  if (sent === null) return 'X-Timestamp is not an RFC 3339 time.';
  const seconds = Math.round(Math.abs(at - sent) / SECOND_MS);
  return `X-Timestamp is ${seconds} s ${sent < at ? 'behind' : 'ahead of'} the server's clock.`;
}

function signatureFault(request: CollectedRequest, key: KeyRecord, vault: Vault): string {
  const given = String(request.headers['x-signature'] ?? '');
  const { length = 0 } = request.rawBody ?? {};
  const scheme = schemeForPath(request.target);
  if (scheme === null || length > MAX_EXPLAINED_BYTES) return NO_KNOWN_MISTAKE;
  const sent = sentRequest(request);
  const expected = scheme.signedString(sent);
  if (expected === null) return NO_KNOWN_MISTAKE;
  const secretOf = ({ sealedSecret }: KeyCredential) => vault.open(sealedSecret, key.id);
  for (const credential of key.credentials) {
    const secret = secretOf(credential);
    const fault = isCredentialValid(credential, request.at)
      ? faultWith(secret, { scheme, sent, expected, given })
      : expiredSecretFault(secret, { expected, given, validUntil: credential.validUntil });
    if (fault) return fault;
  }
  return /^[0-9a-f]{64}$/i.test(given) ? NO_KNOWN_MISTAKE : 'X-Signature is not 64 hexadecimal digits.';
}

interface Signed {
  scheme: Scheme;
  sent: HttpRequest;
  expected: Buffer;
  given: string;
}

function faultWith(secret: string, { scheme, sent, expected, given }: Signed): string | null {
  if (given === hmac(secret, expected).toString('base64')) return 'X-Signature is encoded in base64 instead of hex.';
  const found = commonMistakes(scheme, sent, secret).find(
    (mistake) => hmacHex(mistake.secret ?? secret, mistake.signedString) === given.toLowerCase(),
  );
  return found ? `The signature is wrong because ${found.description}.` : null;
}

function expiredSecretFault(
  secret: string,
  { expected, given, validUntil }: { expected: Buffer; given: string; validUntil: Date | null },
): string | null {
  if (!signatureMatches(hmac(secret, expected), given)) return null;
  const end = validUntil === null ? '' : ` at ${iso(validUntil)}`;
  return `The signature was made with a secret that was replaced; its overlap ended${end}.`;
}

const NO_KNOWN_MISTAKE =
  'No common mistake makes this signature: it was made with another secret, or the signed string differs in several ways.';

const HEADERS = ['X-Timestamp', 'X-Nonce', 'X-Idempotency-Key', 'X-Signature', 'Host'];

function sentRequest({ method, target, headers, rawBody }: CollectedRequest): HttpRequest {
  const sent = HEADERS.flatMap((name) => {
    const value = headers[name.toLowerCase()];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return { method, target, headers: Object.fromEntries(sent), body: rawBody ?? Buffer.alloc(0) };
}
