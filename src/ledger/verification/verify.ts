// Verifies the ledger: replays every posting and checks movements, requests, refunds and sums against the postings.
import { DISTRIBUTED } from '../../db/citus/distribute.ts';
import { shardsOn } from '../../db/citus/shards.ts';
import { beginSnapshot, completeCopies, copyTables } from '../../db/citus/snapshot.ts';
import { AS_SERVICE } from '../../db/citus/workers.ts';
import { openConnection } from '../../db/database.ts';
import type { Connection } from '../../db/driver/connection.ts';
import { statement } from '../../db/driver/statement.ts';
import { plural } from '../../kernel/plural.ts';
import { addArchivedToCopies, joinArchiveTables } from '../archive/load.ts';
import type { SealKeys } from '../seals/format.ts';
import { verifyAccounts } from './accounts.ts';
import { verifyActivityWindows } from './activity-windows.ts';
import { ARCHIVE_RULES, loadArchives, schemaOf, verifyArchives } from './archives.ts';
import {
  bigintOf,
  type Check,
  EXAMPLES,
  type Fault,
  Findings,
  LEDGER_RULES,
  type Rule,
  type Rules,
  rowsOf,
} from './findings.ts';
import { KEY_RULES, SealKeysInTime } from './key-closings.ts';
import { verifyMovements, verifyRequests } from './movements.ts';
import { PLACEMENT_RULES, verifyPlacements } from './placements.ts';
import { keysPrunedBefore, PRUNING_RULES } from './request-pruning.ts';
import { SEAL_RULES, type SealedTables, verifySeals } from './seals.ts';
import { verifyCheckpoints, verifyRefunds } from './sums.ts';

export type { Check, Fault, Findings, Rule } from './findings.ts';

export interface VerifyOptions {
  /** Null: seals are not verified. */
  sealKeys: SealKeys | null;
  sealed: SealedTables;
  /** What the layers above the ledger verify. */
  checks?: readonly Check[];
  /** The directory of the archives. Null: they are not at hand, and their movements are not verified. */
  archives?: string | null;
}

export interface Verification {
  clean: boolean;
  counts: { accounts: number; movements: number; postings: number; requests: number };
  trialBalance: { kind: string; accounts: number; total: bigint }[];
  total: bigint;
  /** The number of violations of each rule. */
  broken: Map<Rule, number>;
  /** The first few of each rule. */
  faults: Fault[];
  /** Not violations: accounts outside their bounds, as a reversal or a lowered limit leaves them. */
  outside: { count: number; examples: string[] };
  /** Not violations: what the operator should know or do. */
  notices: string[];
  rules: Rules;
}

// Sequential scans: indexes are not trusted, and reading whole tables is faster anyway. Without indexes a nested loop reads a
// table once per row, which the planner chooses for tables that were never analysed, or for the first rows of a cursor.
const SETTINGS = statement(
  'verify-settings',
  `select set_config('statement_timeout', '0', true), set_config('jit', 'off', true), set_config('work_mem', '64MB', true),
  set_config('enable_indexscan', 'off', true), set_config('enable_indexonlyscan', 'off', true),
  set_config('enable_bitmapscan', 'off', true), set_config('enable_nestloop', 'off', true),
  set_config('cursor_tuple_fraction', '1', true)`,
);
const BEGIN = statement('verify-begin', 'begin isolation level repeatable read read only');

/** Reads one snapshot in pages: the service can keep running, and memory stays small. */
export async function verifyLedger(url: string, options: VerifyOptions): Promise<Verification> {
  const connection = await openConnection(url, 'kissi ledger:verify');
  try {
    if (await shardsOn(connection)) await connection.run(AS_SERVICE);
    return await verifyOn(connection, options, (withArchives) => beginVerification(url, connection, withArchives));
  } finally {
    connection.discard();
  }
}

/** Where the rows of a verification are. */
interface Begun {
  /** Over a Citus cluster. */
  isDistributed: boolean;
}

/** Begins the snapshot. `withArchives`: the session reads the loaded archives as part of the books. */
export async function beginVerification(url: string, connection: Connection, withArchives = false): Promise<Begun> {
  const isDistributed = (await shardsOn(connection)) !== null;
  return isDistributed ? beginOnCopies(url, connection, withArchives) : beginOnTables(connection, withArchives);
}

async function beginOnTables(connection: Connection, withArchives: boolean): Promise<Begun> {
  if (withArchives) await joinArchiveTables(connection, await schemaOf(connection));
  await connection.execute(BEGIN);
  return { isDistributed: false };
}

/** On a Citus cluster: copies the distributed tables to the coordinator, where every join is possible. */
async function beginOnCopies(url: string, connection: Connection, withArchives: boolean): Promise<Begun> {
  const barrier = await openConnection(url, 'kissi ledger:verify barrier');
  try {
    await barrier.run(AS_SERVICE);
    const schema = await schemaOf(connection);
    await beginSnapshot(connection, barrier);
    const tables = DISTRIBUTED.map(([table]) => table);
    await copyTables(connection, schema, tables);
    if (withArchives) await addArchivedToCopies(connection);
    await completeCopies(connection, tables);
    return { isDistributed: true };
  } finally {
    barrier.discard();
  }
}

export async function verifyOn(
  connection: Connection,
  options: VerifyOptions,
  begin: (withArchives: boolean) => Promise<Begun> = (withArchives) => beginOnTables(connection, withArchives),
): Promise<Verification> {
  const { sealKeys, sealed, checks = [], archives = null } = options;
  const loaded = await loadArchives(connection, archives);
  const { isDistributed } = await begin(loaded.loaded);
  await connection.run(SETTINGS);
  const ownRules = checks.map(({ rules }) => rules);
  const rules = [LEDGER_RULES, SEAL_RULES, KEY_RULES, PRUNING_RULES, ARCHIVE_RULES, PLACEMENT_RULES, ...ownRules];
  const findings = new Findings(Object.assign({}, ...rules));
  if (isDistributed) await verifyPlacements(connection, findings);
  const keys = sealKeys && new SealKeysInTime(findings, sealKeys);
  await keys?.read(connection);
  await verifyArchives(connection, findings, keys, loaded);
  const prunedBefore = await keysPrunedBefore(connection, findings, keys);
  const postings = await verifyAccounts(connection, findings);
  await verifyMovements(connection, findings);
  await verifyRequests(connection, findings, prunedBefore);
  await verifyRefunds(connection, findings);
  await verifyCheckpoints(connection, findings);
  await verifyActivityWindows(connection, findings);
  if (keys) await verifySeals(connection, findings, { keys, sealed, prunedBefore });
  else findings.notice("Seals were NOT verified: a change by the database's owner may go unnoticed.");
  const isLeftOut = ({ needsHistory }: Check) => findings.archivedBefore !== null && needsHistory === true;
  for (const check of checks) if (!isLeftOut(check)) await check.run(connection, findings);
  const leftOut = checks.filter(isLeftOut).flatMap(({ rules }) => Object.keys(rules));
  if (leftOut.length > 0) {
    findings.notice(
      `These rules were NOT checked, because they concern archived movements too: ${leftOut.join(', ')}.`,
    );
  }
  return conclude(connection, findings, postings);
}

async function conclude(connection: Connection, findings: Findings, postings: number): Promise<Verification> {
  const kinds = `select kind, count(*), sum(balance) from accounts group by kind order by kind`;
  const trialBalance = [];
  for await (const [kind, count, total] of rowsOf(connection, 'kinds', kinds)) {
    trialBalance.push({ kind: kind as string, accounts: Number(count), total: bigintOf(total) });
  }
  const total = trialBalance.reduce((sum, each) => sum + each.total, 0n);
  if (total !== 0n) findings.fault('trial_balance', 'all accounts', `they sum to ${total}`);
  const accounts = trialBalance.reduce((sum, each) => sum + each.accounts, 0);
  const counts = { accounts, postings, ...(await countRows(connection)) };
  const { rules, broken, faults, outside, notices } = findings;
  return { clean: broken.size === 0, counts, trialBalance, total, broken, faults, outside, notices, rules };
}

const COUNTS = statement('verify-counts', 'select (select count(*) from movements), (select count(*) from requests)');

async function countRows(connection: Connection): Promise<{ movements: number; requests: number }> {
  const [counts] = await connection.run(COUNTS);
  return { movements: Number(counts?.[0]), requests: Number(counts?.[1]) };
}

/** A report for people: what was read, the trial balance and the findings. */
export function reportOf(verification: Verification): string {
  const { counts, trialBalance, total, broken, faults, outside, notices, rules } = verification;
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
    lines.push(`Note: ${plural(outside.count, 'account')} outside their bounds, after a reversal or a lowered limit:`);
    lines.push(...outside.examples.map((example) => `  ${example}`), '');
  }
  lines.push(...notices.flatMap((notice) => [`Note: ${notice}`, '']));
  for (const [rule, count] of broken) {
    lines.push(`FAULT ${rule} (${count}): ${rules[rule]}`);
    lines.push(...faults.filter((each) => each.rule === rule).map(({ about, detail }) => `  ${about}: ${detail}`));
    lines.push(...(count > EXAMPLES ? [`  and ${count - EXAMPLES} more`] : []));
  }
  const sum = [...broken.values()].reduce((a, b) => a + b, 0);
  lines.push(sum === 0 ? 'The books are in order.' : `The books are NOT in order: ${plural(sum, 'fault')}.`);
  return lines.join('\n');
}
