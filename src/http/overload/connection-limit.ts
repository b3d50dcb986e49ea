// Connection limit: at the limit, a new connection replaces an idle one of the network that has the most connections.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { MINUTE_MS } from '../../kernel/clock.ts';
import type { Metrics } from '../../kernel/metrics.ts';
import { networkOf } from '../rate-limit.ts';

/** A connection without activity for this long is closed. No request takes as long. */
const INACTIVITY_MS = 2 * MINUTE_MS;

/** Whether a request is in work that node:http does not know of. */
type IsServing = (socket: Socket) => boolean;

/** Above the limit a new connection is closed, or an idle one is closed in its place. */
export function limitConnections(
  metrics: Metrics,
  server: Server,
  limit: number,
  isServing: IsServing = () => false,
): void {
  const table = new ConnectionTable(limit, isServing);
  // One connection above the limit is accepted, to decide which one to close.
  server.maxConnections = limit + 1;
  server.setTimeout(INACTIVITY_MS);
  const refused = metrics.counter({
    name: 'kissi_http_connections_refused_total',
    help: 'Connections closed because of the connection limit.',
  });
  server.on('drop', () => {
    refused.value += 1;
  });
  server.on('connection', (socket) => {
    const victim = table.add(socket);
    if (!victim) return;
    refused.value += 1;
    victim.destroy();
  });
  metrics
    .gauge({ name: 'kissi_http_connections', help: 'Open client connections.', combine: 'sum' })
    .readFrom(() => table.count);
}

class ConnectionTable {
  private readonly limit: number;
  private readonly isServing: IsServing;
  private readonly byNetwork = new Map<string, Set<Socket>>();
  count = 0;

  constructor(limit: number, isServing: IsServing) {
    this.limit = limit;
    this.isServing = isServing;
  }

  /** The connection to close: this one, a different one, or null below the limit. */
  add(socket: Socket): Socket | null {
    const network = networkOf(socket.remoteAddress ?? '');
    const own = this.byNetwork.get(network) ?? new Set();
    this.byNetwork.set(network, own.add(socket));
    this.count += 1;
    socket.once('close', () => {
      own.delete(socket);
      this.count -= 1;
      if (own.size === 0) this.byNetwork.delete(network);
    });
    if (this.count <= this.limit) return null;
    const most = this.largest(own);
    return most === own ? socket : (this.oldestIdle(most) ?? socket);
  }

  /** On a tie the new connection's own network, so that a proxy in front of all clients displaces none. */
  private largest(own: Set<Socket>): Set<Socket> {
    let most = own;
    for (const sockets of this.byNetwork.values()) if (sockets.size > most.size) most = sockets;
    return most;
  }

  /** A connection whose request is being served is never closed: the payment would be made and its reply lost. */
  private oldestIdle(sockets: Set<Socket>): Socket | null {
    for (const socket of sockets) if (!this.isServing(socket) && isIdle(socket)) return socket;
    return null;
  }
}

/**
 * Reads Node's private `_httpMessage`: there is no public way to find the response in progress. A client that has not sent
 * its whole request, or does not read the response, counts as idle; otherwise it could hold its connection that way.
 */
function isIdle(socket: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  const { _httpMessage: response } = socket;
  if (!response) return !socket.destroyed;
  return !response.req.complete || (response.writableEnded && socket.writableLength > 0);
}
