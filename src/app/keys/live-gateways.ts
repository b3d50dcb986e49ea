// The running gateways, and the keys that they have announced.
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { FIRST_KEY } from '../../kernel/key-ring.ts';
import type { KeyName } from './stored-values.ts';

export interface LiveGateway {
  holder: string;
  ids: string[];
  writes: string;
  /** How long it has written under that key. */
  seconds: number;
}

/** Also gateways of earlier versions, which lease a stripe and announce nothing: they have the first key only. */
export async function liveGateways(queries: Queries, name: KeyName): Promise<LiveGateway[]> {
  const { rows } = await sql<LiveGateway>`
    select holder, ids, writes, extract(epoch from now() - writes_since)::float8 as seconds from gateway_keys
      where name = ${name} and announced_until > now()
    union all
    select holder, array[${FIRST_KEY}], ${FIRST_KEY}, 0 from gateway_stripes
      where leased_until > now() and holder is not null
        and not exists (select from gateway_keys k where k.holder = gateway_stripes.holder)`.execute(queries);
  return rows;
}
