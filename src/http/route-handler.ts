// Serves one route group in its own Fastify scope: the steps of a request as hooks, uploads, exports and errors.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../kernel/refusal.ts';
import { keepRawBodies } from './body.ts';
import { callOf } from './call.ts';
import { type ListExport, listExport } from './csv/list-export.ts';
import { type Call, type Endpoint, type Reply, type RouteGroup, routeSchema } from './endpoint.ts';
import type { Envelope } from './envelope.ts';
import { expectedFailure, internalError, loggableError } from './failure.ts';
import { acceptsPage, JSON_OR_PAGE } from './pages/page.ts';
import { changesOf } from './put.ts';
import { RouteSteps, type RouteTools, refusalText } from './route-steps.ts';
import type { ServedRequest } from './served-request.ts';
import { leaveBodiesUnread, openUpload } from './upload.ts';

declare module 'fastify' {
  interface FastifyRequest
    extends Pick<
      ServedRequest,
      'rawBody' | 'caller' | 'upload' | 'admission' | 'admittedAt' | 'refusedWith' | 'sentText' | 'trace'
    > {}
}

export function registerRouteGroup(app: FastifyInstance, group: RouteGroup, tools: RouteTools): void {
  const uploads = group.endpoints.filter(({ upload }) => upload !== undefined);
  app.register(async (scope) => {
    keepRawBodies(scope);
    for (const endpoint of group.endpoints) {
      if (!uploads.includes(endpoint)) new RouteHandler(group, endpoint, tools).register(scope);
    }
  });
  if (uploads.length === 0) return;
  app.register(async (scope) => {
    await leaveBodiesUnread(scope);
    for (const endpoint of uploads) new RouteHandler(group, endpoint, tools).register(scope);
  });
}

/** Handles one endpoint. The order of the hooks is the contract's order of refusals. */
class RouteHandler {
  private readonly endpoint: Endpoint;
  private readonly tools: RouteTools;
  private readonly steps: RouteSteps;
  /** Null: the endpoint returns no list. */
  private readonly csv: ListExport | null;

  constructor(group: RouteGroup, endpoint: Endpoint, tools: RouteTools) {
    this.endpoint = endpoint;
    this.tools = tools;
    this.steps = new RouteSteps(group, endpoint, tools);
    this.csv = listExport(endpoint, tools.exports);
  }

  register(scope: FastifyInstance): void {
    const { id: operation, method, path } = this.endpoint;
    scope.route({
      method,
      url: this.steps.group.prefix + path,
      schema: routeSchema(this.endpoint),
      config: { operation },
      onRequest: (request, reply) => this.beforeBody(request, reply),
      preParsing: (request, _reply, _payload, done) => this.beforeParsing(request, done),
      preValidation: (request, reply) => this.afterBody(request, reply),
      onSend: (request, _reply, payload, done) => this.beforeSending(request, payload, done),
      errorHandler: (error, request, reply) => this.failed(error, request, reply),
      handler: (request, reply) => this.serve(request, reply),
    });
  }

  private async beforeBody(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { steps } = this;
    const { needsBody } = steps.group.authentication;
    const refusal = (await steps.admit(request)) ?? (needsBody ? null : await steps.authorize(request, reply));
    return refusal ? this.refuse(request, reply, refusal) : undefined;
  }

  /** A request whose body is still arriving releases its slot: otherwise slow clients could occupy all slots. */
  private beforeParsing(request: FastifyRequest, done: () => void): void {
    if (!request.raw.complete) {
      request.admission?.release();
      request.admission = null;
    }
    done();
  }

  private beforeSending(request: FastifyRequest, payload: unknown, done: () => void): void {
    this.steps.leave(request);
    if (typeof payload === 'string') request.sentText = payload;
    done();
  }

  private async afterBody(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { steps } = this;
    const { upload } = this.endpoint;
    const { needsBody } = steps.group.authentication;
    // Refusals, and not the reply: to wait for that is to wait until it was sent.
    const refusal =
      (request.admission === null ? await steps.admit(request) : null) ??
      (needsBody ? await steps.authorize(request, reply) : null) ??
      steps.readInput(request, reply) ??
      (upload ? await openUpload(request, upload) : null);
    return refusal ? this.refuse(request, reply, refusal) : undefined;
  }

  private async serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const call = callOf(request);
    const unchangeable = this.endpoint.current ? await this.keepChanges(call) : null;
    if (unchangeable) return this.refuse(request, reply, unchangeable);
    const outcome = await this.outcomeOf(call, request, reply);
    if (outcome instanceof Refusal) return this.refuse(request, reply, outcome);
    this.steps.answered(request, outcome);
    if (outcome.cutsConnection) request.raw.socket.destroy();
    if (outcome.headers) reply.headers(outcome.headers);
    if (outcome.json !== undefined) return sendJson(reply.code(outcome.status), outcome.json);
    return reply.code(outcome.status).send(outcome.body);
  }

  private outcomeOf(call: Call, request: FastifyRequest, reply: FastifyReply): Promise<Reply | Refusal> {
    const isExport = this.csv?.isRequestedBy(request) ?? false;
    const serve = async () => (this.csv && isExport ? this.csv.open(call, reply) : this.endpoint.handle(call));
    const { replicas } = this.tools;
    return replicas && (isExport || this.endpoint.readsReplica) ? replicas.read(serve) : serve();
  }

  /** Leaves only what a PUT changes in its body. Refuses a changed read-only field. */
  private async keepChanges(call: Call): Promise<Refusal | null> {
    const { body: schema, current } = this.endpoint;
    if (!current || !schema) return null;
    const record = await current(call);
    const stored = record instanceof Refusal ? null : (record as Record<string, unknown>);
    const changes = changesOf(call.body as Record<string, unknown>, schema, stored);
    if (changes instanceof Refusal) return changes;
    call.body = changes;
    return null;
  }

  private async failed(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const refusal = expectedFailure(error as FastifyError);
    if (refusal) return this.refuse(request, reply, refusal);
    request.log.error({ reqId: request.id, err: loggableError(error) }, 'request failed');
    return this.refuse(request, reply, this.endpoint.failure ?? internalError());
  }

  private async refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): Promise<FastifyReply> {
    const text = await this.steps.refused(request, refusal);
    const { refusalPage } = this.steps.group;
    if (!refusalPage) return sendRefusalText(reply, refusal, text);
    if (!acceptsPage(request.headers.accept ?? '')) return sendRefusalText(reply.headers(JSON_OR_PAGE), refusal, text);
    const page = refusalPage(refusal, callOf(request));
    return reply
      .code(refusal.status)
      .headers({ ...refusal.headers, ...page.headers })
      .send(page.body);
  }
}

export function sendRefusal(reply: FastifyReply, refusal: Refusal, envelope: Envelope): FastifyReply {
  return sendRefusalText(reply, refusal, refusalText(reply.request, refusal, envelope));
}

function sendRefusalText(reply: FastifyReply, { status, headers }: Refusal, text: string): FastifyReply {
  return sendJson(reply.code(status).headers(headers), text);
}

function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply
    .type('application/json; charset=utf-8')
    .serializer((payload: unknown) => payload as string)
    .send(json);
}
