// Previews what the monitoring rules would decide about a payment, without making it.
import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import type { DatabaseTransaction, Queries } from '../../db/database.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { parseAmount } from '../../kernel/money.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { MOVEMENT_TYPES } from '../../ledger/movement-types.ts';
import { engineOf } from '../../ledger/posting/citus-engine.ts';
import { isBlocked, type VelocityRule } from '../../ledger/velocity/rules.ts';
import { noSuchSubscriber } from '../../parties/subscriber.ts';
import {
  alertIdOf,
  alertRow,
  evaluate,
  type Finding,
  type RuleCache,
  type Triggered,
} from '../../payments/compliance-rules.ts';
import { invalidAmount } from '../../payments/plan.ts';
import { findAlert, insertAlert } from './alert-store.ts';
import { type CheckInput, type checkReply, triggeredId, triggeredView } from './check-schemas.ts';
import { type AlertContext, auditResource } from './context.ts';

export interface CheckContext extends AlertContext {
  /** The same rules that payments are checked against. */
  checkOf: RuleCache['checkOf'];
}

type Payment = Pick<Finding, 'subject' | 'type' | 'amount' | 'at'>;
const NOTHING = { since: 0, runs: [] };
/** The class of the advisory locks on checks. */
const CHECK_LOCKS = 7_001;

export type Checked = Omit<Static<typeof checkReply>, 'success'>;

export function createChecks({ database, audit, clock, holders, checkOf, pep, metrics }: CheckContext) {
  /** The subscriber is the payer; for types that bring money into a wallet, the payee as well. */
  async function triggeredBy(payment: Payment): Promise<readonly Triggered[]> {
    const check = await checkOf(payment.type);
    const isPaid = !MOVEMENT_TYPES[payment.type].accounts[0].some((kind) => kind === 'wallet');
    const [ofPayer, ofPayee] = await Promise.all([
      triggeredOf('recent', check?.rules ?? [], payment),
      triggeredOf('received', (isPaid && check?.payee?.rules) || [], payment),
    ]);
    return [...ofPayer, ...ofPayee];
  }

  async function triggeredOf(
    column: 'recent' | 'received',
    rules: readonly VelocityRule[],
    { subject, amount, at }: Payment,
  ): Promise<readonly Triggered[]> {
    const longestMs = Math.max(0, ...rules.map(({ windowMs }) => windowMs));
    // Reads the postings: the activity window on the account's row is for transactions that lock the row.
    const known =
      longestMs > 0
        ? await engineOf(database.shards).readActivity(column, database.pool, [subject], at - longestMs)
        : null;
    const recent = known?.get(subject.id) ?? NOTHING;
    return evaluate(rules, { amount, now: at, recent: () => recent });
  }

  async function raise(trx: DatabaseTransaction, actor: Actor, id: string, finding: Finding): Promise<string> {
    // The lock makes identical checks wait for each other, on all gateways.
    await lockCheck(trx, String(finding.details?.check));
    const existing = (await findAlert(trx, id))?.id ?? (await recentCheck(trx, finding));
    if (existing !== undefined) return existing;
    const { figures, ...alert } = alertRow(id, finding);
    const isNew = await insertAlert(trx, { ...alert, figures: JSON.stringify(figures) });
    if (isNew) metrics.alerts[alert.severity].value += 1;
    if (isNew) {
      const { severity, type, subscriber_id, rule_id } = alert;
      const details = { severity, type, subscriber_id, rule_id };
      await audit.record(trx, actor, { action: 'compliance.check', ...auditResource(id), details });
    }
    return id;
  }

  return {
    /** Decides without a lock. The payment itself is decided again on the locked account. */
    async check(actor: Actor, input: CheckInput, requestId: string | null): Promise<Checked | Refusal> {
      const { subscriber_id: accountId, transaction_type: type } = input;
      const [holder, pepRefusal] = await Promise.all([
        holders.statusById(accountId),
        // The result reveals how much the person has paid and needs no PIN, so API keys are refused as well.
        pep.refusalOf(actor, accountId, 'check'),
      ]);
      if (!holder) return noSuchSubscriber();
      if (pepRefusal) return pepRefusal;
      const amount = parseAmount(input.amount);
      if (amount === null) return invalidAmount();
      const at = clock.now();
      const subject = { id: accountId, kind: 'wallet' } as const;
      const triggered = await triggeredBy({ subject, type, amount, at });
      if (triggered.length === 0) return { outcome: 'pass', rules: [] };
      const outcome = isBlocked(triggered) ? 'block' : 'flag';
      const checked_by = { type: actor.caller.kind, id: actor.caller.id };
      const details = { checked_by, check: digestOf(checked_by, { accountId, type, amount, triggered }) };
      const finding = { triggered, subject, type, amount, at, transactionId: null, details };
      const id =
        requestId === null ? newId('alert', clock) : idOf(actor, requestId, [accountId, type, amount, outcome]);
      const alert_id = await database.transact((trx) => raise(trx, actor, id, finding));
      // With thresholds and measured values, a key could stay just below every rule.
      const rules = triggered.map(actor.caller.kind === 'user' ? triggeredView : triggeredId);
      return { outcome, rules, alert_id };
    },
  };
}

/** Equal for checks of the same payment by the same caller that trigger the same rules. */
function digestOf(caller: object, { accountId, type, amount, triggered }: CheckedPayment): string {
  const rules = triggered.map(({ rule }) => [rule.id, rule.version]);
  return hash('sha256', JSON.stringify([caller, accountId, type, amount, rules]));
}

interface CheckedPayment {
  accountId: string;
  type: string;
  amount: number;
  triggered: readonly Triggered[];
}

/** Until the transaction ends. */
async function lockCheck(trx: Queries, digest: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${CHECK_LOCKS}, hashtext(${digest}))`.execute(trx);
}

/** The alert of an identical check less than a minute ago. */
async function recentCheck(trx: Queries, { subject, at, details }: Finding): Promise<string | undefined> {
  const row = await trx
    .selectFrom('compliance_alerts')
    .select('id')
    .where('subscriber_id', '=', subject.id)
    .where('created_at', '>', new Date(at - MINUTE_MS))
    .where(sql<boolean>`figures->>'check' = ${String(details?.check)}`)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

function idOf({ caller }: Actor, id: string, same: readonly unknown[]): string {
  return alertIdOf({ scope: String(caller.id), id, hash: hash('sha256', JSON.stringify(['check', ...same])) });
}
