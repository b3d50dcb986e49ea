// Answers payment requests with the amounts that ask for it: the lab's first subscriber really pays or declines them.
import type { Actor } from '../../audit/log.ts';
import type { Queries } from '../../db/database.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import type { PaymentRequests } from '../payment-requests/service.ts';
import { ANSWERED_AFTER_SECONDS, amountsOf, LAB_PIN, LAB_SUBSCRIBERS } from './effects.ts';
import { mayAnswer, subscriberWith, unansweredRequests } from './store.ts';

export interface PayersContext {
  queries: Queries;
  paymentRequests: Pick<PaymentRequests, 'confirm' | 'declineAsAsked'>;
  clock: Clock;
}

/** Older ones stay as they are, for example after the lab was off. */
const WINDOW_MS = 10 * MINUTE_MS;
const EFFECTS = ['paid', 'declined', 'paid_slowly'] as const;

export function createPayers({ queries, paymentRequests, clock }: PayersContext) {
  /** Once, whatever the outcome: a customer whose wallet is empty does not try again every second. */
  async function answer(effect: (typeof EFFECTS)[number], request: string, payer: string, actor: Actor): Promise<void> {
    if (!(await mayAnswer(queries, request, new Date(clock.now())))) return;
    if (effect === 'declined') await paymentRequests.declineAsAsked(actor, { payer, request });
    else await paymentRequests.confirm(actor, { payer, request, pin: LAB_PIN, requestId: `lab-${request}` });
  }

  return async function answerDue(actor: Actor): Promise<void> {
    const now = clock.now();
    for (const effect of EFFECTS) {
      const before = now - ANSWERED_AFTER_SECONDS[effect] * SECOND_MS;
      const due = await unansweredRequests(queries, { amounts: amountsOf(effect), before, since: now - WINDOW_MS });
      const payer = due.length > 0 ? await subscriberWith(queries, LAB_SUBSCRIBERS[0]?.phone ?? '') : undefined;
      if (payer !== undefined) for (const request of due) await answer(effect, request, payer, actor);
    }
  };
}
