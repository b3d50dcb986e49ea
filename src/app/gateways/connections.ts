// The port of all gateways: accepts connections and hands them to the gateways in turn.
//
// node:cluster would do this too, but it forgets a connection that a gateway had not yet taken over when it was killed, and
// the client waits until its own timeout. Here the supervisor keeps its end of the connection until it is taken over.
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Connections beyond it are retried by the client's TCP stack after 1 s, then 3 s. */
export const BACKLOG = 4_096;

export interface Receiver {
  /** Resolves when the process has taken the connection over; rejects if it ended before. */
  takeOver(socket: Socket): Promise<void>;
}

export class Connections {
  // Nothing is read here: the request belongs to the gateway.
  private readonly server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => this.accept(socket));
  private readonly waiting: Socket[] = [];
  private readonly receivers = new Set<Receiver>();
  /** Gateways that are not just taking over a connection, in the order in which they have their next turn. */
  private readonly free = new Set<Receiver>();

  /** `onError`: called for a connection that could not be accepted, as without free file descriptors. The others go on. */
  constructor(onError: (error: Error) => void) {
    this.server.on('listening', () => this.server.on('error', onError));
  }

  /** Connections wait until a gateway is added. */
  async open(host: string, port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen({ host, port, backlog: BACKLOG }, resolve);
    });
    return urlOf(this.server.address() as AddressInfo);
  }

  add(receiver: Receiver): void {
    this.receivers.add(receiver);
    this.free.add(receiver);
    this.handOut();
  }

  remove(receiver: Receiver): void {
    this.receivers.delete(receiver);
    this.free.delete(receiver);
  }

  close(): void {
    this.server.close();
    for (const socket of this.waiting.splice(0)) socket.destroy();
  }

  private accept(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    if (this.waiting.length < BACKLOG) this.waiting.push(socket);
    else socket.destroy();
    this.handOut();
  }

  private handOut(): void {
    for (const receiver of this.free) {
      const socket = this.waiting.shift();
      if (!socket) return;
      this.free.delete(receiver);
      void this.handTo(receiver, socket);
    }
  }

  private async handTo(receiver: Receiver, socket: Socket): Promise<void> {
    try {
      await receiver.takeOver(socket);
      // The gateway has the connection; this closes only the supervisor's end.
      socket.destroy();
    } catch {
      this.waiting.unshift(socket);
      this.remove(receiver);
    }
    if (this.receivers.has(receiver)) this.free.add(receiver);
    this.handOut();
  }
}

function urlOf({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
