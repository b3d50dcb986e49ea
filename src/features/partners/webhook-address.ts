// Where webhooks may go: a web address that is not plainly one of the operator's own network.
import { BlockList, isIP } from 'node:net';

// Loopback, private, link-local, shared, benchmarking, multicast and reserved blocks: nobody's public endpoint.
const NOT_PUBLIC: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 9, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
  // Unspecified, loopback, and ways to write an IPv4 address as IPv6 (compatible, NAT64, 6to4) that no receiver needs.
  ['::', 96, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['2002::', 16, 'ipv6'],
];

const notPublic = new BlockList();
for (const [address, prefix, family] of NOT_PUBLIC) notPublic.addSubnet(address, prefix, family);

/** Of an address as resolved, or as written in a URL. */
export function isPrivateAddress(address: string): boolean {
  const version = isIP(address);
  // An IPv4-mapped address is checked as the IPv4 address it means.
  return version !== 0 && notPublic.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** What is wrong with it, to follow the name of the field; null when webhooks may be sent there. */
export function webhookUrlFault(text: string, { allowPrivate }: { allowPrivate: boolean }): string | null {
  const url = URL.parse(text);
  if (!url || !['https:', 'http:'].includes(url.protocol)) return 'must be an http or https URL';
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password';
  // URL has turned every spelling of an address (0x7f.1, 2130706433, [::0001]) into the usual one by now.
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isPrivate = isPrivateAddress(host) || host === 'localhost' || host.endsWith('.localhost');
  return isPrivate && !allowPrivate ? 'must not lead to a loopback, private or link-local address' : null;
}
