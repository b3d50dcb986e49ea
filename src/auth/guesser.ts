// Who tries a password or code: wrong ones are counted per name and network, or per browser or session that logged in before.
import { isIP } from 'node:net';
import type { UserCaller } from './caller.ts';

export interface Guesser {
  email: string;
  ip: string;
  /** The browser or session that logged in before. Null: none, so the limits per network and per day apply. */
  trusted: string | null;
}

/** A logged-in user who must prove their identity again. */
export function sessionGuesser({ email, sessionId }: UserCaller, ip: string): Guesser {
  return { email, ip, trusted: sessionId === undefined ? null : `session ${sessionId}` };
}

const IPV6_GROUPS = 8;
const NETWORK_GROUPS = 3;

/**
 * /24 for IPv4 and /48 for IPv6, about what one customer of a provider holds. IPv4-mapped addresses belong to the IPv4
 * network. Text that is not an address is its own network.
 */
export function networkOf(ip: string): string {
  const address = ip.replace(/%.*$/, '').toLowerCase();
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/.exec(address)?.[1];
  if (ipv4 !== undefined) return `${ipv4}.0/24`;
  return isIP(address) === 6 ? `${ipv6Groups(address).slice(0, NETWORK_GROUPS).join(':')}::/48` : address;
}

/** The eight groups without leading zeros. An embedded IPv4 address is in the last two, which no network contains. */
function ipv6Groups(address: string): string[] {
  const [head = '', tail] = address.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split('::');
  const [left, right] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? 0 : IPV6_GROUPS - left.length - right.length;
  return [...left, ...Array<string>(zeros).fill('0'), ...right];
}

function groups(text: string): string[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16).toString(16));
}
