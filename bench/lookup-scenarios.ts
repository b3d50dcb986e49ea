// The requests of bench/lookup.ts: each kind of search, and each filter on its first page and on one far back.
import type pg from 'pg';
import { DAY_MS } from '../src/kernel/clock.ts';
import { firstIdAt } from '../src/kernel/ids.ts';
import { writeCursor } from './cursors.ts';

export interface LookupScenario {
  name: string;
  /** Relative to /api/v1. */
  paths: string[];
  /** The field of the reply that holds the records. */
  records: string;
}

const SAMPLES = 100;
const FAR_SAMPLES = 40;
/** Filters that match one record. */
const SINGLE = new Set(['transaction_id', 'reference', 'request_id', 'authorization_code']);

export async function lookupScenarios(client: pg.Client): Promise<LookupScenario[]> {
  const column = async (text: string): Promise<string[]> =>
    (await client.query(text)).rows.map((row) => String(Object.values(row)[0]));
  const of = (type: string, expression: string) =>
    column(`select ${expression} from movements where id in (select id from movements tablesample system (0.5) repeatable (1)
      where type = '${type}' limit ${SAMPLES})`);
  const subscribers = (expression: string) =>
    column(`select ${expression} from subscribers tablesample system (1) repeatable (1) limit ${SAMPLES}`);
  const search = (name: string, texts: string[]): LookupScenario => ({
    name: `search: ${name}`,
    paths: texts.map((text) => `/search?q=${encodeURIComponent(text)}`),
    records: 'hits',
  });
  const searches = [
    search('phone number', await subscribers('phone_number')),
    search(
      'local phone number with spaces',
      await subscribers(`'0' || substr(phone_number, 5, 2) || ' ' || substr(phone_number, 7)`),
    ),
    search('account number', await subscribers('account_number')),
    search('first name (1 in 40)', await subscribers('first_name')),
    search('start of a name (3 letters)', await subscribers('left(last_name, 3)')),
    search('first and last name', await subscribers(`first_name || ' ' || last_name`)),
    search('starts of both names (3 letters)', await subscribers(`left(last_name, 3) || ' ' || left(first_name, 3)`)),
    search('names without a match', await subscribers(`first_name || ' zzyzx'`)),
    search(
      'card serial',
      await column(`select serial from cards tablesample system (1) repeatable (1) limit ${SAMPLES}`),
    ),
    search(
      'start of a card serial',
      await column(`select left(serial, 6) from cards tablesample system (1) repeatable (1) limit ${SAMPLES}`),
    ),
    search('transaction id', await of('transfer_p2p', 'id')),
    search('request id', await of('transfer_p2p', 'request_id')),
    search('reference', await of('inbound_credit', 'reference')),
    search('authorization code', await of('pos_payment', 'right(id, 6)')),
    search(
      'agent by name',
      Array.from({ length: SAMPLES }, (_, n) => `cash point ${n}`),
    ),
    search(
      'processor by merchant id',
      Array.from({ length: SAMPLES }, (_, n) => `SHOP-${n}`),
    ),
    search(
      'partner by name',
      Array.from({ length: 20 }, (_, n) => `community ba ${n}`),
    ),
    search(
      'no match at all',
      Array.from({ length: SAMPLES }, (_, n) => `nothing-${n}-here`),
    ),
  ];
  const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
  const days = Array.from({ length: FAR_SAMPLES }, (_, n) => day(10 + n * 8));
  const subscriberIds = await subscribers('id');
  const accounts = (kind: string) =>
    column(`select id from accounts where kind = '${kind}' order by id limit ${FAR_SAMPLES}`);
  const [agents, processors, partners] = [
    await accounts('agent_float'),
    await accounts('processor'),
    await accounts('partner_clearing'),
  ];
  const filters: [name: string, queries: string[]][] = [
    ['none', ['limit=50']],
    ['subscriber_id', subscriberIds.map((id) => `subscriber_id=${id}`)],
    ['transaction_id', (await of('transfer_p2p', 'id')).map((id) => `transaction_id=${id}`)],
    ['reference', (await of('inbound_credit', 'reference')).map((text) => `reference=${text}`)],
    ['request_id', (await of('transfer_p2p', 'request_id')).map((text) => `request_id=${text}`)],
    ['authorization_code', (await of('pos_payment', 'right(id, 6)')).map((code) => `authorization_code=${code}`)],
    ['agent_id', agents.map((id) => `agent_id=${id}`)],
    ['processor_id', processors.map((id) => `processor_id=${id}`)],
    ['partner_id', partners.map((id) => `partner_id=${id}`)],
    ['agent_id and type', agents.map((id) => `agent_id=${id}&type=wallet_withdraw`)],
    [
      'processor_id and subscriber_id',
      processors.map((id, n) => `processor_id=${id}&subscriber_id=${subscriberIds[n]}`),
    ],
    ['type (frequent)', ['type=pos_payment']],
    ['type (rare)', ['type=wallet_withdraw']],
    ['type (none)', ['type=processor_transfer']],
    [
      'min_amount and max_amount',
      Array.from({ length: FAR_SAMPLES }, (_, n) => `min_amount=${1000 + n * 5000}&max_amount=${2000 + n * 5000}`),
    ],
    ['min_amount without a match', ['min_amount=900000000']],
    ['from and to (a day)', days.map((date) => `from=${date}&to=${date}`)],
    ['from, to and type', days.map((date) => `from=${date}&to=${date}&type=inbound_credit`)],
  ];
  const credits: [name: string, queries: string[]][] = [
    ['none', ['limit=50']],
    ['partner_id', partners.map((id) => `partner_id=${id}`)],
    ['status REJECTED', ['status=REJECTED']],
    ['status COMPLETED', ['status=COMPLETED']],
    ['status REVERSED', ['status=REVERSED']],
    ['partner_id and status REJECTED', partners.map((id) => `partner_id=${id}&status=REJECTED`)],
    ['partner_id and status REVERSED', partners.map((id) => `partner_id=${id}&status=REVERSED`)],
    ['subscriber_id', subscriberIds.map((id) => `subscriber_id=${id}`)],
    ['reference', (await of('inbound_credit', 'reference')).map((text) => `reference=${text}`)],
    ['from and to (a day)', days.map((date) => `from=${date}&to=${date}`)],
  ];
  const phones = await subscribers('phone_number');
  const people: [name: string, queries: string[]][] = [
    ['none', ['limit=50']],
    ['phone_number', phones.map((phone) => `phone_number=${encodeURIComponent(phone)}`)],
    ['far offset', ['limit=50&offset=50000']],
    ['status PENDING (1 in 100)', ['status=PENDING']],
    ['status ACTIVE and kyc_level 3 (1 in 100)', ['status=ACTIVE&kyc_level=3']],
    ['status BLOCKED and kyc_level 3 (almost none)', ['status=BLOCKED&kyc_level=3']],
    ['search for a full name', ['search=mariama+sesay']],
    ['search for part of a phone number', phones.map((phone) => `search=${phone.slice(5, 11)}`)],
    ['search without a match', ['search=zzyzx']],
    ['search for a first name (1 in 40)', ['search=mariama']],
    ['search for a first name, PENDING only', ['search=mariama&status=PENDING']],
    ['search for a common substring (1 in 3)', ['search=example.com']],
    ['search for one letter', ['search=a']],
    ['search for two letters', ['search=ma']],
  ];
  const lists = {
    '/subscribers': { filters: people, records: 'subscribers' },
    '/transactions': { filters, records: 'transactions' },
    '/admin/inbound': { filters: credits, records: 'inbound' },
  };
  const scenarios: LookupScenario[] = [...searches];
  for (const [path, { filters: each, records }] of Object.entries(lists)) {
    for (const [name, queries] of each) {
      const paths = repeated(
        queries.map((query) => `${path}?${query}`),
        SAMPLES,
      );
      const scenario = { name: `GET ${path}, ${name}`, paths, records };
      scenarios.push(scenario, ...(SINGLE.has(name) || records === 'subscribers' ? [] : [farPage(scenario)]));
    }
  }
  return scenarios;
}

/** A page half a year back. The cursor is a position in the list, so the pages in between are not read. */
function farPage({ name, paths, records }: LookupScenario): LookupScenario {
  const at = Date.now() - 180 * DAY_MS;
  const [txn, inb] = [firstIdAt('txn', at).padEnd(30, '0'), firstIdAt('inb', at).padEnd(30, '0')];
  const cursorOf = (path: string) => {
    if (path.startsWith('/admin')) return Buffer.from(`${inb}.10001`, 'latin1').toString('base64url');
    const isAccount = /(subscriber|agent|processor|partner)_id=/.test(path);
    return writeCursor({ position: isAccount ? String(at * 1_000) : txn, total: 1_000_000, isMinimum: true });
  };
  const far = paths.map((path) => `${path}&cursor=${cursorOf(path)}`);
  return { name: `${name}, half a year back`, paths: far.slice(0, FAR_SAMPLES), records };
}

function repeated(paths: string[], count: number): string[] {
  const length = paths.length === 0 ? 0 : Math.max(count, paths.length);
  return Array.from({ length }, (_, n) => paths[n % paths.length] as string);
}
