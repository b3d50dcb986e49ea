// Proves the books: replays every posting account by account, and holds movements, requests and balances against them.
import type { ClientBase } from 'pg';

/** What must hold, in words that name the fault when it does not. */
export const RULES = {
  balance_differs: 'the balance of an account is not the sum of its postings',
  last_balance_differs: 'the balance of an account is not the balance after its last posting',
  chain_broken: 'a balance after a posting is not the one before it plus the amount',
  seq_not_increasing: 'two postings of an account have no order',
  last_seq_differs: "an account's last seq is not that of its last posting",
  posting_count_differs: "an account's count of postings is wrong",
  posting_without_account: 'postings have no account',
  posting_without_movement: 'postings have no movement',
  movement_without_postings: 'a movement has fewer than two postings',
  movement_unbalanced: 'the postings of a movement do not sum to zero',
  movement_fee_differs: 'the fees of the postings are not the fee of the movement',
  movement_amount_differs: 'the postings of payer and payee do not carry the amount of the movement',
  request_without_movement: 'a request has no movement',
  movement_without_request: 'a movement was asked for by a request that is not there',
  request_differs: "a request's id is not the one its movement has",
  request_repeated: 'a request id was used twice within one scope',
  movement_of_two_requests: 'two requests have one movement',
  trial_balance: 'all balances together are not zero',
} as const;
export type Rule = keyof typeof RULES;

export interface Fault {
  rule: Rule;
  /** The account, movement or request concerned. */
  about: string;
  detail: string;
}

export interface Verification {
  clean: boolean;
  counts: { accounts: number; movements: number; postings: number; requests: number };
  trialBalance: { kind: string; accounts: number; total: bigint }[];
  total: bigint;
  /** How often each rule is broken. */
  broken: Map<Rule, number>;
  /** The first few of each rule. */
  faults: Fault[];
  /** Not faults: accounts outside their bounds, as a reversal or a lowered limit leaves them. */
  outside: { count: number; examples: string[] };
}

const PAGE = 4_000;
const EXAMPLES = 5;

// Without indexes: the tables themselves are read, from one end to the other, which is also the faster way to all of them.
const BEGIN = `begin isolation level repeatable read read only; set local statement_timeout = 0; set local jit = off;
  set local work_mem = '64MB'; set local enable_indexscan = off; set local enable_indexonlyscan = off;
  set local enable_bitmapscan = off`;

/** Everything is read as of one instant and in pages: the service may go on working, and memory stays small. */
export async function verifyLedger(client: ClientBase): Promise<Verification> {
  await client.query(BEGIN);
  try {
    const proof = new Proof(client);
    await proof.replay();
    await proof.movements();
    await proof.requests();
    return await proof.conclude();
  } finally {
    await client.query('rollback').catch(() => undefined);
  }
}

type Row = (string | null)[];

/** The text of every column: a spoilt figure may be larger than a number holds. */
const AS_TEXT = { getTypeParser: () => (text: string) => text };

async function* pages(client: ClientBase, cursor: string, text: string): AsyncGenerator<Row[]> {
  await client.query(`declare ${cursor} no scroll cursor for ${text}`);
  for (;;) {
    const fetch = { text: `fetch ${PAGE} from ${cursor}`, rowMode: 'array' as const, types: AS_TEXT };
    const { rows } = await client.query<Row>(fetch);
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query(`close ${cursor}`);
}

async function* rowsOf(client: ClientBase, cursor: string, text: string): AsyncGenerator<Row> {
  for await (const page of pages(client, cursor, text)) yield* page;
}

/** What the postings of one account come to. */
interface Tally {
  accountId: string;
  sum: bigint;
  last: bigint;
  lastSeq: bigint;
  count: number;
}

const emptyTally = (accountId: string): Tally => ({ accountId, sum: 0n, last: 0n, lastSeq: 0n, count: 0 });

const ACCOUNTS = 'select id, balance, last_seq, posting_count, floor, ceiling from accounts order by id';
const POSTINGS = 'select account_id, seq, amount, balance_after from postings order by account_id, seq';

const MOVEMENTS = `select id, bool_and(orphan) as orphans, count(amount) as postings, coalesce(sum(amount), 0) as total,
    coalesce(sum(fee), 0) as fees, max(movement_fee) as fee, max(movement_amount) as amount,
    sum(amount) filter (where payer) + sum(fee) filter (where payer) as gave,
    sum(amount) filter (where payee) + sum(fee) filter (where payee) as got
  from (select coalesce(m.id, p.movement_id) as id, m.id is null as orphan, p.amount, p.fee,
      m.fee as movement_fee, m.amount as movement_amount,
      p.account_id = m.from_account as payer, p.account_id = m.to_account as payee
    from movements m full join postings p on p.movement_id = m.id) as each_posting
  group by id`;

// Beyond the fee that a party bore it may have earned: who paid gave the amount at most, who was paid got it at least.
const SUSPECT = `select * from (${MOVEMENTS}) s where orphans or postings < 2 or total <> 0 or fees <> fee
  or gave is null or got is null or gave < -amount or got < amount`;

const REQUESTS = `select m.id, m.request_id, r.scope, r.request_id, r.movement_id
  from movements m full join (select * from requests where not refused) r on r.movement_id = m.id
  where m.request_id is distinct from r.request_id`;

const REPEATED = 'select scope, request_id from requests group by request_id, scope having count(*) > 1';
const SHARED = 'select movement_id, count(*) from requests group by movement_id having count(*) > 1';

class Proof {
  private readonly client: ClientBase;
  private readonly broken = new Map<Rule, number>();
  private readonly faults: Fault[] = [];
  private readonly outside = { count: 0, examples: [] as string[] };
  private postings = 0;

  constructor(client: ClientBase) {
    this.client = client;
  }

  private fault(rule: Rule, about: string, detail: string): void {
    const count = (this.broken.get(rule) ?? 0) + 1;
    this.broken.set(rule, count);
    if (count <= EXAMPLES) this.faults.push({ rule, about, detail });
  }

  private differ(rule: Rule, about: string, found: bigint | number, expected: bigint | number): void {
    if (found !== expected) this.fault(rule, about, `${found}, by the postings ${expected}`);
  }

  /** Postings and accounts in the order of their ids, side by side. */
  async replay(): Promise<void> {
    const accounts = rowsOf(this.client, 'all_accounts', ACCOUNTS);
    let next = await accounts.next();
    const close = async (done: Tally): Promise<void> => {
      if (done.count === 0) return;
      while (!next.done && order(next.value[0] as string, done.accountId) < 0) {
        this.settle(next.value, emptyTally(next.value[0] as string));
        next = await accounts.next();
      }
      if (next.done || next.value[0] !== done.accountId) {
        return this.fault('posting_without_account', done.accountId, `${done.count} postings`);
      }
      this.settle(next.value, done);
      next = await accounts.next();
    };
    let tally = emptyTally('');
    for await (const page of pages(this.client, 'all_postings', POSTINGS)) {
      this.postings += page.length;
      for (const row of page) {
        if (tally.count === 0 || tally.accountId !== row[0]) {
          await close(tally);
          tally = emptyTally(row[0] as string);
        }
        this.follow(tally, row);
      }
    }
    await close(tally);
    for (; !next.done; next = await accounts.next()) this.settle(next.value, emptyTally(next.value[0] as string));
  }

  private follow(tally: Tally, row: Row): void {
    const seq = figure(row[1]);
    const amount = figure(row[2]);
    const after = figure(row[3]);
    const at = () => `${tally.accountId} at seq ${seq}`;
    if (tally.count > 0 && seq <= tally.lastSeq) this.fault('seq_not_increasing', at(), `after ${tally.lastSeq}`);
    if (tally.last + amount !== after) {
      this.fault('chain_broken', at(), `${tally.last} and ${amount} do not make ${after}`);
    }
    tally.sum += amount;
    tally.last = after;
    tally.lastSeq = seq;
    tally.count += 1;
  }

  private settle(row: Row, tally: Tally): void {
    const id = tally.accountId;
    const balance = figure(row[1]);
    this.differ('balance_differs', id, balance, tally.sum);
    this.differ('last_balance_differs', id, balance, tally.last);
    this.differ('last_seq_differs', id, figure(row[2]), tally.lastSeq);
    this.differ('posting_count_differs', id, figure(row[3]), BigInt(tally.count));
    const [floor, ceiling] = [row[4], row[5]];
    if (floor != null && balance < BigInt(floor)) this.note(`${id} has ${balance}, its floor is ${floor}`);
    if (ceiling != null && balance > BigInt(ceiling)) this.note(`${id} has ${balance}, its ceiling is ${ceiling}`);
  }

  private note(example: string): void {
    this.outside.count += 1;
    if (this.outside.count <= EXAMPLES) this.outside.examples.push(example);
  }

  async movements(): Promise<void> {
    for await (const row of rowsOf(this.client, 'suspect_movements', SUSPECT)) {
      const [id, orphans, postings, total, fees, fee, amount, gave, got] = row;
      const about = id as string;
      if (orphans === 't') {
        this.fault('posting_without_movement', about, `${postings} postings`);
        continue;
      }
      if (figure(postings) < 2n) this.fault('movement_without_postings', about, `it has ${postings}`);
      if (figure(total) !== 0n) this.fault('movement_unbalanced', about, `they sum to ${total}`);
      if (fees !== fee) this.fault('movement_fee_differs', about, `${fees} instead of ${fee}`);
      if (gave == null || got == null || figure(gave) < -figure(amount) || figure(got) < figure(amount)) {
        const parts = `without their fees ${gave ?? 'nothing'} and ${got ?? 'nothing'}`;
        this.fault('movement_amount_differs', about, `${parts} instead of ${amount}`);
      }
    }
  }

  async requests(): Promise<void> {
    for await (const row of rowsOf(this.client, 'suspect_requests', REQUESTS)) {
      const [movement, wanted, scope, found, pointed] = row;
      if (movement === null) this.fault('request_without_movement', `${scope} ${found}`, `it names ${pointed}`);
      else if (found === null) this.fault('movement_without_request', movement ?? '', `request id ${wanted}`);
      else this.fault('request_differs', movement ?? '', `${found} instead of ${wanted}`);
    }
    for await (const [scope, id] of rowsOf(this.client, 'repeated_requests', REPEATED)) {
      this.fault('request_repeated', `${scope} ${id}`, 'more than one row');
    }
    for await (const [movement, count] of rowsOf(this.client, 'shared_movements', SHARED)) {
      this.fault('movement_of_two_requests', movement as string, `${count} requests`);
    }
  }

  async conclude(): Promise<Verification> {
    const kinds = `select kind, count(*), sum(balance) from accounts group by kind order by kind`;
    const trialBalance = [];
    for await (const [kind, count, total] of rowsOf(this.client, 'kinds', kinds)) {
      trialBalance.push({ kind: kind as string, accounts: Number(count), total: figure(total) });
    }
    const total = trialBalance.reduce((sum, each) => sum + each.total, 0n);
    if (total !== 0n) this.fault('trial_balance', 'all accounts', `they come to ${total}`);
    const accounts = trialBalance.reduce((sum, each) => sum + each.accounts, 0);
    const counts = { accounts, postings: this.postings, ...(await this.countRows()) };
    const { broken, faults, outside } = this;
    return { clean: broken.size === 0, counts, trialBalance, total, broken, faults, outside };
  }

  private async countRows(): Promise<{ movements: number; requests: number }> {
    const text = 'select (select count(*) from movements)::text, (select count(*) from requests)::text';
    const { rows } = await this.client.query<[string, string]>({ text, rowMode: 'array' });
    return { movements: Number(rows[0]?.[0]), requests: Number(rows[0]?.[1]) };
  }
}

function figure(text: string | null | undefined): bigint {
  return BigInt(text ?? 0);
}

/** As PostgreSQL orders by collation "C": by the bytes. */
function order(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** For people: what was read, the trial balance, and what is wrong. */
export function reportOf({ counts, trialBalance, total, broken, faults, outside }: Verification): string {
  const line = (kind: string, accounts: number, sum: bigint) =>
    `  ${kind.padEnd(18)}${accounts.toLocaleString('en').padStart(12)}${sum.toLocaleString('en').padStart(28)}`;
  const read = Object.entries(counts).map(([what, count]) => `${count.toLocaleString('en')} ${what}`);
  const lines = [
    `Read ${read.join(', ')}.`,
    '',
    `  ${'Trial balance'.padEnd(18)}${'accounts'.padStart(12)}${'total (minor units)'.padStart(28)}`,
    ...trialBalance.map(({ kind, accounts, total: sum }) => line(kind, accounts, sum)),
    line('all', counts.accounts, total),
    '',
  ];
  if (outside.count > 0) {
    lines.push(`Note: ${outside.count} account(s) outside their bounds, as a reversal or a lowered limit leaves them:`);
    lines.push(...outside.examples.map((example) => `  ${example}`), '');
  }
  for (const [rule, count] of broken) {
    lines.push(`FAULT ${rule} (${count}): ${RULES[rule]}`);
    lines.push(...faults.filter((each) => each.rule === rule).map(({ about, detail }) => `  ${about}: ${detail}`));
    lines.push(...(count > EXAMPLES ? [`  and ${count - EXAMPLES} more`] : []));
  }
  const sum = [...broken.values()].reduce((a, b) => a + b, 0);
  lines.push(sum === 0 ? 'The books are in order.' : `The books are NOT in order: ${sum} fault(s).`);
  return lines.join('\n');
}
