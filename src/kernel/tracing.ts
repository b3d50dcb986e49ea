// What can be traced, and the trace that the current work belongs to. Nothing is kept or looked up unless tracing is on.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Work in progress that is measured as a span. */
export interface Trace {
  readonly traceId: string;
  readonly spanId: string;
  /** The header of requests that the work makes (W3C Trace Context). */
  readonly traceparent: string;
  /** Null: the work is not a request. */
  readonly requestId: string | null;
  /** A group of queries has ended. `name`: without any value. `startedAt`: by the monotonic clock. */
  queried(name: string, startedAt: number, isFailed: boolean): void;
}

export interface RequestTrace extends Trace {
  end(reply: { status: number; refusedWith: string | null }): void;
}

export interface BatchTrace extends Trace {
  end(isFailed: boolean): void;
}

export interface DeliveryTrace extends Trace {
  end(attempt: { status: number | null; isAcknowledged: boolean }): void;
}

/** Starts spans. src/tracing has the only implementation, which is loaded if tracing is on. */
export interface Tracing {
  /** `route`: its template. `traceparent`: as received, not validated. */
  request(request: {
    id: string;
    method: string;
    route: string | undefined;
    operation: string | undefined;
    traceparent: string | string[] | undefined;
  }): RequestTrace;
  /** `traces`: of the batch's orders. */
  batch(traces: readonly (Trace | null)[]): BatchTrace;
  /** `traceparent`: of the work that caused the event; null: it was not traced. */
  delivery(delivery: { event: string; number: number; traceparent: string | null }): DeliveryTrace;
}

let storage: AsyncLocalStorage<Trace | null> | null = null;

/** From now on `currentTrace` finds what `inTrace` was given. */
export function keepTraces(): void {
  storage ??= new AsyncLocalStorage();
}

export function currentTrace(): Trace | null {
  return storage === null ? null : (storage.getStore() ?? null);
}

/** Null: the work, such as a worker's, belongs to no trace, even if a request has started it. */
export function inTrace<T>(trace: Trace | null, work: () => T): T {
  return storage === null ? work() : storage.run(trace, work);
}
