// Fills the tables for bench/lookup.ts: subscribers with cards, and movements with their postings and requests.
import pg from 'pg';
import { createSlots, dropIndexes, setUnlogged } from './large-tables.ts';

export interface DataSize {
  subscribers: number;
  movements: number;
}

export const PARTIES = { agent: 500, processor: 1_000, partner: 20 };
const DAYS = 365;
/** Movements per slot, one millisecond apart. */
const PER_SLOT = 100;

/** An SQL expression for the id of the subscriber with this number, counted from 1. */
const subscriberId = (number: string) =>
  `'sub_' || lpad(upper(to_hex(${number})), 10, '0') || upper(left(md5((${number})::text), 16))`;

// Common names and phone numbers of Sierra Leone; every third subscriber has an email address.
const INSERT_SUBSCRIBERS = `insert into subscribers (id, account_number, phone_number, first_name, last_name, email, kyc_level, status,
    created_at, updated_at)
  select ${subscriberId('n')},
    lpad((1000000000 + n * 7)::text, 10, '0'),
    '+232' || (30000000 + (n::bigint * 7919) % 69999999),
    (array['Mariama','Fatmata','Aminata','Isatu','Kadiatu','Hawa','Mohamed','Ibrahim','Abu','Alhaji','Sorie','Foday','Musa',
      'Abdul','Samuel','John','Memunatu','Adama','Zainab','Hassan','Lamin','Osman','Saidu','Unisa','Bintu','Marie','Tamba',
      'Sahr','Finda','Kumba','Joseph','Daniel','Emmanuel','Ramatu','Umu','Salamatu','Nancy','Peter','Patrick','Yusuf'])[1 + h1 % 40],
    (array['Kamara','Sesay','Koroma','Conteh','Bangura','Turay','Mansaray','Kargbo','Jalloh','Bah','Barrie','Fofanah','Kanu',
      'Dumbuya','Thullah','Suma','Sankoh','Kallon','Lansana','Massaquoi','Momoh','Vandi','Tucker','Cole','Johnson','Williams',
      'Davies','Macauley','Bundu','Samura','Koker','Gbla','Marah','Kabia','Sillah','Daramy','Kuyateh','Tarawally','Swaray','Lebbie'])[1 + h2 % 40],
    case when n % 3 = 0 then 'person' || n || '@example.com' end,
    case when h3 % 100 < 80 then 1 when h3 % 100 < 99 then 2 else 3 end,
    case when n % 100 = 7 then 'PENDING' when n % 1000 = 9 then 'BLOCKED' else 'ACTIVE' end,
    now(), now()
  from generate_series(1, $1::int) n
  cross join lateral (select abs(hashint4(n)) as h1, abs(hashint4(n + 1000000007)) as h2, abs(hashint4(n + 2000000)) as h3) h`;

/** An SQL expression for the id of the agent, processor or partner with this number, counted from 0. */
const partyId = (prefix: string, number: string) => `'${prefix}_' || lpad((${number})::text, 26, '0')`;
const agentId = (number: string) => partyId('agent', number);
const processorId = (number: string) => partyId('proc', number);
const partnerId = (number: string) => partyId('ptn', number);
export const cardSerial = (number: string) => `'04' || upper(left(md5('card' || (${number})), 12))`;

export async function loadLookupData(url: string, size: DataSize, report: (line: string) => void): Promise<void> {
  const [one, two] = [await connect(url), await connect(url)];
  const timed = async (what: string, work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    report(`${what}: ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  };
  try {
    await setUnlogged(one, ['movements', 'postings', 'requests']);
    const rebuild = await dropIndexes(one, ['subscribers', 'movements', 'postings', 'requests']);
    await createSlots(one, Math.ceil(size.movements / PER_SLOT), DAYS);
    await Promise.all([
      (async () => {
        await timed('subscribers', () => insertSubscribers(one, size));
        await timed('indexes of subscribers', () => rebuild(one, 'subscribers'));
        await timed('cards, accounts and other parties', () => insertParties(one, size));
        await timed('names', () => insertNames(one));
      })(),
      (async () => {
        await timed('movements', () => insertMovements(two, size));
        await timed('indexes of movements', () => rebuild(two, 'movements'));
      })(),
    ]);
    await Promise.all([
      timed('requests', async () => {
        await one.query(INSERT_REQUESTS);
        await rebuild(one, 'requests');
      }),
      timed('postings', async () => {
        await two.query(INSERT_POSTINGS);
        await rebuild(two, 'postings');
      }),
    ]);
    await timed('inbound credits and counts', () => insertCredits(one));
    await timed('vacuum and analyze', () => one.query('vacuum analyze'));
  } finally {
    await Promise.all([one.end(), two.end()]);
  }
}

/** Connects with triggers and foreign-key checks disabled. */
async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`set maintenance_work_mem = '1GB'; set work_mem = '256MB'; set synchronous_commit = off;
    set session_replication_role = replica`);
  return client;
}

async function insertSubscribers(client: pg.Client, { subscribers }: DataSize): Promise<void> {
  await client.query(INSERT_SUBSCRIBERS, [subscribers]);
  await client.query(`insert into subscriber_counts
    select status, kyc_level, 0, count(*) from subscribers group by status, kyc_level`);
}

/** Inserts what the triggers would: they are disabled here. */
async function insertNames(client: pg.Client): Promise<void> {
  await client.query(`insert into search_names (kind, key, record_id)
    select 'subscriber', key, id from subscribers cross join lateral search_keys(first_name || ' ' || last_name) as names (key)
    union all select 'agent', key, id from agents
      cross join lateral search_keys(business_name || ' ' || first_name || ' ' || last_name) as names (key)
    union all select 'processor', key, id from processors
      cross join lateral search_keys(business_name || ' ' || contact_name || ' ' || merchant_id) as names (key)
    union all select 'partner', key, id from partners cross join lateral search_keys(name) as names (key)`);
}

async function insertParties(client: pg.Client, { subscribers }: DataSize): Promise<void> {
  const { agent, processor, partner } = PARTIES;
  await client.query(`insert into cards (serial, status, subscriber_id, linked_at, created_at)
    select ${cardSerial('n')}, 'active', ${subscriberId('n')}, now(), now() from generate_series(1, ${subscribers}) n`);
  await client.query(`insert into agents (id, type, business_name, first_name, last_name, phone_number, email, commission_tier,
      settlement_mode, created_at, updated_at)
    select ${agentId('n')}, 'super_agent', 'Cash Point ' || n, 'Ibrahim', 'Conteh', '+23299' || lpad(n::text, 6, '0'),
      'agent' || n || '@example.com', 'standard', 'instant', now(), now() from generate_series(0, ${agent - 1}) n`);
  await client.query(`insert into processors (id, merchant_id, business_name, contact_name, phone_number, email, created_at, updated_at)
    select ${processorId('n')}, 'SHOP-' || n, 'Market Shop ' || n, 'Fatmata Sesay', '+23298' || lpad(n::text, 6, '0'),
      'shop' || n || '@example.com', now(), now() from generate_series(0, ${processor - 1}) n`);
  await client.query(`insert into partners (id, name, created_at, updated_at)
    select ${partnerId('n')}, 'Community Bank ' || n, now(), now() from generate_series(0, ${partner - 1}) n`);
  await client.query(`insert into accounts (id, kind, posting_count, opened_at)
    select id, 'wallet', 20, now() from subscribers union all select id, 'agent_float', 0, now() from agents
    union all select id, 'processor', 0, now() from processors
    union all select id, 'partner_clearing', 0, now() from partners on conflict do nothing`);
}

/** 70 % transfers, 15 % card payments, 10 % cash-ins, 3 % inbound credits, 2 % withdrawals. */
function insertMovements(client: pg.Client, { subscribers, movements }: DataSize): Promise<unknown> {
  return client.query(`insert into movements (id, type, from_account, to_account, amount, fee, request_id, reference, details, at,
      actor_type, actor_id)
    select slot.txn || lpad((n % ${PER_SLOT})::text, 4, '0') || upper(left(hash, 12)),
      case when share < 70 then 'transfer_p2p' when share < 85 then 'pos_payment' when share < 95 then 'agent_cashin'
        when share < 98 then 'inbound_credit' else 'wallet_withdraw' end,
      case when share between 85 and 94 then ${agentId(`b % ${PARTIES.agent}`)}
        when share between 95 and 97 then ${partnerId(`b % ${PARTIES.partner}`)} else ${subscriberId(`1 + a % ${subscribers}`)} end,
      case when share between 70 and 84 then ${processorId(`b % ${PARTIES.processor}`)}
        when share >= 98 then ${agentId(`b % ${PARTIES.agent}`)}
        when share < 70 then ${subscriberId(`1 + (a + 1 + b % ${subscribers - 1}) % ${subscribers}`)}
        else ${subscriberId(`1 + a % ${subscribers}`)} end,
      100 + b % 500000, 0, 'req-' || hash, case when share between 95 and 97 then 'BANK-' || n end,
      case when share between 70 and 84 then json_build_object('card_serial', ${cardSerial(`1 + a % ${subscribers}`)}) else '{}'::json end,
      slot.at + (n % ${PER_SLOT}) * interval '1 ms', 'key', 'key_bench'
    from generate_series(0, ${movements - 1}) n
    join bench_slots slot on slot.slot = n / ${PER_SLOT}
    cross join lateral (select md5(n::text) as hash, abs(hashint4(n) / 2) as a, abs(hashint4(n + 7) / 2) as b,
      abs(hashint4(n + 13) / 2) % 100 as share) random`);
}

const INSERT_REQUESTS = `insert into requests (request_id, scope, hash, movement_id, reply)
  select request_id, 'key_bench', decode(md5(id) || md5(id), 'hex'), id, '{"success":true,"transaction_id":"' || id || '"}'
  from movements`;

const INSERT_POSTINGS = `insert into postings (account_id, seq, movement_id, amount, fee, balance_after)
  select side.account, (extract(epoch from at) * 1000000)::bigint, id, side.sign * amount, 0, 1000000
  from movements cross join lateral (values (from_account, -1), (to_account, 1)) as side (account, sign)`;

async function insertCredits(client: pg.Client): Promise<void> {
  await client.query(`insert into inbound_transactions (id, partner_id, reference, key_id, idempotency_key, status, failure_code,
      transaction_id, identified_by, identifier, subscriber_id, account_number, account_name, amount, fee, net_credited,
      currency, partner_outstanding, payer_name, completed_at)
    select 'inb' || substr(id, 4), from_account, reference, 'key_bench', id, case when failed then 'REJECTED' else 'COMPLETED' end,
      case when failed then 'AMOUNT_OUT_OF_RANGE' end, case when failed then null else id end, 'msisdn', '+23276000000',
      to_account, '1000000000', 'Aminata K.', amount, 0, case when failed then 0 else amount end, 'SLE', 0, 'Fatmata Sesay', at
    from movements cross join lateral (select hashtext(id) % 50 = 0 as failed) outcome where type = 'inbound_credit'`);
  await client.query(`insert into inbound_reversals
    select id, transaction_id, 'Sent twice', false, 'usr_bench', completed_at from inbound_transactions
    where status = 'COMPLETED' and hashtext(reference) % 1000 = 0`);
  await client.query(`update accounts set posting_count = counted.count, last_seq = counted.last from (
      select account_id, count(*) as count, max(seq) as last from postings
      where account_id < 'sub' group by account_id) counted
    where accounts.id = counted.account_id`);
}
