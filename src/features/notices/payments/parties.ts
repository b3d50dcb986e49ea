// The parties of payments as notices need them: their names, and for those who are told their number and what they chose.
import { textArray } from '../../../db/driver/binary-arrays.ts';
import { bool, text, textOrNull, texts } from '../../../db/driver/columns.ts';
import { type Columns, type StatementRunner, statement } from '../../../db/driver/statement.ts';
import type { Language } from '../../../http/pages/language.ts';
import { shortName } from '../../../kernel/text.ts';

export interface Party {
  /** Of customers, the first name and an initial. */
  name: string;
  /** Null: nobody is told. */
  told: Told | null;
}

export interface Told {
  phone_number: string;
  language: Language;
  /** Null: the default. */
  channels: readonly string[] | null;
  showsBalance: boolean;
}

// A number that was not verified may belong to somebody else. Merchants and agents are told only if they chose so.
const PARTIES = statement(
  'notice-parties',
  `select w.id, first_name, last_name, phone_number, is_told, p.language, p.channels, coalesce(p.shows_balance, true)
  from unnest($1::text[]) as w (id)
  left join lateral (select * from notice_preferences where owner_id = w.id limit 1) p on true
  cross join lateral (
    select first_name, last_name, phone_number, phone_verified and status <> 'ENDED' and coalesce(p.payments, true)
      from subscribers where id = w.id
    union all select business_name, null, phone_number, coalesce(p.payments, false) from agents where id = w.id
    union all select business_name, null, phone_number, coalesce(p.payments, false) from processors where id = w.id
    union all select name, null, null, false from partners where id = w.id
    limit 1) as party (first_name, last_name, phone_number, is_told)`,
  partyOf,
);

/** By account. The operator's own accounts are none of the parties. */
export async function findParties(pool: StatementRunner, accounts: Iterable<string>): Promise<Map<string, Party>> {
  return new Map(await pool.run(PARTIES, [textArray([...accounts])]));
}

function partyOf([id, first, last, phone, isTold, language, channels, showsBalance]: Columns): [string, Party] {
  const lastName = textOrNull(last);
  const name = lastName === null ? text(first) : shortName({ first_name: text(first), last_name: lastName });
  if (!bool(isTold)) return [text(id), { name, told: null }];
  const told: Told = {
    phone_number: text(phone),
    language: language === null ? 'en' : text(language),
    channels: channels === null ? null : texts(channels),
    showsBalance: bool(showsBalance),
  };
  return [text(id), { name, told }];
}
