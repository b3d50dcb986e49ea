// Asks each part how it is.
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { HealthService } from './routes.ts';

const TIMEOUT_MS = 1_000;

export interface HealthDeps {
  database: Database;
  clock: Clock;
  version: string;
  /** The database is unavailable if it does not answer within this time. */
  timeoutMs?: number | undefined;
}

export function createHealth({ timeoutMs = TIMEOUT_MS, ...deps }: HealthDeps): HealthService {
  const startedAt = deps.clock.now();
  let asked: Promise<boolean> | null = null;

  /** Anybody may ask how we are: however many do at once, the database is asked once. */
  function answers(): Promise<boolean> {
    asked ??= deps.database.answers(timeoutMs).finally(() => {
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
