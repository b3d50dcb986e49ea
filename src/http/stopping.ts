// The end of a server: requests in flight finish, and further ones are refused, or served until their connection ends.
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SECOND_MS } from '../kernel/clock.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { FastLane } from './fast-lane/lane.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * For a server whose successor already serves: it ends each open connection with its next reply. Resolves when none is
     * open, or after the time: then `close` ends those that stayed idle.
     */
    drain(limitMs: number): Promise<void>;
  }
}

/** Clients that do not read their reply, or do not complete their request, are disconnected then. */
const LAST_REPLIES_MS = 8 * SECOND_MS;

type SendRefusal = (request: FastifyRequest, reply: FastifyReply, refusal: Refusal) => void;

/** Returns whether the server stops or drains. */
export function handleStop(app: FastifyInstance, send: SendRefusal, lane: FastLane | null): () => boolean {
  const connections = new OpenConnections();
  app.server.on('connection', (socket) => connections.add(socket));
  let isDraining = false;
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
    lane?.stop();
    connections.endUnused();
    setTimeout(() => connections.endAll(), LAST_REPLIES_MS).unref();
    // Node.js counts a connection as idle as soon as its reply is complete here, even if the client still reads it.
    await connections.allSent();
    app.server.closeIdleConnections();
    lane?.closeIdle();
    // The close of a server waits only for connections that it has accepted itself.
    if (!app.server.listening) await connections.allClosed();
  });
  app.decorate('drain', async (limitMs: number) => {
    isDraining = true;
    lane?.stop();
    await Promise.race([connections.allClosed(), new Promise((resolve) => setTimeout(resolve, limitMs).unref())]);
  });
  // Otherwise a keep-alive connection would delay the stop until it times out.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping || isDraining) reply.header('connection', 'close');
    done();
  });
  // On open connections, so that clients connect elsewhere.
  app.addHook('onRequest', (request, reply, done) => {
    if (!isStopping) return done();
    const headers = { 'retry-after': '1' };
    const refusal = refuse('SERVICE_UNAVAILABLE', 'The service is stopping; try again.', { headers });
    send(request, reply, refusal);
  });
  return () => isStopping || isDraining;
}

class OpenConnections {
  private readonly open = new Set<Socket>();
  private readonly waiting: (() => void)[] = [];

  add(socket: Socket): void {
    this.open.add(socket);
    socket.once('close', () => {
      this.open.delete(socket);
      if (this.open.size === 0) for (const resolve of this.waiting.splice(0)) resolve();
    });
  }

  /** Node.js does not count a connection as idle on which no request has begun. */
  endUnused(): void {
    for (const socket of this.open) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Resolves when what was written so far was sent, or its connection closed. */
  async allSent(): Promise<void> {
    await Promise.all([...this.open].filter(({ writableLength }) => writableLength > 0).map(sent));
  }

  endAll(): void {
    for (const socket of this.open) socket.destroy();
  }

  allClosed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.open.size === 0) resolve();
      else this.waiting.push(resolve);
    });
  }
}

function sent(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
    // Called after everything that was written before it. A connection that ends by itself is waited for until its close.
    if (!socket.writableEnded) socket.write('', () => resolve());
  });
}
