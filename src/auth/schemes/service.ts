// Authentication between the operator's services: each has a name and a secret from the configuration.
import { hash, randomBytes } from 'node:crypto';
import {
  BODY_HASH,
  hmac,
  isWithin,
  parseUnixSeconds,
  SIGNATURE_WINDOW_MS,
  serviceSignedString,
  signatureMatches,
  signService,
} from '@kissi/signatures/node';
import { type Clock, SECOND_MS } from '../../kernel/clock.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { requiredHeaders, wrongSignature } from '../signatures/signers.ts';
import { type Authentication, header, type WireRequest } from './scheme.ts';

export interface ServiceAuthDependencies {
  serviceSecrets: ReadonlyMap<string, string>;
  clock: Clock;
}

export type ServiceAuthentication = Pick<Authentication, 'authenticate'>;

const HEADERS = ['X-Service-Name', 'X-Service-Timestamp', 'X-Service-Signature'] as const;

/** The signature does not cover the body: routes that process one need `withBody`. */
export function serviceAuthentication({ serviceSecrets, clock }: ServiceAuthDependencies): ServiceAuthentication {
  const decoySecret = randomBytes(32).toString('hex');
  return {
    async authenticate({ method, target, headers: sent }) {
      const headers = requiredHeaders(sent, HEADERS);
      if (headers instanceof Refusal) return headers;
      const name = headers['X-Service-Name'];
      const timestamp = headers['X-Service-Timestamp'];
      if (!isWithin(SIGNATURE_WINDOW_MS, parseUnixSeconds(timestamp), clock.now())) {
        return refuse(
          'EXPIRED_TIMESTAMP',
          "X-Service-Timestamp must be Unix seconds within 5 minutes of the server's time.",
        );
      }
      const signed = serviceSignedString({ method, target, timestamp });
      const secret = serviceSecrets.get(name);
      const expected = hmac(secret ?? decoySecret, signed ?? '');
      const matches = signatureMatches(expected, headers['X-Service-Signature']);
      if (!matches || secret === undefined || signed === null) return wrongSignature();
      return { kind: 'service', id: name };
    },
  };
}

/** The name and secret with which this service calls others. */
export interface ServiceIdentity {
  name: string;
  secret: string;
}

/** Signs an outgoing request. The signature does not cover the body, so the connection should be trusted. */
export function serviceHeaders(
  identity: ServiceIdentity,
  { method, url, now }: { method: string; url: URL; now: number },
): Record<string, string> {
  return signService(identity, { method, target: url.pathname + url.search, now });
}

/**
 * For routes that process a body. If the signed query contains a hash of the body, it must match. Without one, only
 * the caller is authenticated: the route receives the hash of the signature and must accept each body once per
 * signature.
 */
export function withBody(
  service: ServiceAuthentication,
  { bodyHash }: { bodyHash: 'optional' | 'required' },
): ServiceAuthentication {
  return {
    async authenticate(request) {
      const caller = await service.authenticate(request);
      if (caller instanceof Refusal || caller.kind !== 'service') return caller;
      const bodyHashes = bodyHashesOf(request);
      if (bodyHashes.length === 0 && bodyHash === 'required') return bodyHashMissing();
      if (bodyHashes.length > 0) {
        const actual = hash('sha256', request.rawBody, 'buffer');
        if (!bodyHashes.every((hex) => signatureMatches(actual, hex))) return wrongSignature();
      }
      const { headers } = request;
      const signature = header(headers, 'x-service-signature')?.toLowerCase() ?? '';
      const at = Number(header(headers, 'x-service-timestamp')) * SECOND_MS;
      return { ...caller, signed: { hash: hash('sha256', signature), at, coversBody: bodyHashes.length > 0 } };
    },
  };
}

function bodyHashMissing(): Refusal {
  return refuse('UNAUTHORIZED', `The signed query must contain ${BODY_HASH}, the hex SHA-256 of the body.`);
}

function bodyHashesOf({ target }: WireRequest): string[] {
  const cut = target.indexOf('?');
  return cut === -1 ? [] : new URLSearchParams(target.slice(cut + 1)).getAll(BODY_HASH);
}

/**
 * For routes that accept a bearer credential or a service signature. Complete service headers select the service
 * scheme, and a wrong signature is then refused even if the bearer credential is good. Single service headers, which a
 * proxy or a shared client may add, do not replace a bearer credential.
 */
export function eitherOf(
  bearer: Authentication,
  service: ServiceAuthentication,
  { needsBody = bearer.needsBody }: { needsBody?: boolean } = {},
): Authentication {
  return {
    name: 'bearer-or-service',
    needsBody,
    authenticate(request) {
      const { headers } = request;
      const sent = HEADERS.filter((name) => header(headers, name.toLowerCase()) !== undefined);
      const isService = sent.length === HEADERS.length || (sent.length > 0 && headers.authorization === undefined);
      return isService ? service.authenticate(request) : bearer.authenticate(request);
    },
  };
}
