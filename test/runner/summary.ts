// Prints the result of each file as it ends, then the failures again and the totals.
import type { FileResult } from './results.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);
const indent = (text: string) => text.trimEnd().replaceAll(/^/gm, '    ');

export function printFile({ path, passed, skipped, failures, notes, output, seconds }: FileResult): void {
  const counts = [`${passed} passed`];
  if (failures.length > 0) counts.push(`${failures.length} failed`);
  if (skipped > 0) counts.push(`${skipped} skipped`);
  say(`${failures.length > 0 ? '✖' : '✔'} ${path} (${counts.join(', ')}, ${seconds.toFixed(1)} s)`);
  for (const note of notes) say(`    ℹ ${note}`);
  if (failures.length === 0) return;
  for (const { test, where, error } of failures) say(`  ✖ ${test}\n    at ${where}\n${indent(error)}`);
  if (output.trim() !== '') say(`  Output of ${path}:\n${indent(output)}`);
}

/** The closing lines; true if nothing failed. */
export function printTotals(results: FileResult[], seconds: number): boolean {
  const failed = results.filter(({ failures }) => failures.length > 0);
  if (failed.length > 0) say('\nFailed:');
  for (const { path, failures } of failed) for (const { test } of failures) say(`  ✖ ${path}: ${test}`);
  const sum = (count: (result: FileResult) => number) => results.reduce((total, result) => total + count(result), 0);
  const counts = [
    `${sum(({ passed }) => passed)} passed`,
    `${sum(({ failures }) => failures.length)} failed`,
    `${sum(({ skipped }) => skipped)} skipped`,
  ];
  say(`\n${counts.join(', ')} in ${results.length} files, ${Math.round(seconds)} s`);
  return failed.length === 0;
}
