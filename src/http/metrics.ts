// Requests counted by route: how many, with which class of status, how long they took.
import { SECOND_MS } from '../kernel/clock.ts';
import { Histogram, type Labels, type Metrics, type Sample } from '../kernel/metrics.ts';
import type { RouteGroup } from './endpoint.ts';

/** `url` is the route's template, where there was a route; `ms` how long it took. */
export type CountRequest = (url: string | undefined, method: string, status: number, ms: number) => void;

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const CLASSES = ['2xx', '3xx', '4xx', '5xx'];

class RouteMetrics {
  private readonly labels: Labels;
  private readonly byClass = new Float64Array(CLASSES.length);
  private readonly duration = new Histogram(SECONDS);
  private used = false;

  constructor(route: string, method: string) {
    this.labels = { route, method };
  }

  count(status: number, ms: number): void {
    const index = Math.floor(status / 100) - 2;
    this.byClass[index] = (this.byClass[index] as number) + 1;
    this.duration.observe(ms / SECOND_MS);
    this.used = true;
  }

  /** Nothing of a route that nobody called: there are many, and each has many series. */
  requests(): Sample[] {
    if (!this.used) return [];
    return CLASSES.map((status, index) => ({
      labels: { ...this.labels, status },
      value: this.byClass[index] as number,
    }));
  }

  durations(): Sample[] {
    return this.used ? this.duration.samples(this.labels) : [];
  }
}

/**
 * Counters for every route of the table, found by the template that the router matched. What is no route of it (unknown
 * paths, other methods, the page of the documentation) counts as one, so that no client can make series.
 */
export function requestCounter(metrics: Metrics, rows: RouteGroup[]): CountRequest {
  const elsewhere = new RouteMetrics('other', 'other');
  const all = [elsewhere];
  const byUrl = new Map<string, Record<string, RouteMetrics>>();
  const add = (url: string, method: string) => {
    const route = new RouteMetrics(url, method);
    all.push(route);
    byUrl.set(url, { ...byUrl.get(url), [method]: route });
  };
  for (const { prefix, endpoints } of rows) {
    for (const { method, path } of endpoints) {
      add(prefix + path, method);
      if (method === 'GET') add(prefix + path, 'HEAD');
    }
  }
  metrics.add({
    name: 'kissi_http_requests_total',
    help: 'Requests answered, by route, method and class of status.',
    type: 'counter',
    samples: () => all.flatMap((route) => route.requests()),
  });
  metrics.add({
    name: 'kissi_http_request_duration_seconds',
    help: 'From the first look at a request to the end of its answer, by route and method.',
    type: 'histogram',
    samples: () => all.flatMap((route) => route.durations()),
  });
  return (url, method, status, ms) => {
    const route = url === undefined ? elsewhere : (byUrl.get(url)?.[method] ?? elsewhere);
    route.count(status, ms);
  };
}
