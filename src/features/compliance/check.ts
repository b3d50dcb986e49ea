// Previews what the monitoring rules would decide about a payment, without making it.
import { hash } from 'node:crypto';
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { newId } from '../../kernel/ids.ts';
import { parseAmount } from '../../kernel/money.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { readActivity } from '../../ledger/velocity/activity-store.ts';
import { isBlocked } from '../../ledger/velocity/rules.ts';
import { noSuchSubscriber } from '../../parties/subscriber.ts';
import {
  alertIdOf,
  alertRow,
  evaluate,
  type Finding,
  type RuleCache,
  type Triggered,
} from '../../payments/compliance-rules.ts';
import { invalidAmount } from '../../payments/payment.ts';
import { insertAlert } from './alert-store.ts';
import { type CheckInput, type checkReply, triggeredView } from './check-schemas.ts';
import { type AlertContext, auditResource } from './context.ts';

export interface CheckContext extends AlertContext {
  /** The same rules that payments are checked against. */
  checkOf: RuleCache['checkOf'];
}

type Payment = Pick<Finding, 'subject' | 'type' | 'amount' | 'at'>;
const NOTHING = { since: 0, runs: [] };

export type Checked = Omit<Static<typeof checkReply>, 'success'>;

export function createChecks({ database, audit, clock, holders, checkOf, pep, metrics }: CheckContext) {
  async function triggeredBy({ subject, type, amount, at }: Payment): Promise<readonly Triggered[]> {
    const rules = (await checkOf(type))?.rules ?? [];
    const longestMs = Math.max(0, ...rules.map(({ windowMs }) => windowMs));
    // Reads the postings: the activity window on the account's row is for transactions that lock the row.
    const known = longestMs > 0 ? await readActivity(database.pool, [subject], at - longestMs) : null;
    const recent = known?.get(subject.id) ?? NOTHING;
    return evaluate(rules, { amount, now: at, recent: () => recent });
  }

  async function raise(trx: DatabaseTransaction, actor: Actor, id: string, finding: Finding): Promise<string> {
    const { figures, ...alert } = alertRow(id, finding);
    const isNew = await insertAlert(trx, { ...alert, figures: JSON.stringify(figures) });
    if (isNew) metrics.alerts[alert.severity].value += 1;
    // Only checks by staff are audited. A key's check leaves the alert, and the audit log is never truncated.
    if (isNew && actor.caller.kind === 'user') {
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
      const details = { checked_by: { type: actor.caller.kind, id: actor.caller.id } };
      const finding = { triggered, subject, type, amount, at, transactionId: null, details };
      const id =
        requestId === null ? newId('alert', clock) : idOf(actor, requestId, [accountId, type, amount, outcome]);
      const alert_id = await database.transact((trx) => raise(trx, actor, id, finding));
      return { outcome, rules: triggered.map(triggeredView), alert_id };
    },
  };
}

function idOf({ caller }: Actor, id: string, same: readonly unknown[]): string {
  return alertIdOf({ scope: String(caller.id), id, hash: hash('sha256', JSON.stringify(['check', ...same])) });
}
