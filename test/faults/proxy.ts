// A proxy between the service and PostgreSQL that cuts a connection at its COMMIT: the commit is lost, its reply is lost, or
// it reaches the server after a delay.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * lost: the server never receives the commit. unacknowledged: the server commits, and its reply is lost. delayed: the
 * client is disconnected at once, and the commit reaches the server later, possibly during another attempt.
 */
export type Cut =
  | { how: 'lost' | 'unacknowledged' }
  | { how: 'delayed'; afterMs: number }
  | { how: 'delayed'; until: Promise<void> };

interface PendingCut {
  cut: Cut;
  /** Cuts only a commit of the ledger. */
  ledgerOnly: boolean;
  done(): void;
}

export interface CommitProxy {
  port: number;
  /** Resolves to true when a commit was cut, or to false when none came in time. */
  cutNext(cut: Cut, options: { ledgerOnly: boolean; withinMs: number }): Promise<boolean>;
  close(): Promise<void>;
}

// Time for the server to finish after the client is disconnected.
const LINGER_MS = 5_000;

export async function startProxy(server: () => NetConnectOpts): Promise<CommitProxy> {
  let pending: PendingCut[] = [];
  const sockets = new Set<Socket>();

  function takePending(isLedger: boolean): PendingCut | undefined {
    const found = pending.find((each) => isLedger || !each.ledgerOnly);
    pending = pending.filter((each) => each !== found);
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
    forward(client, upstream, takePending);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');

  return {
    port: (listener.address() as AddressInfo).port,
    async cutNext(cut, { ledgerOnly, withinMs }) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const each: PendingCut = { cut, ledgerOnly, done: () => resolve(true) };
      pending.push(each);
      const timer = setTimeout(resolve, withinMs, false);
      const wasCut = await promise;
      clearTimeout(timer);
      pending = pending.filter((other) => other !== each);
      return wasCut;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

function forward(client: Socket, upstream: Socket, takePending: (isLedger: boolean) => PendingCut | undefined): void {
  const messages = new MessageParser();
  let isCut = false;
  upstream.on('data', (chunk) => void (isCut || client.write(chunk)));
  upstream.on('close', () => client.destroy());
  client.on('close', () => void (isCut || upstream.destroy()));
  client.on('data', (chunk: Buffer) => {
    if (isCut) return;
    for (const message of messages.read(chunk)) {
      const found = message.commits ? takePending(message.isLedger) : undefined;
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

/** Completes the cut after the client is disconnected. Keeps reading, so that the server's writes do not fail. */
async function finish(upstream: Socket, commit: Buffer, cut: Cut): Promise<void> {
  if (cut.how === 'lost') {
    upstream.destroy();
    return;
  }
  if (cut.how === 'delayed') await ('until' in cut ? cut.until : wait(cut.afterMs));
  upstream.write(commit);
  await wait(LINGER_MS, undefined, { ref: false });
  upstream.destroy();
}

interface Message {
  bytes: Buffer;
  commits: boolean;
  /** Part of a transaction of the ledger. */
  isLedger: boolean;
}

const [QUERY, BIND, SYNC] = [0x51, 0x42, 0x53];

/** Splits the client's bytes into protocol messages. The startup message has no type byte; the others have one. */
class MessageParser {
  private rest: Buffer = Buffer.alloc(0);
  private isStarted = false;
  private isLedger = false;
  /** The messages of a prepared commit, from its Bind to the Sync that makes the server execute it. */
  private commitMessages: Buffer[] = [];

  read(chunk: Buffer): Message[] {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const found: Message[] = [];
    for (let bytes = this.next(); bytes; bytes = this.next()) {
      const message = this.parse(bytes);
      if (message) found.push(message);
    }
    return found;
  }

  private next(): Buffer | null {
    const head = this.isStarted ? 1 : 0;
    if (this.rest.length < head + 4) return null;
    const length = head + this.rest.readInt32BE(head);
    if (this.rest.length < length) return null;
    const bytes = this.rest.subarray(0, length);
    this.rest = this.rest.subarray(length);
    return bytes;
  }

  /** Returns null while the message is incomplete. */
  private parse(bytes: Buffer): Message | null {
    if (!this.isStarted) {
      this.isStarted = true;
      return { bytes, commits: false, isLedger: false };
    }
    const bound = bytes[0] === BIND ? boundStatement(bytes) : null;
    if (bound === 'ledger-write') this.isLedger = true;
    if (bound === 'commit' || this.commitMessages.length > 0) return this.collectCommit(bytes);
    if (bytes[0] === QUERY && /^commit\b/i.test(bytes.toString('latin1', 5, 16))) return this.commit(bytes);
    if (bytes[0] === QUERY || bound === 'rollback') this.isLedger = false;
    return { bytes, commits: false, isLedger: this.isLedger };
  }

  private collectCommit(bytes: Buffer): Message | null {
    this.commitMessages.push(bytes);
    if (bytes[0] !== SYNC) return null;
    const all = Buffer.concat(this.commitMessages);
    this.commitMessages = [];
    return this.commit(all);
  }

  private commit(bytes: Buffer): Message {
    const { isLedger } = this;
    this.isLedger = false;
    return { bytes, commits: true, isLedger };
  }
}

/** The statement name of a Bind message: it follows the type, the length and the empty portal name. */
function boundStatement(bytes: Buffer): string {
  return bytes.toString('latin1', 6, bytes.indexOf(0, 6));
}
