// IP allowlists of partners: CIDR blocks and single addresses, IPv4 and IPv6.
import { BlockList, isIP, SocketAddress } from 'node:net';
import { LRUCache } from 'lru-cache';
import { type Refusal, refuse } from '../kernel/refusal.ts';

interface Block {
  address: string;
  prefix: number;
  family: 'ipv4' | 'ipv6';
}

// One list per family, so that an entry of one family never matches an address of the other.
interface Allowed {
  ipv4: BlockList;
  ipv6: BlockList;
}

/** Keyed by the JSON text of the allowlist. */
const parsedLists = new LRUCache<string, Allowed>({ max: 1_000, memoMethod: (json) => parseList(JSON.parse(json)) });

/** An empty list allows every address. Malformed entries are ignored. */
export function ipAllowed(allowlist: readonly string[], ip: string): boolean {
  if (allowlist.length === 0) return true;
  // Link-local addresses may have a zone (fe80::1%eth0), which is not part of the address.
  const caller = parseAddress(ip.replace(/%.*$/, ''));
  if (caller === null) return false;
  const allowed = parsedLists.memo(JSON.stringify(allowlist));
  return allowed[caller.family].check(caller.address, caller.family);
}

/** Whether the entry is valid: a block such as 10.0.0.0/8 or 2001:db8::/32, or a single address. */
export function isAllowlistEntry(text: string): boolean {
  return parseBlock(text) !== null;
}

function parseList(allowlist: readonly string[]): Allowed {
  const allowed = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const entry of allowlist) {
    const block = parseBlock(entry);
    if (block !== null) allowed[block.family].addSubnet(block.address, block.prefix, block.family);
  }
  return allowed;
}

function parseBlock(text: string): Block | null {
  const [address = '', prefixText, ...rest] = text.split('/');
  const parsed = parseAddress(address);
  if (parsed === null || rest.length > 0 || address.includes('%')) return null;
  const maxPrefix = isIP(address) === 4 ? 32 : 128;
  const prefix = prefixText === undefined ? maxPrefix : parsePrefix(prefixText, maxPrefix);
  if (prefix === null) return null;
  const isMapped = parsed.family === 'ipv4' && maxPrefix === 128;
  if (!isMapped) return { ...parsed, prefix };
  // A block of IPv4-mapped addresses becomes a block of IPv4 addresses, unless it also contains other IPv6 addresses.
  return prefix < 96 ? { address, prefix, family: 'ipv6' } : { ...parsed, prefix: prefix - 96 };
}

function parsePrefix(text: string, maxPrefix: number): number | null {
  return /^(?:0|[1-9]\d{0,2})$/.test(text) && Number(text) <= maxPrefix ? Number(text) : null;
}

/** Normalizes the address. IPv4-mapped addresses (::ffff:192.0.2.1, from dual-stack sockets) become IPv4. */
function parseAddress(text: string): Pick<Block, 'address' | 'family'> | null {
  const version = isIP(text);
  if (version === 0) return null;
  if (version === 4) return { address: text, family: 'ipv4' };
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped === undefined ? { address, family: 'ipv6' } : { address: mapped, family: 'ipv4' };
}

export function addressNotAllowed(): Refusal {
  return refuse('IP_NOT_ALLOWED', "The request comes from an address outside the partner's allowlist.");
}
