// Proves the books: replays every posting account by account, and holds movements, requests, refunds and sums against them.
import type { ClientBase } from 'pg';
import { proveAccounts } from './accounts.ts';
import { proveRecents } from './activity-windows.ts';
import { EXAMPLES, type Fault, Findings, figure, RULES, type Rule, rowsOf } from './findings.ts';
import { proveMovements, proveRequests } from './movements.ts';
import { proveCheckpoints, proveRefunds } from './sums.ts';

export { type Fault, RULES, type Rule } from './findings.ts';

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

// Without indexes: the tables themselves are read, from one end to the other, which is also the faster way to all of them.
const BEGIN = `begin isolation level repeatable read read only; set local statement_timeout = 0; set local jit = off;
  set local work_mem = '64MB'; set local enable_indexscan = off; set local enable_indexonlyscan = off;
  set local enable_bitmapscan = off`;

/** Everything is read as of one instant and in pages: the service may go on working, and memory stays small. */
export async function verifyLedger(client: ClientBase): Promise<Verification> {
  await client.query(BEGIN);
  try {
    const findings = new Findings();
    const postings = await proveAccounts(client, findings);
    await proveMovements(client, findings);
    await proveRequests(client, findings);
    await proveRefunds(client, findings);
    await proveCheckpoints(client, findings);
    await proveRecents(client, findings);
    return await conclude(client, findings, postings);
  } finally {
    await client.query('rollback').catch(() => undefined);
  }
}

async function conclude(client: ClientBase, findings: Findings, postings: number): Promise<Verification> {
  const kinds = `select kind, count(*), sum(balance) from accounts group by kind order by kind`;
  const trialBalance = [];
  for await (const [kind, count, total] of rowsOf(client, 'kinds', kinds)) {
    trialBalance.push({ kind: kind as string, accounts: Number(count), total: figure(total) });
  }
  const total = trialBalance.reduce((sum, each) => sum + each.total, 0n);
  if (total !== 0n) findings.fault('trial_balance', 'all accounts', `they come to ${total}`);
  const accounts = trialBalance.reduce((sum, each) => sum + each.accounts, 0);
  const counts = { accounts, postings, ...(await countRows(client)) };
  const { broken, faults, outside } = findings;
  return { clean: broken.size === 0, counts, trialBalance, total, broken, faults, outside };
}

async function countRows(client: ClientBase): Promise<{ movements: number; requests: number }> {
  const text = 'select (select count(*) from movements)::text, (select count(*) from requests)::text';
  const { rows } = await client.query<[string, string]>({ text, rowMode: 'array' });
  return { movements: Number(rows[0]?.[0]), requests: Number(rows[0]?.[1]) };
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
