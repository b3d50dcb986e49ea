// A proxy between the service and PostgreSQL that reads along and cuts a connection at its COMMIT: before the server has
// it, after it, or so late that whoever sent it has long given up.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * lost: the server never sees the commit. unheard: the server commits, and its answer is lost. late: the sender is cut off
 * at once, and the commit reaches the server after a while, when another attempt may be under way.
 */
export type Cut =
  | { how: 'lost' | 'unheard' }
  | { how: 'late'; afterMs: number }
  | { how: 'late'; until: Promise<void> };

interface Armed {
  cut: Cut;
  /** Whether it has to be a commit of the ledger. */
  money: boolean;
  done(): void;
}

export interface CommitProxy {
  port: number;
  /** Resolves when a commit was cut; false: none came in time. */
  cutNext(cut: Cut, options: { money: boolean; withinMs: number }): Promise<boolean>;
  close(): Promise<void>;
}

// What is under way on the server's side when the client is gone ends within this time.
const LINGER_MS = 5_000;

export async function startProxy(server: () => NetConnectOpts): Promise<CommitProxy> {
  let armed: Armed[] = [];
  const sockets = new Set<Socket>();

  function takeArmed(money: boolean): Armed | undefined {
    const found = armed.find((each) => money || !each.money);
    armed = armed.filter((each) => each !== found);
    found?.done();
    return found;
  }

  const listener = createServer((client) => {
    const upstream = connect(server());
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    client.setNoDelay(true);
    carry(client, upstream, takeArmed);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');

  return {
    port: (listener.address() as AddressInfo).port,
    async cutNext(cut, { money, withinMs }) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const each: Armed = { cut, money, done: () => resolve(true) };
      armed.push(each);
      const timer = setTimeout(resolve, withinMs, false);
      const happened = await promise;
      clearTimeout(timer);
      armed = armed.filter((other) => other !== each);
      return happened;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

function carry(client: Socket, upstream: Socket, takeArmed: (money: boolean) => Armed | undefined): void {
  const messages = new Messages();
  let isCut = false;
  upstream.on('data', (chunk) => void (isCut || client.write(chunk)));
  upstream.on('close', () => client.destroy());
  client.on('close', () => void (isCut || upstream.destroy()));
  client.on('data', (chunk: Buffer) => {
    if (isCut) return;
    for (const message of messages.read(chunk)) {
      const found = message.commits ? takeArmed(message.money) : undefined;
      if (!found) {
        upstream.write(message.bytes);
        continue;
      }
      isCut = true;
      client.destroy();
      void finish(upstream, message.bytes, found.cut);
      return;
    }
  });
}

/** What the server still gets once its client is gone. It goes on reading, so that the server does not fail at writing. */
async function finish(upstream: Socket, commit: Buffer, cut: Cut): Promise<void> {
  if (cut.how === 'lost') {
    upstream.destroy();
    return;
  }
  if (cut.how === 'late') await ('until' in cut ? cut.until : wait(cut.afterMs));
  upstream.write(commit);
  await wait(LINGER_MS, undefined, { ref: false });
  upstream.destroy();
}

interface Message {
  bytes: Buffer;
  commits: boolean;
  /** In a transaction of the ledger. */
  money: boolean;
}

const [QUERY, BIND, SYNC] = [0x51, 0x42, 0x53];

/** The client's half of the conversation, cut into messages: the first has no type, the others a byte, then a length. */
class Messages {
  private rest: Buffer = Buffer.alloc(0);
  private begun = false;
  private money = false;
  /** Of a commit that was prepared: its bind, and what follows until the sync makes the server act. */
  private held: Buffer[] = [];

  read(chunk: Buffer): Message[] {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const found: Message[] = [];
    for (let bytes = this.next(); bytes; bytes = this.next()) {
      const message = this.understand(bytes);
      if (message) found.push(message);
    }
    return found;
  }

  private next(): Buffer | null {
    const head = this.begun ? 1 : 0;
    if (this.rest.length < head + 4) return null;
    const length = head + this.rest.readInt32BE(head);
    if (this.rest.length < length) return null;
    const bytes = this.rest.subarray(0, length);
    this.rest = this.rest.subarray(length);
    return bytes;
  }

  /** Null: more belongs to it. */
  private understand(bytes: Buffer): Message | null {
    if (!this.begun) {
      this.begun = true;
      return { bytes, commits: false, money: false };
    }
    const bound = bytes[0] === BIND ? boundStatement(bytes) : null;
    if (bound === 'ledger-write') this.money = true;
    if (bound === 'commit' || this.held.length > 0) return this.hold(bytes);
    if (bytes[0] === QUERY && /^commit\b/i.test(bytes.toString('latin1', 5, 16))) return this.commit(bytes);
    if (bytes[0] === QUERY || bound === 'rollback') this.money = false;
    return { bytes, commits: false, money: this.money };
  }

  private hold(bytes: Buffer): Message | null {
    this.held.push(bytes);
    if (bytes[0] !== SYNC) return null;
    const all = Buffer.concat(this.held);
    this.held = [];
    return this.commit(all);
  }

  private commit(bytes: Buffer): Message {
    const { money } = this;
    this.money = false;
    return { bytes, commits: true, money };
  }
}

/** Type, length, the portal's empty name, then the statement's. */
function boundStatement(bytes: Buffer): string {
  return bytes.toString('latin1', 6, bytes.indexOf(0, 6));
}
