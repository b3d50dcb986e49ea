// Which client certificates partners must use, where a proxy checks them.
import { Type } from 'typebox';

const FINGERPRINT = '[0-9A-Fa-f]{2}(?::?[0-9A-Fa-f]{2}){31}';

export const certificateVariables = {
  PARTNER_CERTIFICATES: Type.Optional(
    Type.Record(
      Type.String({ pattern: '^ptn_\\w{1,60}$' }),
      Type.String({ pattern: `^${FINGERPRINT}(, ?${FINGERPRINT})?$` }),
      {
        // A misspelt id would leave the partner without protection.
        additionalProperties: false,
        fault:
          'must be a JSON object of partner id → SHA-256 fingerprint; two, separated by a comma, while it is renewed.',
        description:
          'JSON object of partner ids and the SHA-256 fingerprints of their client certificates. The keys of these partners are accepted only on connections with that certificate, which the proxies of `TRUST_PROXY` check and pass on as `Client-Cert` ([guide](operations/tls.md#client-certificates-of-partners)).',
      },
    ),
  ),
};

interface CertificateValues {
  TRUST_PROXY: boolean | number | string;
  PARTNER_CERTIFICATES?: Record<string, string>;
}

/** Lower case, without colons. */
export function partnerCertificates({ PARTNER_CERTIFICATES = {} }: CertificateValues): Map<string, string[]> {
  const entries = Object.entries(PARTNER_CERTIFICATES);
  return new Map(
    entries.map(([id, list]) => [id, list.split(',').map((each) => each.trim().replaceAll(':', '').toLowerCase())]),
  );
}

/** With a number of hops, a client that reaches the port past the proxy could send the header itself. */
export function certificateFaults({ TRUST_PROXY, PARTNER_CERTIFICATES }: CertificateValues): string[] {
  if (PARTNER_CERTIFICATES === undefined || typeof TRUST_PROXY === 'string') return [];
  return ['TRUST_PROXY must list the addresses of the proxies when PARTNER_CERTIFICATES is set.'];
}
