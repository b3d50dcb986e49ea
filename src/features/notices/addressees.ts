// Whom a notice goes to: the number, the language and the channels that the holder chose.
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { Language } from '../../http/pages/language.ts';
import type { NoticesConfig } from '../../kernel/config/notices.ts';
import type { Channel } from '../messaging/service.ts';

/** A customer; or a customer, an agent or a merchant; or a number alone. */
export type Addressee = { subscriberId: string } | { ownerId: string } | { to: string };

export interface Holder {
  phone_number: string;
  language: Language;
  /** At least one. */
  channels: readonly Channel[];
}

export type Addressees = ReturnType<typeof createAddressees>;

export function createAddressees({ sms }: NoticesConfig, provided: readonly Channel[]) {
  const byDefault: readonly Channel[] = [defaultChannel(sms !== undefined, provided)];

  /** A chosen channel that has lost its provider does not count. */
  function chosen(channels: readonly string[] | null): readonly Channel[] {
    if (channels === null) return byDefault;
    const working = provided.filter((channel) => channels.includes(channel));
    return working.length > 0 ? working : byDefault;
  }

  return {
    byDefault,
    chosen,
    async find(trx: Queries, addressee: Addressee): Promise<Holder | null> {
      const id = idOf(addressee);
      if (id === null) {
        return 'to' in addressee ? { phone_number: addressee.to, language: 'en', channels: byDefault } : null;
      }
      const { rows } = await sql<{ phone_number: string; language: Language | null; channels: string[] | null }>`
        select h.phone_number, p.language, p.channels
        from (select phone_number from subscribers where id = ${id}
          union all select phone_number from agents where id = ${id}
          union all select phone_number from processors where id = ${id} limit 1) h
        left join notice_preferences p on p.owner_id = ${id}`.execute(trx);
      const [row] = rows;
      if (!row) return null;
      return { phone_number: row.phone_number, language: row.language ?? 'en', channels: chosen(row.channels) };
    },
  };
}

/** By SMS, which every phone has, if there is a provider or the lab shows them. */
function defaultChannel(hasSms: boolean, provided: readonly Channel[]): Channel {
  return hasSms || !provided.includes('chat') ? 'sms' : 'chat';
}

function idOf(addressee: Addressee): string | null {
  if ('subscriberId' in addressee) return addressee.subscriberId;
  return 'ownerId' in addressee ? addressee.ownerId : null;
}
