// Who holds how many connections: in a full house a newcomer takes the place of one who does nothing, from whoever has the most.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './rate-limit.ts';

export class Guests {
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
