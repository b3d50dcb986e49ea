// Chooses the credential for an operation and makes its headers.
import {
  type SignedRequest,
  type SigningKey,
  signCashIn,
  signHub,
  signInbound,
  signRequest,
  signService,
  withBodyHash,
} from '@kissi/signatures';
import { KissiAuthenticationError } from './errors.ts';
import type { Authenticator } from './options.ts';
import type { Scheme, Traits } from './traits.ts';

export interface Authenticated {
  headers: Record<string, string>;
  /** The target to send, to which the service scheme adds a hash of the body. */
  target: string;
}

const NEEDED: Record<Scheme, string> = {
  bearer: 'apiKey, login, tokens or tokenSource',
  metrics: 'metricsToken',
  signed: 'keyId and secret',
  partner: 'keyId, secret and partnerId',
  inbound: 'keyId and secret',
  service: 'service',
  'cash-in': 'cashInSecret',
  hub: 'hubSecret',
};

/** Operations that the service also serves without this credential, depending on its configuration. */
const OPTIONAL: readonly Scheme[] = ['metrics', 'hub'];

/** The scheme that this client has a credential for; null if the operation needs none. */
export function schemeFor(traits: Traits, credentials: Authenticator): Scheme | null {
  const schemes = traits.schemes ?? ['bearer'];
  const usable = schemes.find((scheme) => has(scheme, credentials));
  if (usable || schemes.length === 0 || schemes.some((scheme) => OPTIONAL.includes(scheme))) return usable ?? null;
  const message = `This operation needs credentials that the client does not have: ${schemes.map((s) => NEEDED[s]).join('; or ')}.`;
  throw new KissiAuthenticationError({ code: 'CREDENTIALS_MISSING', message });
}

function has(scheme: Scheme, credentials: Authenticator): boolean {
  const { apiKey, keyId, secret, partnerId, service, cashInSecret, hubSecret, metricsToken, session } = credentials;
  const signs = Boolean(keyId && secret);
  const available: Record<Scheme, boolean> = {
    bearer: Boolean(apiKey || session),
    metrics: Boolean(metricsToken),
    signed: signs,
    partner: signs && Boolean(partnerId),
    inbound: signs,
    service: Boolean(service),
    'cash-in': Boolean(cashInSecret),
    hub: Boolean(hubSecret),
  };
  return available[scheme];
}

/** Called for each attempt: timestamps, nonces and tokens are new. */
export async function authenticate(
  scheme: Scheme | null,
  request: SignedRequest,
  credentials: Authenticator,
  idempotencyKey: string | undefined,
): Promise<Authenticated> {
  const { target, body } = request;
  if (scheme === null) return { headers: {}, target };
  if (scheme === 'service') return serviceRequest(request, credentials);
  const key = credentials as Authenticator & SigningKey;
  const signers: Record<Exclude<Scheme, 'service'>, () => Promise<Record<string, string>>> = {
    bearer: async () => bearer(credentials.apiKey ?? (await credentials.session?.accessToken())),
    metrics: async () => bearer(credentials.metricsToken),
    signed: () => signRequest({ keyId: key.keyId, secret: key.secret }, request),
    partner: () => signRequest(key, request),
    inbound: () => signInbound(key, request, { idempotencyKey }),
    'cash-in': () => signCashIn(credentials.cashInSecret ?? '', body),
    hub: () => signHub(credentials.hubSecret ?? '', body),
  };
  return { headers: await signers[scheme](), target };
}

async function serviceRequest(request: SignedRequest, { service }: Authenticator): Promise<Authenticated> {
  if (!service) throw new Error('the scheme needs a service');
  const target = request.method === 'GET' ? request.target : await withBodyHash(request.target, request.body);
  return { headers: await signService(service, { ...request, target }), target };
}

function bearer(token: string | undefined): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}
