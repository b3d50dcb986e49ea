// Reverses credits with the amounts that ask for it, through the normal reversal.
import type { Actor } from '../../audit/log.ts';
import type { Queries } from '../../db/database.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Inbound } from '../partners/inbound/service.ts';
import type { Observations } from './certification/observations.ts';
import { amountsOf, REVERSED_AFTER_SECONDS } from './effects.ts';
import { type DueCredit, dueCredits } from './store.ts';

export interface ReversalsContext {
  queries: Queries;
  inbound: Pick<Inbound, 'reverseOperation'>;
  observations: Pick<Observations, 'reversal'>;
  clock: Clock;
}

/** A credit that cannot be reversed, because its money is spent, is tried again for this long. */
const WINDOW_MS = 10 * MINUTE_MS;

export function createReversals({ queries, inbound, observations, clock }: ReversalsContext) {
  async function reverse({ id, reference, partner_id }: DueCredit, actor: Actor): Promise<void> {
    const input = { params: { inbound_id: id }, body: { reason: 'Reversed by the lab.' } };
    const outcome = await inbound.reverseOperation.execute(actor, input, { amount: '', requestId: `lab-${id}` });
    if (!(outcome instanceof Refusal) && !outcome.replayed) await observations.reversal(partner_id, reference);
  }

  return async function reverseDue(actor: Actor): Promise<void> {
    const now = clock.now();
    const since = now - WINDOW_MS;
    const later = { amounts: amountsOf('reversed'), before: now - REVERSED_AFTER_SECONDS * SECOND_MS, since };
    const atOnce = { amounts: amountsOf('out_of_order'), before: now, since };
    for (const due of [atOnce, later]) {
      for (const credit of await dueCredits(queries, due)) await reverse(credit, actor);
    }
  };
}
