// What a payment keeps to that its payer was shown before: the price, for some minutes, and once.
import type { Allowance, IdempotencyKey, PaymentPlan } from './plan.ts';

export interface QuotedTerms {
  /** A retry names the same quote. */
  key: IdempotencyKey | null;
  quoted: NonNullable<PaymentPlan['quoted']>;
  validUntil: NonNullable<PaymentPlan['validUntil']>;
  /** The use of the quote, and other running totals of the payer. */
  allowances: readonly Allowance[];
}

type Planned = Pick<PaymentPlan, 'allowances' | 'validUntil'>;

/** The plan within these terms, if there are any. What ends first is decisive. */
export function withinTerms<Plan extends Planned>(plan: Plan, terms: QuotedTerms | undefined): Plan {
  if (!terms) return plan;
  const { quoted, validUntil, allowances } = terms;
  const endsFirst = plan.validUntil && plan.validUntil.at < validUntil.at ? plan.validUntil : validUntil;
  return { ...plan, quoted, validUntil: endsFirst, allowances: [...(plan.allowances ?? []), ...allowances] };
}

/** For the fast path, which locks totals with the accounts. */
export function totalsOfTerms(terms: QuotedTerms | undefined): readonly string[] {
  return terms?.allowances.map(({ id }) => id) ?? [];
}
