// Tracing by OpenTelemetry. Loaded only if OTEL_EXPORTER_OTLP_ENDPOINT is set, so nothing else may import it statically.
import { randomUUID } from 'node:crypto';
import { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
import { parseKeyPairsIntoRecord } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { SECOND_MS } from '../kernel/clock.ts';
import type { TracingConfig } from '../kernel/config/tracing.ts';
import { keepTraces, type Tracing } from '../kernel/tracing.ts';
import { BoundedExport, type SpanCounts } from './bounded-export.ts';
import { samplerOf } from './sampler.ts';
import { BatchSpan, contextOf, DeliverySpan, RequestSpan, SpanTrace } from './span-trace.ts';

/** How long a stop waits for the collector. */
const CLOSE_TIMEOUT_MS = 3 * SECOND_MS;

export interface OpenTracing extends Tracing {
  readonly counts: SpanCounts;
  /** Sends the spans that have ended. */
  flush(): Promise<void>;
  /** Sends what it can in a few seconds. */
  close(): Promise<void>;
}

export interface TracingOptions {
  config: TracingConfig;
  version: string;
  environment: string;
  /** A batch has as many links as orders. */
  maxBatch: number;
  /** Called with the reason when spans cannot be sent, and with null when they can again. */
  onChange(reason: string | null): void;
}

export function openTracing({ config, version, environment, maxBatch, onChange }: TracingOptions): OpenTracing {
  const exporter = new OTLPTraceExporter({
    url: `${config.endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: parseKeyPairsIntoRecord(config.headers),
  });
  const bounded = new BoundedExport(exporter, onChange);
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.name': config.serviceName,
        'service.version': version,
        'service.instance.id': randomUUID(),
        'deployment.environment.name': environment,
        ...parseKeyPairsIntoRecord(config.resourceAttributes),
      }),
    ),
    sampler: samplerOf(config.sampler),
    spanLimits: { linkCountLimit: maxBatch },
    spanProcessors: [bounded],
  });
  const tracer = provider.getTracer('kissi', version);
  keepTraces();
  return {
    counts: bounded.counts,
    request({ id, method, route = 'unknown', operation, traceparent }) {
      const attributes = {
        'http.request.method': method,
        'http.route': route,
        ...(operation === undefined ? {} : { 'kissi.operation': operation }),
      };
      const options = { kind: SpanKind.SERVER, attributes };
      return new RequestSpan(tracer, tracer.startSpan(`${method} ${route}`, options, contextOf(traceparent)), id);
    },
    batch(traces) {
      const requests = [...new Set(traces)].filter((each) => each instanceof SpanTrace);
      const recorded = requests.filter(({ isRecording }) => isRecording);
      const links = recorded.map(({ span }) => ({ context: span.spanContext() }));
      // Sampled if one of its requests is: it becomes part of the first one's trace, and the others have a link to it.
      const parent = recorded[0] ?? requests[0];
      const options = { attributes: { 'kissi.batch.size': traces.length }, links };
      const span = tracer.startSpan('ledger batch', options, parent?.context ?? ROOT_CONTEXT);
      for (const each of recorded) each.span.addLink({ context: span.spanContext() });
      return new BatchSpan(tracer, span);
    },
    delivery({ event, number, traceparent }) {
      const attributes = { 'kissi.event': event, 'kissi.attempt': number };
      const options = { kind: SpanKind.CLIENT, attributes };
      return new DeliverySpan(tracer, tracer.startSpan(`deliver ${event}`, options, contextOf(traceparent)));
    },
    flush: () => bounded.forceFlush(),
    async close() {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
      await Promise.race([provider.shutdown(), late]);
      clearTimeout(timer);
      bounded.abandon();
    },
  };
}
