// Spans on their way to the collector: a bounded number waits, and all others are dropped and counted.
import { TraceFlags } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';
import { SECOND_MS } from '../kernel/clock.ts';
import { Counter } from '../kernel/metrics.ts';

/** About 10 MB. */
const MAX_WAITING = 8_192;
const EXPORT_SIZE = 512;
const EXPORT_EVERY_MS = SECOND_MS;
/** An export that takes longer has failed, even if the collector trickles its reply. */
const EXPORT_TIMEOUT_MS = 15 * SECOND_MS;

export interface SpanCounts {
  exported: Counter;
  /** Too many were waiting, or the service stopped. */
  dropped: Counter;
  /** The collector was not reached, or refused them. */
  failed: Counter;
}

/** The SDK's own limit is not used: it counts the dropped spans for nobody, and not those that are being sent. */
export class BoundedExport implements SpanProcessor {
  readonly counts: SpanCounts = { exported: new Counter(), dropped: new Counter(), failed: new Counter() };
  private readonly batches: BatchSpanProcessor;
  private readonly onChange: (reason: string | null) => void;
  private waiting = 0;
  private isFailing = false;

  /** `onChange`: called with the reason when exports begin to fail, and with null when they succeed again. */
  constructor(exporter: SpanExporter, onChange: (reason: string | null) => void) {
    this.onChange = onChange;
    this.batches = new BatchSpanProcessor({
      exporter: {
        export: (spans, done) => this.send(exporter, spans, done),
        shutdown: () => exporter.shutdown(),
      },
      maxQueueSize: MAX_WAITING,
      maxExportBatchSize: EXPORT_SIZE,
      scheduledDelayMillis: EXPORT_EVERY_MS,
      exportTimeoutMillis: 2 * EXPORT_TIMEOUT_MS,
    });
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
    if (this.waiting >= MAX_WAITING) {
      this.counts.dropped.value += 1;
      return;
    }
    this.waiting += 1;
    this.batches.onEnd(span);
  }

  /** Failures are counted, and not the caller's. */
  async forceFlush(): Promise<void> {
    await this.batches.forceFlush().catch(() => undefined);
  }

  async shutdown(): Promise<void> {
    await this.batches.shutdown().catch(() => undefined);
  }

  /** The service stops without waiting for them any longer. */
  abandon(): void {
    this.counts.dropped.value += this.waiting;
    this.waiting = 0;
  }

  private send(exporter: SpanExporter, spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    let isSettled = false;
    const settle = (result: ExportResult) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(late);
      this.waiting = Math.max(0, this.waiting - spans.length);
      this.note(result, spans.length);
      done(result);
    };
    const late = setTimeout(
      () => settle({ code: ExportResultCode.FAILED, error: new Error('the collector did not reply in time') }),
      EXPORT_TIMEOUT_MS,
    ).unref();
    exporter.export(spans, settle);
  }

  private note({ code, error }: ExportResult, spans: number): void {
    const isFailing = code !== ExportResultCode.SUCCESS;
    this.counts[isFailing ? 'failed' : 'exported'].value += spans;
    if (isFailing !== this.isFailing) this.onChange(isFailing ? (error?.message ?? 'unknown') : null);
    this.isFailing = isFailing;
  }
}
