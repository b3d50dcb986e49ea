// One gateway process, as its supervisor sees it.
import type { Worker } from 'node:cluster';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Snapshot } from '../../features/metrics/service.ts';
import type { PreparedDatabase, RunningService } from '../start.ts';
import { Channel, type Handlers } from './channel.ts';
import type { Receiver } from './connections.ts';

export interface StartOrder {
  index: number;
  count: number;
  database: PreparedDatabase;
  createsFirstAdmin: boolean;
}

export type Started = Pick<RunningService, 'servesDocs' | 'webPages' | 'firstAdmin'>;
export type StartReply = Started | { failure: string };

/** A database that is being restarted or a slow machine can hold up the start. */
const START_TIMEOUT_MS = 120_000;
const SNAPSHOT_TIMEOUT_MS = 2_000;
/** How a process ended: one of them is null. */
export interface Exit {
  code: number | null;
  signal: string | null;
}

/** Requests in flight are finished within this time; then the process is killed. */
const STOP_TIMEOUT_MS = 15_000;
/** A process that is busy or frozen keeps the connection: it may begin to read from it at any moment. */
const TAKE_OVER_TIMEOUT_MS = 2 ** 31 - 1;

export class GatewayProcess implements Receiver {
  readonly pid: number | undefined;
  /** Resolves when the process has ended. */
  readonly exited: Promise<Exit>;
  /** Resolves when its last message has arrived, too. */
  readonly fellSilent: Promise<void>;
  private readonly worker: Worker;
  private readonly channel: Channel;

  constructor(worker: Worker, handlers: Handlers) {
    this.worker = worker;
    this.pid = worker.process.pid;
    const port = {
      send: (message: unknown, socket?: Socket) =>
        void (worker.isConnected() && worker.send(message as never, socket, { keepOpen: true })),
      listen: (receive: (message: unknown) => void) => void worker.on('message', receive),
    };
    this.channel = new Channel(port, handlers);
    this.exited = new Promise((resolve) => worker.once('exit', (code, signal) => resolve({ code, signal })));
    // In the second turn after the exit the messages are read that were still on their way. (`disconnect` would not do: it
    // is not emitted while a connection is on its way to the process.)
    this.fellSilent = this.exited.then(() => setImmediate()).then(() => setImmediate());
    // Sending to a process that has just ended fails; its exit is handled.
    worker.on('error', () => undefined);
  }

  /** After a failure the process may still run: the caller stops it. */
  async start(order: StartOrder): Promise<StartReply> {
    const ended = this.exited.then(() => ({ failure: 'A gateway process ended while it started.' }));
    const reply = this.channel
      .call<StartReply>('start', order, { timeoutMs: START_TIMEOUT_MS })
      .catch((error: Error) => ({ failure: `A gateway process did not start: ${error.message}.` }));
    return Promise.race([reply, ended]);
  }

  snapshot(): Promise<Snapshot> {
    return this.channel.call('snapshot', null, { timeoutMs: SNAPSHOT_TIMEOUT_MS });
  }

  async takeOver(socket: Socket): Promise<void> {
    const taken = this.channel.call<boolean>('connection', null, { timeoutMs: TAKE_OVER_TIMEOUT_MS, socket });
    const isTaken = await Promise.race([taken, this.fellSilent.then(() => false)]);
    if (!isTaken) throw new Error('the gateway process ended before it took the connection over');
  }

  tell(name: string, data: unknown): void {
    this.channel.tell(name, data);
  }

  stop(): Promise<void> {
    return this.endWith('stop');
  }

  /** For a gateway whose successor serves: it also serves what arrives on its open connections. */
  drain(): Promise<void> {
    return this.endWith('drain');
  }

  private async endWith(order: 'stop' | 'drain'): Promise<void> {
    const timer = setTimeout(() => this.worker.process.kill('SIGKILL'), STOP_TIMEOUT_MS);
    this.channel.tell(order);
    await this.exited;
    clearTimeout(timer);
  }
}
