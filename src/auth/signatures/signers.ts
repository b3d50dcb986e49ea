// Checks shared by the signature schemes: required headers, the HMAC under a secret of the API key, and the key's partner.
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { encryptionKeyBytes, hmac, signatureMatches } from '@kissi/signatures/node';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../kernel/clock.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { addressNotAllowed, ipAllowed } from '../allowlist.ts';
import { waitUntil } from '../fixed-time.ts';
import { isCredentialValid, type KeyCredential, type KeyRecord, type KeyRecords, keyRefusal } from '../key-records.ts';
import { header, type WireRequest } from '../schemes/scheme.ts';
import type { Vault } from '../vault.ts';

export interface SignerDependencies {
  keys: Pick<KeyRecords, 'byId' | 'cached'>;
  vault: Vault;
  clock: Clock;
}

/** A signature as received: the named key is said to have made it over `signed`. */
export interface Claim {
  keyId: string;
  signature: string;
  signed: Buffer;
}

/** The key and the secret that signed. A key has two secrets during a rotation. */
export interface Signer {
  key: KeyRecord;
  secret: SigningSecret;
}

export type FindSigner = (claim: Claim) => Promise<Signer | Refusal>;

const MAX_CACHED_SECRETS = 10_000;
const MAX_SECRETS_PER_KEY = 2;
/**
 * How long a rejection takes, unless the look-up takes longer. Reading and decoding a key takes some microseconds longer than
 * finding none; a fixed time hides which keys exist.
 */
const REJECTION_MS = 5;

/** Caches decrypted secrets by their encrypted form. */
export function createSignerLookup({ keys, vault, clock }: SignerDependencies): FindSigner {
  const decrypted = new LRUCache<string, SigningSecret, Pick<KeyCredential, 'sealedSecret'> & { keyId: string }>({
    max: MAX_CACHED_SECRETS,
    memoMethod: (_name, _expired, { context }) => signingSecret(vault.open(context.sealedSecret, context.keyId)),
  });
  const decoySecret = randomBytes(32).toString('hex');

  function validSecretsOf(key: KeyRecord | null): SigningSecret[] {
    if (key === null) return [];
    const now = clock.now();
    const valid = key.credentials.filter((credential) => isCredentialValid(credential, now));
    // The cache key includes the key id: an encrypted secret copied to another key's row must fail to decrypt there.
    return valid.map(({ sealedSecret }) =>
      decrypted.memo(`${key.id} ${sealedSecret.toString('hex')}`, { context: { sealedSecret, keyId: key.id } }),
    );
  }

  /** The secret that made the signature. A mismatch takes the same time whether the key has two secrets, one or none. */
  function matchingSecret(key: KeyRecord | null, { signature, signed }: Claim): SigningSecret | undefined {
    const secrets = validSecretsOf(key);
    const [secret] = secrets.filter(({ text }) => signatureMatches(hmac(text, signed), signature));
    for (let tried = secrets.length; tried < MAX_SECRETS_PER_KEY; tried++) {
      if (!secret) signatureMatches(hmac(decoySecret, signed), signature);
    }
    return secret;
  }

  /** A cached record can accept a request but not reject it: the key may have got a new secret since. */
  async function signerOf(claim: Claim): Promise<Signer | null> {
    const cached = keys.cached(claim.keyId);
    const cachedSecret = matchingSecret(cached, claim);
    if (cached && cachedSecret) return { key: cached, secret: cachedSecret };
    const key = await keys.byId(claim.keyId);
    const secret = matchingSecret(key, claim);
    return key && secret ? { key, secret } : null;
  }

  return async (claim) => {
    const rejectedAt = performance.now() + REJECTION_MS;
    const signer = await signerOf(claim);
    if (!signer) {
      await waitUntil(rejectedAt);
      return wrongSignature();
    }
    return keyRefusal(signer.key, clock.now()) ?? signer;
  };
}

/** The same message for every reason, so that the reply does not reveal which keys exist. */
export function wrongSignature(): Refusal {
  return refuse('INVALID_SIGNATURE', 'The signature does not match the request, or the key it names is unknown.');
}

/** The header values by name, or a refusal that lists the missing ones. */
export function requiredHeaders<Name extends string>(
  headers: IncomingHttpHeaders,
  names: readonly Name[],
): Record<Name, string> | Refusal {
  const found = names.map((name) => [name, header(headers, name.toLowerCase())] as const);
  const missing = found.filter(([, value]) => value === undefined).map(([name]) => name);
  if (missing.length > 0) {
    return refuse('UNAUTHORIZED', `This route requires a signed request. Missing headers: ${missing.join(', ')}.`);
  }
  return Object.fromEntries(found) as Record<Name, string>;
}

/** Checks that the key belongs to a partner, that X-Partner-ID names it, and that the address is in its allowlist. */
export function checkPartner(
  key: KeyRecord,
  { headers, ip }: WireRequest,
  withoutPartner: 'FORBIDDEN' | 'SCOPE_DENIED',
): KeyRecord | Refusal {
  if (key.partnerId === null) return refuse(withoutPartner, 'The API key does not belong to a partner.');
  const sentPartnerId = header(headers, 'x-partner-id');
  if (sentPartnerId !== undefined && sentPartnerId !== key.partnerId) {
    return refuse('PARTNER_MISMATCH', 'X-Partner-ID is not the partner of the API key.');
  }
  if (!ipAllowed(key.partnerIpAllowlist, ip)) return addressNotAllowed();
  return key;
}

export interface SigningSecret {
  text: string;
  /** An AES-256 key: HKDF-SHA256(secret, no salt, purpose). Cached, because derivation takes as long as decryption. */
  encryptionKey(purpose: string): KeyObject;
}

export function signingSecret(text: string): SigningSecret {
  const derived = new Map<string, KeyObject>();
  return {
    text,
    encryptionKey(purpose) {
      const known = derived.get(purpose) ?? createSecretKey(encryptionKeyBytes(text, purpose));
      derived.set(purpose, known);
      return known;
    },
  };
}
