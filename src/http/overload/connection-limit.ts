// Who holds how many connections: in a full house a newcomer takes the place of one who does nothing, from whoever has the most.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { MINUTE_MS } from '../../kernel/clock.ts';
import type { Metrics } from '../../kernel/metrics.ts';
import { networkOf } from '../rate-limit.ts';

/** Longer than any request takes: who does not read an answer for so long keeps neither it nor the connection. */
const STILL_MS = 2 * MINUTE_MS;

/** Beyond so many connections a further one is closed as it is opened, or one that is idle closed for it. */
export function limitConnections(metrics: Metrics, server: Server, limit: number): void {
  const guests = new Guests(limit);
  // One more than there is room for has to come in, to see whose place it may have.
  server.maxConnections = limit + 1;
  server.setTimeout(STILL_MS);
  const refused = metrics.counter({
    name: 'kissi_http_connections_refused_total',
    help: 'Connections closed because there were too many.',
  });
  server.on('drop', () => {
    refused.value += 1;
  });
  server.on('connection', (socket) => {
    const leaving = guests.receive(socket);
    if (!leaving) return;
    refused.value += 1;
    leaving.destroy();
  });
  metrics
    .gauge({ name: 'kissi_http_connections', help: 'Connections of clients that are open.' })
    .readFrom(() => new Promise((resolve) => server.getConnections((error, count) => resolve(error ? null : count))));
}

class Guests {
  private readonly limit: number;
  private readonly byNetwork = new Map<string, Set<Socket>>();
  private count = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** The connection that has to go for this one: itself, another, or null while there is room. */
  receive(socket: Socket): Socket | null {
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
    return most === own ? socket : (oldestIdle(most) ?? socket);
  }

  /** In doubt the newcomer's own: a proxy that brings everybody displaces nobody. */
  private largest(own: Set<Socket>): Set<Socket> {
    let most = own;
    for (const sockets of this.byNetwork.values()) if (sockets.size > most.size) most = sockets;
    return most;
  }
}

/** Nobody is displaced whose request is being served: a payment would be made, and the answer lost. */
function oldestIdle(sockets: Set<Socket>): Socket | null {
  for (const socket of sockets) if (isIdle(socket)) return socket;
  return null;
}

/**
 * Node keeps the answer that is being made on the connection; there is no public way to ask. Whoever has not sent all of a request
 * yet, or does not read the answer, is as idle as who does nothing: otherwise a place would be held by that.
 */
function isIdle(socket: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  const { _httpMessage: answer } = socket;
  if (!answer) return !socket.destroyed;
  return !answer.req.complete || (answer.writableEnded && socket.writableLength > 0);
}
