// Calls between the supervisor and a gateway process, over the channel of messages that node:cluster opens.
import type { Socket } from 'node:net';

/** What a call does at the other side. Its result is the reply. */
export type Handlers = Record<string, (data: never, socket?: Socket) => unknown>;

export interface MessagePort {
  send(message: unknown, socket?: Socket): void;
  /** Called with every message of the other side. */
  listen(receive: (message: unknown, socket?: Socket) => void): void;
}

interface CallOptions {
  timeoutMs?: number;
  /** Sent along. It stays open at this side. */
  socket?: Socket;
}

type Message = { call: string; id?: number; data: unknown } | { reply: number; data?: unknown; error?: string };

const TIMEOUT_MS = 5_000;

export class Channel {
  private readonly port: MessagePort;
  private readonly handlers: Handlers;
  private readonly waiting = new Map<number, { resolve(data: unknown): void; reject(error: Error): void }>();
  private calls = 0;

  constructor(port: MessagePort, handlers: Handlers) {
    this.port = port;
    this.handlers = handlers;
    port.listen((message, socket) => void this.receive(message as Message, socket));
  }

  /** Rejects if the other side fails, is gone, or takes too long. */
  async call<Result>(name: string, data: unknown, options: CallOptions = {}): Promise<Result> {
    const { timeoutMs = TIMEOUT_MS, socket } = options;
    const id = ++this.calls;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => reject(new Error(`no reply to ${name} within ${timeoutMs} ms`)), timeoutMs);
    this.waiting.set(id, { resolve, reject });
    try {
      this.port.send({ call: name, id, data }, socket);
      return (await promise) as Result;
    } finally {
      clearTimeout(timer);
      this.waiting.delete(id);
    }
  }

  /** A call without a reply. */
  tell(name: string, data: unknown = null): void {
    this.port.send({ call: name, data });
  }

  private async receive(message: Message, socket?: Socket): Promise<void> {
    if ('reply' in message) {
      const caller = this.waiting.get(message.reply);
      if (message.error === undefined) caller?.resolve(message.data);
      else caller?.reject(new Error(message.error));
      return;
    }
    const { call, id, data } = message;
    const handle = this.handlers[call];
    if (!handle) return;
    try {
      const result = await handle(data as never, socket);
      if (id !== undefined) this.port.send({ reply: id, data: result });
    } catch (error) {
      if (id !== undefined) this.port.send({ reply: id, error: String(error) });
    }
  }
}
