// The gateway: one Fastify server built from the route table.
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Authentication } from '../auth/schemes/scheme.ts';
import { MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';
import { Metrics } from '../kernel/metrics.ts';
import { Refusal, refuse } from '../kernel/refusal.ts';
import type { Tracing } from '../kernel/tracing.ts';
import { BODY_LIMIT_BYTES } from './body.ts';
import { BodyDeadlines } from './body-deadlines.ts';
import { type ProxyTrust, proxyTrust } from './client-address.ts';
import { generateDocument, serveDocs } from './docs-page.ts';
import type { RouteGroup } from './endpoint.ts';
import { type Envelope, legacyEnvelope, requestId, SECURITY_HEADERS } from './envelope.ts';
import { expectedFailure, internalError, loggableError } from './failure.ts';
import { openLane } from './fast-lane/open.ts';
import { LaneRoutes } from './fast-lane/route.ts';
import { serveFrontPage } from './front-page.ts';
import { serveHandedConnections } from './handed-connections.ts';
import { type AnsweredRequest, type Loggers, loggablePath, requestCounter, requestLog } from './log.ts';
import { replyToMalformedHttp } from './malformed-http.ts';
import type { DocumentOptions } from './openapi/document.ts';
import { limitConnections } from './overload/connection-limit.ts';
import { rejectEarly } from './overload/early-rejection.ts';
import { type RequestRecorder, recordRequests } from './request-recorder.ts';
import { registerRouteGroup, sendRefusal } from './route-handler.ts';
import { consumeAllowance, type RouteTools, wireRequest } from './route-steps.ts';
import { schemaCompilers } from './schema-compilers.ts';
import { handleStop } from './stopping.ts';
import { tracedLane, traceRequests } from './trace-requests.ts';
import { ERROR_MESSAGE, ONE_LINE, RAW_TEXT, TEXT_KEYWORD } from './validation.ts';
import { type PageNames, serveWebPage, type WebPageName } from './web-pages.ts';

const BODY_TIMEOUT_MS = 30 * SECOND_MS;

export interface ServerOptions extends DocumentOptions {
  tools: RouteTools;
  bearer: Authentication;
  loggers: Loggers;
  trustProxy: ProxyTrust;
  /** Whether hot routes are served on the fast lane; true by default. */
  fastLane?: boolean;
  /** Whether the OpenAPI document and its page are served; true by default. */
  docs?: boolean;
  /** The web pages that are served; none by default. */
  webPages?: readonly WebPageName[];
  /** For the web pages. */
  pageNames?: PageNames;
  maxConnections: number;
  /** Limit for a body to arrive, and for an upload to send its next chunk. Default: 30 seconds. */
  bodyTimeoutMs?: number;
  /** Optional; discarded by default. */
  metrics?: Metrics;
  /** Optional; requests of API keys are not recorded by default. */
  recorder?: RequestRecorder | undefined;
  /** Null or unset: requests are not traced. */
  tracing?: Tracing | null;
}

export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const envelopeFor = envelopesOf(options.groups);
  const metrics = options.metrics ?? new Metrics();
  const countRequest = requestCounter(metrics, options.groups);
  const app: FastifyInstance = fastify({
    loggerInstance: options.loggers.logger as FastifyBaseLogger,
    // logRequests writes one line per request with an allowlist of fields.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    // A child logger per request would cost more than most requests log. Lines that need the request id include it.
    childLoggerFactory: (logger) => logger,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: proxyTrust(options.trustProxy),
    // For the largest upload over a slow line. Other bodies have bodyTimeoutMs.
    requestTimeout: 10 * MINUTE_MS,
    // requireOneHost answers in our envelope; Node's own 400 has no body.
    http: { headersTimeout: 15 * SECOND_MS, connectionsCheckingInterval: 5 * SECOND_MS, requireHostHeader: false },
    keepAliveTimeout: MINUTE_MS + 5 * SECOND_MS,
    forceCloseConnections: 'idle',
    // handleStop answers in our envelope instead.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: false },
    frameworkErrors: (error, request, reply) => {
      answerFrameworkError(error, request, reply as FastifyReply, envelopeFor(request));
      countRequest(undefined, request.method, reply.statusCode, reply.elapsedTime);
    },
    clientErrorHandler: replyToMalformedHttp,
    schemaController: { compilersFactory: schemaCompilers },
    ajv: {
      // Bodies are validated, never changed: no coercion, no removed fields, no defaults.
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        verbose: true,
        allowUnionTypes: true,
        keywords: [ERROR_MESSAGE, RAW_TEXT, ONE_LINE, TEXT_KEYWORD],
      },
    },
  });
  const logAnswered = requestLog(options.loggers.request, countRequest);
  const lane = openLane(app.server, {
    ...options,
    logger: options.loggers.logger,
    metrics,
    count: countRequest,
    log: logAnswered,
  });
  limitConnections(metrics, app.server, options.maxConnections, lane?.isServing);
  serveHandedConnections(app);
  // Unknown paths do not parse bodies: the reply is 404 whatever the body holds.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  const { bodyTimeoutMs = BODY_TIMEOUT_MS } = options;
  app.decorate('bodyTimeoutMs', bodyTimeoutMs).decorate('bodyDeadlines', new BodyDeadlines(bodyTimeoutMs));
  app.decorateRequest('rawBody', null);
  app.decorateRequest('caller', null);
  for (const name of ['refusedWith', 'sentText', 'trace']) app.decorateRequest(name, null);
  app.decorateRequest('upload', null);
  app.decorateRequest('admission', null);
  app.decorateRequest('admittedAt', 0);
  app.setErrorHandler((error, request, reply) => {
    const refusal = expectedFailure(error as FastifyError);
    if (!refusal) request.log.error({ reqId: request.id, err: loggableError(error) }, 'request failed');
    return sendRefusal(reply, refusal ?? internalError(), envelopeFor(request));
  });
  // Unknown expectations may be ignored (RFC 9110, 10.1.1); Node's own 417 has no body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  if (options.tracing) traceRequests(app, options.tracing);
  setHeaders(app);
  requireOneHost(app, envelopeFor);
  const isEnding = handleStop(
    app,
    (request, reply, refusal) => sendRefusal(reply, refusal, envelopeFor(request)),
    lane,
  );
  logRequests(app, logAnswered);
  if (options.recorder) recordRequests(app, options.recorder);
  for (const group of options.groups) registerRouteGroup(app, group, options.tools);
  const count = callCounter(options);
  app.register(async (scope) => refuseOtherMethods(scope, { groups: options.groups, count }));
  generateDocument(app, options);
  const { webPages = [], pageNames = { operator: 'Kissi', support: '', ussd: '' }, docs = true } = options;
  serveFrontPage(app, { webPages, docs });
  for (const name of webPages) serveWebPage(app, name, pageNames);
  if (docs) serveDocs(app);
  refuseUnknownPaths(app, { groups: options.groups, count });
  await app.ready();
  rejectEarly(app.server, { groups: options.groups, lanes: options.tools.lanes, countRequest, isEnding });
  lane?.start(new LaneRoutes({ ...options, logger: options.loggers.logger, ...tracedLane(options.tracing) }));
  return app;
}

/** On every reply, including those of unknown routes. */
function setHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
    done();
  });
}

/** HTTP/1.1 requires exactly one Host header (RFC 9112, 3.2). With two, a proxy may have read the other one. */
function requireOneHost(app: FastifyInstance, envelopeFor: EnvelopeFor): void {
  const missing = refuse('INVALID_REQUEST', 'The header Host is missing.');
  const repeated = refuse('INVALID_REQUEST', 'The header Host is sent more than once.');
  app.addHook('onRequest', (request, reply, done) => {
    const hosts = hostCount(request.raw.rawHeaders);
    if (hosts === 1 || (hosts === 0 && request.raw.httpVersion === '1.0')) return done();
    sendRefusal(reply, hosts === 0 ? missing : repeated, envelopeFor(request));
  });
}

/** Node keeps only the first one in `headers`. */
function hostCount(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

function logRequests(app: FastifyInstance, log: (answered: AnsweredRequest) => void): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status, elapsedTime: ms } = reply;
    const route = request.routeOptions.url;
    log({ request, route, path: loggablePath(pathOf(request), route), status, ms });
    if (request.raw.complete === false) closeIfStalled(request);
    done();
  });
}

/** The request was answered before its body arrived. If the rest does not arrive in time, the connection is closed. */
function closeIfStalled({ raw, server }: FastifyRequest): void {
  const { socket } = raw;
  const late = setTimeout(() => socket.destroy(), server.bodyTimeoutMs);
  const settle = () => {
    clearTimeout(late);
    socket.off('close', settle);
  };
  // The request may have been closed already, with the connection still open.
  raw.once('close', settle);
  socket.once('close', settle);
}

type EnvelopeFor = (request: FastifyRequest) => Envelope;

/** The envelope for replies outside a route: from the route group whose path or prefix matches. */
function envelopesOf(groups: RouteGroup[]): EnvelopeFor {
  const nonLegacy = groups.filter((group) => group.envelope !== legacyEnvelope);
  const prefixed = nonLegacy.filter(({ prefix }) => prefix !== '');
  const exact = new Map(
    nonLegacy.flatMap(({ prefix, endpoints, envelope }) =>
      endpoints.map(({ path }) => [prefix + path, envelope] as const),
    ),
  );
  return (request) => {
    const path = pathOf(request);
    return exact.get(path) ?? prefixed.find((group) => path.startsWith(`${group.prefix}/`))?.envelope ?? legacyEnvelope;
  };
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

/** 405 with an Allow header for a known path with another method. */
function refuseOtherMethods(
  scope: FastifyInstance,
  { groups, count }: { groups: RouteGroup[]; count: CountCall },
): void {
  const paths = new Map<string, { methods: Set<string>; envelope: Envelope }>();
  for (const group of groups) {
    for (const { method, path } of group.endpoints) {
      const url = group.prefix + path;
      const known = paths.get(url) ?? { methods: new Set(), envelope: group.envelope };
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
      handler: async (request, reply) => sendRefusal(reply, (await count(request, reply)) ?? refusal, envelope),
    });
  }
}

/** 404 in the envelope of the route group whose prefix matches, else in the legacy envelope. */
function refuseUnknownPaths(app: FastifyInstance, { groups, count }: { groups: RouteGroup[]; count: CountCall }): void {
  const unknown = (envelope: Envelope) => async (request: FastifyRequest, reply: FastifyReply) => {
    const refusal = refuse('NOT_FOUND', `There is no ${request.method} ${pathOf(request)}.`);
    return sendRefusal(reply, (await count(request, reply)) ?? refusal, envelope);
  };
  app.setNotFoundHandler(unknown(legacyEnvelope));
  const nonLegacy = groups.filter((group) => group.envelope !== legacyEnvelope && group.prefix !== '');
  for (const [prefix, envelope] of new Map(nonLegacy.map((group) => [group.prefix, group.envelope]))) {
    app.register(async (scope) => void scope.setNotFoundHandler(unknown(envelope)), { prefix });
  }
}

type CountCall = (request: FastifyRequest, reply: FastifyReply) => Promise<Refusal | null>;

/** Requests to unknown paths count towards the caller's rate limit too. */
function callCounter({ bearer, tools }: ServerOptions): CountCall {
  return async (request, reply) => {
    if (request.headers.authorization === undefined) return null;
    const caller = await bearer.authenticate(wireRequest(request));
    if (caller instanceof Refusal) return null;
    request.caller = caller;
    return consumeAllowance(caller, reply, tools.rateLimits);
  };
}

/** Requests that Fastify itself refuses do not reach the hooks, so headers and log line are written here. */
function answerFrameworkError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  envelope: Envelope,
): void {
  reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
  request.log.info(
    { reqId: request.id, method: request.method, path: loggablePath(pathOf(request)), reason: error.code },
    'request refused',
  );
  sendRefusal(reply, expectedFailure(error) ?? refuse('INVALID_REQUEST', 'The request is not valid.'), envelope);
}
