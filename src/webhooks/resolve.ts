// From a host's name to the addresses that are connected to: what is checked here is what is connected to, not asked again.
import { promises as dns, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPrivateAddress } from './address.ts';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

export type Resolve = (host: string) => Promise<ResolvedAddress[]>;

export interface DnsOptions {
  /** Those of the system unless told. */
  servers?: string[];
  timeoutMs?: number;
}

export class RefusedAddress extends Error {}

// Two tries, the second twice as long: within the time of an attempt.
const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;

/**
 * Straight from the name servers. The system's look-up occupies one of the process's few threads for as long as a name
 * server is silent: four such names would hold up every other endpoint, and the hashing of passwords.
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

/** As the system does it: with its hosts file and search domains, where the names of a private network are. */
export const resolveBySystem: Resolve = (host) =>
  new Promise((resolve, reject) => {
    systemLookup(host, { all: true }, (error, found) => (error ? reject(error) : resolve(found as ResolvedAddress[])));
  });

/**
 * For `net.connect`, which connects to what this returns and to nothing else: a name that resolves to another address a
 * moment later gains nothing. One private address among several refuses them all.
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
    // Outside the promise, so that what goes wrong in connecting is not taken for a name that does not resolve.
    permitted(host).then(
      (found) => setImmediate(answer, found),
      (error: NodeJS.ErrnoException) => setImmediate(callback, error, []),
    );
  };
}

/** A host that is an address already is connected to without a look-up. */
export function assertPublic(host: string, { allowPrivate }: { allowPrivate: boolean }): void {
  if (allowPrivate || isIP(host) === 0 || !isPrivateAddress(host)) return;
  throw new RefusedAddress('the address is loopback, private or link-local');
}
