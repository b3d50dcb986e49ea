// Replays all postings by day, and returns the figures that the books have at the end of any day.
import type { Connection } from '../../../db/driver/connection.ts';
import { DAY_MS } from '../../../kernel/clock.ts';
import { sqlType } from '../../../ledger/movement-types.ts';
import { rowsOf } from '../../../ledger/verification/findings.ts';
import { IS_ITEM, RESOLVING_TYPES } from '../suspense/service.ts';
import { agedItems, endOf, type KindBalance, type MovementSum, type PartnerDebt } from './document.ts';

/** Days since 1970. A posting counts for its movement's day. */
const DAY = `floor(extract(epoch from m.at) / 86400)::bigint`;

const BY_KIND = `select ${DAY}, a.kind, sum(p.amount) from postings p join movements m on m.id = p.movement_id
  join accounts a on a.id = p.account_id group by 1, 2 order by 1`;
const BY_PARTNER = `select ${DAY}, p.account_id, sum(p.amount) from postings p join movements m on m.id = p.movement_id
  join (select id from accounts where kind = 'partner_clearing') a on a.id = p.account_id group by 1, 2 order by 1`;
const BY_TYPE = `select ${DAY}, m.type, count(*), sum(m.amount), sum(m.fee),
    sum(coalesce((m.details #>> '{earned,payer}')::numeric, 0) + coalesce((m.details #>> '{earned,payee}')::numeric, 0))
  from movements m group by 1, 2 order by 1, 2`;
const SUSPENSE_ITEMS = `select extract(epoch from m.at) * 1000, m.amount, extract(epoch from min(r.at)) * 1000 from movements m
  left join (select related_id, at from movements where type in (${RESOLVING_TYPES.map(sqlType).join(', ')})) r
    on r.related_id = m.id
  where ${IS_ITEM} group by m.id, m.at, m.amount`;

interface Change {
  day: number;
  of: string;
  amount: bigint;
}

interface Item {
  at: number;
  amount: number;
  /** Infinity: open. */
  resolvedAt: number;
}

export interface BooksAt {
  ledger: KindBalance[];
  partners: Omit<PartnerDebt, 'name'>[];
  suspense: ReturnType<typeof agedItems>;
  movements: MovementSum[];
}

export async function replayBooks(connection: Connection): Promise<(date: string) => BooksAt> {
  const [kinds, partners] = [
    await changes(connection, 'close_kinds', BY_KIND),
    await changes(connection, 'close_partners', BY_PARTNER),
  ];
  const movements = await movementsByDay(connection);
  const items = await suspenseItems(connection);
  return (date) => {
    const end = endOf(date);
    const day = end / DAY_MS;
    const nonZero = (all: Change[]) => [...sumsBefore(all, day)].filter(([, sum]) => sum !== 0n).sort(byName);
    return {
      ledger: nonZero(kinds).map(([kind, sum]) => ({ kind, balance: Number(sum) })),
      partners: nonZero(partners).map(([id, sum]) => ({ id, outstanding: Number(-sum) })),
      suspense: agedItems(items.filter((item) => isOpenAt(item, end)).map((item) => agedAt(item, end))),
      movements: movements.get(day - 1) ?? [],
    };
  };
}

function byName([a]: [string, bigint], [b]: [string, bigint]): number {
  return a < b ? -1 : 1;
}

async function changes(connection: Connection, cursor: string, text: string): Promise<Change[]> {
  const all: Change[] = [];
  for await (const [day, of, amount] of rowsOf(connection, cursor, text)) {
    all.push({ day: Number(day), of: String(of), amount: BigInt(String(amount)) });
  }
  return all;
}

function sumsBefore(all: readonly Change[], day: number): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const change of all) {
    if (change.day >= day) break;
    sums.set(change.of, (sums.get(change.of) ?? 0n) + change.amount);
  }
  return sums;
}

async function movementsByDay(connection: Connection): Promise<Map<number, MovementSum[]>> {
  const byDay = new Map<number, MovementSum[]>();
  for await (const [day, type, ...sums] of rowsOf(connection, 'close_types', BY_TYPE)) {
    const [count = 0, amount = 0, fee = 0, commission = 0] = sums.map(Number);
    const ofDay = byDay.get(Number(day)) ?? [];
    ofDay.push({ type: String(type), count, amount, fee, commission });
    byDay.set(Number(day), ofDay);
  }
  for (const sums of byDay.values()) sums.sort((a, b) => (a.type < b.type ? -1 : 1));
  return byDay;
}

async function suspenseItems(connection: Connection): Promise<Item[]> {
  const items: Item[] = [];
  for await (const [at, amount, resolvedAt] of rowsOf(connection, 'close_suspense', SUSPENSE_ITEMS)) {
    items.push({
      at: Number(at),
      amount: Number(amount),
      resolvedAt: resolvedAt === null ? Number.POSITIVE_INFINITY : Number(resolvedAt),
    });
  }
  return items;
}

function isOpenAt({ at, resolvedAt }: Item, end: number): boolean {
  return at < end && resolvedAt >= end;
}

function agedAt({ at, amount }: Item, end: number) {
  return { ageDays: Math.floor((end - at) / DAY_MS), count: 1, amount };
}
