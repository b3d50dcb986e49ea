// The dependencies and settings of a gateway.
import type { Database } from '../db/database.ts';
import type { PayablePayments } from '../features/payment-requests/service.ts';
import type { ExportLimits } from '../http/csv/exports.ts';
import type { Loggers } from '../http/log.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config/config.ts';
import type { OpenTracing } from '../tracing/open.ts';
import type { Siblings } from './gateways/siblings.ts';
import type { Secrets } from './secrets.ts';

export interface GatewayOptions {
  config: Config;
  secrets: Secrets;
  database: Database;
  clock: Clock;
  loggers: Loggers;
  version: string;
  /** Stripe of the system accounts; see ledger/stripe-lease.ts. Any by default. */
  stripe?: number;
  /** Null or unset: nothing is traced. */
  tracing?: OpenTracing | null | undefined;
  /** Undefined: this is the only gateway process of the machine. */
  siblings?: Siblings | undefined;
  /** Defaults to production values; tests on a loaded machine need longer ones. */
  timeouts?: Partial<ServiceTimeouts>;
  /** True by default. If false, every payment takes the careful path; tests compare the two. */
  fastPath?: boolean;
  /** What the payment pages show; payment requests by default. Tests set what became of them. */
  payable?: PayablePayments | undefined;
  /** Defaults to production values; tests use shorter pages and times. */
  exportLimits?: Partial<ExportLimits>;
}

export interface ServiceTimeouts {
  /** An order that has waited longer for the ledger is rejected. */
  ledgerMs: number;
  /** Health and metrics report a database that takes longer to answer as down. */
  probeMs: number;
  /** How long a late reply of the lab takes. */
  labLateMs: number;
  /** Rate limits apply per process if Redis takes longer to answer. */
  redisMs: number;
}
