// The card service: look-up, lists, linking, blocking and uploads.
import type { Actor, CustomerActor } from '../../audit/log.ts';
import type { Queries } from '../../db/database.ts';
import type { Reader } from '../../db/driver/reader.ts';
import type { Page } from '../../http/paging.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { noSuchCard, readSerial, readSerialPrefix } from '../../parties/card.ts';
import { createBlocking } from './blocking.ts';
import type { CardContext } from './context.ts';
import { createCorrections } from './corrections.ts';
import { createLinkOperations } from './link-operations.ts';
import { type ListFilter, listCards } from './list-store.ts';
import { type CardRow, type HiddenCard, holderIdOf } from './record.ts';
import {
  activateAll,
  blockAll,
  blockedByHolder,
  cardBySerial,
  cardCount,
  retireAll,
  updateBlockedCards,
} from './store.ts';
import { createUpload } from './upload.ts';

export { type CardRow, holderIdOf, recordOf as cardRecord } from './record.ts';
export { card as cardSchema, serialParams } from './schemas.ts';

export interface ListQuery extends Page {
  status?: string;
  type?: string;
  subscriberId?: string;
  parentSerial?: string;
  /** Prefix of the serial. */
  search?: string;
}

/** A card as its holder sees it. */
export type OwnCard = CardRow & { blocked_by_you: boolean };

export interface ListedCards {
  rows: (CardRow | HiddenCard)[];
  total: number;
}

export type CardService = ReturnType<typeof createCards>;

export function createCards(context: CardContext) {
  const { database, pep } = context;
  const find = cardBySerial(database.reader);

  async function list(actor: Actor, query: ListQuery): Promise<ListedCards | Refusal> {
    const pepRefusal = await pep.refusalOf(actor, query.subscriberId ?? null, 'cards');
    if (pepRefusal) return pepRefusal;
    const { rows, total } = await select(actor, query);
    // With a subscriber filter, PEP access was checked above.
    const others = query.subscriberId === undefined ? rows.map(holderIdOf) : [];
    const hidden = await pep.hidden(actor, others);
    const isHidden = (row: CardRow) => hidden.has(holderIdOf(row) ?? '');
    return { rows: rows.map((row) => (isHidden(row) ? { serial: row.serial, status: row.status } : row)), total };
  }

  async function select({ caller }: Actor, { parentSerial, search, limit, offset, after, ...plain }: ListQuery) {
    // Filters on fields that are hidden for PEPs must not reveal those fields.
    const filtersHiddenFields = plain.type !== undefined || parentSerial !== undefined;
    const filter: ListFilter = { ...plain, withoutPeps: filtersHiddenFields && !(await pep.hasAccess(caller)) };
    if (parentSerial !== undefined) {
      const serial = readSerial(parentSerial);
      // An invalid serial matches no card.
      if (serial === null) return { rows: [], total: 0 };
      filter.parentSerial = serial;
    }
    if (search !== undefined && search.trim() !== '') {
      const start = readSerialPrefix(search);
      if (start === null) return { rows: [], total: 0 };
      filter.serialStart = start;
    }
    return listCards(database.queries, filter, { limit, offset, after });
  }

  return {
    /** Batched. */
    find,
    async get(actor: Actor, serial: string): Promise<CardRow | Refusal> {
      const card = await find(serial);
      if (!card) return noSuchCard();
      return (await pep.refusalOf(actor, holderIdOf(card), 'cards')) ?? card;
    },
    /** The record as `get` returns it, before an update of it; the update itself audits the access to a PEP's card. */
    async current({ caller }: Actor, serial: string): Promise<CardRow | Refusal> {
      const card = await find(serial);
      const holder = card && holderIdOf(card);
      const visible = !holder || !(await pep.isPep(holder)) || (await pep.hasAccess(caller));
      return card && visible ? card : noSuchCard();
    },
    list,
    /** The customer's own cards. */
    async listOwn({ caller }: CustomerActor, page: Page): Promise<{ rows: OwnCard[]; total: number }> {
      const [{ rows, total }, blocked] = await Promise.all([
        listCards(database.queries, { subscriberId: caller.id }, page),
        blockedByHolder(database.queries, caller.id),
      ]);
      return { rows: rows.map((row) => ({ ...row, blocked_by_you: blocked.has(row.serial) })), total };
    },
    ...createCorrections(context),
    operations: createLinkOperations(context),
    ...createBlocking(context),
    upload: createUpload(context),
  };
}

/** Operations on all cards of a subscriber. Injected into the subscribers feature, which does not import cards. */
export type RetiredCards = Pick<ReturnType<typeof createLinkedCards>, 'retireAll'>;

export function createLinkedCards(reader: Reader) {
  return {
    count: cardCount(reader),
    async block(trx: Queries, subscriberId: string): Promise<void> {
      await blockAll(trx, subscriberId);
      await updateBlockedCards(trx, subscriberId);
    },
    async activate(trx: Queries, subscriberId: string): Promise<void> {
      await activateAll(trx, subscriberId);
      await updateBlockedCards(trx, subscriberId);
    },
    /** Also removes the labels of cards that the subscriber had before. Returns the serials of the changed cards. */
    async retireAll(trx: Queries, subscriberId: string, at: Date): Promise<string[]> {
      const serials = await retireAll(trx, subscriberId, at);
      await updateBlockedCards(trx, subscriberId);
      return serials;
    },
  };
}
