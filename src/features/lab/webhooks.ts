// Wraps the delivery of webhooks: events of credits with an amount of the lab arrive twice, late or out of order.
import type { Clock } from '../../kernel/clock.ts';
import { type Attempt, type MakeAttempt, notSent } from '../../webhooks/attempt.ts';
import type { Claimed } from '../../webhooks/outbox.ts';
import type { Observations } from './certification/observations.ts';
import { type MagicAmount, magicAmount } from './effects.ts';

export interface WebhookEffectsContext {
  /** The event no longer comes before others of its reference. */
  moveBehind(deliveryId: string): Promise<void>;
  observations: Pick<Observations, 'webhook'>;
  clock: Clock;
}

export function withWebhookEffects(attempt: MakeAttempt, context: WebhookEffectsContext): MakeAttempt {
  return async (claimed, beginBefore) => {
    // The lab's amounts and observations are of credits to a partner's webhook_url.
    if (claimed.endpointId !== null) return attempt(claimed, beginBefore);
    const { amount, reference } = JSON.parse(claimed.body.toString()) as { amount: number; reference: string };
    const magic = magicAmount(amount);
    if (magic?.effect === 'out_of_order' && isHeldBack(claimed)) {
      await context.moveBehind(claimed.id);
      return { at: context.clock.now(), durationMs: 0, ...notSent('Lab: held back, to arrive out of order.') };
    }
    const send = async (): Promise<Attempt> => {
      const sent = await attempt(claimed, beginBefore);
      const { event, ownerId, attempts } = claimed;
      const { status, error } = sent;
      await context.observations.webhook(ownerId, { event, reference, amount, number: attempts + 1, status, error });
      return sent;
    };
    const sent = await send();
    if (magic?.effect === 'duplicate' && sent.error === null) await send();
    return treatedAsFailed(sent, claimed, magic);
  };
}

/** The first attempt of the event that a reversal overtakes. */
function isHeldBack({ event, attempts }: Claimed): boolean {
  return event === 'credit.completed' && attempts === 0;
}

function treatedAsFailed(sent: Attempt, { attempts }: Claimed, magic: MagicAmount | undefined): Attempt {
  const times = magic?.effect === 'fails' ? (magic.times ?? 0) : 0;
  if (attempts >= times || sent.error !== null) return sent;
  return { ...sent, error: `Lab: treated as failed, ${attempts + 1} of ${times}.` };
}
