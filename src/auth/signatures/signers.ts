// Finds the API key whose secret made a signature, telling a caller who has none nothing about which keys exist.
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../kernel/clock.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { addressRefusal, ipAllowed } from '../allowlist.ts';
import { credentialInForce, type KeyCredential, type KeyRecord, type KeyRecords, keyInForce } from '../key-records.ts';
import { header, type WireRequest } from '../schemes/scheme.ts';
import type { Vault } from '../vault.ts';
import { hmac, signatureMatches } from './canonical.ts';
import { type SigningSecret, signingSecret } from './signing-secret.ts';

export interface SignerParts {
  keys: Pick<KeyRecords, 'byId' | 'cached'>;
  vault: Vault;
  clock: Clock;
}

export interface Claim {
  keyId: string;
  signature: string;
  signed: Buffer;
}

/** The key, and which of its secrets made the signature: it has two while it is being rotated. */
export interface Signer {
  key: KeyRecord;
  secret: SigningSecret;
}

export type FindSigner = (claim: Claim) => Promise<Signer | Refusal>;

const MAX_OPENED_SECRETS = 10_000;
// A key has two secrets during a rotation.
const TRIES = 2;

/** Opened secrets are cached by their sealed form, which determines them. */
export function signers({ keys, vault, clock }: SignerParts): FindSigner {
  const opened = new LRUCache<string, SigningSecret, Pick<KeyCredential, 'sealedSecret'> & { keyId: string }>({
    max: MAX_OPENED_SECRETS,
    memoMethod: (_name, _expired, { context }) => signingSecret(vault.open(context.sealedSecret, context.keyId)),
  });
  const nobodysSecret = randomBytes(32).toString('hex');

  function secretsOf(key: KeyRecord | null): SigningSecret[] {
    if (key === null) return [];
    const now = clock.now();
    const inForce = key.credentials.filter((credential) => credentialInForce(credential, now));
    // The cache key has the key's id: a sealed secret copied to another key's row must fail to open there.
    return inForce.map(({ sealedSecret }) =>
      opened.memo(`${key.id} ${sealedSecret.toString('hex')}`, { context: { sealedSecret, keyId: key.id } }),
    );
  }

  /** The key's secret that made the signature, found at the same cost whether there are two, one or none. */
  function secretOf(key: KeyRecord | null, { signature, signed }: Claim): SigningSecret | undefined {
    const secrets = secretsOf(key);
    const [secret] = secrets.filter(({ text }) => signatureMatches(hmac(text, signed), signature));
    for (let tried = secrets.length; tried < TRIES; tried++) {
      if (!secret) signatureMatches(hmac(nobodysSecret, signed), signature);
    }
    return secret;
  }

  /** A request is never refused by a cached record alone: the key may have a new secret since. */
  async function signerOf(claim: Claim): Promise<{ key: KeyRecord; secret: SigningSecret } | null> {
    const cached = keys.cached(claim.keyId);
    const known = secretOf(cached, claim);
    if (cached && known) return { key: cached, secret: known };
    const key = await keys.byId(claim.keyId);
    const secret = secretOf(key, claim);
    return key && secret ? { key, secret } : null;
  }

  return async (claim) => {
    const signer = await signerOf(claim);
    if (!signer) return wrongSignature();
    if (!keyInForce(signer.key, clock.now())) {
      return refuse('UNAUTHORIZED', 'The API key is revoked or expired, or its partner is suspended.');
    }
    return signer;
  };
}

/** One sentence for every reason, so that the reply does not say which it was. */
export function wrongSignature(): Refusal {
  return refuse('INVALID_SIGNATURE', 'The signature does not match the request, or the key it names is unknown.');
}

/** The values of the headers, by name, or a refusal that names those missing. */
export function requiredHeaders<Name extends string>(
  headers: IncomingHttpHeaders,
  names: readonly Name[],
): Record<Name, string> | Refusal {
  const found = names.map((name) => [name, header(headers, name.toLowerCase())] as const);
  const missing = found.filter(([, value]) => value === undefined).map(([name]) => name);
  if (missing.length > 0) {
    return refuse('UNAUTHORIZED', `This route takes signed requests only; missing: ${missing.join(', ')}.`);
  }
  return Object.fromEntries(found) as Record<Name, string>;
}

/** The key, if it speaks for a partner: from that partner's addresses, and in the name the request gives. */
export function speakingForPartner(
  key: KeyRecord,
  { headers, ip }: WireRequest,
  withoutPartner: 'FORBIDDEN' | 'SCOPE_DENIED',
): KeyRecord | Refusal {
  if (key.partnerId === null) return refuse(withoutPartner, 'The API key does not belong to a partner.');
  const named = header(headers, 'x-partner-id');
  if (named !== undefined && named !== key.partnerId) {
    return refuse('PARTNER_MISMATCH', 'X-Partner-ID is not the partner of the API key.');
  }
  if (!ipAllowed(key.partnerIpAllowlist, ip)) {
    return addressRefusal();
  }
  return key;
}
