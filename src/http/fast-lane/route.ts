// One route on the fast lane: the same steps as on the ordinary server, without waiting where nothing waits.
import type { ErrorObject } from 'ajv';
import type { FastifyError } from 'fastify';
import { andThen, type MaybePromise } from '../../kernel/maybe-promise.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { callOf } from '../call.ts';
import { type Endpoint, type Reply, type RouteGroup, routeSchema } from '../endpoint.ts';
import { expectedFailure, internalError, loggableError } from '../failure.ts';
import type { Logger } from '../log.ts';
import { RouteSteps, type RouteTools, refusalText } from '../route-steps.ts';
import { type Validate, validatorFor } from '../schema-compilers.ts';
import { validationRefusal } from '../validation.ts';
import type { LaneReply } from './reply.ts';
import type { LaneRequest } from './request.ts';

export interface LaneRoutesOptions {
  groups: RouteGroup[];
  tools: RouteTools;
  logger: Logger;
  /** Makes a route that does more, such as tracing its requests. */
  route?: ((steps: RouteSteps, logger: Logger) => LaneRoute) | undefined;
}

export interface FoundRoute {
  route: LaneRoute;
  params: Readonly<Record<string, string>>;
}

const NO_PARAMS = Object.freeze({});
/** Any other is for the ordinary server, which decodes it, or refuses it as too long. */
const PLAIN = /^[\w-]{1,100}$/;

/** All are POST routes, by path. */
export class LaneRoutes {
  private readonly byPath: ReadonlyMap<string, LaneRoute>;
  private readonly withParam: readonly LaneRoute[];

  constructor({ groups, tools, logger, route = plainRoute }: LaneRoutesOptions) {
    const hot = groups.flatMap((group) =>
      group.endpoints
        .filter((endpoint) => endpoint.hot)
        .map((endpoint) => route(new RouteSteps(group, endpoint, tools), logger)),
    );
    this.byPath = new Map(hot.map((route) => [route.url, route]));
    this.withParam = hot.filter(({ param }) => param !== null);
  }

  get isEmpty(): boolean {
    return this.byPath.size === 0;
  }

  find(path: string): FoundRoute | null {
    const route = this.byPath.get(path);
    if (route) return route.param ? null : { route, params: NO_PARAMS };
    for (const each of this.withParam) {
      const params = each.paramsOf(path);
      if (params) return { route: each, params };
    }
    return null;
  }
}

export class LaneRoute {
  readonly url: string;
  readonly steps: RouteSteps;
  /** The name of the only parameter in its path, with what comes before and after it. */
  readonly param: { before: string; name: string; after: string } | null;
  private readonly logger: Logger;
  private readonly validators: [where: 'params' | 'body' | 'headers', Validate][];

  constructor(steps: RouteSteps, logger: Logger) {
    const { group, endpoint } = steps;
    this.url = group.prefix + endpoint.path;
    this.steps = steps;
    this.logger = logger;
    if (!isSimple(endpoint, this.url)) throw new Error(`${endpoint.id} cannot be served on the fast lane`);
    const [, before = '', name = '', after = ''] = /^(.*\/):(\w+)(.*)$/.exec(this.url) ?? [];
    this.param = name === '' ? null : { before, name, after };
    const schemas = routeSchema(endpoint);
    this.validators = (['params', 'body', 'headers'] as const).flatMap((where) => {
      const schema = schemas[where];
      return schema ? [[where, validatorFor(schema as object)] as const] : [];
    });
  }

  paramsOf(path: string): Record<string, string> | null {
    if (!this.param) return null;
    const { before, name, after } = this.param;
    if (!path.startsWith(before) || !path.endsWith(after)) return null;
    const value = path.slice(before.length, path.length - after.length);
    return PLAIN.test(value) ? { [name]: value } : null;
  }

  /** The JSON text of the reply; `reply` gets its status and headers. */
  async answer(request: LaneRequest, reply: LaneReply): Promise<string> {
    try {
      const outcome = await this.outcome(request, reply);
      return outcome instanceof Refusal
        ? await this.refuse(outcome, request, reply)
        : this.accept(outcome, request, reply);
    } catch (error) {
      return this.fail(error, request, reply);
    }
  }

  /** A body that the authentication does not need is read after it, as on the ordinary server. */
  private outcome(request: LaneRequest, reply: LaneReply): MaybePromise<Reply | Refusal> {
    const { steps } = this;
    const { needsBody } = steps.group.authentication;
    return refusalOr(steps.admit(request), () =>
      refusalOr(needsBody ? request.takeBody() : null, () =>
        refusalOr(
          steps.authorize(request, reply),
          () =>
            request.takeBody() ??
            steps.readInput(request, reply) ??
            this.validate(request) ??
            steps.endpoint.handle(callOf(request)),
        ),
      ),
    );
  }

  private validate(request: LaneRequest): Refusal | null {
    for (const [where, validate] of this.validators) {
      if (!validate(request[where])) return validationRefusal(validate.errors as ErrorObject[], where);
    }
    return null;
  }

  private accept(outcome: Reply, request: LaneRequest, reply: LaneReply): string {
    if (outcome.json === undefined) throw new Error(`${this.url} must reply with JSON text`);
    this.steps.answered(request, outcome);
    reply.status = outcome.status;
    reply.cutsConnection = outcome.cutsConnection ?? false;
    if (outcome.headers) reply.headers(outcome.headers);
    return outcome.json;
  }

  private async refuse(refusal: Refusal, request: LaneRequest, reply: LaneReply): Promise<string> {
    const text = await this.steps.refused(request, refusal);
    reply.status = refusal.status;
    reply.headers(refusal.headers);
    return text;
  }

  private async fail(error: unknown, request: LaneRequest, reply: LaneReply): Promise<string> {
    try {
      const expected = expectedFailure(error as FastifyError);
      if (!expected) this.logFailure(error, request);
      return await this.refuse(expected ?? this.steps.endpoint.failure ?? internalError(), request, reply);
    } catch (second) {
      this.logFailure(second, request);
      const refusal = internalError();
      reply.status = refusal.status;
      return refusalText(request, refusal, this.steps.group.envelope);
    }
  }

  private logFailure(error: unknown, request: LaneRequest): void {
    this.logger.error({ reqId: request.id, err: loggableError(error) }, 'request failed');
  }
}

function plainRoute(steps: RouteSteps, logger: Logger): LaneRoute {
  return new LaneRoute(steps, logger);
}

/** Calls `next` unless there is a refusal. */
function refusalOr<T>(refusal: MaybePromise<Refusal | null>, next: () => MaybePromise<T>): MaybePromise<T | Refusal> {
  return andThen<Refusal | null, T | Refusal>(refusal, (found) => found ?? next());
}

/** The lane has one parameter at most, and no uploads, exports or records to compare with. */
function isSimple({ method, body, bodyOptional, query, upload, current }: Endpoint, url: string): boolean {
  const others = [bodyOptional, query, upload, current];
  const hasOneParam = url.indexOf(':') === url.lastIndexOf(':');
  return method === 'POST' && body !== undefined && hasOneParam && others.every((other) => other === undefined);
}
