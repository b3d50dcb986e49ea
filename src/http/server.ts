// The gateway: one Fastify server made from the rows of the route table.
import helmet from '@fastify/helmet';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { BODY_LIMIT_BYTES } from './body.ts';
import type { Row } from './endpoint.ts';
import { type Envelope, legacyEnvelope } from './envelope.ts';
import { expectedFailure, internalError, loggableError } from './failure.ts';
import { describe, serveDocument } from './openapi.ts';
import { type RowTools, registerRow, sendRefusal } from './row.ts';
import { SAYS } from './validation.ts';

export interface ServerOptions {
  rows: Row[];
  tools: RowTools;
  logger: FastifyBaseLogger;
  version: string;
  trustProxy: boolean | number | string;
}

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const app: FastifyInstance = fastify({
    loggerInstance: options.logger,
    // One line a request, written by logRequests with what may be logged and nothing else.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: proxyTrust(options.trustProxy),
    requestTimeout: 30 * SECOND_MS,
    keepAliveTimeout: MINUTE_MS + 5 * SECOND_MS,
    forceCloseConnections: 'idle',
    // refuseWhileStopping answers in our envelope instead.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: false },
    frameworkErrors: (error, _request, reply) =>
      void answer(reply as FastifyReply, expectedFailure(error) ?? badRequest(), legacyEnvelope),
    ajv: {
      // A body is taken as it is or refused: no value is turned into another, no field disappears.
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        verbose: true,
        keywords: [SAYS],
      },
    },
  });
  app.decorateRequest('rawBody', null);
  app.decorateRequest('caller', null);
  app.setErrorHandler((error, request, reply) => {
    request.log.error({ err: loggableError(error) }, 'request failed');
    return answer(reply, internalError(), legacyEnvelope);
  });
  returnRequestIds(app);
  refuseWhileStopping(app);
  logRequests(app);
  await secureHeaders(app);
  await describe(app, options.version);
  for (const row of options.rows) registerRow(app, row, options.tools);
  app.register(async (scope) => refuseOtherMethods(scope, options.rows));
  await serveDocument(app);
  refuseUnknownPaths(app, options.rows);
  await app.ready();
  return app;
}

function requestId(raw: { headers: Record<string, string | string[] | undefined> }): string {
  const given = raw.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId('req');
}

function returnRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
}

/** Requests under way finish; those that still arrive on an open connection are sent elsewhere. */
function refuseWhileStopping(app: FastifyInstance): void {
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
  });
  app.addHook('onRequest', (_request, reply, done) => {
    if (!stopping) return done();
    const headers = { 'retry-after': '1', connection: 'close' };
    answer(reply, refuse('SERVICE_UNAVAILABLE', 'The service is stopping; try again.', { headers }), legacyEnvelope);
  });
}

/** Never the query, a header or a body: that is where secrets travel. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { caller } = request;
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        path: pathOf(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 100) / 100,
        caller: caller ? `${caller.kind}:${caller.id ?? ''}` : undefined,
        ip: request.ip,
      },
      'request',
    );
    done();
  });
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

async function secureHeaders(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    referrerPolicy: { policy: 'no-referrer' },
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // Replies speak of people and money: no cache keeps them.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    done();
  });
}

/** 405 with Allow, wherever a path exists under another method. */
function refuseOtherMethods(scope: FastifyInstance, rows: Row[]): void {
  const paths = new Map<string, { methods: Set<string>; envelope: Envelope }>();
  for (const row of rows) {
    for (const { method, path } of row.endpoints) {
      const url = row.prefix + path;
      const known = paths.get(url) ?? { methods: new Set(), envelope: row.envelope };
      known.methods.add(method);
      if (method === 'GET') known.methods.add('HEAD');
      paths.set(url, known);
    }
  }
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  for (const [url, { methods, envelope }] of paths) {
    const allowed = [...methods].sort().join(', ');
    const refusal = refuse('METHOD_NOT_ALLOWED', `This path takes ${allowed}.`, { headers: { allow: allowed } });
    scope.route({
      method: scope.supportedMethods.filter((method) => !methods.has(method)),
      url,
      schema: { hide: true } as object,
      handler: (_request, reply) => answer(reply, refusal, envelope),
    });
  }
}

/** Below a row's prefix in that row's envelope, elsewhere in the legacy one. */
function refuseUnknownPaths(app: FastifyInstance, rows: Row[]): void {
  const unknown = (envelope: Envelope) => (request: FastifyRequest, reply: FastifyReply) =>
    answer(reply, refuse('NOT_FOUND', `There is no ${request.method} ${pathOf(request)}.`), envelope);
  app.setNotFoundHandler(unknown(legacyEnvelope));
  const elsewhere = rows.filter((row) => row.envelope !== legacyEnvelope && row.prefix !== '');
  for (const [prefix, envelope] of new Map(elsewhere.map((row) => [row.prefix, row.envelope]))) {
    app.register(async (scope) => void scope.setNotFoundHandler(unknown(envelope)), { prefix });
  }
}

function proxyTrust(
  trust: ServerOptions['trustProxy'],
): boolean | string | ((address: string, hop: number) => boolean) {
  return typeof trust === 'number' ? (_address, hop) => hop < trust : trust;
}

function badRequest(): Refusal {
  return refuse('INVALID_REQUEST', 'The request is not valid HTTP.');
}

function answer(reply: FastifyReply, refusal: Refusal, envelope: Envelope): FastifyReply {
  return sendRefusal(reply, refusal, envelope.refusal(refusal));
}
