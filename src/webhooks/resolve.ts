// Resolves host names for webhooks. The addresses that are checked are the ones connected to, which prevents DNS rebinding.
import { promises as dns, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPrivateAddress } from './address.ts';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

export type Resolve = (host: string) => Promise<ResolvedAddress[]>;

export interface DnsOptions {
  /** Default: the name servers of the system. */
  servers?: string[];
  timeoutMs?: number;
}

export class PrivateAddress extends Error {}

// The second try takes twice as long; both fit into one attempt.
const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;

/**
 * Queries the name servers directly. dns.lookup() occupies a thread of libuv's pool until the name server answers: four
 * slow names would block all other endpoints, and password hashing.
 */
export function resolveByDns({ servers, timeoutMs = DNS_TIMEOUT_MS }: DnsOptions = {}): Resolve {
  const resolver = new dns.Resolver({ timeout: timeoutMs, tries: DNS_TRIES });
  if (servers) resolver.setServers(servers);
  return async (host) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = [...addresses(v4, 4), ...addresses(v6, 6)];
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
    return found;
  };
}

function addresses(result: PromiseSettledResult<string[]>, family: 4 | 6): ResolvedAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}

/** Uses dns.lookup(), which knows the hosts file and the search domains of a private network. */
export const resolveBySystem: Resolve = (host) =>
  new Promise((resolve, reject) => {
    systemLookup(host, { all: true }, (error, found) => (error ? reject(error) : resolve(found as ResolvedAddress[])));
  });

/**
 * The `lookup` option of `net.connect`, which connects only to the addresses returned here. If one of several addresses is
 * private, all are refused.
 */
export function guardedLookup(resolve: Resolve, { allowPrivate }: { allowPrivate: boolean }): LookupFunction {
  async function permitted(host: string): Promise<ResolvedAddress[]> {
    const found = await resolve(host);
    if (found.length === 0) throw Object.assign(new Error('the name has no address'), { code: 'ENODATA' });
    for (const { address } of found) assertPublic(address, { allowPrivate });
    return found;
  }
  return (host, options, callback) => {
    const answer = (found: ResolvedAddress[]) => {
      const [first] = found;
      if (options.all) callback(null, found);
      else callback(null, first?.address ?? '', first?.family);
    };
    // Outside the promise: an exception of the callback must not be reported as a failed resolution.
    permitted(host).then(
      (found) => setImmediate(answer, found),
      (error: NodeJS.ErrnoException) => setImmediate(callback, error, []),
    );
  };
}

/** For hosts written as an address, which net.connect does not look up. */
export function assertPublic(host: string, { allowPrivate }: { allowPrivate: boolean }): void {
  if (allowPrivate || isIP(host) === 0 || !isPrivateAddress(host)) return;
  throw new PrivateAddress('the address is loopback, private or link-local');
}
