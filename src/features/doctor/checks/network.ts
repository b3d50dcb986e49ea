// Checks of what is between clients and the service: the proxy and the public address.
import { isLoopback } from '../addresses.ts';
import { type Check, type Examined, type Finding, fail, fine, warn } from '../check.ts';
import * as store from '../store.ts';

export const NETWORK_CHECKS: readonly Check[] = [
  { id: 'public_address', area: 'network', name: 'Public address', run: publicAddress },
  { id: 'proxy_headers', area: 'network', name: 'Proxy headers', run: proxyHeaders },
  { id: 'partner_certificates', area: 'network', name: "Partners' certificates", run: partnerCertificates },
];

function publicAddress({ config: { publicOrigin } }: Examined) {
  if (publicOrigin.startsWith('https://')) return fine(`People reach the service at ${publicOrigin}.`);
  if (publicOrigin === '') {
    return warn(
      'PUBLIC_ORIGIN is not set: there are no passkeys, and links to payments and receipts have no host.',
      'Set PUBLIC_ORIGIN to the https address of the service.',
    );
  }
  return fail(
    `PUBLIC_ORIGIN is ${publicOrigin}: passwords and PINs would cross the network in the clear.`,
    'Put a proxy with TLS in front (deploy/caddy, deploy/nginx), and set PUBLIC_ORIGIN to its https address.',
  );
}

/** The service itself speaks plain HTTP: behind https there is a proxy, whose address all clients seem to have. */
function proxyHeaders({ config: { trustProxy, publicOrigin, host } }: Examined) {
  if (trustProxy === true) {
    return fail(
      'TRUST_PROXY is true: clients choose the address that allow-lists and rate limits see.',
      'Set TRUST_PROXY to the addresses of your proxies.',
    );
  }
  const isBehindProxy = publicOrigin.startsWith('https://') || isLoopback(host);
  if (trustProxy === false || trustProxy === 0) {
    if (!isBehindProxy) return fine('No proxy is trusted.');
    return fail(
      'A proxy is in front, but TRUST_PROXY is not set: all clients share its address, its rate limit and its place in allow-lists.',
      'Set TRUST_PROXY to the addresses of your proxies, and let them set X-Forwarded-For.',
    );
  }
  if (typeof trustProxy === 'number') {
    return warn(
      `TRUST_PROXY counts ${trustProxy} hops: a client that reaches the port past the proxy chooses its address.`,
      'Set TRUST_PROXY to the addresses of your proxies, or make sure that only they reach the port.',
    );
  }
  return fine(`Client addresses are taken from the proxies ${trustProxy}.`);
}

async function partnerCertificates({ config, database }: Examined): Promise<Finding> {
  const named = [...config.partnerCertificates.keys()];
  if (named.length === 0) return fine('No partner needs a client certificate.');
  const known = await store.knownPartners(database.queries, named);
  const unknown = named.filter((id) => !known.includes(id));
  if (unknown.length === 0) return fine(`Partners that need a client certificate: ${named.length}.`);
  return fail(
    `PARTNER_CERTIFICATES names unknown partners: ${unknown.join(', ')}. The ones that are meant need no certificate.`,
    "Correct the partners' ids.",
  );
}
