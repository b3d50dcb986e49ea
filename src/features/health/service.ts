// Health report of the gateway and its database.
import type { Database } from '../../db/database.ts';
import type { HealthService } from './routes.ts';

const TIMEOUT_MS = 1_000;

export interface HealthDeps {
  database: Database;
  version: string;
  /** The database is unavailable if it does not answer within this time. */
  timeoutMs?: number | undefined;
}

export function createHealth({ timeoutMs = TIMEOUT_MS, ...deps }: HealthDeps): HealthService {
  let probe: Promise<boolean> | null = null;

  /** Concurrent requests share one probe, because the endpoint is unauthenticated. */
  function probeDatabase(): Promise<boolean> {
    probe ??= deps.database.isResponding(timeoutMs).finally(() => {
      probe = null;
    });
    return probe;
  }

  return {
    async report() {
      const alive = await probeDatabase();
      return {
        status: alive ? 'ok' : 'degraded',
        wallet_core: alive ? 'ok' : 'unavailable',
        version: deps.version,
        uptime_seconds: Math.floor(process.uptime()),
      };
    },
  };
}
