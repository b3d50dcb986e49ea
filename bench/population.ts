// Inserts a benchmark's subscribers with PINs, cards and funded wallets through SQL, as the service stores them.
import { PIN } from '@kissi/testkit/parties';
import type pg from 'pg';
import { pinHasher } from '../src/auth/pins/hasher.ts';
import { luhnCheckDigit } from '../src/kernel/account-number.ts';
import { newId } from '../src/kernel/ids.ts';
import { withClient } from './client.ts';

export interface Population {
  ids: string[];
  cardSerials: string[];
}

const INITIAL_BALANCE = 1_000_000_00;
const BATCH_SIZE = 10_000;
/** The last of the 16 treasury stripes. */
const TREASURY = 'sys_treasury_15';
/** When the wallets are funded, in seconds since 1970: before any payment of the benchmark. */
const FUNDED_AT_S = 1_700_000_000;
const FIRST_SEQ = FUNDED_AT_S * 1_000_000;

export interface PopulateOptions {
  count: number;
  /** Number of subscribers inserted by earlier calls. Default: 0. */
  existing?: number;
  /** Leaves the planner's statistics as they are. */
  skipAnalyze?: true;
}

/** Subscribers have KYC level 3 and no daily limit, so that no limit stops a long run. */
export async function populate(
  url: string,
  pepper: string,
  { count, existing = 0, skipAnalyze }: PopulateOptions,
): Promise<Population> {
  const population: Population = { ids: [], cardSerials: [] };
  await withClient(url, async (client) => {
    for (let done = 0; done < count; done += BATCH_SIZE) {
      await insertBatch(client, population, existing + done, Math.min(BATCH_SIZE, count - done), pepper);
    }
    await client.query('update accounts set daily_limit = null where kind = $1', ['wallet']);
    if (!skipAnalyze) await client.query('vacuum analyze');
  });
  return population;
}

async function insertBatch(
  client: pg.Client,
  population: Population,
  from: number,
  size: number,
  pepper: string,
): Promise<void> {
  const hasher = pinHasher(pepper);
  const ids = Array.from({ length: size }, () => newId('sub'));
  const serials = ids.map((_, i) => `BENCH${String(from + i).padStart(8, '0')}`);
  const pins = ids.map((id) => hasher.make(id, PIN));
  await client.query('begin');
  await client.query(
    `insert into subscribers (id, account_number, phone_number, first_name, last_name, kyc_level, status, created_at, updated_at)
     select id, number, '+23230' || lpad(($3 + n)::text, 6, '0'), 'Fatmata', 'Sesay ' || ($3 + n), 3, 'ACTIVE', now(), now()
     from unnest($1::text[], $2::text[]) with ordinality as people (id, number, n)`,
    [ids, accountNumbers(from, size), from],
  );
  await client.query(
    'insert into pins (owner_id, salt, hash) select * from unnest($1::text[], $2::bytea[], $3::bytea[])',
    [ids, pins.map(({ salt }) => salt), pins.map(({ hash }) => hash)],
  );
  await client.query(
    `insert into cards (serial, type, status, subscriber_id, linked_at, created_at)
     select serial, 'parent', 'active', id, now(), now() from unnest($1::text[], $2::text[]) as cards (serial, id)`,
    [serials, ids],
  );
  await fund(client, ids, from);
  await client.query('commit');
  population.ids.push(...ids);
  population.cardSerials.push(...serials);
}

/** One movement per wallet, from the treasury, so that the ledger stays balanced and ledger:verify passes. */
async function fund(client: pg.Client, ids: string[], from: number): Promise<void> {
  const transactions = ids.map(() => newId('txn'));
  const values = [ids, transactions, from, INITIAL_BALANCE, TREASURY];
  const funded = `unnest($1::text[], $2::text[]) with ordinality as funded (id, txn, n)`;
  const seq = `(${FIRST_SEQ} + $3::bigint + n)`;
  // The three inserts share their parameters. PostgreSQL must know each type, even of those an insert does not use.
  const unused = `cross join (select $3::bigint, $4::bigint, $5::text) as unused`;
  await client.query(
    `insert into accounts (id, kind, balance, ceiling, last_seq, posting_count, opened_at)
     select id, 'wallet', $4, null, ${seq}, 1, now() from ${funded} ${unused}`,
    values,
  );
  await client.query(
    `insert into movements (id, type, from_account, to_account, amount, fee, details, at)
     select txn, 'opening', $5, id, $4, 0, '{}', to_timestamp(${FUNDED_AT_S}) from ${funded} ${unused}`,
    values,
  );
  await client.query(
    `insert into postings (account_id, seq, movement_id, amount, fee, balance_after)
     select id, ${seq}, txn, $4::bigint, 0, $4::bigint from ${funded} ${unused}
     union all select $5, ${seq}, txn, -$4::bigint, 0, -$4::bigint * ($3::bigint + n) from ${funded} ${unused}`,
    values,
  );
  await client.query(
    `update accounts set balance = balance - $1::bigint * $2::bigint, posting_count = posting_count + $2::bigint,
       last_seq = ${FIRST_SEQ} + $3::bigint + $2::bigint where id = $4`,
    [INITIAL_BALANCE, ids.length, from, TREASURY],
  );
}

function accountNumbers(from: number, size: number): string[] {
  const bodies = Array.from({ length: size }, (_, i) => String(100_000_000 + from + i));
  return bodies.map((body) => body + luhnCheckDigit(body));
}
