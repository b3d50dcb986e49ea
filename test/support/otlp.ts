// A collector for tests: an HTTP server that takes OTLP/JSON (POST /v1/traces) and checks the form of what it is sent.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OpenTracing } from '../../src/tracing/open.ts';
import type { Json } from './gateway.ts';

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty: it is the first of its trace. */
  parentSpanId: string;
  name: string;
  kind: 'internal' | 'server' | 'client';
  attributes: Record<string, string | number>;
  links: { traceId: string; spanId: string }[];
  isFailed: boolean;
}

export type React = (response: ServerResponse) => void;

export interface Collector {
  url: string;
  headers(): IncomingHttpHeaders;
  resource(): Record<string, string | number>;
  spans(): ReceivedSpan[];
  /** Everything that arrived, as text. */
  text(): string;
  /** How it answers from now on; by default with 200. */
  react(how: React): void;
  close(): Promise<void>;
}

export const accept: React = (response) => void response.setHeader('content-type', 'application/json').end('{}');

export async function collector(port = 0): Promise<Collector> {
  const bodies: string[] = [];
  let react = accept;
  let headers: IncomingHttpHeaders = {};
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method !== 'POST' || request.url !== '/v1/traces') return void response.writeHead(404).end();
    if (request.headers['content-type'] !== 'application/json') return void response.writeHead(415).end();
    headers = request.headers;
    if (react === accept) bodies.push(Buffer.concat(chunks).toString());
    react(response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const requests = (): Json[] => bodies.map((body) => JSON.parse(body));
  const resources = () => requests().flatMap(({ resourceSpans }) => resourceSpans);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headers: () => headers,
    resource: () => attributesOf(resources()[0]?.resource.attributes ?? []),
    spans: () =>
      resources().flatMap(({ scopeSpans }: Json) =>
        scopeSpans.flatMap(({ scope, spans }: Json) => {
          assert.equal(scope.name, 'kissi');
          return spans.map(spanOf);
        }),
      ),
    text: () => bodies.join('\n'),
    react(how) {
      react = how;
    },
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** Sends what has ended, and returns all spans that arrived so far. */
export async function exported(tracing: OpenTracing, { spans }: Collector): Promise<ReceivedSpan[]> {
  await tracing.flush();
  return spans();
}

const KINDS = { 1: 'internal', 2: 'server', 3: 'client' } as const;

function spanOf(span: Json): ReceivedSpan {
  assert.match(span.traceId, /^(?!0+$)[0-9a-f]{32}$/);
  assert.match(span.spanId, /^(?!0+$)[0-9a-f]{16}$/);
  assert.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano), span.name);
  return {
    ...{ traceId: span.traceId, spanId: span.spanId, parentSpanId: span.parentSpanId ?? '', name: span.name },
    kind: KINDS[span.kind as keyof typeof KINDS],
    attributes: attributesOf(span.attributes),
    links: span.links.map(({ traceId, spanId }: Json) => ({ traceId, spanId })),
    isFailed: span.status.code === 2,
  };
}

function attributesOf(attributes: Json[]): Record<string, string | number> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));
}
