// npm run close:verify FILE… [-- --keys FILE|URL]: verifies daily closes (JSON or PDF) without a database and without secrets.
// The keys are those of /.well-known/kissi-keys.json, by default in a file kissi-keys.json beside the first file or in the
// current directory. Exit codes: 0 genuine, 1 faults found, 2 could not run.

import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { keysOf, type PublicKeys } from '@kissi/signatures/documents';
import type { CloseDocument } from '../src/features/finance/closes/document.ts';
import { type FileReport, verifyChainOf, verifyFile } from '../src/features/finance/closes/verify-file.ts';
import { formatMoney } from '../src/kernel/money.ts';
import { print, readArguments, runCommand } from './arguments.ts';

const COMMAND = {
  usage: `npm run close:verify FILE… [-- --keys FILE|URL]
Verifies daily closes (JSON or PDF) without a database and without secrets. The keys are those of
/.well-known/kissi-keys.json, by default in a file kissi-keys.json beside the first file or in the current directory.`,
  failure: 'The close could not be verified',
  failureCode: 2,
  values: { keys: 'the name of a file or a URL' },
  operands: true,
} as const;
const KEYS_FILE = 'kissi-keys.json';
const TIMEOUT_MS = 10_000;

async function run(): Promise<number> {
  const { operands: files, values } = readArguments(COMMAND);
  if (files.length === 0) throw new Error('name the files of one or more closes');
  const keys = await readKeys(values.keys, files[0] ?? '');
  const reports: FileReport[] = [];
  for (const file of files) reports.push(verifyFile({ name: basename(file), bytes: await readFile(file) }, keys));
  const isGenuine = reports.map(printReport).every(Boolean);
  const chain = verifyChainOf(reports);
  if (files.length > 1) printLines('The chain', chain);
  const clean = isGenuine && chain.faults.length === 0;
  print(clean ? 'Everything that was checked is in order.' : 'NOT in order: do not rely on these files.');
  return clean ? 0 : 1;
}

async function readKeys(source: string | undefined, file: string): Promise<PublicKeys> {
  if (source !== undefined)
    return keysOf(/^https?:/.test(source) ? await fetched(source) : await readFile(source, 'utf8'));
  for (const path of [join(dirname(file), KEYS_FILE), KEYS_FILE]) {
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text !== null) return keysOf(text);
  }
  throw new Error(
    `there are no public keys: save the operator's /.well-known/kissi-keys.json as ${KEYS_FILE}, or add -- --keys FILE|URL`,
  );
}

async function fetched(url: string): Promise<string> {
  const reply = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}`);
  return reply.text();
}

/** Returns whether the file has no fault. */
function printReport(report: FileReport): boolean {
  printLines(report.name, report);
  if (report.document && report.faults.length === 0) print(figuresOf(report.document));
  return report.faults.length === 0;
}

function printLines(
  title: string,
  { checked, faults }: { checked: readonly string[]; faults: readonly string[] },
): void {
  print(`${title}:`);
  for (const sentence of checked) print(`  ok    ${sentence}`);
  for (const sentence of faults) print(`  FAULT ${sentence}`);
}

function figuresOf({ date, operator, number, e_money, trust, cover_ratio, corrects }: CloseDocument): string {
  const correction = corrects ? ` It corrects ${corrects.id}: ${corrects.reason}` : '';
  return `  ${operator}, close ${number} of ${date}: e-money ${formatMoney(e_money.total)}, trust balances ${formatMoney(trust.total)}, cover ratio ${cover_ratio ?? 'unknown'}.${correction}`;
}

await runCommand(COMMAND, run);
