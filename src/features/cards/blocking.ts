// Blocks, unblocks and retires a card, in stock or linked, decided on the locked row.
import type { Actor, CustomerActor } from '../../audit/log.ts';
import type { Queries } from '../../db/database.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy } from '../../kernel/text.ts';
import { noSuchCard, readSerial } from '../../parties/card.ts';
import { subscriberBlocked } from '../../parties/subscriber.ts';
import { type CardContext, RESOURCE } from './context.ts';
import { type CardRow, holderIdOf } from './record.ts';
import * as store from './store.ts';

interface Change {
  action: string;
  change: store.CardChange;
  details: Record<string, unknown>;
  reason?: string | undefined;
}

/** Set for the holder, who decides on their own cards alone. */
interface Own {
  holder?: string;
}

type Decision = (trx: Queries, serial: string) => Promise<Change | Refusal>;

export function createBlocking({ database, audit, subscribers, pep, clock }: CardContext) {
  async function block(
    trx: Queries,
    actor: Actor,
    serial: string,
    { reason, holder }: Own & { reason?: string | undefined },
  ): Promise<Change | Refusal> {
    const card = await store.lockCard(trx, serial);
    if (!card || (holder !== undefined && card.subscriber_id !== holder)) return noSuchCard();
    const pepRefusal = await pep.refusalOf(actor, holderIdOf(card), 'cards', trx);
    if (pepRefusal) return pepRefusal;
    // Staff take over a block by the holder, who then cannot lift it.
    const isTakenOver = holder === undefined && (await store.isBlockedByHolder(trx, serial));
    if (card.status === 'blocked' && !isTakenOver) return refuse('ALREADY_BLOCKED', 'The card is already blocked.');
    const change = { status: 'blocked' } as const;
    return { action: 'card.block', change, details: {}, reason: reason && tidy(reason) };
  }

  /** Locks the subscriber before the card, as everywhere, so that it cannot be blocked while its card is unblocked. */
  async function unblock(trx: Queries, actor: Actor, serial: string, { holder: own }: Own): Promise<Change | Refusal> {
    const unlocked = await store.readCard(trx, serial);
    if (!unlocked || (own !== undefined && unlocked.subscriber_id !== own)) return noSuchCard();
    const pepRefusal = await pep.refusalOf(actor, holderIdOf(unlocked), 'cards', trx);
    if (pepRefusal) return pepRefusal;
    const holder = unlocked.subscriber_id === null ? null : await subscribers.lock(trx, unlocked.subscriber_id);
    if (holder?.status === 'BLOCKED') return subscriberBlocked();
    // A parent is retired under the subscriber's lock, so that it needs no lock of its own here.
    const parent = unlocked.parent_serial === null ? null : await store.readCard(trx, unlocked.parent_serial);
    const card = await store.lockCard(trx, serial);
    if (card?.retired_at) return refuse('CARD_BLOCKED', 'The card was retired and cannot be unblocked.');
    // A card that was linked after the first read was not blocked at that time.
    const blocked = card?.status === 'blocked' && card.subscriber_id === unlocked.subscriber_id;
    if (!blocked) return refuse('NOT_BLOCKED', 'The card is not blocked.');
    if (own !== undefined && !(await store.isBlockedByHolder(trx, serial))) return blockedByOthers();
    if (parent?.retired_at) return refuse('CARD_BLOCKED', 'The parent card was retired: replace this card.');
    return { action: 'card.unblock', change: { status: holder ? 'active' : 'unassigned' }, details: {} };
  }

  /** Unlinks the card for good and blocks its child cards. Also decides on a card that is blocked already. */
  async function retire(trx: Queries, actor: Actor, serial: string, reason: string): Promise<Change | Refusal> {
    const unlocked = await store.readCard(trx, serial);
    if (!unlocked) return noSuchCard();
    const pepRefusal = await pep.refusalOf(actor, holderIdOf(unlocked), 'cards', trx);
    if (pepRefusal) return pepRefusal;
    // The lock on the subscriber excludes new child cards.
    if (unlocked.subscriber_id !== null) await subscribers.lock(trx, unlocked.subscriber_id);
    const children = await store.childSerials(trx, serial);
    const card = (await store.lockCards(trx, [serial, ...children])).get(serial);
    if (card?.retired_at) return refuse('ALREADY_BLOCKED', 'The card is already retired.');
    if (card?.subscriber_id !== unlocked.subscriber_id) {
      return refuse('CARD_ALREADY_LINKED', 'The card was linked at the same time. Try again.');
    }
    await store.blockCards(trx, children);
    const holder = unlocked.subscriber_id;
    return {
      action: 'card.retire',
      change: {
        status: 'blocked',
        subscriber_id: null,
        linked_at: null,
        retired_at: new Date(clock.now()),
        retired_subscriber_id: holder,
      },
      details: holder === null ? {} : { subscriber_id: holder },
      reason: tidy(reason),
    };
  }

  async function change(actor: Actor, text: string, decide: Decision): Promise<CardRow | Refusal> {
    const serial = readSerial(text);
    if (serial === null) return noSuchCard();
    return database.transact(async (trx) => {
      const decided = await decide(trx, serial);
      if (decided instanceof Refusal) return decided;
      const { action, details, reason } = decided;
      const changed = await store.updateCard(trx, serial, decided.change);
      await store.removeHolderBlock(trx, serial);
      const holder = holderIdOf(changed);
      if (holder !== null) await store.updateBlockedCards(trx, holder);
      if (isBlockByHolder(actor, decided))
        await store.addHolderBlock(trx, serial, actor.caller.id, new Date(clock.now()));
      const personal = { subscriberId: holder, texts: reason ? { reason } : {} };
      await audit.record(trx, actor, { action, resourceType: RESOURCE, resourceId: serial, details, personal });
      return changed;
    });
  }

  return {
    block: (actor: Actor, serial: string, reason?: string) =>
      change(actor, serial, (trx, stored) => block(trx, actor, stored, { reason })),
    unblock: (actor: Actor, serial: string) => change(actor, serial, (trx, stored) => unblock(trx, actor, stored, {})),
    blockOwn: (actor: CustomerActor, serial: string) =>
      change(actor, serial, (trx, stored) => block(trx, actor, stored, { holder: actor.caller.id })),
    /** Only a block by the holder: staff may have had a reason that the holder does not know. */
    unblockOwn: (actor: CustomerActor, serial: string) =>
      change(actor, serial, (trx, stored) => unblock(trx, actor, stored, { holder: actor.caller.id })),
    async retire(actor: Actor, serial: string, reason?: string): Promise<CardRow | Refusal> {
      if (reason === undefined) return refuse('INVALID_REQUEST', 'reason is required to retire a card.');
      return change(actor, serial, (trx, stored) => retire(trx, actor, stored, reason));
    },
  };
}

function isBlockByHolder(actor: Actor, { action }: Change): actor is CustomerActor {
  return action === 'card.block' && actor.caller.kind === 'subscriber';
}

function blockedByOthers(): Refusal {
  return refuse('CARD_BLOCKED', 'You did not block this card: ask support to unblock it.');
}
