// Cards: in stock, linked to subscribers, blocked and unblocked, and found by their serials.
import type { Actor } from '../../audit/log.ts';
import type { Queries } from '../../db/database.ts';
import type { Reader } from '../../db/driver/reader.ts';
import type { Page } from '../../http/paging.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { changeAccount } from '../../ledger/accounts.ts';
import { noSuchCard, readSerial, readSerialStart } from '../../parties/card.ts';
import { blocking } from './blocking.ts';
import type { CardContext } from './context.ts';
import { linking } from './linking.ts';
import { type ListFilter, listCards } from './list-store.ts';
import type { CardRow, HiddenCard } from './record.ts';
import { cardBySerial, cardCount, setStatusOfAll } from './store.ts';
import { uploading } from './upload.ts';

export { type CardRow, recordOf as cardRecord } from './record.ts';
export { card as cardSchema } from './schemas.ts';

export interface ListQuery extends Page {
  status?: string;
  type?: string;
  subscriberId?: string;
  parentSerial?: string;
  /** What the serial begins with. */
  search?: string;
}

export interface ListedCards {
  rows: (CardRow | HiddenCard)[];
  total: number;
}

export type CardService = ReturnType<typeof createCards>;

export function createCards(context: CardContext) {
  const { database, pep } = context;
  const find = cardBySerial(database.reader);

  async function list(actor: Actor, query: ListQuery): Promise<ListedCards | Refusal> {
    const withheld = await pep.refusalOf(actor, query.subscriberId ?? null, 'cards');
    if (withheld) return withheld;
    const { rows, total } = await select(actor, query);
    // Whose cards were asked for is settled above.
    const others = query.subscriberId === undefined ? rows.map((row) => row.subscriber_id) : [];
    const hidden = await pep.hidden(actor, others);
    const isHidden = ({ subscriber_id }: CardRow) => subscriber_id !== null && hidden.has(subscriber_id);
    return { rows: rows.map((row) => (isHidden(row) ? { serial: row.serial, status: row.status } : row)), total };
  }

  async function select({ caller }: Actor, { parentSerial, search, limit, offset, ...plain }: ListQuery) {
    // What a hidden card does not show must not be found out by filtering for it.
    const telling = plain.type !== undefined || parentSerial !== undefined;
    const filter: ListFilter = { ...plain, withoutPeps: telling && !(await pep.sees(caller)) };
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
    async get(actor: Actor, serial: string): Promise<CardRow | Refusal> {
      const card = await find(serial);
      if (!card) return noSuchCard();
      return (await pep.refusalOf(actor, card.subscriber_id, 'cards')) ?? card;
    },
    list,
    ...linking(context),
    ...blocking(context),
    upload: uploading(context),
  };
}

/** A subscriber's cards as a whole, for the family of subscribers, which knows nothing else of cards. */
export function createLinkedCards(reader: Reader) {
  return {
    count: cardCount(reader),
    block: (trx: Queries, subscriberId: string) => setStatusOfAll(trx, subscriberId, 'blocked'),
    async activate(trx: Queries, subscriberId: string): Promise<void> {
      await setStatusOfAll(trx, subscriberId, 'active');
      await changeAccount(trx, subscriberId, { blockedCards: [] });
    },
  };
}
