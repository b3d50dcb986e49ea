// The client's address behind trusted proxies, as Fastify finds it.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';

/** A list of addresses, a number of hops, or whether all are trusted. */
export type ProxyTrust = boolean | number | string;

type IsTrusted = (address: string, hop: number) => boolean;

/** For Fastify, which would not trust a number of hops. */
export function proxyTrust(trust: ProxyTrust): boolean | string | IsTrusted {
  return typeof trust === 'number' ? (_address, hop) => hop < trust : trust;
}

export type FindClientAddress = (socket: Socket, headers: IncomingHttpHeaders) => string;

/** For requests that Fastify does not see. */
export function clientAddressFinder(setting: ProxyTrust): FindClientAddress {
  const trust = proxyTrust(setting);
  if (trust === false) return (socket) => socket.remoteAddress ?? '';
  const isTrusted = compile(trust);
  // The function reads nothing else of the request.
  return (socket, headers) => proxyAddr.all({ socket, headers } as IncomingMessage, isTrusted).at(-1) ?? '';
}

/** Whether an address that a connection comes from is one of the proxies. */
export function trustedPeers(setting: ProxyTrust): (address: string) => boolean {
  const trust = proxyTrust(setting);
  if (trust === false) return () => false;
  const isTrusted = compile(trust);
  return (address) => isTrusted(address, 0);
}

function compile(trust: true | string | IsTrusted): IsTrusted {
  if (trust === true) return () => true;
  return typeof trust === 'string' ? proxyAddr.compile(trust.split(',').map((entry) => entry.trim())) : trust;
}
