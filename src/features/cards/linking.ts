// Links parent and child cards to subscribers, decided on the locked subscriber and cards.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import type { RecordRef } from '../../audit/records.ts';
import type { Queries } from '../../db/database.ts';
import { parseAmount } from '../../kernel/money.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy } from '../../kernel/text.ts';
import { cardBlocked, cardNotAssigned, cardStatusRefusal, noSuchCard, readSerial } from '../../parties/card.ts';
import { isUnverified, notVerified } from '../../parties/registration.ts';
import { noSuchSubscriber, subscriberBlocked } from '../../parties/subscriber.ts';
import { type CardContext, RESOURCE } from './context.ts';
import type { CardRow } from './record.ts';
import type { child as childBody, link as linkBody } from './schemas.ts';
import * as store from './store.ts';

export type Link = Static<typeof linkBody>;
export type Child = Static<typeof childBody>;

interface Holder {
  id: string;
  status: string;
  phone_verified: boolean;
  max_child_cards: number;
  is_pep: boolean;
}

export interface Linked {
  card: CardRow;
  holder: Pick<Holder, 'id' | 'is_pep'>;
  /** Another subscriber had the card: what is sent to it now reaches somebody else. */
  isMoved: boolean;
}

type Run = (trx: Queries) => Promise<Linked | Refusal>;

export function createLinking({ audit, subscribers, notices, pep, clock, requireStock }: CardContext) {
  const now = () => new Date(clock.now());

  /** Locks the card and its parent. Adds an unknown card to stock first if the configuration allows it. */
  async function lock(trx: Queries, serial: string, parentSerial?: string): Promise<Map<string, CardRow>> {
    if (!requireStock) await store.addToStock(trx, [{ serial, label: null }], now());
    return store.lockCards(trx, parentSerial === undefined ? [serial] : [serial, parentSerial]);
  }

  /** A card that returns to its last holder can be used with that wallet again. That of another holder is told. */
  async function linkTo(
    trx: Queries,
    holder: Holder,
    { serial, unlinked_subscriber_id }: CardRow,
    terms: store.CardChange,
  ): Promise<Linked> {
    const returns = unlinked_subscriber_id === holder.id;
    const former = returns ? { unlinked_subscriber_id: null } : {};
    const card = await store.updateCard(trx, serial, { ...linkedTo(holder, now()), ...terms, ...former });
    if (returns) await store.updateBlockedCards(trx, holder.id);
    const isMoved = unlinked_subscriber_id !== null && !returns;
    if (isMoved) await tellFormerHolder(trx, unlinked_subscriber_id);
    return { card, holder, isMoved };
  }

  /** Not a number that was not verified: it may belong to somebody else. */
  async function tellFormerHolder(trx: Queries, id: string): Promise<void> {
    const former = await subscribers.find(id);
    if (former?.phone_verified) await notices.tell(trx, { kind: 'card_moved', subscriberId: id, values: {} });
  }

  function link(actor: Actor, body: Link): Run | Refusal {
    const serial = readSerial(body.card_serial);
    if (serial === null) return noSuchCard();
    return async (trx) => {
      const holder = await subscribers.lock(trx, body.subscriber_id);
      if (!holder) return noSuchSubscriber();
      const pepRefusal = await pep.refusal(actor, holder, 'cards', trx);
      if (pepRefusal) return pepRefusal;
      const card = (await lock(trx, serial)).get(serial);
      if (!card) return noSuchCard();
      const refusal = linkRefusal(holder, card);
      if (refusal) return refusal;
      const linked = await linkTo(trx, holder, card, labelOf(body));
      const details = { subscriber_id: holder.id };
      await audit.record(trx, actor, { action: 'card.link', ...auditedCard(serial), details });
      return linked;
    };
  }

  function child(actor: Actor, body: Child): Run | Refusal {
    const [serial, parentSerial] = [readSerial(body.card_serial), readSerial(body.parent_serial)];
    if (serial === null || parentSerial === null) return noSuchCard();
    return async (trx) => {
      const holder = await holderOf(trx, parentSerial);
      if (holder instanceof Refusal) return holder;
      const pepRefusal = await pep.refusal(actor, holder, 'cards', trx);
      if (pepRefusal) return pepRefusal;
      const cards = await lock(trx, serial, parentSerial);
      const card = cards.get(serial);
      if (!card) return noSuchCard();
      const refusal = childRefusal(holder, cards.get(parentSerial), card);
      if (refusal) return refusal;
      const dailyLimit = readDailyLimit(body);
      if (dailyLimit instanceof Refusal) return dailyLimit;
      // The count cannot change concurrently: linking requires the subscriber's lock.
      if ((await store.countChildren(trx, holder.id)) >= holder.max_child_cards) return limitReached(holder);
      const terms = { type: 'child', parent_serial: parentSerial, daily_limit: dailyLimit } as const;
      const made = await linkTo(trx, holder, card, { ...labelOf(body), ...terms });
      const details = { subscriber_id: holder.id, parent_serial: parentSerial, daily_limit: dailyLimit };
      await audit.record(trx, actor, { action: 'card.child', ...auditedCard(serial), details });
      return made;
    };
  }

  /** Locks the subscriber of the parent card. The caller locks the parent and checks it again. */
  async function holderOf(trx: Queries, parentSerial: string): Promise<Holder | Refusal> {
    const parent = await store.readCard(trx, parentSerial);
    if (!parent) return noSuchCard('parent card');
    if (parent.retired_at) return cardBlocked('parent card');
    const holder = parent.subscriber_id === null ? null : await subscribers.lock(trx, parent.subscriber_id);
    return holder ?? cardNotAssigned('parent card');
  }

  return { link, child };
}

/** With the former holder: an approval holds for the card of this one. */
function auditedCard(serial: string) {
  const also: RecordRef[] = [{ kind: 'card_former_holder', id: serial }];
  return { resourceType: RESOURCE, resourceId: serial, also };
}

function linkedTo(holder: Holder, at: Date) {
  return { status: 'active', subscriber_id: holder.id, linked_at: at } as const;
}

/** Without a label in the request, the card keeps its label from stock. */
function labelOf({ label }: { label?: string }) {
  return label === undefined ? {} : { label: tidy(label) };
}

function linkRefusal(holder: Holder, card: CardRow): Refusal | null {
  if (holder.status === 'BLOCKED') return subscriberBlocked();
  if (isUnverified(holder)) return notVerified('Cards can be linked afterwards.');
  if (card.subscriber_id !== null) return refuse('CARD_ALREADY_LINKED', 'The card is already linked.');
  return cardStatusRefusal(card);
}

function childRefusal(holder: Holder, parent: CardRow | undefined, card: CardRow): Refusal | null {
  if (!parent) return noSuchCard();
  // The parent was unlinked, and perhaps linked to another subscriber, after it was read.
  if (parent.subscriber_id !== holder.id) return cardNotAssigned('parent card');
  if (parent.type === 'child')
    return refuse('INVALID_REQUEST', 'parent_serial must not be the serial of a child card.');
  if (holder.status === 'BLOCKED') return subscriberBlocked();
  if (parent.status === 'blocked') return cardBlocked('parent card');
  return linkRefusal(holder, card);
}

function readDailyLimit({ daily_limit }: Child): number | null | Refusal {
  if (daily_limit === undefined) return null;
  return (
    parseAmount(daily_limit) ??
    refuse('INVALID_AMOUNT', 'daily_limit must be a positive whole number of minor units below 2^53.')
  );
}

function limitReached({ max_child_cards }: Holder): Refusal {
  return refuse('CHILD_CARD_LIMIT', `The subscriber already has the maximum of ${max_child_cards} child cards.`);
}
