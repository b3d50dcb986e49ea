// The results of a test file: the lines that the reporter writes, and what the runner makes of them.

/** One result of the reporter (reporter.ts). */
export type Line =
  | { kind: 'started' | 'ended' | 'passed' | 'skipped' | 'note'; text: string }
  | { kind: 'failed'; text: string; where: string; error: string };

export interface Failure {
  test: string;
  where: string;
  error: string;
}

export interface FileResult {
  path: string;
  passed: number;
  skipped: number;
  failures: Failure[];
  notes: string[];
  /** What the file's process wrote. */
  output: string;
  seconds: number;
}

export const hasTests = (lines: Line[]): boolean => lines.some(({ kind }) => kind !== 'note');

/** `problem`: why the process did not report the end of the file, or ended with an error; null without one. */
export function resultOf(path: string, lines: Line[], problem: string | null): Omit<FileResult, 'output' | 'seconds'> {
  const named = (kind: Line['kind']) => lines.flatMap((line) => (line.kind === kind ? [line.text] : []));
  const failures: Failure[] = lines.flatMap((line) =>
    line.kind === 'failed' ? [{ test: line.text, where: line.where, error: line.error }] : [],
  );
  if (problem !== null) {
    const error = `${problem}; still running: ${unfinished(named('started'), named('ended'))}`;
    failures.push({ test: 'the file', where: path, error });
  }
  return { path, passed: named('passed').length, skipped: named('skipped').length, failures, notes: named('note') };
}

function unfinished(started: string[], ended: string[]): string {
  const left = [...started];
  for (const name of ended) left.splice(left.indexOf(name), left.includes(name) ? 1 : 0);
  return left.join(' > ') || 'no test';
}
