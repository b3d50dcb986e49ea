// The keys of the audit chain: each is valid up to the entry at which it was closed, under it and its successor.
import { sql } from 'kysely';
import type { Queries } from '../db/database.ts';
import {
  type AuditEnd,
  CLOSING_COLUMNS,
  type Closing,
  closingOf,
  insertClosing,
  isGenuine,
  nextClosing,
  sealClosing,
} from '../db/key-closings.ts';
import type { Clock } from '../kernel/clock.ts';
import { FIRST_KEY, MissingKey } from '../kernel/key-ring.ts';
import { type AuditKeys, type ChainHead, type ChainKeys, headMac } from './chain.ts';

export interface ChainPeriods {
  /** The key of the entry with this number; null if it is not at hand. */
  keyAt(seq: number): ChainKeys | null;
  /** The key of the next entry. */
  current(): ChainKeys;
  /** The ids of the keys that ended. */
  ended: ReadonlySet<string>;
  /** False if the entry is one at which a key ended, and another one was there. */
  agrees(head: ChainHead): boolean;
  /** The first entry at or before which a closing is not the service's; null if all are. */
  brokenAt: number | null;
}

export async function readPeriods({ of, closings: genuine }: AuditKeys, queries: Queries): Promise<ChainPeriods> {
  const closings = await readClosings(queries);
  const keyIdAt = (seq: number) => closings.find(({ content }) => seq <= content.seq)?.oldKey;
  const last = closings.at(-1)?.newKey ?? FIRST_KEY;
  const isInOrder = (closing: Closing<AuditEnd>, place: number) =>
    closing.number === place + 1 && closing.oldKey === (closings[place - 1]?.newKey ?? FIRST_KEY);
  const broken = closings.find((each, place) => !isInOrder(each, place) || !isGenuine(genuine, each));
  // A retired key has a closing: without it, everything after the closing was removed with it.
  const isEndless = of.ring.isRetired(last);
  return {
    keyAt: (seq) => of.known(keyIdAt(seq) ?? last) ?? null,
    current() {
      const keys = of.known(last);
      if (!keys) throw new MissingKey(last);
      return keys;
    },
    ended: new Set(closings.map(({ oldKey }) => oldKey)),
    agrees: ({ seq, hash }) =>
      closings.every(({ content }) => content.seq !== seq || content.hash === hash.toString('hex')),
    brokenAt: broken?.content.seq ?? (isEndless ? 1 : null),
  };
}

async function readClosings(queries: Queries): Promise<Closing<AuditEnd>[]> {
  const { rows } = await sql<{ row: string[] }>`
    select array[${sql.raw(CLOSING_COLUMNS)}] as row from key_closings where chain = 'audit' order by number`.execute(
    queries,
  );
  return rows.map(({ row }) => closingOf(row) as Closing<AuditEnd>);
}

/** Under the lock on the head, with an empty inbox: nothing is sealed under the old key afterwards. */
export async function closeChainKey(
  keys: AuditKeys,
  clock: Clock,
  trx: Queries,
  head: ChainHead,
): Promise<Closing<AuditEnd>> {
  const periods = await readPeriods(keys, trx);
  const [old, next] = [periods.current(), keys.of.writing];
  const content = { seq: head.seq, hash: head.hash.toString('hex') };
  const number = await nextClosing(trx, 'audit');
  const about = { chain: 'audit', number, oldKey: old.id, newKey: next.id } as const;
  const closing = sealClosing(keys.closings, { ...about, at: clock.now(), content });
  await insertClosing(trx, closing);
  await trx
    .updateTable('audit_head')
    .set({ mac: headMac(next, head) })
    .execute();
  return closing;
}
