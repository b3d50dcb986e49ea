// Signs a request with the scheme of its path, or with the one that --scheme names.
import {
  type HttpRequest,
  SCHEMES,
  type Scheme,
  type SchemeName,
  type SignatureHeaders,
  schemeForPath,
  schemeNamed,
  signCashIn,
  signInbound,
  signRequest,
  signService,
} from '@kissi/signatures/node';
import { UsageError } from '../errors.ts';

export interface SigningOptions {
  keyId?: string | undefined;
  partnerId?: string | undefined;
  nonce?: string | undefined;
  timestamp?: string | undefined;
  idempotencyKey?: string | undefined;
}

/** Without a name, the scheme is derived from the path. */
export function chooseScheme(name: string | undefined, target: string): Scheme {
  const found = name === undefined ? schemeForPath(target) : schemeNamed(name);
  if (found) return found;
  const problem = name === undefined ? `The scheme of ${target} is unknown` : `There is no scheme ${name}`;
  throw new UsageError(`${problem}: pass --scheme with one of ${SCHEMES.join(', ')}.`);
}

/** All headers of the scheme, including the signature. */
export function signedHeaders(
  scheme: SchemeName,
  { method, target, body }: HttpRequest,
  { timestamp, nonce, idempotencyKey, ...options }: SigningOptions,
  secret: string,
): SignatureHeaders {
  const request = { method, target, body: new Uint8Array(body), now: Date.now(), timestamp };
  const key = () => ({ secret, keyId: required(options.keyId, '--key-id') });
  switch (scheme) {
    case 'pos':
      return signRequest(key(), request);
    case 'partner':
      return signRequest({ ...key(), partnerId: required(options.partnerId, '--partner-id') }, request);
    case 'inbound':
      return signInbound({ ...key(), partnerId: options.partnerId }, request, { nonce, idempotencyKey });
    case 'service':
      if (target.includes('|')) throw new UsageError('The service scheme cannot sign a raw | in the path: send %7C.');
      return signService({ secret, name: required(options.keyId, '--key-id (the service name)') }, request);
    case 'webhook':
      return signCashIn(secret, body);
  }
}

function required(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new UsageError(`${name} is missing.`);
  return value;
}
