// Why a customer's personal data cannot be erased now, decided on the locked record and wallet.
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { iso } from '../../kernel/clock.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { hasOpenBulkRow } from './bulk-rows.ts';
import { type Numbered, ownNumber } from './own-number.ts';

export interface Subject extends Numbered {
  created_at: Date;
}

/** The approval that runs the erasure; null while it is requested. */
export interface Moment {
  now: number;
  retentionYears: number;
  approvalId: string | null;
}

type Reason = 'balance' | 'hold' | 'open_case' | 'open_alert' | 'open_approval' | 'open_payment' | 'retention';

interface Facts {
  balance: number;
  held: number;
  /** Of the last movement, in microseconds; 0: there was none. */
  last_seq: number;
  open_case: boolean;
  open_alert: boolean;
  open_approval: boolean;
  open_payment: boolean;
  /** When the last case or alert ended. */
  last_ended: Date | null;
}

/** Why the data may be erased: the years of retention are over. */
export interface Retention {
  /** The last payment, closed case or resolved alert, or else the registration. */
  began: number;
  ended: number;
}

/** Locks the wallet until the transaction ends: a payment is committed before the checks, or finds the wallet frozen. */
export async function checkErasure(trx: Queries, subject: Subject, moment: Moment): Promise<Retention | Refusal> {
  const facts = await readFacts(trx, subject, moment);
  const began = Math.max(facts.last_seq / 1_000, subject.created_at.getTime(), facts.last_ended?.getTime() ?? 0);
  const until = yearsAfter(began, moment.retentionYears);
  const isRetained = until > moment.now;
  const reasons: Reason[] = [];
  if (facts.balance !== 0) reasons.push('balance');
  if (facts.held !== 0) reasons.push('hold');
  if (facts.open_case) reasons.push('open_case');
  if (facts.open_alert) reasons.push('open_alert');
  if (facts.open_approval) reasons.push('open_approval');
  if (facts.open_payment) reasons.push('open_payment');
  if (isRetained) reasons.push('retention');
  if (reasons.length === 0) return { began, ended: until };
  const sentences = reasons.map((reason) => (reason === 'retention' ? retained(until) : SENTENCES[reason]));
  const details = { reasons, retained_until: isRetained ? iso(until) : null };
  return refuse('NOT_ERASABLE', `The personal data cannot be erased: ${sentences.join('; ')}.`, { details });
}

const SENTENCES: Record<Exclude<Reason, 'retention'>, string> = {
  balance: 'the wallet has a balance',
  hold: 'a part of the balance is held',
  open_case: 'a case of the customer is open',
  open_alert: 'an alert about the customer is open',
  open_approval: 'another request about the customer waits for approval',
  open_payment: 'a bulk payment that names the customer has not ended',
};

const retained = (until: number) => `the law requires it to be kept until ${iso(until).slice(0, 10)}`;

/** The same day, so many years later; for 29 February, 1 March. */
export function yearsAfter(at: number, years: number): number {
  const date = new Date(at);
  return date.setUTCFullYear(date.getUTCFullYear() + years);
}

async function readFacts(trx: Queries, subject: Subject, { now: at, approvalId }: Moment): Promise<Facts> {
  const [{ id }, now] = [subject, new Date(at)];
  const account = trx.selectFrom('accounts').select(['balance', 'held', 'last_seq']).where('id', '=', id);
  const wallet = await account.forUpdate().executeTakeFirstOrThrow();
  // In a statement after the lock, which sees what was committed before it.
  const { rows } = await sql<Pick<Facts, 'open_case' | 'open_alert' | 'open_approval' | 'last_ended'>>`
    select
      exists (select from cases c left join recalls r on r.case_id = c.id
        where c.closed_at is null and (c.subscriber_id = ${id} or r.recipient_id = ${id})) as open_case,
      exists (select from compliance_alerts
        where subscriber_id = ${id} and status in ('open', 'in_review')) as open_alert,
      exists (select from approvals where subscriber_id = ${id} and status in ('pending', 'approved')
        and expires_at > ${now} and id is distinct from ${approvalId}) as open_approval,
      greatest((select max(closed_at) from cases where subscriber_id = ${id}),
        (select max(resolved_at) from compliance_alerts where subscriber_id = ${id})) as last_ended`.execute(trx);
  const [others] = rows;
  if (!others) throw new Error(`nothing was read about ${id}`);
  const open_payment = await hasOpenBulkRow(trx, subject, await ownNumber(trx, subject));
  return { ...wallet, ...others, open_payment };
}
