// Signs requests over WebCrypto: the headers that prove who sent a request.
import {
  BODY_HASH,
  type InboundOptions,
  type SignatureHeaders,
  type SignedRequest,
  type SigningKey,
  type Unsigned,
  unsignedInbound,
  unsignedRequest,
  unsignedService,
} from './unsigned.ts';
import { type Bytes, concat, hmacHex, sha256Hex, utf8 } from './web-crypto.ts';

async function sign(secret: string, unsigned: Unsigned, body: Bytes): Promise<SignatureHeaders> {
  const { headers, signatureHeader, text } = unsigned;
  const signed = {
    bytes: () => concat(utf8(text), body),
    sha256: async () => utf8(text + (await sha256Hex(body))),
    nothing: () => utf8(text),
  };
  return { ...headers, [signatureHeader]: await hmacHex(secret, await signed[unsigned.body]()) };
}

/** For terminals and apps, and with `partnerId` for the partner API. */
export async function signRequest(
  key: SigningKey & { partnerId?: string | undefined },
  request: SignedRequest,
): Promise<SignatureHeaders> {
  return sign(key.secret, unsignedRequest(key, request), request.body);
}

/** For inbound requests of partner banks. Each attempt needs a new nonce. */
export async function signInbound(
  { keyId, secret }: SigningKey,
  request: SignedRequest,
  options?: InboundOptions,
): Promise<SignatureHeaders> {
  return sign(secret, unsignedInbound({ keyId }, request, options), request.body);
}

/** Binds a service's signature to one body: the query is signed, the body is not. */
export async function withBodyHash(target: string, body: Bytes): Promise<string> {
  return `${target}${target.includes('?') ? '&' : '?'}${BODY_HASH}=${await sha256Hex(body)}`;
}

/** For calls between services of the operator. */
export async function signService(
  { name, secret }: { name: string; secret: string },
  request: SignedRequest,
): Promise<SignatureHeaders> {
  return sign(secret, unsignedService(name, request), request.body);
}

/** For cash-in notifications. */
export async function signCashIn(secret: string, body: Bytes): Promise<SignatureHeaders> {
  return { 'X-Webhook-Signature': await hmacHex(secret, body) };
}

/** For posts of the messaging platform. */
export async function signHub(secret: string, body: Bytes): Promise<SignatureHeaders> {
  return { 'X-Hub-Signature-256': `sha256=${await hmacHex(secret, body)}` };
}
