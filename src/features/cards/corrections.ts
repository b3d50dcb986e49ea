// Edits and unlinks a card, decided on the locked row.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import type { Queries } from '../../db/database.ts';
import { parseAmount } from '../../kernel/money.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy } from '../../kernel/text.ts';
import { cardNotAssigned, noSuchCard, readSerial } from '../../parties/card.ts';
import { type CardContext, RESOURCE } from './context.ts';
import { type CardRow, holderIdOf } from './record.ts';
import type { changes } from './schemas.ts';
import {
  childSerials,
  lockCard,
  lockCards,
  readCard,
  removeHolderBlock,
  updateBlockedCards,
  updateCard,
} from './store.ts';

export type CardChanges = Static<typeof changes>;

export function createCorrections({ database, audit, subscribers, pep }: CardContext) {
  async function apply(trx: Queries, actor: Actor, serial: string, input: CardChanges): Promise<CardRow | Refusal> {
    const card = await lockCard(trx, serial);
    if (!card) return noSuchCard();
    const pepRefusal = await pep.refusalOf(actor, holderIdOf(card), 'cards', trx);
    if (pepRefusal) return pepRefusal;
    if (Object.keys(input).length === 0) return card;
    if (card.retired_at) return retired();
    const daily_limit = readDailyLimit(card, input.daily_limit);
    if (daily_limit instanceof Refusal) return daily_limit;
    const label = input.label === undefined ? card.label : tidy(input.label) || null;
    const details = {
      ...(label === card.label ? {} : { fields: ['label'] }),
      ...(daily_limit === card.daily_limit ? {} : { daily_limit: { from: card.daily_limit, to: daily_limit } }),
    };
    if (Object.keys(details).length === 0) return card;
    const changed = await updateCard(trx, serial, { label, daily_limit });
    await audit.record(trx, actor, { action: 'card.update', resourceType: RESOURCE, resourceId: serial, details });
    return changed;
  }

  /** The card returns to stock. Locks the subscriber before the card, as everywhere, which excludes new child cards. */
  async function release(trx: Queries, actor: Actor, serial: string, reason?: string): Promise<CardRow | Refusal> {
    const unlocked = await readCard(trx, serial);
    if (!unlocked) return noSuchCard();
    const pepRefusal = await pep.refusalOf(actor, holderIdOf(unlocked), 'cards', trx);
    if (pepRefusal) return pepRefusal;
    if (unlocked.retired_at) return retired();
    const holder = unlocked.subscriber_id;
    if (holder === null) return cardNotAssigned();
    await subscribers.lock(trx, holder);
    const children = await childSerials(trx, serial);
    const card = (await lockCards(trx, [serial, ...children])).get(serial);
    // It was unlinked or retired at the same time.
    if (card?.subscriber_id !== holder) return cardNotAssigned();
    if (children.length > 0) return hasChildren();
    const parent = card.parent_serial === null ? null : await readCard(trx, card.parent_serial);
    if (parent?.retired_at) return refuse('CARD_BLOCKED', 'The parent card was retired: replace this card.');
    const changed = await updateCard(trx, serial, inStock(card, holder));
    await removeHolderBlock(trx, serial);
    await refuseCard(trx, holder, card.unlinked_subscriber_id);
    const { parent_serial, daily_limit } = card;
    const personal = { subscriberId: holder, texts: reason === undefined ? {} : { reason: tidy(reason) } };
    const ofChild = parent_serial === null ? {} : { parent_serial, daily_limit };
    const about = { resourceType: RESOURCE, resourceId: serial, details: { subscriber_id: holder, ...ofChild } };
    await audit.record(trx, actor, { action: 'card.unlink', ...about, personal });
    return changed;
  }

  return {
    /** Fields that are not sent keep their values. Empty text removes one. */
    async update(actor: Actor, text: string, input: CardChanges): Promise<CardRow | Refusal> {
      const serial = readSerial(text);
      return serial === null ? noSuchCard() : database.transact((trx) => apply(trx, actor, serial, input));
    },
    /** The card can be linked again, to the same subscriber or another. */
    async unlink(actor: Actor, text: string, reason?: string): Promise<CardRow | Refusal> {
      const serial = readSerial(text);
      return serial === null ? noSuchCard() : database.transact((trx) => release(trx, actor, serial, reason));
    },
  };
}

/** A card in stock has no terms of a holder. A blocked card stays blocked. */
function inStock({ status }: CardRow, holder: string) {
  return {
    type: 'parent',
    status: status === 'blocked' ? 'blocked' : 'unassigned',
    subscriber_id: null,
    linked_at: null,
    parent_serial: null,
    daily_limit: null,
    label: null,
    unlinked_subscriber_id: holder,
  } as const;
}

/** The holder's wallet refuses the card from now on; an earlier holder's no longer needs to. In order of ids. */
async function refuseCard(trx: Queries, holder: string, earlier: string | null): Promise<void> {
  const holders = new Set([holder, ...(earlier === null ? [] : [earlier])]);
  for (const id of [...holders].sort()) await updateBlockedCards(trx, id);
}

function readDailyLimit(card: CardRow, text: string | undefined): number | null | Refusal {
  if (text === undefined) return card.daily_limit;
  if (card.subscriber_id === null) return cardNotAssigned();
  if (text === '') return null;
  const sentence = 'daily_limit must be a positive whole number of minor units below 2^53, or empty.';
  return parseAmount(text) ?? refuse('INVALID_AMOUNT', sentence);
}

function retired(): Refusal {
  return refuse('CARD_BLOCKED', 'The card was retired and cannot be changed.');
}

function hasChildren(): Refusal {
  return refuse('CARD_HAS_CHILDREN', 'The card has child cards: unlink or retire them first.');
}
