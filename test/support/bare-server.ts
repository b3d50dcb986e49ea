// An HTTP server for the routes of a test, without a database or authentication.
import { noAuthentication } from '../../src/auth/schemes/bearer.ts';
import { type ExportOptions, Exports } from '../../src/http/csv/exports.ts';
import type { RouteGroup } from '../../src/http/endpoint.ts';
import { createLoggers, type Loggers } from '../../src/http/log.ts';
import { createRateLimits } from '../../src/http/rate-limit.ts';
import type { RequestRecorder } from '../../src/http/request-recorder.ts';
import type { AdmissionLanes } from '../../src/http/route-steps.ts';
import { buildServer } from '../../src/http/server.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { Metrics } from '../../src/kernel/metrics.ts';

export interface BareOptions {
  rows: RouteGroup[];
  lanes: AdmissionLanes;
  metrics?: Metrics;
  exports?: Exports;
  fastLane?: boolean;
  recorder?: RequestRecorder;
  /** Silent by default. */
  loggers?: Loggers;
}

/** Exports without an audit log. */
export function bareExports(options: Partial<ExportOptions> = {}): Exports {
  const failed = (error: unknown) => {
    throw error;
  };
  return new Exports({ clock: systemClock, record: async () => undefined, onError: failed, ...options });
}

export function bareServer({ rows, lanes, exports = bareExports(), ...options }: BareOptions) {
  const rateLimits = createRateLimits({
    ...{ requestsPerSecond: 100, burst: 200, user: { requestsPerSecond: 50, burst: 200 } },
    ...{
      perMinute: { registration: 1, login: 1, customer: 1, bridge: 1, platform: 1, page: 1_000, notice: 1_000 },
      clock: systemClock,
    },
  });
  return buildServer({
    groups: rows,
    tools: { rateLimits, lanes, exports, recordRefusal: async () => undefined, countRefusal: () => undefined },
    bearer: noAuthentication,
    loggers: createLoggers({ level: 'silent' }),
    version: '0.0.0-test',
    webhooks: [],
    trustProxy: false,
    maxConnections: 1_000,
    ...options,
  });
}
