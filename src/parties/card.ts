// Cards as means of payment: how a serial is read, batched look-ups, and the refusals about cards.
import { batchLoader, type Load } from '../db/batch-loader.ts';
import { textArray } from '../db/driver/binary-arrays.ts';
import { texts, wholeOrNull } from '../db/driver/columns.ts';
import type { Columns } from '../db/driver/prepared.ts';
import type { Reader } from '../db/driver/reader.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { Holder } from './subscriber.ts';

const SERIAL = /^[A-Za-z0-9._:-]{4,64}$/;
const SERIAL_START = /^[A-Za-z0-9._:-]{1,64}$/;

/** The stored form, or null for an invalid serial. Card readers send hexadecimal in either case; both name one card. */
export function readSerial(text: string): string | null {
  return capitals(text, SERIAL);
}

/** A prefix of serials in the stored form. */
export function readSerialStart(text: string): string | null {
  return capitals(text, SERIAL_START);
}

/** The form in which two requests are compared. Invalid serials compare by raw text. */
export function sameSerial(text: string): string {
  return readSerial(text) ?? text;
}

// The pattern is tested before the conversion: toUpperCase turns ſ into S.
function capitals(text: string, form: RegExp): string | null {
  const trimmed = text.trim();
  return form.test(trimmed) ? trimmed.toUpperCase() : null;
}

/** A card without its holder. */
export interface PlainCard {
  serial: string;
  status: string;
  /** Null when the card is linked to no subscriber. */
  subscriber_id: string | null;
  /** Daily limit of a child card; null for parent cards. */
  daily_limit: number | null;
}

/** A card with its holder; the holder's fields are null when the card is linked to no subscriber. */
export interface HeldCard extends PlainCard {
  type: string;
  account_number: string;
  first_name: string;
  last_name: string;
  holder_status: string;
  disabled_transaction_types: string[];
}

/** A card that is linked to a subscriber. */
export type LinkedCard<Card extends PlainCard = PlainCard> = Card & { subscriber_id: string };

export function isLinked<Card extends PlainCard>(card: Card): card is LinkedCard<Card> {
  return card.subscriber_id !== null;
}

export function holderOf(card: LinkedCard<HeldCard>): Holder {
  return { ...card, id: card.subscriber_id, status: card.holder_status };
}

/** The holder of a wallet, and the card if a card names the wallet. */
export interface CardHolder {
  holder: Holder;
  card: HeldCard | null;
}

export function cardHolder(card: HeldCard | null): CardHolder | Refusal {
  if (!card || !isLinked(card)) return noSuchCard('card, or it is linked to no subscriber');
  return { holder: holderOf(card), card };
}

/** active, blocked or pending. A blocked card cannot be credited by its serial, whatever the status of its holder. */
export function cardHolderStatus({ holder, card }: CardHolder): string {
  return card?.status === 'blocked' ? 'blocked' : holder.status.toLowerCase();
}

export function noSuchCard(which = 'card'): Refusal {
  return refuse('CARD_NOT_FOUND', `There is no such ${which}.`);
}

export function cardBlocked(which = 'card'): Refusal {
  return refuse('CARD_BLOCKED', `The ${which} is blocked.`);
}

export function cardNotAssigned(which = 'card'): Refusal {
  return refuse('CARD_NOT_ASSIGNED', `The ${which} is linked to no subscriber.`);
}

export function cardStatusRefusal(card: Pick<PlainCard, 'status'> | null, which = 'card'): Refusal | null {
  return card?.status === 'blocked' ? cardBlocked(which) : null;
}

/** Batched look-ups by a serial in any form; null for a card that does not exist. */
export interface CardLookups {
  withHolder: Load<string, HeldCard | null>;
  /** For payments whose holder the ledger checks on the locked account. */
  plain: Load<string, PlainCard | null>;
}

export function createCardLookups(reader: Reader): CardLookups {
  return {
    withHolder: bySerial(async (serials) => {
      const values = [textArray(serials)];
      return (await reader.rows({ name: 'held-card', text: HELD_BY_SERIAL, values })).map(heldCardOf);
    }),
    plain: bySerial(async (serials) => {
      const values = [textArray(serials)];
      return (await reader.rows({ name: 'plain-card', text: PLAIN_BY_SERIAL, values })).map(plainCardOf);
    }),
  };
}

// Lateral with a limit: only an index can serve it, whatever statistics the planner had when the table was empty.
// The holder's columns save payments a second look-up.
const HELD_BY_SERIAL = `select c.*, s.account_number, s.first_name, s.last_name, s.status,
    nullif(s.disabled_transaction_types, '{}')
  from unnest($1::text[]) as asked (serial)
  cross join lateral (
    select serial, type, status, subscriber_id, daily_limit from cards where serial = asked.serial limit 1) c
  left join lateral (select * from subscribers where id = c.subscriber_id limit 1) s on true`;

const PLAIN_BY_SERIAL = `select c.* from unnest($1::text[]) as asked (serial) cross join lateral (
    select serial, status, subscriber_id, daily_limit from cards where serial = asked.serial limit 1) c`;

/** A batched look-up by a serial in any form. */
export function bySerial<Row extends { serial: string }>(read: (serials: string[]) => Promise<Row[]>) {
  return batchLoader<string, Row | null>({
    async fetch(texts) {
      const serials = texts.map(readSerial);
      const rows = await read([...new Set(serials)].filter((serial) => serial !== null));
      const found = new Map<string | null, Row>(rows.map((row) => [row.serial, row]));
      return serials.map((serial) => found.get(serial) ?? null);
    },
  });
}

function plainCardOf([serial, status, subscriber_id = null, daily_limit]: Columns): PlainCard {
  return { serial, status, subscriber_id, daily_limit: wholeOrNull(daily_limit) } as PlainCard;
}

function heldCardOf(columns: Columns): HeldCard {
  const [serial, type, status, , , account_number, first_name, last_name, holder_status] = columns as string[];
  const [, , , subscriber_id = null, daily_limit, , , , , disabled] = columns;
  const card = { serial, type, status, subscriber_id, daily_limit: wholeOrNull(daily_limit) };
  const holder = { account_number, first_name, last_name, holder_status };
  return { ...card, ...holder, disabled_transaction_types: texts(disabled) } as HeldCard;
}
