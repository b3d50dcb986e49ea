// The record of an inbound credit, one row per reference whatever the outcome, and its views for partners.
import type { Row } from '../../../db/schema/tables.ts';
import { inboundEnvelope } from '../../../http/envelope.ts';
import { iso } from '../../../kernel/clock.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import { shortName } from '../../../kernel/text.ts';
import { outstandingOf, type PartnerRow } from '../../../parties/partner.ts';
import type { CreditEvent } from '../../../webhooks/event.ts';
import type { Beneficiary } from './beneficiary.ts';
import type { Credit } from './input.ts';
import type { InboundView } from './schemas.ts';

/** Without the batch, which the ledger assigns. */
export type InboundRow = Omit<Row<'inbound_transactions'>, 'batch'>;

/** With its reversal's time, which is stored in a separate table. */
export type InboundRecord = InboundRow & { reversed_at: Date | null };

export interface Failure {
  status: 'REJECTED' | 'FAILED';
  refusal: Refusal;
}

/** A credit's outcome: a movement or a failure. */
export interface CreditOutcome {
  inboundId: string;
  at: number;
  clearingBalance: number;
  transactionId?: string;
  failure?: Failure;
}

export function rowOf(credit: Credit, beneficiary: Beneficiary | null, outcome: CreditOutcome): InboundRow {
  const { failure, transactionId = null } = outcome;
  const holder = beneficiary?.holder;
  return {
    id: outcome.inboundId,
    partner_id: credit.partnerId,
    reference: credit.reference,
    key_id: credit.keyId,
    idempotency_key: credit.idempotencyKey,
    status: failure?.status ?? 'COMPLETED',
    failure_code: failure?.refusal.code ?? null,
    transaction_id: transactionId,
    identified_by: credit.identifier.by,
    identifier: credit.identifier.value,
    subscriber_id: holder?.id ?? null,
    account_number: holder?.account_number ?? null,
    account_name: holder ? shortName(holder) : null,
    amount: credit.amount,
    fee: 0,
    net_credited: failure ? 0 : credit.amount,
    currency: credit.currency,
    partner_outstanding: outstandingOf(outcome.clearingBalance),
    narration: credit.narration,
    payer_name: credit.payer.name ?? null,
    payer_account_masked: credit.payer.account_masked ?? null,
    payer_bank_code: credit.payer.bank_code ?? null,
    completed_at: new Date(outcome.at),
  };
}

export function viewOf(row: InboundRow, reversed = false): InboundView {
  const { account_number, account_name, failure_code } = row;
  return {
    inbound_id: row.id,
    reference: row.reference,
    transaction_id: row.transaction_id,
    status: reversed ? 'REVERSED' : row.status,
    operation: 'credit',
    amount: row.amount,
    fee: row.fee,
    net_credited: row.net_credited,
    currency: row.currency,
    beneficiary: account_number !== null && account_name !== null ? { account_number, account_name } : null,
    partner_outstanding: row.partner_outstanding,
    completed_at: iso(row.completed_at),
    ...(failure_code === null ? {} : { failure_code }),
  };
}

export function completedReply(row: InboundRow) {
  return { success: true, code: 'COMPLETED', message: 'The wallet was credited.', data: viewOf(row) };
}

/** Partners get the code and the message, but not details such as a compliance alert's id. */
export function failedReply(reference: string, { status, refusal: { code, message } }: Failure) {
  return inboundEnvelope.refusal(refuse(code, message, dataOf(reference, status, code)));
}

/** Not stored: the reference keeps the outcome of the first credit. */
export function referenceConflict(reference: string): Refusal {
  const sentence = 'This reference was used before with different details. The outcome of that transfer is unchanged.';
  return refuse('REFERENCE_CONFLICT', sentence, dataOf(reference, 'REJECTED', 'REFERENCE_CONFLICT'));
}

function dataOf(reference: string, status: string, failure_code: string) {
  return { details: { data: { reference, status, failure_code } } };
}

export function eventOf(
  row: InboundRow,
  partner: Pick<PartnerRow, 'id' | 'webhook_url' | 'webhook_endpoints'>,
): CreditEvent {
  const { reference, amount, fee, currency, failure_code, status, transaction_id } = row;
  const facts = { partner, reference, inboundId: row.id, amount, fee, currency, subscriberId: row.subscriber_id };
  const occurredAt = row.completed_at.getTime();
  if (status !== 'COMPLETED' || transaction_id === null) {
    const failed = { status: status === 'FAILED' ? status : 'REJECTED', failureCode: failure_code ?? '' } as const;
    return { event: 'credit.failed', ...facts, occurredAt, ...failed };
  }
  return { event: 'credit.completed', ...facts, occurredAt, transactionId: transaction_id };
}
