// Requests of one connection, one after the other: whoever sends a thousand in one packet gets no more than who sends one.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** No client that means well sends so many before it has an answer. */
export const MOST_AHEAD = 64;

/**
 * Node hands over every request of a connection as it arrives, and only keeps the answers in order. Ten connections could so fill the house
 * with thousands, and those who send one at a time would find no place in it. An answer that stands in line has no connection yet, and
 * gets it when the one before is sent: until then nothing is done for its request.
 */
export function inTurn(serve: Listener): Listener {
  const ahead = new WeakMap<Socket, number>();
  return (request, response) => {
    if (response.socket !== null) return serve(request, response);
    const { socket } = request;
    const count = (ahead.get(socket) ?? 0) + 1;
    if (count > MOST_AHEAD) return void socket.destroy();
    ahead.set(socket, count);
    response.once('socket', () => {
      ahead.set(socket, (ahead.get(socket) ?? 1) - 1);
      serve(request, response);
    });
  };
}
