// A span per request. Without tracing none of this is registered.
import type { FastifyInstance } from 'fastify';
import { inTrace, type RequestTrace, type Tracing } from '../kernel/tracing.ts';
import type { LaneReply } from './fast-lane/reply.ts';
import type { LaneRequest } from './fast-lane/request.ts';
import { LaneRoute, type LaneRoutesOptions } from './fast-lane/route.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation id of the route's endpoint. */
    operation?: string;
  }
}

/** Must come before all other hooks, so that their work belongs to the span. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route, config } = request.routeOptions;
    const { id, method, headers } = request;
    const trace = tracing.request({ id, method, route, operation: config.operation, traceparent: headers.traceparent });
    request.trace = trace;
    // Also of replies that are streamed, and of those that the client did not wait for.
    reply.raw.once('close', () => trace.end({ status: reply.raw.statusCode, refusedWith: request.refusedWith }));
    inTrace(trace, done);
  });
  // What follows the body would continue where the body was read from the socket.
  app.addHook('preValidation', (request, _reply, done) => inTrace(request.trace, done));
}

export function tracedLane(tracing: Tracing | null | undefined): Pick<LaneRoutesOptions, 'route'> {
  return tracing ? { route: (...route) => new TracedLaneRoute(tracing, ...route) } : {};
}

class TracedLaneRoute extends LaneRoute {
  private readonly tracing: Tracing;

  constructor(tracing: Tracing, ...route: ConstructorParameters<typeof LaneRoute>) {
    super(...route);
    this.tracing = tracing;
  }

  override async answer(request: LaneRequest, reply: LaneReply): Promise<string> {
    const { id, method, headers } = request;
    const operation = this.steps.endpoint.id;
    const { traceparent } = headers as { traceparent?: string };
    const trace: RequestTrace = this.tracing.request({ id, method, route: this.url, operation, traceparent });
    request.trace = trace;
    const json = await inTrace(trace, () => super.answer(request, reply));
    trace.end({ status: reply.status, refusedWith: request.refusedWith });
    return json;
  }
}
