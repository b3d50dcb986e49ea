// A load of requests from this process against a server in another, and what it measured.
import autocannon from 'autocannon';

export interface Load {
  url: string;
  connections: number;
  seconds: number;
  headers?: Record<string, string>;
  /** The path of the n-th request. */
  path(n: number): string;
}

export interface Measured {
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  errors: number;
}

export async function measure(load: Load): Promise<Measured> {
  let sent = 0;
  const latencies: number[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  const instance = autocannon(
    {
      url: load.url,
      connections: load.connections,
      duration: load.seconds,
      ...(load.headers ? { headers: load.headers } : {}),
      requests: [{ setupRequest: (request) => ({ ...request, path: load.path(sent++) }) }],
    },
    (error: unknown, result: autocannon.Result) => (error ? reject(error) : resolve(result)),
  );
  // Its own percentiles are whole milliseconds, too coarse for a ratio.
  instance.on('response', (_client, _status, _bytes, responseTime) => latencies.push(responseTime));
  const result = await promise;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return {
    perSecond: Math.round(result.requests.average),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    errors: result.errors + result.non2xx,
  };
}
