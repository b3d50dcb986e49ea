// Finds the subscribers that a text is about, by the ids and numbers in it: for logs, whose entries have no party.

import { textArray } from '../db/driver/binary-arrays.ts';
import { text } from '../db/driver/columns.ts';
import type { Reader } from '../db/driver/reader.ts';
import { statement } from '../db/driver/statement.ts';
import type { PhoneReader } from '../kernel/phone.ts';
import { readSerial } from './card.ts';

/** The ids of the subscribers that each of the texts mentions, itself or by a card, a payment or another record. */
export type Mentions = (texts: readonly string[]) => Promise<string[][]>;

/** Ids, serials, and numbers of accounts and phones have digits; most names of fields have none. */
const WORD = /[\w+-]*\d[\w+-]*/g;
const ID = /^([a-z]+)_[0-9A-Z]{26}$/;
const NUMBER = /^\+?\d{6,20}$/;
/** A phone number with the separators that people type. */
const SPACED = /\+?\(?\d[\d\s().\-/]{5,30}\d/g;
/** For one text. */
const MAX_WORDS = 1_000;
const MAX_WORD_LENGTH = 64;

const NAMED = statement(
  'mentioned-subscribers',
  `select w, s.id from unnest($1::text[]) w join subscribers s on s.phone_number = w
  union all select w, s.id from unnest($1::text[]) w join subscribers s on s.account_number = w
  union all select w, coalesce(c.subscriber_id, c.retired_subscriber_id) from unnest($2::text[]) w join cards c on c.serial = w
    where coalesce(c.subscriber_id, c.retired_subscriber_id) is not null
  union all select w, i.subscriber_id from unnest($3::text[]) w join inbound_transactions i on i.id = w
    where i.subscriber_id is not null
  union all select w, a.subscriber_id from unnest($3::text[]) w join approvals a on a.id = w where a.subscriber_id is not null
  union all select w, coalesce(a.subscriber_id, a.transaction_id) from unnest($3::text[]) w join compliance_alerts a on a.id = w
    where coalesce(a.subscriber_id, a.transaction_id) is not null
  union all select w, c.subscriber_id from unnest($2::text[] || $3::text[]) w join cases c on w in (c.id, c.number)
  union all select w, r.recipient_id from unnest($2::text[] || $3::text[]) w join cases c on w in (c.id, c.number)
    join recalls r on r.case_id = c.id`,
  ([word, id]) => [text(word), text(id)] as const,
);
/** Records that lead to a subscriber. */
const LEADING = ['inb', 'apr', 'alert', 'case'];

// Apart from the others: on a cluster, movements are on other servers.
const PAYMENTS = statement(
  'mentioned-payments',
  'select id, from_account, to_account from movements where id = any($1::text[])',
  ([id, from, to]): [string, string[]] => [text(id), [text(from), text(to)]],
);

export function createMentions(reader: Reader, phone: PhoneReader): Mentions {
  /** The words as they are stored. */
  function wordsOf(mentioning: string): string[] {
    const found = (mentioning.match(WORD) ?? []).filter((word) => word.length <= MAX_WORD_LENGTH);
    const words = [...new Set(found)].slice(0, MAX_WORDS);
    const spaced = [...new Set(mentioning.match(SPACED) ?? [])].slice(0, MAX_WORDS);
    const phones = [...words.filter((word) => NUMBER.test(word)), ...spaced].map(phone);
    const serials = words.map(readSerial);
    return [...new Set([...words, ...phones, ...serials])].filter((word) => word !== null);
  }

  async function namedBy(words: readonly string[]): Promise<Map<string, string[]>> {
    const kindOf = (word: string) => ID.exec(word)?.[1];
    const others = words.filter((word) => kindOf(word) === undefined);
    const leading = words.filter((word) => LEADING.includes(kindOf(word) ?? ''));
    if (others.length + leading.length === 0) return new Map();
    const numbers = others.filter((word) => NUMBER.test(word));
    const found = await reader.run(NAMED, [textArray(numbers), textArray(others), textArray(leading)]);
    return new Map([...Map.groupBy(found, ([word]) => word)].map(([word, rows]) => [word, rows.map(([, id]) => id)]));
  }

  async function partiesOf(ids: readonly string[]): Promise<Map<string, string[]>> {
    const payments = [...new Set(ids.filter((id) => id.startsWith('txn_')))];
    return new Map(payments.length === 0 ? [] : await reader.run(PAYMENTS, [textArray(payments)]));
  }

  return async (texts) => {
    const words = texts.map(wordsOf);
    const all = [...new Set(words.flat())];
    const named = await namedBy(all);
    const idsOf = (word: string) => [word, ...(named.get(word) ?? [])];
    const parties = await partiesOf(all.flatMap(idsOf));
    const subjects = (word: string) => idsOf(word).flatMap((id) => parties.get(id) ?? [id]);
    return words.map((each) => [...new Set(each.flatMap(subjects))].filter((id) => id.startsWith('sub_')));
  };
}
