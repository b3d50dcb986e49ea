// Client certificates of partners: the proxy checks that the client has the key, and passes the certificate on.
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../auth/caller.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { type ProxyTrust, trustedPeers } from './client-address.ts';

export const CERTIFICATE_HEADER = 'client-cert';

export interface CertifiedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

export type CertificateCheck = (caller: Caller, request: CertifiedRequest) => Refusal | null;

/** `fingerprints`: SHA-256 of the certificates, by partner. Undefined: no partner has one, and requests cost nothing. */
export function certificateCheck(
  fingerprints: ReadonlyMap<string, readonly string[]>,
  trust: ProxyTrust,
): CertificateCheck | undefined {
  if (fingerprints.size === 0) return undefined;
  const isProxy = trustedPeers(trust);
  return (caller, { headers, socket }) => {
    if (caller.kind !== 'key' || caller.partnerId === null) return null;
    const accepted = fingerprints.get(caller.partnerId);
    if (accepted === undefined) return null;
    // Everybody else can send the header, too.
    const sent = isProxy(socket.remoteAddress ?? '') ? fingerprintOf(headers[CERTIFICATE_HEADER]) : null;
    return sent !== null && accepted.includes(sent) ? null : certificateRequired();
  };
}

function certificateRequired(): Refusal {
  return refuse(
    'CERTIFICATE_REQUIRED',
    "The partner's keys are accepted only on connections with its registered client certificate.",
  );
}

/** As in RFC 9440, which Caddy can send, or as nginx sends it: PEM, percent-encoded. Null: there is none. */
export function fingerprintOf(sent: string | string[] | undefined): string | null {
  if (typeof sent !== 'string') return null;
  const base64 = /^:([A-Za-z0-9+/=]+):$/.exec(sent)?.[1] ?? pemBody(sent);
  return base64 === undefined ? null : hash('sha256', Buffer.from(base64, 'base64'), 'hex');
}

const PEM = /^-----BEGIN CERTIFICATE-----\s+([A-Za-z0-9+/=\s]+?)\s+-----END CERTIFICATE-----\s*$/;

function pemBody(sent: string): string | undefined {
  try {
    return PEM.exec(decodeURIComponent(sent))?.[1];
  } catch {
    return undefined;
  }
}
