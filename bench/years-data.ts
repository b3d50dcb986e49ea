// The data of npm run bench:years: two years of movements, postings and requests, in the order of time.
import type pg from 'pg';
import { DAY_MS } from '../src/kernel/clock.ts';
import { firstIdAt } from '../src/kernel/ids.ts';
import { createSlots, dropIndexes } from './large-tables.ts';
import { log } from './runner.ts';

export const PAGE_POSTINGS = 200;
const DAYS = 730;
const PER_SLOT = 1_000;
/** One request is kept for so many movements: those of a quarter of a year. */
const MOVEMENTS_PER_REQUEST = 8;
/** Movements are loaded up to so many postings. Their key is in the order of time, so a payment touches only its end. */
export const POSTINGS_WITH_MOVEMENTS = 1e7;
/** Random inserts split pages, which are then between half full and full. */
const FILL_PERCENT = 70;

/** The table bench_wallets: the wallets that pay, by number. */
export async function createWallets(client: pg.Client, ids: readonly string[]): Promise<void> {
  await client.query('create unlogged table bench_wallets (number integer, id text collate "C")');
  await client.query(
    'insert into bench_wallets select n - 1, id from unnest($1::text[]) with ordinality as wallets (id, n)',
    [ids],
  );
  await client.query('analyze bench_wallets');
  for (const index of ['postings_pkey', 'requests_pkey']) {
    await client.query(`alter index ${index} set (fillfactor = ${FILL_PERCENT})`);
  }
}

/** Each wallet pays the next one, at regular intervals. The balances of their accounts are not changed: pages do not read them. */
export async function insertPages(client: pg.Client, ids: readonly string[]): Promise<void> {
  const start = Date.now() - DAYS * DAY_MS;
  for (let n = 0; n < PAGE_POSTINGS; n++) {
    const at = Math.floor(start + ((n + 0.5) * DAYS * DAY_MS) / PAGE_POSTINGS);
    await client.query(
      `with wallets as (select id, n, coalesce(lead(id) over (order by n), $1[1]) as next
          from unnest($1::text[]) with ordinality as all_ids (id, n)),
        paid as (insert into movements (id, type, from_account, to_account, amount, fee, details, at)
          select $2 || lpad(n::text, 16, '0'), 'transfer_p2p', id, next, 100, 0, '{}', to_timestamp($3::bigint / 1000.0) from wallets)
      insert into postings (account_id, seq, movement_id, amount, fee, balance_after)
      select side.account, $3::bigint * 1000 + side.n, $2 || lpad(wallets.n::text, 16, '0'), side.amount, 0, 0 from wallets
      cross join lateral (values (id, -100, 0), (next, 100, 1)) as side (account, amount, n)`,
      [ids, firstIdAt('txn', at), at],
    );
  }
}

/** Adds movements between random wallets, spread over the two years. Their balances are not changed either. */
export async function grow(client: pg.Client, from: number, to: number): Promise<void> {
  const startedAt = performance.now();
  const report = (what: string) =>
    log(`${to.toLocaleString('en')} postings: ${what} after ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  const movements = Math.max(0, Math.floor((to - from) / 2));
  await createSlots(client, Math.ceil(movements / PER_SLOT), DAYS);
  const withMovements = to <= POSTINGS_WITH_MOVEMENTS;
  const tables = withMovements ? ['movements', 'postings', 'requests'] : ['postings', 'requests'];
  const rebuild = await dropIndexes(client, tables);
  const id = `slots.txn || lpad(to_hex(n), 16, '0')`;
  await client.query('drop table if exists bench_movements');
  // One pass chooses the wallets, in the order of time. The tables are then written from it.
  await client.query(
    `create unlogged table bench_movements as select n, ${id} as id, ms + n % ${PER_SLOT} as at, payer.id as payer, payee.id as payee
    from generate_series(0, ${movements - 1}) n join bench_slots slots on slot = n / ${PER_SLOT}
    cross join (select count(*)::integer as count from bench_wallets) wallets
    join bench_wallets payer on payer.number = (hashint4(n) & 2147483647) % wallets.count
    join bench_wallets payee on payee.number = ((hashint4(n) & 2147483647) % wallets.count + 1 + (hashint4(n + 7) & 2147483647) % (wallets.count - 1)) % wallets.count`,
  );
  report('chosen');
  const ordered = 'from bench_movements';
  if (withMovements) {
    await client.query(`insert into movements (id, type, from_account, to_account, amount, fee, request_id, details, at, actor_type, actor_id, batch)
      select id, 'transfer_p2p', payer, payee, 100 + n % 5000, 0, 'req-' || n, '{}', to_timestamp(at / 1000.0), 'key', 'key_bench', n / 50 ${ordered}`);
    report('movements inserted');
  }
  await client.query(`insert into postings (account_id, seq, movement_id, amount, fee, balance_after)
    select side.account, at * 1000 + ${Math.round(Math.log10(to) * 10)}, id, side.sign * (100 + n % 5000), 0, 1000000 ${ordered}
    cross join lateral (values (payer, -1), (payee, 1)) as side (account, sign)`);
  report('postings inserted');
  await client.query(`insert into requests (request_id, scope, hash, movement_id, reply, batch)
    select gen_random_uuid()::text, payer, decode(md5(id), 'hex'), id, repeat('x', 250), n / 50 ${ordered}
    where n >= ${movements - Math.floor(movements / MOVEMENTS_PER_REQUEST)}`);
  await client.query('drop table bench_movements');
  for (const name of tables) await rebuild(client, name);
  report('indexed');
  await client.query(`vacuum analyze ${tables.join(', ')}`);
  await client.query('checkpoint');
  report('vacuumed');
}
