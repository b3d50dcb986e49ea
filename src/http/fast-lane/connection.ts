// One client connection on the fast lane, until something unusual arrives: then the ordinary server has it for good.
import type { Socket } from 'node:net';
import { LaneReply } from './reply.ts';
import type { LaneRequest } from './request.ts';
import type { LaneRoute } from './route.ts';

/** A complete request and its route. */
export interface Arrival {
  request: LaneRequest;
  route: LaneRoute;
}

/** What all connections share. */
export interface LaneContext {
  /** The request that these bytes are. 'incomplete': its rest has not arrived. Null: it is not for the lane. */
  read(bytes: Buffer, socket: Socket): Arrival | 'incomplete' | null;
  /** The text of a rejection, because too many requests wait; null: it may be served. */
  rejects(route: LaneRoute, reply: LaneReply): string | null;
  /** The headers of a connection that stays open; null: it is closed after the reply. */
  keepAlive(): string | null;
  sent(request: LaneRequest, reply: LaneReply): void;
  notSent(request: LaneRequest, reply: LaneReply): void;
  /** A defect after the answer was decided: it could not be sent or recorded. */
  failed(error: unknown, request: LaneRequest): void;
  /** Makes the connection one of the ordinary server. */
  handOver(connection: LaneConnection, socket: Socket): void;
  closed(connection: LaneConnection): void;
}

/** Enough for any payment. A body of this size uses nothing of the memory that large bodies share. */
const MAX_REQUEST_BYTES = 8 * 1024;
const NOTHING = Buffer.alloc(0);

export class LaneConnection {
  /** A request is in work: the connection is neither idle nor waiting. */
  isServing = false;
  /** Set while the client is to send a first request, or the rest of one. */
  isWaiting = true;
  /** How often the lane has seen it without a request since then. */
  sweeps = 0;
  private readonly lane: LaneContext;
  private readonly socket: Socket;
  /** The first part of a request. */
  private begun: Buffer = NOTHING;
  /** What arrived while a request was in work. */
  private queued: Buffer[] = [];
  /** The client ended its side in the middle of what is queued: it gets the reply to what is in work, and no other. */
  private endsAfterReply = false;

  constructor(lane: LaneContext, socket: Socket) {
    this.lane = lane;
    this.socket = socket;
    socket.on('data', this.onData).on('end', this.onEnd).on('error', this.onError).on('close', this.onClose);
  }

  private readonly onData = (chunk: Buffer): void => {
    if (this.isServing) {
      this.queued.push(chunk);
      // The rest waits in the stream and in the kernel.
      this.socket.pause();
      return;
    }
    const isRest = this.begun !== NOTHING;
    const bytes = isRest ? Buffer.concat([this.begun, chunk]) : chunk;
    this.begun = bytes;
    const isSent = this.socket.writableLength === 0;
    const arrival = bytes.length <= MAX_REQUEST_BYTES && isSent ? this.lane.read(bytes, this.socket) : null;
    if (arrival !== null && arrival !== 'incomplete') void this.serve(arrival);
    else if (arrival === null || isRest) this.handOver();
    else {
      this.isWaiting = true;
      this.sweeps = 0;
    }
  };

  private async serve(arrival: Arrival): Promise<void> {
    this.isServing = true;
    this.isWaiting = false;
    this.begun = NOTHING;
    try {
      await this.answer(arrival);
    } catch (error) {
      this.lane.failed(error, arrival.request);
      // A reply may have been written.
      this.socket.destroySoon();
    }
    this.isServing = false;
    this.sweeps = 0;
    if (this.endsAfterReply) this.socket.destroySoon();
    else if (this.queued.length > 0 && this.socket.writable) this.handOver();
  }

  private async answer({ request, route }: Arrival): Promise<void> {
    const reply = new LaneReply(request.id);
    const rejection = this.lane.rejects(route, reply);
    if (rejection === null) {
      const json = await route.answer(request, reply);
      route.steps.leave(request);
      this.finish(request, reply, json);
    } else this.send(reply, rejection);
  }

  private finish(request: LaneRequest, reply: LaneReply, json: string): void {
    request.sentText = json;
    if (reply.cutsConnection) this.socket.destroy();
    if (this.socket.writable) {
      this.send(reply, json);
      this.lane.sent(request, reply);
    } else this.lane.notSent(request, reply);
  }

  private send(reply: LaneReply, json: string): void {
    const keepAlive = this.lane.keepAlive();
    reply.sendTo(this.socket, json, keepAlive);
    if (keepAlive === null) this.socket.destroySoon();
  }

  /** With everything that arrived and was not answered. */
  handOver(): void {
    const { socket } = this;
    socket.off('data', this.onData).off('end', this.onEnd).off('error', this.onError).off('close', this.onClose);
    this.lane.handOver(this, socket);
    const bytes = Buffer.concat([this.begun, ...this.queued]);
    if (bytes.length > 0) socket.emit('data', bytes);
    if (socket.isPaused()) socket.resume();
  }

  close(): void {
    this.socket.destroy();
  }

  /** As node:http: a client that ends its side while its request is in work gets no reply, unless another one is cut off. */
  private readonly onEnd = (): void => {
    if (this.isServing) {
      const next = this.queued.length > 0 ? this.lane.read(Buffer.concat(this.queued), this.socket) : NOTHING;
      this.endsAfterReply = next === 'incomplete';
      if (!this.endsAfterReply) this.socket.end();
    } else if (this.begun === NOTHING) this.socket.end();
    else {
      this.handOver();
      this.socket.emit('end');
    }
  };

  private readonly onError = (): void => {
    this.socket.destroy();
  };

  private readonly onClose = (): void => this.lane.closed(this);
}
