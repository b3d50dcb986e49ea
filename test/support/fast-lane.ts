// Two servers that differ only in the fast lane, and a client that sends them the same bytes.
import assert from 'node:assert/strict';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type KeyCaller, PUBLIC_CALLER } from '../../src/auth/caller.ts';
import { noAuthentication } from '../../src/auth/schemes/bearer.ts';
import type { Authentication } from '../../src/auth/schemes/scheme.ts';
import { type Call, endpoint, ok, okJson, type RouteGroup } from '../../src/http/endpoint.ts';
import { legacyEnvelope } from '../../src/http/envelope.ts';
import { AdmissionControl } from '../../src/http/overload/admission-control.ts';
import type { RecordedRequest } from '../../src/http/request-recorder.ts';
import { Metrics } from '../../src/kernel/metrics.ts';
import { bareServer } from './bare-server.ts';
import { waitFor } from './wait.ts';

const KEY: KeyCaller = {
  ...{ kind: 'key', id: 'key_probe', scopes: [], environment: 'test', approved: false },
  ...{ partnerId: null, processorId: null, rateLimit: null, dailyLimit: null },
};

const keyIfSent: Authentication = {
  ...noAuthentication,
  authenticate: ({ headers }) => (headers.authorization ? KEY : PUBLIC_CALLER),
};

export interface ProbedServer {
  app: FastifyInstance;
  /** The bodies that the hot route was called with. */
  calls: unknown[];
  recorded: RecordedRequest[];
  /** The hot route waits for it. */
  gate: Promise<void>;
  /** The value of a counter of the fast lane. */
  count(name: 'requests' | 'handed_over'): Promise<number>;
}

export async function probedServer({
  fastLane,
  limit = 10,
}: {
  fastLane: boolean;
  limit?: number;
}): Promise<ProbedServer> {
  const newLane = () => new AdmissionControl({ limit });
  const metrics = new Metrics();
  const calls: unknown[] = [];
  const recorded: RecordedRequest[] = [];
  const server = { calls, recorded, gate: Promise.resolve() };
  const row: RouteGroup = {
    ...{ family: 'probe', prefix: '', authentication: keyIfSent, envelope: legacyEnvelope },
    endpoints: [
      endpoint({
        ...{ id: 'postHot', method: 'POST', path: '/hot', permission: 'anyone', summary: 'Echoes', hot: true },
        body: Type.Object({ text: Type.Optional(Type.String({ maxLength: 100_000 })) }),
        replies: { 200: Type.Object({}) },
        async handle(call: Call<{ text?: string }>) {
          calls.push(call.body);
          await server.gate;
          return okJson(JSON.stringify({ echo: call.body, ip: call.ip, sent: call.clientRequestId }));
        },
      }),
      endpoint({
        ...{ id: 'postOne', method: 'POST', path: '/hot/:id/do', permission: 'anyone', summary: 'Echoes', hot: true },
        params: Type.Object({ id: Type.String({ pattern: '^one_' }) }),
        body: Type.Object({ text: Type.Optional(Type.String()) }),
        replies: { 200: Type.Object({}) },
        handle: async ({ params, body }) => okJson(JSON.stringify({ params, echo: body })),
      }),
      endpoint({
        ...{ id: 'getOther', method: 'GET', path: '/other', permission: 'anyone', summary: 'Another route' },
        replies: { 200: Type.Object({ other: Type.Boolean() }) },
        handle: () => ok({ other: true }),
      }),
    ],
  };
  const app = await bareServer({
    rows: [row],
    lanes: { changes: newLane(), reads: newLane(), uploads: newLane(), conversations: newLane() },
    metrics,
    fastLane,
    recorder: { wants: () => true, keep: (request) => void recorded.push(request) },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return Object.assign(server, {
    app,
    async count(name: string) {
      const family = metrics.families().find((each) => each.name === `kissi_http_fast_lane_${name}_total`);
      return (await family?.samples())?.[0]?.value ?? 0;
    },
  });
}

/** A client connection and the server's end of it. */
export class Exchange {
  readonly client: Socket;
  readonly accepted: Socket;
  private text = '';
  private sent = 0;
  isClosed = false;

  private constructor(client: Socket, accepted: Socket) {
    this.client = client;
    this.accepted = accepted;
    client.on('data', (chunk) => {
      this.text += chunk.toString('latin1');
    });
    client.on('error', () => undefined);
    client.on('close', () => {
      this.isClosed = true;
    });
  }

  static async open({ app }: ProbedServer): Promise<Exchange> {
    const accepted = Promise.withResolvers<Socket>();
    app.server.once('connection', accepted.resolve);
    const client = connect({ port: (app.server.address() as AddressInfo).port, host: '127.0.0.1', noDelay: true });
    return new Exchange(client, await accepted.promise);
  }

  /** Each chunk has arrived before the next is sent. */
  async send(...chunks: (string | Buffer)[]): Promise<void> {
    for (const chunk of chunks) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk;
      this.sent += bytes.length;
      this.client.write(bytes);
      while (this.accepted.bytesRead < this.sent && !this.accepted.destroyed) await setImmediate();
    }
  }

  /** Until this many replies have arrived, or the connection is closed. */
  async replies(count: number): Promise<void> {
    await waitFor(`${count} replies`, () => this.isClosed || this.text.split(/HTTP\/1\.1 (?!100)/).length > count);
  }

  /** What the server sent until it closed the connection, without what differs from run to run. */
  async received(): Promise<string> {
    await waitFor('the close of the connection', () => this.isClosed);
    return this.text
      .replaceAll(/\r\nDate: [^\r]+/g, '\r\nDate: …')
      .replaceAll(/req_[0-9A-Z]{26}/g, 'req_…')
      .replaceAll(/x-ratelimit-(remaining|reset): \d+/g, 'x-ratelimit-$1: …')
      .replaceAll(/retry-after: [123]\r/g, 'retry-after: …\r');
  }
}

export const LAST = 'GET /other HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

export function post(body: string | Buffer, headers: string[] = []): Buffer {
  const head = ['POST /hot HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...headers];
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return Buffer.concat([Buffer.from(`${[...head, length].join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]);
}

/** What the server answers to these bytes and, if the connection is still open, to a last request. */
export async function answerTo(server: ProbedServer, chunks: (string | Buffer)[], count = 1): Promise<string> {
  const exchange = await Exchange.open(server);
  await exchange.send(...chunks);
  await exchange.replies(count);
  if (!exchange.isClosed) await exchange.send(LAST);
  const text = await exchange.received();
  assert.notEqual(text, '');
  return text;
}
