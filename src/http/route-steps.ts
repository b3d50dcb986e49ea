// The steps of a request to an endpoint that do not depend on the server: admission, authorization, input and refusals.
import type { Caller } from '../auth/caller.ts';
import { forbiddenSentence, isAllowed } from '../auth/permissions.ts';
import type { WireRequest } from '../auth/schemes/scheme.ts';
import { andThen, type MaybePromise } from '../kernel/maybe-promise.ts';
import { Refusal, refuse } from '../kernel/refusal.ts';
import { RESTRICTED } from './access.ts';
import { type BodyReader, bodyReader, rawBodyOf, unstorableRefusal } from './body.ts';
import { callOf } from './call.ts';
import type { CertificateCheck } from './client-certificates.ts';
import type { Exports } from './csv/exports.ts';
import type { Call, Endpoint, Lane, Reply, RouteGroup } from './endpoint.ts';
import type { Envelope } from './envelope.ts';
import { tooMany } from './failure.ts';
import type { AdmissionControl } from './overload/admission-control.ts';
import { isPaymentRoute } from './payment-endpoint.ts';
import { type QueryCheck, queryCheck } from './query.ts';
import type { RateLimits } from './rate-limit.ts';
import type { ReplyHeaders, ServedRequest } from './served-request.ts';

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
  /** Whether a key may be used on this connection; unset: any may. */
  checkCertificate?: CertificateCheck | undefined;
  /** The database's replicas; null or unset: there are none. */
  replicas?: { read<T>(work: () => Promise<T>): Promise<T> } | null;
  /** Counts refused requests to payment routes, by code. */
  countRefusal(code: string): void;
}

export function laneOf({ lane, method }: Endpoint): Lane {
  return lane ?? (method === 'GET' ? 'reads' : 'changes');
}

/** A server calls them in this order, which is the contract's order of refusals. Most need not wait for anything. */
export class RouteSteps {
  readonly group: RouteGroup;
  readonly endpoint: Endpoint;
  /** Null: the route bypasses admission control. */
  readonly admission: AdmissionControl | null;
  private readonly tools: RouteTools;
  /** Null: the route takes no body, and a body that is sent is ignored. */
  private readonly readBody: BodyReader | null;
  private readonly checkQuery: QueryCheck;
  private readonly isPayment: boolean;

  constructor(group: RouteGroup, endpoint: Endpoint, tools: RouteTools) {
    this.group = group;
    this.endpoint = endpoint;
    this.tools = tools;
    this.admission = group.bypassesAdmission ? null : tools.lanes[laneOf(endpoint)];
    this.readBody = bodyReader(endpoint);
    this.checkQuery = queryCheck(group, endpoint);
    this.isPayment = isPaymentRoute(endpoint);
  }

  /** Before any work is done for the request. */
  admit(request: ServedRequest): MaybePromise<Refusal | null> {
    const { admission } = this;
    if (!admission) return null;
    return andThen(admission.enter(), (isAdmitted) => {
      if (!isAdmitted) return tooMany();
      request.admission = admission;
      request.admittedAt = admission.now();
      return null;
    });
  }

  leave(request: ServedRequest): void {
    request.admission?.leave(request.admittedAt);
    request.admission = null;
  }

  /** Signature or token, then scope or role, then rate. */
  authorize(request: ServedRequest, reply: ReplyHeaders): MaybePromise<Refusal | null> {
    const caller = this.group.authentication.authenticate(wireRequest(request, this.endpoint));
    return andThen(caller, (found) =>
      found instanceof Refusal
        ? found
        : (this.tools.checkCertificate?.(found, request) ?? this.accept(found, request, reply)),
    );
  }

  private accept(caller: Caller, request: ServedRequest, reply: ReplyHeaders): MaybePromise<Refusal | null> {
    request.caller = caller;
    // Counted before the permission check, so that refused requests count too; the refusal comes after it.
    return andThen(this.countRequest(caller, request, reply), (overRate) => this.permit(caller) ?? overRate);
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

  private countRequest(caller: Caller, request: ServedRequest, reply: ReplyHeaders): MaybePromise<Refusal | null> {
    const { perIpLimit } = this.endpoint;
    const { rateLimits } = this.tools;
    return perIpLimit ? rateLimits.forAddress(perIpLimit, request.ip) : consumeAllowance(caller, reply, rateLimits);
  }

  readInput(request: ServedRequest, reply: ReplyHeaders): Refusal | null {
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

  /** Notes a stored refusal. */
  answered(request: ServedRequest, { refusedWith, status }: Reply): void {
    if (refusedWith) this.countRefusal(request, refusedWith, status);
    request.refusedWith = refusedWith ?? null;
  }

  /** Counts the refusal, and audits that of a change by staff. Returns the text of the reply. */
  async refused(request: ServedRequest, refusal: Refusal): Promise<string> {
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
    return refusalText(request, refusal, this.group.envelope);
  }

  private countRefusal({ caller }: ServedRequest, code: string, status: number): void {
    if (caller !== null && status < 500 && this.isPayment) this.tools.countRefusal(code);
  }
}

/** Serialised without a schema: refusals carry extra fields that a schema would drop. */
export function refusalText(request: ServedRequest, refusal: Refusal, envelope: Envelope): string {
  request.refusedWith = refusal.code;
  return JSON.stringify(envelope.refusal(refusal));
}

export function wireRequest(request: ServedRequest, endpoint?: Endpoint): WireRequest {
  const { method, headers, ip, url } = request;
  const takesIdempotencyKey = endpoint?.idempotencyKey ?? false;
  return { method, headers, ip, target: url, rawBody: rawBodyOf(request), takesIdempotencyKey };
}

/** Keys, users and customers have a rate limit; every reply to them carries its headers. */
export function consumeAllowance(
  caller: Caller,
  reply: ReplyHeaders,
  limits: RateLimits,
): MaybePromise<Refusal | null> {
  if (caller.kind === 'service' || caller.kind === 'public') return null;
  const spent = caller.kind === 'key' ? limits.forKey(caller.id, caller.rateLimit) : limits.forUser(caller.id);
  return andThen(spent, (allowance) => {
    reply.headers(allowance.headers);
    return allowance.refusal;
  });
}
