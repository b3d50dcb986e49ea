// How far payments were told on a channel, and the lease of the gateway that tells them.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import { type Clock, SECOND_MS } from '../../../kernel/clock.ts';
import type { Channel } from '../../messaging/service.ts';

/** In a chain of seals: all batches up to `batch`, and of the next one all movements up to `movement` (empty: none). */
export interface Position {
  batch: number;
  movement: string;
}

export type Positions = ReadonlyMap<number, Position>;

/** Much longer than a page of notices takes. */
const LEASE_MS = 60 * SECOND_MS;
/** It is prolonged before a page if less than this is left. */
const LEFT_MS = 45 * SECOND_MS;

export interface Lease {
  token: string;
  until: number;
}

export function createPositions(queries: Queries, channel: Channel, clock: Clock) {
  return {
    /** Null: another gateway has it. `held`: the lease that this gateway has. */
    async take(held: Lease | null): Promise<Lease | null> {
      const now = clock.now();
      if (held && held.until - now > LEFT_MS) return held;
      const lease = { token: held?.token ?? randomUUID(), until: now + LEASE_MS };
      const { rows } = await sql`
        insert into notice_readers as r (channel, lease, leased_until)
        values (${channel}, ${lease.token}, ${new Date(lease.until)})
        on conflict (channel) do update set lease = excluded.lease, leased_until = excluded.leased_until
        where r.lease = excluded.lease or r.leased_until is null or r.leased_until <= ${new Date(now)}
        returning channel`.execute(queries);
      return rows.length === 1 ? lease : null;
    },

    async release({ token }: Lease): Promise<void> {
      await sql`update notice_readers set lease = null, leased_until = null
        where channel = ${channel} and lease = ${token}`.execute(queries);
    },

    async read(): Promise<Map<number, Position>> {
      const rows = await queries
        .selectFrom('notice_positions')
        .select(['chain', 'batch', 'movement'])
        .where('channel', '=', channel)
        .execute();
      return new Map(rows.map(({ chain, batch, movement }) => [chain, { batch: Number(batch), movement }]));
    },

    /** False if the lease was lost: then another gateway tells the same again, with the same ids. */
    async advance(trx: Queries, lease: Lease, moved: Positions): Promise<boolean> {
      const { rows } =
        await sql`select from notice_readers where channel = ${channel} and lease = ${lease.token} for update`.execute(
          trx,
        );
      if (rows.length === 0) return false;
      const values = [...moved].map(([chain, position]) => ({ channel, chain, ...position }));
      if (values.length === 0) return true;
      await trx
        .insertInto('notice_positions')
        .values(values)
        .onConflict((conflict) =>
          conflict.columns(['channel', 'chain']).doUpdateSet({
            batch: sql`excluded.batch`,
            movement: sql`excluded.movement`,
          }),
        )
        .execute();
      return true;
    },
  };
}
