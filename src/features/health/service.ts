// Asks each part how it is.
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { HealthService } from './routes.ts';

const PROBE_TIMEOUT_MS = 1_000;

export function createHealth(deps: { database: Database; clock: Clock; version: string }): HealthService {
  const startedAt = deps.clock.now();
  let asked: Promise<boolean> | null = null;

  /** Anybody may ask how we are: however many do at once, the database is asked once. */
  function answers(): Promise<boolean> {
    asked ??= deps.database.answers(PROBE_TIMEOUT_MS).finally(() => {
      asked = null;
    });
    return asked;
  }

  return {
    async report() {
      const alive = await answers();
      return {
        status: alive ? 'ok' : 'degraded',
        wallet_core: alive ? 'ok' : 'unavailable',
        version: deps.version,
        uptime_seconds: Math.floor((deps.clock.now() - startedAt) / 1_000),
      };
    },
  };
}
