// Cards: in stock, linked to subscribers, blocked and unblocked, and found by their serials.
import type { Load } from '../../db/batch.ts';
import type { Queries } from '../../db/database.ts';
import type { Reader } from '../../db/reader.ts';
import type { Page } from '../../http/paging.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { changeAccount } from '../../ledger/accounts.ts';
import { blocking } from './blocking.ts';
import { linking } from './linking.ts';
import { type CardPage, type ListFilter, listCards } from './list-store.ts';
import { type CardParts, noSuchCard } from './parts.ts';
import { type CardRow, readSerial, readSerialStart } from './record.ts';
import { cardBySerial, cardCount, type HeldCard, heldCardBySerial, setStatusOfAll } from './store.ts';
import { uploading } from './upload.ts';

export { type CardRow, readSerial, recordOf as cardRecord } from './record.ts';
export { card as cardSchema } from './schemas.ts';
export type { HeldCard } from './store.ts';

export interface ListQuery extends Page {
  status?: string;
  type?: string;
  subscriberId?: string;
  parentSerial?: string;
  /** What the serial begins with. */
  search?: string;
}

export type CardService = ReturnType<typeof createCards>;

export function createCards(parts: CardParts) {
  const { database } = parts;
  const find = cardBySerial(database.reader);

  async function list({ parentSerial, search, limit, offset, ...plain }: ListQuery): Promise<CardPage> {
    const filter: ListFilter = { ...plain };
    if (parentSerial !== undefined) {
      const serial = readSerial(parentSerial);
      // What is no serial is no card's.
      if (serial === null) return { rows: [], total: 0 };
      filter.parentSerial = serial;
    }
    if (search !== undefined && search.trim() !== '') {
      const start = readSerialStart(search);
      if (start === null) return { rows: [], total: 0 };
      filter.serialStart = start;
    }
    return listCards(database.queries, filter, { limit, offset });
  }

  return {
    /** Batched, for whoever is handed a serial to pay with; in any form, null when there is no such card. */
    heldCard: heldCardBySerial(database.reader) as Load<string, HeldCard | null>,
    async get(serial: string): Promise<CardRow | Refusal> {
      return (await find(serial)) ?? noSuchCard();
    },
    list,
    ...linking(parts),
    ...blocking(parts),
    upload: uploading(parts),
  };
}

/** A subscriber's cards as a whole, for the family of subscribers, which knows nothing else of cards. */
export function createLinkedCards(reader: Reader) {
  return {
    count: cardCount(reader),
    block: (trx: Queries, subscriberId: string) => setStatusOfAll(trx, subscriberId, 'blocked'),
    async activate(trx: Queries, subscriberId: string): Promise<void> {
      await setStatusOfAll(trx, subscriberId, 'active');
      await changeAccount(trx, subscriberId, { barred: [] });
    },
  };
}
