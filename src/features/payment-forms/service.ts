// What a form for a payment needs: the fee before it is sent, and the outcome if no reply arrives.
import { createOutcomes, type OutcomeContext } from './outcomes.ts';
import { createQuotes, type QuoteContext } from './quotes.ts';

export type { SentRequest } from './outcomes.ts';
export type PaymentForms = ReturnType<typeof createPaymentForms>;

export type PaymentFormsContext = QuoteContext & OutcomeContext;

export function createPaymentForms(context: PaymentFormsContext) {
  return { ...createQuotes(context), ...createOutcomes(context) };
}
