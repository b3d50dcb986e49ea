// What a check of the production readiness is, and what it finds.
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config/config.ts';

export const LEVELS = ['ok', 'warning', 'error'] as const;
export type Level = (typeof LEVELS)[number];

export interface Finding {
  level: Level;
  message: string;
  /** What to do; null if the check is ok. */
  action: string | null;
}

/** What the checks look at: the configuration as the service reads it, and the database it uses. */
export interface Examined {
  config: Config;
  database: Database;
  clock: Clock;
}

export const AREAS = ['configuration', 'network', 'database', 'recovery', 'staff', 'customers', 'money'] as const;
export type Area = (typeof AREAS)[number];

export interface Check {
  /** Stable, such as database_tls. */
  id: string;
  area: Area;
  name: string;
  run(examined: Examined): Finding | Promise<Finding>;
}

export const fine = (message: string): Finding => ({ level: 'ok', message, action: null });
export const warn = (message: string, action: string): Finding => ({ level: 'warning', message, action });
export const fail = (message: string, action: string): Finding => ({ level: 'error', message, action });
