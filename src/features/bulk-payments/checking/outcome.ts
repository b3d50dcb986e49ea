// What checking says about a row, from what was looked up. Pure. Nothing depends on how much is in the recipient's wallet or on
// its level: a payer could otherwise measure it without paying.

import { amountRefusal, type CreditBounds } from '../../../parties/partner.ts';
import type { Holder } from '../../../parties/subscriber.ts';
import { type InvalidReason, MAX_CODE_AMOUNT } from '../reasons.ts';
import type { BulkRow, PayerKind } from '../types.ts';
import { ROW_TYPES } from '../types.ts';
import { namesMatch } from './names.ts';

export type PendingRow = Pick<
  BulkRow,
  'line' | 'reference' | 'phone_number' | 'account_number' | 'given_name' | 'amount'
>;

export const WARNINGS = ['REPEATED_RECIPIENT', 'COMPLIANCE_FLAG', 'COMPLIANCE_BLOCK'] as const;
export type Warning = (typeof WARNINGS)[number];
/** What only staff see: with it a payer could find the thresholds of compliance rules. */
export const STAFF_WARNINGS: readonly string[] = ['COMPLIANCE_FLAG', 'COMPLIANCE_BLOCK'];

/** What is the same for all rows of a batch. */
export interface BatchTerms {
  payerKind: PayerKind;
  paysCodes: boolean;
  /** Of a partner. */
  bounds: CreditBounds | null;
  /** What the payer pays on top, of a payment to a wallet and of a code. */
  fee(amount: number, isCode: boolean): number;
  /** Of a payment of this amount, whoever gets it. */
  compliance(amount: number, isCode: boolean): Warning | null;
}

export interface Outcome {
  line: number;
  reference: string;
  amount: number;
  reason: InvalidReason | null;
  recipientId: string | null;
  nameMatches: boolean | null;
  fee: number | null;
  warnings: Warning[];
}

export function outcomeOf(row: PendingRow, holder: Holder | null, terms: BatchTerms): Outcome {
  const { line, reference, amount, given_name } = row;
  const isActive = holder !== null && canBePaid(holder, terms.payerKind);
  const reason = reasonOf(row, holder, isActive, terms);
  const base = { line, reference, amount, reason };
  if (reason !== null) return { ...base, recipientId: null, nameMatches: null, fee: null, warnings: [] };
  const compliance = terms.compliance(amount, holder === null);
  return {
    ...base,
    recipientId: holder?.id ?? null,
    nameMatches: holder && given_name !== null ? namesMatch(given_name, holder) : null,
    fee: terms.fee(amount, holder === null),
    warnings: compliance ? [compliance] : [],
  };
}

function canBePaid({ status, disabled_transaction_types: disabled }: Holder, payerKind: PayerKind): boolean {
  return status === 'ACTIVE' && !disabled.includes(ROW_TYPES[payerKind]);
}

function reasonOf(
  { phone_number, amount }: PendingRow,
  holder: Holder | null,
  isActive: boolean,
  { bounds, paysCodes }: BatchTerms,
): InvalidReason | null {
  if (bounds && amountRefusal(amount, bounds)) return 'AMOUNT_OUT_OF_RANGE';
  if (isActive) return null;
  // A wallet that was blocked is not paid by a code instead.
  if (holder !== null || !paysCodes || phone_number === null) return 'RECIPIENT_UNAVAILABLE';
  return amount > MAX_CODE_AMOUNT ? 'CODE_AMOUNT_EXCEEDED' : null;
}

/** In the order of the lines: the first of several rows with a reference is paid. */
export function withoutDuplicates(
  outcomes: readonly Outcome[],
  used: ReadonlyMap<string, 'file' | 'other'>,
): Outcome[] {
  const seen = new Set<string>();
  return outcomes.map((outcome) => {
    if (outcome.reason !== null) return outcome;
    const by = seen.has(outcome.reference) ? 'file' : used.get(outcome.reference);
    if (by === undefined) {
      seen.add(outcome.reference);
      return outcome;
    }
    const reason = by === 'file' ? 'DUPLICATE_REFERENCE' : 'REFERENCE_USED';
    return { ...outcome, reason, recipientId: null, nameMatches: null, fee: null, warnings: [] };
  });
}

/** `known`: the wallets of earlier rows. */
export function withRepeated(outcomes: readonly Outcome[], known: ReadonlySet<string>): Outcome[] {
  const seen = new Set(known);
  return outcomes.map((outcome) => {
    const { recipientId } = outcome;
    if (recipientId === null) return outcome;
    const isRepeated = seen.has(recipientId);
    seen.add(recipientId);
    return isRepeated ? { ...outcome, warnings: ['REPEATED_RECIPIENT', ...outcome.warnings] } : outcome;
  });
}
