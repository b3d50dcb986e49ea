// Connections that another process has accepted, for a server that does not listen itself.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    serve(socket: Socket): void;
  }
}

export function serveHandedConnections(app: FastifyInstance): void {
  let isPrepared = false;
  app.decorate('serve', (socket: Socket) => {
    // With this event an HTTP server begins to enforce its time limits for requests.
    if (!isPrepared && !app.server.listening) app.server.emit('listening');
    isPrepared = true;
    // As for connections that the server accepts itself.
    socket.allowHalfOpen = true;
    app.server.emit('connection', socket);
  });
}
