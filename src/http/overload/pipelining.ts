// HTTP pipelining: the requests of one connection are served one after another.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** A connection with more unanswered requests is closed. */
export const MAX_PIPELINED = 64;

/**
 * Node hands over every pipelined request as it arrives and only keeps the responses in order, so a few connections could
 * occupy all slots. A response that is not first in line has no socket yet; its request is served once it gets one.
 */
export function serveInOrder(serve: Listener): Listener {
  const pipelined = new WeakMap<Socket, number>();
  return (request, response) => {
    if (response.socket !== null) return serve(request, response);
    const { socket } = request;
    const count = (pipelined.get(socket) ?? 0) + 1;
    if (count > MAX_PIPELINED) return void socket.destroy();
    pipelined.set(socket, count);
    response.once('socket', () => {
      pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1);
      serve(request, response);
    });
  };
}
