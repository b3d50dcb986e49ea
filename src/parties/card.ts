// Cards as means of payment: how a serial is read, batched look-ups, and the refusals about cards.
import type { Load } from '../db/batch-loader.ts';
import { integerOrNull, text, textOrNull, textsOrNone } from '../db/driver/columns.ts';
import type { Reader } from '../db/driver/reader.ts';
import { type Columns, statement } from '../db/driver/statement.ts';
import { type KeyedLookup, keyedLookup, loader } from '../db/keyed-lookup.ts';
import { DAY_MS } from '../kernel/clock.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { Holder } from './subscriber.ts';

const SERIAL = /^[A-Za-z0-9._:-]{4,64}$/;
const SERIAL_START = /^[A-Za-z0-9._:-]{1,64}$/;

/** The stored form, or null for an invalid serial. Card readers send hexadecimal in either case; both name one card. */
export function readSerial(text: string): string | null {
  return upperCased(text, SERIAL);
}

/** A prefix of serials in the stored form. */
export function readSerialPrefix(text: string): string | null {
  return upperCased(text, SERIAL_START);
}

/** The form in which two requests are compared. Invalid serials compare by raw text. */
export function comparableSerial(text: string): string {
  return readSerial(text) ?? text;
}

// The pattern is tested before the conversion: toUpperCase turns ſ into S.
function upperCased(text: string, form: RegExp): string | null {
  const trimmed = text.trim();
  return form.test(trimmed) ? trimmed.toUpperCase() : null;
}

/** The id of the allowance that counts what a card pays on a UTC day. */
export function cardDayOf(serial: string, at: number): string {
  return `card:${serial}:${Math.floor(at / DAY_MS)}`;
}

/** A card without its holder. */
export interface PlainCard {
  serial: string;
  /** A child card of a blocked parent is blocked too. */
  status: string;
  /** Null when the card is linked to no subscriber. */
  subscriber_id: string | null;
  /** Null: only the daily limit of the wallet applies. */
  daily_limit: number | null;
}

/** A card with its holder; the holder's fields are null when the card is linked to no subscriber. */
export interface HeldCard extends PlainCard {
  type: string;
  account_number: string;
  first_name: string;
  last_name: string;
  holder_status: string;
  disabled_transaction_types: readonly string[];
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
  if (!card || !isLinked(card)) return noSuchCard('card, or it is not linked to a subscriber');
  return { holder: holderOf(card), card };
}

/** active, blocked or pending. A blocked card cannot be credited by its serial, whatever its holder's status. */
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
  return refuse('CARD_NOT_ASSIGNED', `The ${which} is not linked to a subscriber.`);
}

export function cardStatusRefusal(card: Pick<PlainCard, 'status'> | null, which = 'card'): Refusal | null {
  return card?.status === 'blocked' ? cardBlocked(which) : null;
}

/** Batched look-ups by a serial in any form; null for a card that does not exist. */
export interface CardLookups {
  withHolder: Load<string, HeldCard | null>;
}

export function createCardLookups(reader: Reader): CardLookups {
  return { withHolder: bySerial(reader, HELD_CARDS) };
}

// A parent card has no parent_serial, so that this reads a second row for child cards only.
const USABLE_STATUS = `case when parent_serial is not null
    and (select parent.status from cards parent where parent.serial = cards.parent_serial) = 'blocked'
    then 'blocked' else status end as status`;

// Lateral with a limit: only an index can serve it, whatever statistics the planner had when the table was empty.
// The holder's columns save payments a second look-up.
export const HELD_CARDS = cardLookup(
  'held-card',
  `select requested.serial, c.*, s.account_number, s.first_name, s.last_name, s.status,
    nullif(s.disabled_transaction_types, '{}')
  from unnest($1::text[]) as requested (serial)
  cross join lateral (
    select serial, type, ${USABLE_STATUS}, subscriber_id, daily_limit from cards
    where serial = requested.serial limit 1) c
  left join lateral (select * from subscribers where id = c.subscriber_id limit 1) s on true`,
  heldCardOf,
);

/** For payments whose holder the ledger checks on the locked account. */
export const PLAIN_CARDS = cardLookup(
  'plain-card',
  `select requested.serial, c.* from unnest($1::text[]) as requested (serial) cross join lateral (
    select serial, ${USABLE_STATUS}, subscriber_id, daily_limit from cards where serial = requested.serial limit 1) c`,
  plainCardOf,
);

/** Each row begins with the serial that was asked for. A card names the wallet of its holder. */
function cardLookup<Row>(name: string, sql: string, rowOf: (columns: Columns) => Row): KeyedLookup<Row> {
  return keyedLookup(
    statement(name, sql, ([serial, ...card]) => [text(serial), rowOf(card)] as const),
    (serials) => `select c.subscriber_id from unnest(${serials}::text[]) as requested (serial)
      cross join lateral (select subscriber_id from cards where serial = requested.serial limit 1) c`,
  );
}

/** A batched look-up by a serial in any form. */
export function bySerial<Row>(reader: Reader, lookup: KeyedLookup<Row>): Load<string, Row | null> {
  const load = loader(reader, lookup);
  return async (text) => {
    const serial = readSerial(text);
    return serial === null ? null : load(serial);
  };
}

function plainCardOf([serial, status, subscriberId, dailyLimit]: Columns): PlainCard {
  return {
    serial: text(serial),
    status: text(status),
    subscriber_id: textOrNull(subscriberId),
    daily_limit: integerOrNull(dailyLimit),
  };
}

function heldCardOf([serial, type, status, subscriberId, dailyLimit, ...holder]: Columns): HeldCard {
  const [accountNumber, firstName, lastName, holderStatus, disabledTypes] = holder;
  return {
    serial: text(serial),
    type: text(type),
    status: text(status),
    subscriber_id: textOrNull(subscriberId),
    daily_limit: integerOrNull(dailyLimit),
    account_number: text(accountNumber),
    first_name: text(firstName),
    last_name: text(lastName),
    holder_status: text(holderStatus),
    disabled_transaction_types: textsOrNone(disabledTypes),
  };
}
