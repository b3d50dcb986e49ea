// scripts/node bench/subscribers.ts [count] [plans]: median times, and query plans, of subscriber queries on a million rows.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedServer } from '@kissi/embedded-postgres';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { type Database, openDatabase } from '../src/db/database.ts';
import { lookupSql } from '../src/db/lookup.ts';
import { APP_ROLE, migrate } from '../src/db/schema/migrate.ts';
import { type ListFilter, listStatement, listSubscribers } from '../src/features/subscribers/list-store.ts';
import { subscriberById } from '../src/features/subscribers/store.ts';
import { INSERT_SUBSCRIBERS } from './subscriber-rows.ts';

const SUBSCRIBERS = Number(process.argv[2] ?? 1_000_000);
const RUNS = 7;
const QUERY_TIMEOUT_MS = 600_000;

const contains = (text: string) => ({ text, orPhone: null });
const print = (text: string) => void process.stdout.write(`${text}\n`);

const dataDir = await mkdtemp(join(tmpdir(), 'kissi-bench-'));
const server = await startEmbeddedServer({ dataDir, report: ({ message }) => print(message) });
try {
  await migrate(server.url);
  await load(server.url);
  const database = openDatabase({
    url: server.url,
    poolSize: 4,
    role: APP_ROLE,
    timeouts: { queryMs: QUERY_TIMEOUT_MS },
  });
  await measureAll(database);
  await database.close();
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** Inserts directly into the table and builds the search index and the counts once, at the end. */
async function load(url: string): Promise<void> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  const startedAt = performance.now();
  await owner.query('alter table subscribers disable trigger count_subscribers');
  const { rows } = await owner.query(`select pg_get_indexdef('subscribers_search'::regclass) as definition`);
  await owner.query('drop index subscribers_search');
  await owner.query(INSERT_SUBSCRIBERS, [SUBSCRIBERS]);
  await owner.query(rows[0].definition);
  await owner.query(`insert into subscriber_counts
    select status, kyc_level, 0, count(*) from subscribers group by status, kyc_level`);
  await owner.query('alter table subscribers enable trigger count_subscribers');
  await owner.query('vacuum analyze subscribers');
  await owner.end();
  print(`${SUBSCRIBERS} subscribers in ${Math.round((performance.now() - startedAt) / 1_000)} s\n`);
}

async function measureAll(database: Database): Promise<void> {
  const { id, phone_number: phoneNumber } = await database.queries
    .selectFrom('subscribers')
    .select(['id', 'phone_number'])
    .orderBy('id')
    .offset(Math.floor(SUBSCRIBERS / 3))
    .limit(1)
    .executeTakeFirstOrThrow();
  const find = subscriberById(database.reader);
  print(`${await median(() => find(id))}  by id`);
  await explain(database, lookupSql({ table: 'subscribers', by: 'id', columns: ['*'] }), [[id]]);
  const lists: [string, Omit<ListFilter, 'now'>, number?][] = [
    ['by phone', { phoneNumber }],
    ['first page', {}],
    [`page at offset ${SUBSCRIBERS / 2}`, {}, SUBSCRIBERS / 2],
    ['status PENDING (1 in 100)', { status: 'PENDING' }],
    ['status ACTIVE and KYC level 3 (1 in 100)', { status: 'ACTIVE', kycLevel: 3 }],
    ['status BLOCKED and KYC level 3 (almost none)', { status: 'BLOCKED', kycLevel: 3 }],
    ['search for a full name (a few hundred)', { search: contains('mariama sesay') }],
    ['search for a complete phone number', { search: { text: `0${phoneNumber.slice(4)}`, orPhone: phoneNumber } }],
    ['search for part of a phone number', { search: contains(phoneNumber.slice(5, 11)) }],
    ['search for a rare substring', { search: contains(phoneNumber.slice(-7)) }],
    ['search without a match', { search: contains('zzyzx') }],
    ['search for a first name (1 in 40)', { search: contains('mariama') }],
    ['search for a first name, PENDING only', { search: contains('mariama'), status: 'PENDING' }],
    ['search for a common substring (1 in 3)', { search: contains('example.com') }],
    ['search for a prefix of every phone number', { search: contains('+232') }],
    ['search for one letter', { search: contains('a') }],
    ['search for two letters', { search: contains('ma') }],
  ];
  for (const [name, listed, offset = 0] of lists) {
    const filter = { ...listed, now: new Date() };
    const page = { limit: 50, offset };
    const { total } = await listSubscribers(database.queries, filter, page);
    const time = await median(() => listSubscribers(database.queries, filter, page));
    print(`${time}  ${name}: ${total} matches`);
    const { sql, parameters } = listStatement(filter, page).compile(database.queries);
    await explain(database, sql, [...parameters]);
  }
}

async function median(work: () => Promise<unknown>): Promise<string> {
  await work();
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  return `${(times[Math.floor(RUNS / 2)] ?? 0).toFixed(1).padStart(8)} ms`;
}

async function explain({ queries }: Database, text: string, values: unknown[]): Promise<void> {
  if (process.argv[3] !== 'plans') return;
  const explained = `explain (analyze, costs off, timing off, summary off, buffers off) ${text}`;
  const { rows } = await queries.executeQuery(CompiledQuery.raw(explained, values));
  for (const row of rows as Record<string, string>[]) print(`              ${row['QUERY PLAN']}`);
}
