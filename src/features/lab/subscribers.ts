// Registers the subscribers of the lab with their cards, and blocks the one that is to be blocked.
import type { Actor } from '../../audit/log.ts';
import type { Database } from '../../db/database.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { CardService } from '../cards/service.ts';
import type { SubscriberService } from '../subscribers/service.ts';
import { LAB_PIN, LAB_SUBSCRIBERS, type LabSubscriber } from './effects.ts';

export interface LabSubscribersContext {
  subscribers: Pick<SubscriberService, 'register' | 'block'>;
  cards: Pick<CardService, 'operations'>;
  database: Database;
}

/** A number that is registered already is left as it is. */
export async function registerSubscribers(context: LabSubscribersContext, actor: Actor): Promise<void> {
  for (const each of LAB_SUBSCRIBERS) await registerOne(context, actor, each);
}

async function registerOne(
  { subscribers, cards, database }: LabSubscribersContext,
  actor: Actor,
  { phone, firstName, serial, blocked }: LabSubscriber,
): Promise<void> {
  const person = { phone_number: phone, first_name: firstName, last_name: 'Lab', pin: LAB_PIN };
  const subscriber = await subscribers.register(actor, person);
  if (subscriber instanceof Refusal) return;
  const body = { subscriber_id: subscriber.id, card_serial: serial };
  const link = await cards.operations.link.plan(actor, { params: {}, body });
  if (!(link instanceof Refusal)) await database.transact(link);
  if (blocked) await subscribers.block(actor, subscriber.id, { reason: 'Blocked for the lab.' });
}
