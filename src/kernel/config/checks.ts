// Checks for individual environment variables: database and web URLs, address blocks.
import { BlockList, isIP } from 'node:net';

/** False if target_session_attrs allows a replica, which cannot serve requests that write. */
export function acceptsWrites(url: string): boolean {
  const required = /[?&]target_session_attrs=([^&#]*)/.exec(url)?.[1];
  return required === undefined || required === 'read-write' || required === 'primary';
}

/** Rejects credentials and fragments, which are not sent, and |, which separates the fields of a service signature. */
export function isWebUrl(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || url.username + url.password + url.hash !== '' || url.href.includes('|')) return false;
  return url.protocol === 'https:' || url.protocol === 'http:';
}

export function isAddressBlock(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/');
  const longest = { 4: 32, 6: 128 }[isIP(address)];
  if (longest === undefined || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest);
}

const IPV6_PRIVATE = new BlockList();
IPV6_PRIVATE.addSubnet('fc00::', 7, 'ipv6');
/** Contains ::ffff:0:0/96, the IPv4-mapped addresses. */
const IPV6_MAPPED = new BlockList();
IPV6_MAPPED.addSubnet('::', 16, 'ipv6');

/** Whether a valid block is too large to contain only proxies. */
export function containsClients(block: string): boolean {
  const [address = '', prefix] = block.trim().split('/');
  return prefix !== undefined && Number(prefix) < shortestPrefix(address);
}

function shortestPrefix(address: string): number {
  if (isIP(address) === 4) return 8;
  if (IPV6_MAPPED.check(address, 'ipv6')) return 96 + 8;
  return IPV6_PRIVATE.check(address, 'ipv6') ? 7 : 16;
}
