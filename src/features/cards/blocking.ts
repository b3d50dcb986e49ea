// Blocks and unblocks a card, in stock or linked, decided on the locked row.
import type { Actor } from '../../audit/log.ts';
import type { Queries } from '../../db/database.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { setCardBlocked } from '../../ledger/accounts.ts';
import { noSuchCard, readSerial } from '../../parties/card.ts';
import { subscriberBlocked } from '../../parties/subscriber.ts';
import { type CardContext, RESOURCE } from './context.ts';
import type { CardRow } from './record.ts';
import { lockCard, readCard, updateCard } from './store.ts';

interface Change {
  action: string;
  status: CardRow['status'];
  details: Record<string, unknown>;
}

export function createBlocking({ database, audit, subscribers, pep }: CardContext) {
  async function block(trx: Queries, actor: Actor, serial: string, reason?: string): Promise<Change | Refusal> {
    const card = await lockCard(trx, serial);
    if (!card) return noSuchCard();
    const pepRefusal = await pep.refusalOf(actor, card.subscriber_id, 'cards', trx);
    if (pepRefusal) return pepRefusal;
    if (card.status === 'blocked') return refuse('ALREADY_BLOCKED', 'The card is already blocked.');
    return { action: 'card.block', status: 'blocked', details: reason === undefined ? {} : { reason: reason.trim() } };
  }

  /** Locks the subscriber before the card, as everywhere, so that it cannot be blocked while its card is unblocked. */
  async function unblock(trx: Queries, actor: Actor, serial: string): Promise<Change | Refusal> {
    const unlocked = await readCard(trx, serial);
    if (!unlocked) return noSuchCard();
    const pepRefusal = await pep.refusalOf(actor, unlocked.subscriber_id, 'cards', trx);
    if (pepRefusal) return pepRefusal;
    const holder = unlocked.subscriber_id === null ? null : await subscribers.lock(trx, unlocked.subscriber_id);
    if (holder?.status === 'BLOCKED') return subscriberBlocked();
    const card = await lockCard(trx, serial);
    // A card that was linked after the first read was not blocked at that time.
    const blocked = card?.status === 'blocked' && card.subscriber_id === unlocked.subscriber_id;
    if (!blocked) return refuse('NOT_BLOCKED', 'The card is not blocked.');
    return { action: 'card.unblock', status: holder ? 'active' : 'unassigned', details: {} };
  }

  async function change(
    actor: Actor,
    text: string,
    decide: (trx: Queries, serial: string) => Promise<Change | Refusal>,
  ): Promise<CardRow | Refusal> {
    const serial = readSerial(text);
    if (serial === null) return noSuchCard();
    return database.transact(async (trx) => {
      const decided = await decide(trx, serial);
      if (decided instanceof Refusal) return decided;
      const { action, status, details } = decided;
      const changed = await updateCard(trx, serial, { status });
      // Waits for payments that lock the wallet: no payment with this card is approved after the block is confirmed.
      if (changed.subscriber_id) await setCardBlocked(trx, changed.subscriber_id, serial, status === 'blocked');
      await audit.record(trx, actor, { action, resourceType: RESOURCE, resourceId: serial, details });
      return changed;
    });
  }

  return {
    block: (actor: Actor, serial: string, reason?: string) =>
      change(actor, serial, (trx, stored) => block(trx, actor, stored, reason)),
    unblock: (actor: Actor, serial: string) => change(actor, serial, (trx, stored) => unblock(trx, actor, stored)),
  };
}
