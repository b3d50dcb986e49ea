// HMAC authentication of terminals, apps and partners: a key id, a timestamp and a signature over the whole request.
import { bodySignedString, isWithin, parseRfc3339, SIGNATURE_WINDOW_MS } from '@kissi/signatures/node';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { addressNotAllowed, ipAllowed } from '../allowlist.ts';
import { keyCaller } from '../key-records.ts';
import {
  checkPartner,
  createSignerLookup,
  type FindSigner,
  requiredHeaders,
  type Signer,
  type SignerDependencies,
} from '../signatures/signers.ts';
import { type Authentication, header, type WireRequest } from './scheme.ts';

const POS_HEADERS = ['X-API-Key-ID', 'X-Timestamp', 'X-Signature'] as const;
const PARTNER_HEADERS = [...POS_HEADERS, 'X-Partner-ID'] as const;

export function posAuthentication(dependencies: SignerDependencies): Authentication {
  const findSigner = createSignerLookup(dependencies);
  return {
    name: 'pos',
    needsBody: true,
    async authenticate(request) {
      const signer = await verifySigner(request, POS_HEADERS, findSigner, dependencies);
      if (signer instanceof Refusal) return signer;
      if (!ipAllowed(signer.key.partnerIpAllowlist, request.ip)) return addressNotAllowed();
      // PINs are encrypted with a key derived from the secret that signed the request.
      return { ...keyCaller(signer.key), encryptionKey: signer.secret.encryptionKey };
    },
  };
}

/**
 * Keys may sign instead of sending their bearer. A sent bearer has precedence over a part of the headers. `needsBody`: for
 * routes with a body, which the signature covers.
 */
export function bearerOrSigned(
  bearer: Authentication,
  pos: Authentication,
  { needsBody = false } = {},
): Authentication {
  return {
    name: 'bearer-or-signed',
    needsBody,
    authenticate(request) {
      const { headers } = request;
      const sent = POS_HEADERS.filter((name) => header(headers, name.toLowerCase()) !== undefined);
      const isSigned = sent.length === POS_HEADERS.length || (sent.length > 0 && headers.authorization === undefined);
      return isSigned ? pos.authenticate(request) : bearer.authenticate(request);
    },
  };
}

export function partnerAuthentication(dependencies: SignerDependencies): Authentication {
  const findSigner = createSignerLookup(dependencies);
  return {
    name: 'partner',
    needsBody: true,
    async authenticate(request) {
      const signer = await verifySigner(request, PARTNER_HEADERS, findSigner, dependencies);
      if (signer instanceof Refusal) return signer;
      const partnerKey = checkPartner(signer.key, request, 'FORBIDDEN');
      return partnerKey instanceof Refusal ? partnerKey : keyCaller(partnerKey);
    },
  };
}

/** Verifies the timestamp and the signature over the request, including the body, and returns the signer. */
async function verifySigner(
  request: WireRequest,
  names: typeof POS_HEADERS | typeof PARTNER_HEADERS,
  findSigner: FindSigner,
  { clock }: SignerDependencies,
): Promise<Signer | Refusal> {
  const headers = requiredHeaders(request.headers, names);
  if (headers instanceof Refusal) return headers;
  const timestamp = headers['X-Timestamp'];
  if (!isWithin(SIGNATURE_WINDOW_MS, parseRfc3339(timestamp), clock.now())) {
    return refuse('EXPIRED_TIMESTAMP', "X-Timestamp must be an RFC 3339 time within 5 minutes of the server's time.");
  }
  return findSigner({
    keyId: headers['X-API-Key-ID'],
    signature: headers['X-Signature'],
    signed: bodySignedString({ ...request, timestamp }),
  });
}
