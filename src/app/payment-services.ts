// Wires the ledger and every payment's path: fees, commission tiers, compliance rules and stored replies.
import { randomInt } from 'node:crypto';
import type { AuditLog } from '../audit/log.ts';
import { expiredPayment } from '../features/card-payments/service.ts';
import type { Fees } from '../features/fees/service.ts';
import type { LabSeams } from '../features/lab/service.ts';
import { createRefusalRecorder } from '../features/refusals/service.ts';
import type { Hold } from '../ledger/holds/lookup.ts';
import { engineOf } from '../ledger/posting/citus-engine.ts';
import { answeredRequests, firstRequests } from '../ledger/posting/idempotency.ts';
import { createLedger } from '../ledger/posting/ledger.ts';
import { sealKeys } from '../ledger/seals/format.ts';
import { STRIPES } from '../ledger/system-accounts.ts';
import { processorById } from '../parties/processor.ts';
import { tiersReader } from '../payments/commission.ts';
import { createRuleCache } from '../payments/compliance-rules.ts';
import { createPayments } from '../payments/execute.ts';
import { createHoldExpiry } from '../payments/hold-expiry.ts';
import { merchantEventRows } from '../webhooks/merchant-event.ts';
import type { GatewayOptions } from './gateway-options.ts';
import type { AppMetrics } from './metrics.ts';

export function createPaymentServices(
  {
    config,
    database,
    secrets,
    clock,
    siblings,
    timeouts = {},
    stripe = randomInt(STRIPES),
    fastPath = true,
    tracing,
  }: GatewayOptions,
  metrics: AppMetrics,
  { audit, fees, lab }: { audit: AuditLog; fees: Fees; lab: LabSeams | undefined },
) {
  const ledger = createLedger({
    pool: database.ledgerPool,
    sealKeys: sealKeys(secrets.MASTER_KEY),
    metrics: metrics.ledger,
    engine: engineOf(database.shards),
    timeoutMs: timeouts.ledgerMs,
    maxBatch: config.maxBatch,
    ...{ clock, tracing },
  });
  const { reader } = database;
  const findProcessor = processorById(reader);
  const expiredRows = async (hold: Hold, at: number) => {
    const processor = await findProcessor(hold.payee_id);
    return processor ? merchantEventRows(processor, expiredPayment(hold, at), clock) : [];
  };
  const holdExpiry = createHoldExpiry({ ledger, reader, clock, expiredRows });
  const answered = answeredRequests(database.reader);
  const firstRequest = firstRequests(database.reader);
  const ruleCache = createRuleCache(database.reader, clock);
  siblings?.onChanged('rules', ruleCache.invalidate);
  const rulesChanged = () => {
    ruleCache.invalidate();
    siblings?.tellChanged('rules');
  };
  const refusalRecorder = createRefusalRecorder(clock, metrics.all);
  const payments = createPayments({
    noteRefusal: refusalRecorder.note,
    feeSettings: fees.settings,
    commissionTiers: tiersReader(database.reader),
    metrics: metrics.compliance,
    rules: ruleCache.checkOf,
    alertEntry: (row) => audit.createdRow('compliance_alert', row, { once: row.transaction_id === null }),
    expireHolds: holdExpiry.ofAccount,
    ...{ ledger, clock, answered, firstRequest, stripe, fastPath },
  });
  return {
    payments: lab?.payments(payments) ?? payments,
    refusalRecorder,
    holdExpiry,
    ruleCache,
    rulesChanged,
    answered,
    firstRequest,
    stripe,
  };
}
