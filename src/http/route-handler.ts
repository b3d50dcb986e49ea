// Serves one route group in its own Fastify scope: authentication, limits, body, schemas, errors.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../auth/caller.ts';
import { forbiddenSentence, isAllowed } from '../auth/permissions.ts';
import type { WireRequest } from '../auth/schemes/scheme.ts';
import { Refusal, refuse } from '../kernel/refusal.ts';
import { RESTRICTED } from './access.ts';
import { type BodyReader, bodyReader, keepRawBodies, rawBodyOf, unstorableRefusal } from './body.ts';
import { callOf } from './call.ts';
import type { Exports } from './csv/exports.ts';
import { type ListExport, listExport } from './csv/list-export.ts';
import { type Call, type Endpoint, type Lane, type Reply, type RouteGroup, routeSchema } from './endpoint.ts';
import { expectedFailure, internalError, loggableError, tooMany } from './failure.ts';
import type { AdmissionControl } from './overload/admission-control.ts';
import { isPaymentRoute } from './payment-endpoint.ts';
import { changesOf } from './put.ts';
import { type QueryCheck, queryCheck } from './query.ts';
import type { RateLimits } from './rate-limit.ts';
import { type FileChunks, leaveBodiesUnread, openUpload } from './upload.ts';

declare module 'fastify' {
  interface FastifyRequest {
    rawBody: Buffer | null;
    caller: Caller | null;
    upload: FileChunks | null;
    /** Set while the request holds a slot of its lane. */
    admission: AdmissionControl | null;
    admittedAt: number;
  }
}

/** A refused change by staff, or a refusal that is audited for every caller. */
export interface RefusedAttempt {
  call: Call;
  action: string;
  target: string;
  refusal: Refusal;
  /** Set when the path does not name the resource. */
  resource?: { type: string; id?: string | undefined };
}

export type AdmissionLanes = Record<Lane, AdmissionControl>;

export interface RouteTools {
  rateLimits: RateLimits;
  lanes: AdmissionLanes;
  exports: Exports;
  recordRefusal(attempt: RefusedAttempt): Promise<void>;
  /** The database's replicas; null or unset: there are none. */
  replicas?: { read<T>(work: () => Promise<T>): Promise<T> } | null;
  /** Counts refused requests to payment routes, by code. */
  countRefusal(code: string): void;
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

export function laneOf({ lane, method }: Endpoint): Lane {
  return lane ?? (method === 'GET' ? 'reads' : 'changes');
}

/** Handles one endpoint. The order of the hooks is the contract's order of refusals. */
class RouteHandler {
  private readonly group: RouteGroup;
  private readonly endpoint: Endpoint;
  private readonly tools: RouteTools;
  /** Null: the route bypasses admission control. */
  private readonly admission: AdmissionControl | null;
  /** Null: the route takes no body, and a body that is sent is ignored. */
  private readonly readBody: BodyReader | null;
  private readonly checkQuery: QueryCheck;
  /** Null: the endpoint returns no list. */
  private readonly csv: ListExport | null;

  constructor(group: RouteGroup, endpoint: Endpoint, tools: RouteTools) {
    this.group = group;
    this.endpoint = endpoint;
    this.tools = tools;
    this.admission = group.bypassesAdmission ? null : tools.lanes[laneOf(endpoint)];
    this.readBody = bodyReader(endpoint);
    this.checkQuery = queryCheck(group, endpoint);
    this.csv = listExport(endpoint, tools.exports);
  }

  register(scope: FastifyInstance): void {
    const { method, path } = this.endpoint;
    scope.route({
      method,
      url: this.group.prefix + path,
      schema: routeSchema(this.endpoint),
      onRequest: (request, reply) => this.beforeBody(request, reply),
      preParsing: (request, _reply, _payload, done) => this.beforeParsing(request, done),
      preValidation: (request, reply) => this.afterBody(request, reply),
      onSend: (request, _reply, payload, done) => this.beforeSending(request, payload, done),
      errorHandler: (error, request, reply) => this.failed(error, request, reply),
      handler: (request, reply) => this.serve(request, reply),
    });
  }

  private async beforeBody(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const rejected = await this.admit(request, reply);
    if (rejected || this.group.authentication.needsBody) return rejected;
    return this.authorize(request, reply);
  }

  /** Before any work is done for the request. */
  private async admit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const { admission } = this;
    if (!admission) return undefined;
    const admitted = admission.enter();
    if (!(admitted === true || (await admitted))) return this.refuse(request, reply, tooMany());
    request.admission = admission;
    request.admittedAt = admission.now();
    return undefined;
  }

  private leave(request: FastifyRequest): void {
    request.admission?.leave(request.admittedAt);
    request.admission = null;
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
    this.leave(request);
    if (typeof payload === 'string') request.sentText = payload;
    done();
  }

  private async afterBody(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const rejected = request.admission === null ? await this.admit(request, reply) : undefined;
    if (rejected) return rejected;
    if (this.group.authentication.needsBody) {
      const refused = await this.authorize(request, reply);
      if (refused) return refused;
    }
    const { upload } = this.endpoint;
    const refusal = this.readInput(request, reply) ?? (upload ? await openUpload(request, upload) : null);
    return refusal ? this.refuse(request, reply, refusal) : undefined;
  }

  /** Signature or token, then scope or role, then rate. */
  private async authorize(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const caller = await this.group.authentication.authenticate(wireRequest(request, this.endpoint));
    if (caller instanceof Refusal) return this.refuse(request, reply, caller);
    request.caller = caller;
    // Counted before the permission check, so that refused requests count too; the refusal comes after it.
    const overRate = await this.countRequest(caller, request, reply);
    const refusal = this.permit(caller) ?? overRate;
    return refusal ? this.refuse(request, reply, refusal) : undefined;
  }

  private permit(caller: Caller): Refusal | null {
    const { permission, openDuring = [] } = this.endpoint;
    const restriction = caller.kind === 'user' ? caller.restriction : undefined;
    if (restriction && !openDuring.includes(restriction)) return refuse(restriction, RESTRICTED[restriction]);
    if (permission === 'anyone' || isAllowed(caller, permission)) return this.readOnlyRefusal(caller);
    const code = this.group.envelope.name === 'inbound' ? 'SCOPE_DENIED' : 'FORBIDDEN';
    return refuse(code, forbiddenSentence(caller, permission));
  }

  /** The users of a suspended agent or processor can only read, and protect their own login. */
  private readOnlyRefusal(caller: Caller): Refusal | null {
    if (caller.kind !== 'user' || !caller.ownerSuspended || this.endpoint.method === 'GET') return null;
    if (this.endpoint.permission === 'own-account') return null;
    const sentence = "This user's agent or processor is suspended or terminated: its users can only read.";
    return refuse(caller.ownerSuspended, sentence);
  }

  private countRequest(caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<Refusal | null> {
    const { perIpLimit } = this.endpoint;
    const { rateLimits } = this.tools;
    return perIpLimit ? rateLimits.forAddress(perIpLimit, request.ip) : consumeAllowance(caller, reply, rateLimits);
  }

  private readInput(request: FastifyRequest, reply: FastifyReply): Refusal | null {
    if (this.readBody) {
      const refusal = this.readBody(request, reply);
      if (refusal) return refusal;
      if (request.body === undefined && this.endpoint.bodyOptional) request.body = {};
      if (request.body === undefined) return refuse('INVALID_REQUEST', 'A JSON body is required.');
    }
    return (
      unstorableRefusal('The path', request.params) ??
      unstorableRefusal('The query', request.query) ??
      this.checkQuery(request.query)
    );
  }

  private async serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const call = callOf(request);
    const unchangeable = this.endpoint.current ? await this.keepChanges(call) : null;
    if (unchangeable) return this.refuse(request, reply, unchangeable);
    const outcome = await this.outcomeOf(call, request, reply);
    if (outcome instanceof Refusal) return this.refuse(request, reply, outcome);
    if (outcome.refusedWith) this.countRefusal(request, outcome.refusedWith, outcome.status);
    request.refusedWith = outcome.refusedWith ?? null;
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
    const { action } = this.endpoint;
    this.countRefusal(request, refusal.code, refusal.status);
    const attempt = { call: callOf(request), target: request.url, refusal };
    if (action && request.caller?.kind === 'user' && refusal.status < 500) {
      await this.tools.recordRefusal({ ...attempt, action });
    }
    if (refusal.audited) {
      const { action: auditAction, resourceType: type, resourceId: id } = refusal.audited;
      await this.tools.recordRefusal({ ...attempt, action: auditAction, resource: { type, id } });
    }
    return sendRefusal(reply, refusal, this.group.envelope.refusal(refusal));
  }

  private countRefusal({ caller }: FastifyRequest, code: string, status: number): void {
    if (caller !== null && status < 500 && isPaymentRoute(this.endpoint)) this.tools.countRefusal(code);
  }
}

export function wireRequest(request: FastifyRequest, endpoint?: Endpoint): WireRequest {
  const { method, headers, ip } = request;
  const takesIdempotencyKey = endpoint?.idempotencyKey ?? false;
  return { method, headers, ip, target: request.raw.url ?? '', rawBody: rawBodyOf(request), takesIdempotencyKey };
}

/** Keys and users have a rate limit; every reply to them carries its headers. */
export async function consumeAllowance(
  caller: Caller,
  reply: FastifyReply,
  limits: RateLimits,
): Promise<Refusal | null> {
  if (caller.kind !== 'key' && caller.kind !== 'user') return null;
  const spent = caller.kind === 'key' ? limits.forKey(caller.id, caller.rateLimit) : limits.forUser(caller.id);
  const allowance = await spent;
  reply.headers(allowance.headers);
  return allowance.refusal;
}

export function sendRefusal(reply: FastifyReply, refusal: Refusal, body: Record<string, unknown>): FastifyReply {
  reply.request.refusedWith = refusal.code;
  // Serialised without a schema: refusals carry extra fields that a schema would drop.
  return sendJson(reply.code(refusal.status).headers(refusal.headers), JSON.stringify(body));
}

function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply
    .type('application/json; charset=utf-8')
    .serializer((payload: unknown) => payload as string)
    .send(json);
}
