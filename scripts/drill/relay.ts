// A TCP relay in front of servers, in place of a load balancer or of a line between two sites.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Sandbox } from './sandbox.ts';

export interface Relay {
  port: number;
  /** Base URL. */
  address: string;
  /** New connections go to these servers in turn, and to the next one if one refuses. */
  pointTo(urls: readonly string[]): void;
  /** Breaks all connections and refuses new ones; what is on its way is lost. */
  cut(): void;
}

/** `delayMs`: how long bytes travel, in each direction. */
export async function startRelay(sandbox: Sandbox, urls: readonly string[], delayMs = 0): Promise<Relay> {
  let targets = urls;
  let connections = 0;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };

  async function relay(client: Socket): Promise<void> {
    const first = connections++;
    for (const [n] of targets.entries()) {
      const upstream = await tryConnect(targets[(first + n) % targets.length] as string);
      if (!upstream) continue;
      keep(upstream);
      join(client, upstream, delayMs);
      return;
    }
    client.destroy();
  }

  const server = createServer({ pauseOnConnect: true }, (client) => {
    keep(client);
    void relay(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    targets = [];
    for (const socket of sockets) socket.destroy();
  };
  sandbox.onClose(async () => {
    cut();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const pointTo = (next: readonly string[]) => {
    targets = next;
  };
  return { port, address: `http://127.0.0.1:${port}`, pointTo, cut };
}

async function tryConnect(url: string): Promise<Socket | null> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    return null;
  }
}

function join(one: Socket, other: Socket, delayMs: number): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('data', (chunk) => {
      if (delayMs === 0) to.write(chunk);
      else setTimeout(() => void (to.destroyed || to.write(chunk)), delayMs);
    });
    from.on('close', () => to.destroy());
    from.resume();
  }
}
