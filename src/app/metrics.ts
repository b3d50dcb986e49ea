// All metrics of a gateway: the counters that components update, and the gauges that are read at a scrape.
import type { AuditLog } from '../audit/log.ts';
import { registerChainGauges } from '../audit/metrics.ts';
import { type PinMetrics, pinMetrics } from '../auth/pins/metrics.ts';
import type { Database } from '../db/database.ts';
import { registerDatabaseGauges } from '../db/metrics.ts';
import { registerCaseGauges } from '../features/cases/metrics.ts';
import type { Cases } from '../features/cases/service.ts';
import type { Compliance } from '../features/compliance/service.ts';
import { type Closes, registerFinanceGauges } from '../features/finance/closes/service.ts';
import { type MessageMetrics, messageMetrics, registerMessageGauges } from '../features/messaging/metrics.ts';
import type { Messaging } from '../features/messaging/service.ts';
import type { Clock } from '../kernel/clock.ts';
import { Metrics } from '../kernel/metrics.ts';
import { type LedgerMetrics, ledgerMetrics } from '../ledger/metrics.ts';
import { type ComplianceMetrics, complianceMetrics, registerReviewGauge } from '../payments/compliance-rules.ts';
import type { SpanCounts } from '../tracing/bounded-export.ts';
import { registerBacklogGauges, type WebhookMetrics, webhookMetrics } from '../webhooks/metrics.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

export interface AppMetrics {
  /** The registry. */
  all: Metrics;
  ledger: LedgerMetrics;
  pins: PinMetrics;
  webhooks: WebhookMetrics;
  compliance: ComplianceMetrics;
  messages: MessageMetrics;
}

export function createMetrics(): AppMetrics {
  const all = new Metrics();
  return {
    all,
    ledger: ledgerMetrics(all),
    pins: pinMetrics(all),
    webhooks: webhookMetrics(all),
    compliance: complianceMetrics(all),
    messages: messageMetrics(all),
  };
}

export interface GaugeSources {
  compliance: Pick<Compliance, 'overdue'>;
  database: Database;
  audit: AuditLog;
  webhooks: Webhooks;
  messaging: Pick<Messaging, 'backlog'>;
  closes: Pick<Closes, 'watch'>;
  cases: Pick<Cases, 'counts'>;
  clock: Clock;
  probeMs?: number | undefined;
}

/** Registers the values that are read at a scrape. */
export function registerGauges({ all }: AppMetrics, sources: GaugeSources): void {
  const { database, audit, webhooks, messaging, compliance, closes, cases, clock, probeMs } = sources;
  // First: the queries of the others would be counted as waiting.
  registerDatabaseGauges(all, database, probeMs);
  registerBacklogGauges(all, webhooks.backlog, clock);
  registerChainGauges(all, audit, clock);
  registerReviewGauge(all, compliance.overdue);
  registerFinanceGauges(all, closes.watch, clock);
  registerMessageGauges(all, messaging.backlog, clock);
  registerCaseGauges(all, cases.counts);
}

/** Only if tracing is on. */
export function registerTracingMetrics(all: Metrics, counts: SpanCounts): void {
  const outcomes = Object.keys(counts) as (keyof SpanCounts)[];
  all.add({
    name: 'kissi_tracing_spans_total',
    help: 'Ended spans by outcome: exported, dropped because too many were waiting, or failed because the collector did not take them.',
    type: 'counter',
    samples: () => outcomes.map((outcome) => ({ labels: { outcome }, value: counts[outcome].value })),
  });
}
