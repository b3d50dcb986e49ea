// Whom a notice goes to: the number, the language and the channels that the holder chose.
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { NoticesConfig } from '../../kernel/config/notices.ts';
import type { Channel } from '../messaging/service.ts';
import type { Language } from './texts/texts.ts';

/** A customer, an agent, or a number that nobody has registered yet. */
export type Addressee = { subscriberId: string } | { agentId: string } | { to: string };

export interface Holder {
  phone_number: string;
  language: Language;
  /** At least one. */
  channels: readonly Channel[];
}

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
      const id =
        'subscriberId' in addressee ? addressee.subscriberId : 'agentId' in addressee ? addressee.agentId : null;
      if (id === null)
        return 'to' in addressee ? { phone_number: addressee.to, language: 'en', channels: byDefault } : null;
      const table = 'subscriberId' in addressee ? sql.table('subscribers') : sql.table('agents');
      const { rows } = await sql<{ phone_number: string; language: Language | null; channels: string[] | null }>`
        select h.phone_number, p.language, p.channels
        from ${table} h left join notice_preferences p on p.owner_id = h.id where h.id = ${id}`.execute(trx);
      const [row] = rows;
      return row
        ? { phone_number: row.phone_number, language: row.language ?? 'en', channels: chosen(row.channels) }
        : null;
    },
  };
}

/** By SMS, which every phone has, if there is a provider or the lab shows them. */
function defaultChannel(hasSms: boolean, provided: readonly Channel[]): Channel {
  return hasSms || !provided.includes('chat') ? 'sms' : 'chat';
}
