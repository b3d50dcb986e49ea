// Where webhooks may go: a web address on the Internet, and nowhere inside the operator's own network.
import { BlockList, isIP } from 'node:net';

// Loopback, private, link-local, shared, benchmarking, multicast and reserved blocks: nobody's public endpoint.
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

// Of IPv6 only 2000::/3 is given out. Outside it are loopback, link-local and the like, and ways to write an IPv4
// address (mapped, compatible, NAT64) that no receiver needs; inside it Teredo and 6to4 are two more such ways.
const NOT_PUBLIC_6 = blocks('ipv6', { '::': 3, '4000::': 2, '8000::': 1, '2001::': 23, '2002::': 16 });

/** One list for each family: a list of both takes every IPv4 address for the IPv6 address it can be written as. */
function blocks(family: 'ipv4' | 'ipv6', prefixes: Record<string, number>): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of Object.entries(prefixes)) list.addSubnet(address, prefix, family);
  return list;
}

/** Of an address as resolved, or as written in a URL. */
export function isPrivateAddress(address: string): boolean {
  const version = isIP(address);
  return version === 4 ? NOT_PUBLIC_4.check(address, 'ipv4') : version === 6 && NOT_PUBLIC_6.check(address, 'ipv6');
}

/** The host of a URL as the network knows it: an address without brackets, a name without the dot at its end. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** What is wrong with it, to follow the name of the field; null when webhooks may be sent there. */
export function webhookUrlFault(text: string, { allowPrivate }: { allowPrivate: boolean }): string | null {
  const url = URL.parse(text);
  if (!url || !['https:', 'http:'].includes(url.protocol)) return 'must be an http or https URL';
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password';
  // URL has turned every spelling of an address (0x7f.1, 2130706433, [::0001]) into the usual one by now.
  const host = hostOf(url);
  const isPrivate = isPrivateAddress(host) || host === 'localhost' || host.endsWith('.localhost');
  return isPrivate && !allowPrivate ? 'must not lead to a loopback, private or link-local address' : null;
}
