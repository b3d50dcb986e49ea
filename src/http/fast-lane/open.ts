// Opens the fast lane in front of a server, if it is on and this Node.js has the parser that it needs.
import type { Server } from 'node:http';
import { clientAddressFinder, type ProxyTrust } from '../client-address.ts';
import { FastLane, type FastLaneOptions } from './lane.ts';
import { createRequestParser } from './parser.ts';

export interface OpenLaneOptions extends Omit<FastLaneOptions, 'parse' | 'clientAddress'> {
  fastLane?: boolean;
  trustProxy: ProxyTrust;
}

/** Null: all requests are the ordinary server's. */
export function openLane(server: Server, { fastLane = true, ...options }: OpenLaneOptions): FastLane | null {
  if (!fastLane) return null;
  const parse = createRequestParser();
  if (!parse) {
    options.logger.warn('the fast lane is off: this Node.js has another HTTP parser than expected');
    return null;
  }
  return new FastLane(server, { ...options, parse, clientAddress: clientAddressFinder(options.trustProxy) });
}
