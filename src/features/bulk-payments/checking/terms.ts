// What the rows of a payer cost and which rules apply to their amounts.
import type { Load } from '../../../db/batch-loader.ts';
import type { TableReader } from '../../../db/keyed-lookup.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { MOVEMENT_TYPES, type MovementType } from '../../../ledger/movement-types.ts';
import type { CreditBounds } from '../../../parties/partner.ts';
import { evaluate, type RuleCache } from '../../../payments/compliance-rules.ts';
import { type FeeSetting, paymentFees, WITHDRAWAL_TYPE } from '../../../payments/fees.ts';
import { type BulkPayment, ROW_TYPES } from '../types.ts';
import type { BatchTerms, Warning } from './outcome.ts';

export interface TermsContext {
  feeSettings: TableReader<readonly FeeSetting[]>;
  checkOf: RuleCache['checkOf'];
  findPartner: Load<string, CreditBounds | null>;
  clock: Clock;
}

/** Read anew for each batch: settings may change while a large file is checked. */
export async function batchTerms(context: TermsContext, payment: BulkPayment): Promise<BatchTerms> {
  const { payer_kind: payerKind, payer_id, unclaimed } = payment;
  const type = ROW_TYPES[payerKind];
  const settings = await context.feeSettings.load();
  const bounds = payerKind === 'partner' ? await context.findPartner(payer_id) : null;
  const [ofRows, ofCodes] = [await amountRules(context, type), await amountRules(context, 'unclaimed_payment')];
  return {
    ...{ payerKind, bounds, paysCodes: unclaimed === 'code' },
    compliance: (amount, isCode) => (isCode ? ofCodes : ofRows)(amount),
    fee: (amount, isCode) => payerFee(settings, isCode ? WITHDRAWAL_TYPE : type, amount),
  };
}

function payerFee(settings: readonly FeeSetting[], type: MovementType, amount: number): number {
  const [payer, payee] = MOVEMENT_TYPES[type].parties;
  return paymentFees(settings, { type, payer, payee, amount }).payer.charged;
}

/** Rules over a window depend on the person and on the time, and are left to the payment. */
async function amountRules({ checkOf, clock }: TermsContext, type: MovementType) {
  const check = await checkOf(type);
  const rules = [...(check?.rules ?? []), ...(check?.payee?.rules ?? [])].filter(({ kind }) => kind === 'amount');
  return (amount: number): Warning | null => {
    if (rules.length === 0) return null;
    const triggered = evaluate(rules, { amount, now: clock.now(), recent: () => null });
    if (triggered.length === 0) return null;
    return triggered.some(({ rule }) => rule.outcome === 'block') ? 'COMPLIANCE_BLOCK' : 'COMPLIANCE_FLAG';
  };
}
