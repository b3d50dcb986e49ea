// Periodic background tasks: sealing the audit chain, delivering webhooks and messages, deleting expired data.
import type { AuditLog } from '../audit/log.ts';
import type { RepeatedEvents } from '../audit/repeated-events.ts';
import type { GuardedPins } from '../auth/pins/guarded-pins.ts';
import type { NonceStore } from '../auth/signatures/nonces.ts';
import type { AttemptCounts } from '../db/attempt-counts.ts';
import type { PasswordRecovery, Sessions } from '../features/admin/sessions/service.ts';
import type { Approvals } from '../features/approvals/service.ts';
import type { BulkPayments } from '../features/bulk-payments/service.ts';
import type { Cases } from '../features/cases/service.ts';
import type { CustomerPayments } from '../features/customer-payments/service.ts';
import type { CustomerSessionService } from '../features/customer-session/service.ts';
import type { Closes } from '../features/finance/closes/service.ts';
import type { Commission } from '../features/finance/commission/service.ts';
import type { Reconciliation } from '../features/finance/reconciliation/service.ts';
import type { Lab } from '../features/lab/service.ts';
import type { Conversations, Messaging } from '../features/messaging/service.ts';
import type { Notices } from '../features/notices/service.ts';
import type { PaymentRequests } from '../features/payment-requests/service.ts';
import type { Processors } from '../features/processors/service.ts';
import type { Refusals } from '../features/refusals/service.ts';
import type { Reporting } from '../features/reporting/service.ts';
import type { RequestLog } from '../features/request-log/service.ts';
import type { StatusService } from '../features/status/service.ts';
import type { SubscriberService } from '../features/subscribers/service.ts';
import type { UssdService } from '../features/ussd/service.ts';
import { loggableError } from '../http/failure.ts';
import type { Logger } from '../http/log.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';
import type { RequestPruning } from '../ledger/posting/request-pruning.ts';
import type { Checkpoints } from '../ledger/queries/checkpoints.ts';
import type { LookupLimit } from '../parties/lookup-limit.ts';
import type { HoldExpiry } from '../payments/hold-expiry.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

export interface RunningTasks {
  /** Aborts runs in progress and waits for them. */
  stop(): Promise<void>;
}

export interface BackgroundTask {
  name: string;
  everyMs: number;
  /** It is about this process, so every gateway runs it. Each other task runs in one of a machine's gateways. */
  ofProcess?: true;
  /** Long tasks return early when the signal aborts. */
  run(stopping?: AbortSignal): Promise<unknown>;
}

export interface BackgroundTaskDependencies {
  audit: AuditLog;
  nonces: NonceStore;
  attemptCounts: AttemptCounts;
  pins: Pick<GuardedPins, 'share'>;
  lookupLimit: Pick<LookupLimit, 'prune'>;
  sessions: Sessions;
  passwordRecovery: Pick<PasswordRecovery, 'prune'>;
  cases: { recalls: Pick<Cases['recalls'], 'settleDue'> };
  customerPayments: Pick<CustomerPayments, 'cashOutCodes'>;
  customerSessions: Pick<CustomerSessionService, 'prune'>;
  checkpoints: Checkpoints;
  requestPruning: RequestPruning;
  holdExpiry: Pick<HoldExpiry, 'run'>;
  paymentRequests: Pick<PaymentRequests, 'expireDue' | 'prune'>;
  bulkPayments: Pick<BulkPayments, 'maintain' | 'execution'>;
  webhooks: Webhooks;
  messaging: Messaging;
  notices: Pick<Notices, 'tellPayments'>;
  conversations: Conversations;
  approvals: Pick<Approvals, 'maintain'>;
  subscribers: Pick<SubscriberService, 'endExpired'>;
  processors: Pick<Processors, 'assignMerchantNumbers'>;
  commission: Pick<Commission, 'settleDue'>;
  closes: Pick<Closes, 'closeDue' | 'watch'>;
  repeatedEvents: Pick<RepeatedEvents, 'flush'>;
  reporting: Pick<Reporting, 'flush'>;
  refusals: Pick<Refusals, 'flush' | 'prune'>;
  requestLog: Pick<RequestLog, 'flush' | 'prune'>;
  reconciliation: Pick<Reconciliation, 'maintain'>;
  /** Undefined: the lab is off. */
  lab: Pick<Lab, 'run' | 'prune'> | undefined;
  /** Enters the ends of the ledger's chains into the audit log. */
  recordHeads(): Promise<void>;
  ussd: Pick<UssdService, 'prune'>;
  status: Pick<StatusService, 'observe'>;
  clock: Clock;
}

export function createBackgroundTasks(dependencies: BackgroundTaskDependencies): BackgroundTask[] {
  const { audit, nonces, sessions, checkpoints, webhooks, messaging, conversations, repeatedEvents, clock } =
    dependencies;
  const { attemptCounts, pins, recordHeads, approvals } = dependencies;
  return [
    {
      name: 'note failed payments for the status',
      everyMs: 10 * SECOND_MS,
      ofProcess: true,
      run: async () => dependencies.status.observe(),
    },
    { name: 'seal the audit chain', everyMs: SECOND_MS, run: () => audit.seal() },
    { name: 'record the ends of the ledger chains', everyMs: 10 * MINUTE_MS, run: recordHeads },
    { name: 'count refused attempts', everyMs: 10 * SECOND_MS, ofProcess: true, run: () => repeatedEvents.flush() },
    {
      name: 'count refused payments',
      everyMs: 5 * SECOND_MS,
      ofProcess: true,
      run: () => dependencies.reporting.flush(),
    },
    { name: 'write refused payments', everyMs: SECOND_MS, ofProcess: true, run: () => dependencies.refusals.flush() },
    { name: 'prune refused payments', everyMs: 10 * MINUTE_MS, run: () => dependencies.refusals.prune() },
    { name: 'write the request log', everyMs: SECOND_MS, ofProcess: true, run: () => dependencies.requestLog.flush() },
    { name: 'prune the request log', everyMs: MINUTE_MS, run: () => dependencies.requestLog.prune() },
    // This process sends its own webhooks at once. The timer is for retries and for those of other gateways.
    { name: 'deliver webhooks', everyMs: SECOND_MS, run: () => webhooks.deliver() },
    { name: 'prune webhooks', everyMs: 10 * MINUTE_MS, run: () => webhooks.prune() },
    { name: 'send messages', everyMs: SECOND_MS, run: () => messaging.deliver() },
    {
      name: 'tell customers of payments',
      everyMs: SECOND_MS,
      run: (stopping) => dependencies.notices.tellPayments(stopping),
    },
    { name: 'answer messages', everyMs: SECOND_MS, run: () => conversations.deliver() },
    { name: 'prune messages', everyMs: 10 * MINUTE_MS, run: () => messaging.prune() },
    {
      name: 'prune notices of payment requests',
      everyMs: 10 * MINUTE_MS,
      run: () => dependencies.paymentRequests.prune(),
    },
    { name: 'prune answered messages', everyMs: 10 * MINUTE_MS, run: () => conversations.prune() },
    { name: 'prune nonces', everyMs: MINUTE_MS, run: () => nonces.prune(clock.now()) },
    { name: 'write checkpoints', everyMs: MINUTE_MS, run: (stopping) => checkpoints.write(stopping) },
    {
      name: 'prune idempotency keys',
      everyMs: MINUTE_MS,
      run: (stopping) => dependencies.requestPruning.prune(stopping),
    },
    { name: 'expire holds', everyMs: SECOND_MS, run: (stopping) => dependencies.holdExpiry.run(stopping) },
    {
      name: 'expire payment requests',
      everyMs: SECOND_MS,
      run: (stopping) => dependencies.paymentRequests.expireDue(stopping),
    },
    {
      name: 'check bulk payments',
      everyMs: SECOND_MS,
      run: (stopping) => dependencies.bulkPayments.maintain(stopping),
    },
    { name: 'settle recalls', everyMs: SECOND_MS, run: (stopping) => dependencies.cases.recalls.settleDue(stopping) },
    // Every gateway pays, each bulk payment at one of them at a time.
    {
      name: 'pay bulk payments',
      everyMs: SECOND_MS,
      ofProcess: true,
      run: (stopping) => dependencies.bulkPayments.execution.run(stopping),
    },
    {
      name: 'follow codes of bulk payments',
      everyMs: 5 * SECOND_MS,
      run: (stopping) => dependencies.bulkPayments.execution.followCodes(stopping),
    },
    { name: 'share PIN counts', everyMs: 5 * SECOND_MS, ofProcess: true, run: () => pins.share() },
    { name: 'prune attempt counts', everyMs: MINUTE_MS, run: () => attemptCounts.prune() },
    { name: 'prune look-ups', everyMs: MINUTE_MS, run: () => dependencies.lookupLimit.prune() },
    { name: 'expire and complete approvals', everyMs: MINUTE_MS, run: () => approvals.maintain() },
    {
      name: 'assign merchant numbers',
      everyMs: MINUTE_MS,
      run: (stopping) => dependencies.processors.assignMerchantNumbers(stopping),
    },
    { name: 'settle commissions', everyMs: MINUTE_MS, run: (stopping) => dependencies.commission.settleDue(stopping) },
    { name: 'post movements of matches', everyMs: MINUTE_MS, run: () => dependencies.reconciliation.maintain() },
    { name: 'watch cover and closes', everyMs: MINUTE_MS, run: () => dependencies.closes.watch.refresh() },
    { name: 'close days', everyMs: MINUTE_MS, run: (stopping) => dependencies.closes.closeDue(stopping) },
    { name: 'end unverified registrations', everyMs: MINUTE_MS, run: () => dependencies.subscribers.endExpired() },
    {
      name: 'release the money of ended cash-out codes',
      everyMs: SECOND_MS,
      run: (stopping) => dependencies.customerPayments.cashOutCodes.releaseVoid(stopping),
    },
    {
      name: 'prune cash-out codes',
      everyMs: 10 * MINUTE_MS,
      run: () => dependencies.customerPayments.cashOutCodes.prune(),
    },
    {
      name: "prune customers' sessions",
      everyMs: 10 * MINUTE_MS,
      run: () => dependencies.customerSessions.prune(),
    },
    { name: 'prune USSD sessions', everyMs: MINUTE_MS, run: () => dependencies.ussd.prune() },
    { name: 'prune sessions and attempts', everyMs: 10 * MINUTE_MS, run: () => sessions.prune() },
    { name: 'prune password recoveries', everyMs: 10 * MINUTE_MS, run: () => dependencies.passwordRecovery.prune() },
    ...labTasks(dependencies.lab),
  ];
}

function labTasks(lab: BackgroundTaskDependencies['lab']): BackgroundTask[] {
  if (!lab) return [];
  return [
    { name: 'run the lab', everyMs: SECOND_MS, run: () => lab.run() },
    { name: 'prune the lab', everyMs: 10 * MINUTE_MS, run: () => lab.prune() },
  ];
}

export function startBackgroundTasks(tasks: BackgroundTask[], logger: Logger): RunningTasks {
  const running = tasks.map((task) => repeat(task, logger));
  return {
    async stop() {
      await Promise.all(running.map((task) => task.stop()));
    },
  };
}

/** Runs do not overlap. Only the first of consecutive failures is logged. */
function repeat(task: BackgroundTask, logger: Logger): RunningTasks {
  let failing = false;
  const stopping = new AbortController();
  let currentRun: Promise<void> | null = null;

  async function runOnce(): Promise<void> {
    try {
      await task.run(stopping.signal);
      failing = false;
    } catch (error) {
      if (!failing) logger.warn({ err: loggableError(error), task: task.name }, 'a background task failed');
      failing = true;
    }
    currentRun = null;
  }

  const timer = setInterval(() => {
    currentRun ??= runOnce();
  }, task.everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await currentRun;
    },
  };
}
