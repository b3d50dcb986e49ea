// A trace as an OpenTelemetry span. What a span may hold is decided here: no path, query, header, body, id of a party or error text.
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import type { BatchTrace, DeliveryTrace, RequestTrace, Trace } from '../kernel/tracing.ts';

const QUERY_ATTRIBUTES = { 'db.system.name': 'postgresql' };
const FAILED = { code: SpanStatusCode.ERROR };
const SERVER_ERROR = 500;

export class SpanTrace implements Trace {
  readonly span: Span;
  readonly requestId: string | null;
  protected readonly tracer: Tracer;
  private readonly spanContext: SpanContext;
  private ownContext: Context | null = null;

  constructor(tracer: Tracer, span: Span, requestId: string | null = null) {
    this.tracer = tracer;
    this.span = span;
    this.requestId = requestId;
    this.spanContext = span.spanContext();
  }

  get traceId(): string {
    return this.spanContext.traceId;
  }

  get spanId(): string {
    return this.spanContext.spanId;
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.spanContext;
    return `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
  }

  get isRecording(): boolean {
    return this.span.isRecording();
  }

  /** For the spans below this one. */
  get context(): Context {
    this.ownContext ??= trace.setSpan(ROOT_CONTEXT, this.span);
    return this.ownContext;
  }

  /** Queries that end after their span, such as those of a worker that a request has woken, are left out. */
  queried(name: string, startedAt: number, isFailed: boolean): void {
    if (!this.isRecording) return;
    const options = { kind: SpanKind.CLIENT, attributes: QUERY_ATTRIBUTES, startTime: startedAt };
    const query = this.tracer.startSpan(name, options, this.context);
    if (isFailed) query.setStatus(FAILED);
    query.end(performance.now());
  }
}

export class RequestSpan extends SpanTrace implements RequestTrace {
  end({ status, refusedWith }: { status: number; refusedWith: string | null }): void {
    const { span } = this;
    span.setAttribute('http.response.status_code', status);
    if (refusedWith !== null) span.setAttribute('kissi.refusal_code', refusedWith);
    if (status >= SERVER_ERROR) span.setStatus(FAILED);
    span.end();
  }
}

export class BatchSpan extends SpanTrace implements BatchTrace {
  end(isFailed: boolean): void {
    if (isFailed) this.span.setStatus(FAILED);
    this.span.end();
  }
}

export class DeliverySpan extends SpanTrace implements DeliveryTrace {
  end({ status, isAcknowledged }: { status: number | null; isAcknowledged: boolean }): void {
    if (status !== null) this.span.setAttribute('http.response.status_code', status);
    if (!isAcknowledged) this.span.setStatus(FAILED);
    this.span.end();
  }
}

/** The context of a header `traceparent`; without one, or with an invalid one, a trace begins. */
export function contextOf(traceparent: string | string[] | null | undefined): Context {
  const parsed = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null;
  if (!parsed) return ROOT_CONTEXT;
  const traceFlags = parsed.traceFlags & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { ...parsed, traceFlags, isRemote: true });
}
