// Which addresses webhooks may be sent to: public ones, and none inside the operator's network (SSRF protection).
import { BlockList, isIP } from 'node:net';

// Loopback, private, link-local, shared, benchmarking, multicast and reserved blocks.
const NOT_PUBLIC_4 = blocks('ipv4', {
  '0.0.0.0': 8,
  '10.0.0.0': 8,
  '100.64.0.0': 10,
  '127.0.0.0': 8,
  '169.254.0.0': 16,
  '172.16.0.0': 12,
  '192.0.0.0': 24,
  '192.168.0.0': 16,
  '198.18.0.0': 15,
  '224.0.0.0': 3,
});

// Only 2000::/3 is allocated for public use. The rest has loopback, link-local and forms that embed an IPv4 address (mapped,
// compatible, NAT64). Within 2000::/3, Teredo and 6to4 embed IPv4 addresses too.
const NOT_PUBLIC_6 = blocks('ipv6', { '::': 3, '4000::': 2, '8000::': 1, '2001::': 23, '2002::': 16 });

/** One list per family: a shared list also matches IPv4 addresses against IPv6 blocks in their mapped form. */
function blocks(family: 'ipv4' | 'ipv6', prefixes: Record<string, number>): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of Object.entries(prefixes)) list.addSubnet(address, prefix, family);
  return list;
}

export function isPrivateAddress(address: string): boolean {
  const version = isIP(address);
  return version === 4 ? NOT_PUBLIC_4.check(address, 'ipv4') : version === 6 && NOT_PUBLIC_6.check(address, 'ipv6');
}

/** The host of a URL: addresses without brackets, names without a trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

export interface UrlRules {
  allowPrivate: boolean;
  /** In production: events contain data of customers. */
  requireHttps: boolean;
}

/** Why a webhook URL is invalid, phrased to follow the field's name; null if it is valid. */
export function webhookUrlFault(text: string, { allowPrivate, requireHttps }: UrlRules): string | null {
  const url = URL.parse(text);
  if (requireHttps && url?.protocol !== 'https:') return 'must be an https URL';
  if (!url || !['https:', 'http:'].includes(url.protocol)) return 'must be an http or https URL';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  // URL has normalized every spelling of an address (0x7f.1, 2130706433, [::0001]).
  const host = hostOf(url);
  const isPrivate = isPrivateAddress(host) || host === 'localhost' || host.endsWith('.localhost');
  return isPrivate && !allowPrivate ? 'must not point to a loopback, private or link-local address' : null;
}
