// All figures of a gateway: who counts gets its counters from here, and what is asked for at a scrape is named here.

import type { AuditLog } from '../audit/log.ts';
import { watchChain } from '../audit/metrics.ts';
import { type PinFigures, pinFigures } from '../auth/pins/metrics.ts';
import type { Database } from '../db/database.ts';
import { watchDatabase } from '../db/metrics.ts';
import type { Compliance } from '../features/compliance/service.ts';
import { type MessageFigures, messageFigures, watchMessages } from '../features/messaging/metrics.ts';
import type { Messaging } from '../features/messaging/service.ts';
import type { Clock } from '../kernel/clock.ts';
import { Figures } from '../kernel/metrics.ts';
import { type LedgerFigures, ledgerFigures } from '../ledger/metrics.ts';
import { type ComplianceFigures, complianceFigures, watchReviews } from '../payments/metrics.ts';
import { type WebhookFigures, watchBacklog, webhookFigures } from '../webhooks/metrics.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

export interface AppFigures {
  /** Where further figures are registered. */
  all: Figures;
  ledger: LedgerFigures;
  pins: PinFigures;
  webhooks: WebhookFigures;
  compliance: ComplianceFigures;
  messages: MessageFigures;
}

export function createFigures(): AppFigures {
  const all = new Figures();
  return {
    all,
    ledger: ledgerFigures(all),
    pins: pinFigures(all),
    webhooks: webhookFigures(all),
    compliance: complianceFigures(all),
    messages: messageFigures(all),
  };
}

export interface Watched {
  compliance: Pick<Compliance, 'overdue'>;
  database: Database;
  audit: AuditLog;
  webhooks: Webhooks;
  messaging: Pick<Messaging, 'backlog'>;
  clock: Clock;
}

/** What is not counted but looked at, whenever somebody asks. */
export function watchAll({ all }: AppFigures, watched: Watched): void {
  const { database, audit, webhooks, messaging, compliance, clock } = watched;
  watchDatabase(all, database);
  watchBacklog(all, webhooks.backlog, clock);
  watchChain(all, audit, clock);
  watchReviews(all, compliance.overdue);
  watchMessages(all, messaging.backlog, clock);
}
