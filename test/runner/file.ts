// Runs one test file in a process of its own, within a time limit, and removes everything it leaves behind.
import { spawn } from 'node:child_process';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tiersOf } from '../tiers.ts';
import { killGroup, removeFolder } from './leftovers.ts';
import type { Line } from './reporter.ts';

const REPORTER = fileURLToPath(new URL('reporter.ts', import.meta.url));
const CHEAP_PASSWORDS = new URL('cheap-passwords.ts', import.meta.url).href;

export interface Limits {
  /** For one test, one hook or one suite. */
  testMs: number;
  /** For a whole file; the runner kills its processes. */
  fileMs: number;
}

export interface FileRun {
  path: string;
  /** Temporary files of the test; removed afterwards. */
  folder: string;
  limits: Limits;
  env: NodeJS.ProcessEnv;
  /** More options of node, such as --test-name-pattern. */
  options: string[];
  /** Shows each test as it ends instead of collecting what the file prints. */
  isLive: boolean;
}

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

const running = new Set<() => void>();

/** Kills the processes of all files that run now. */
export function killFiles(): void {
  for (const end of running) end();
}

export async function runFile(run: FileRun): Promise<FileResult> {
  const { path, folder } = run;
  await mkdir(folder);
  // PostgreSQL runs as another user if root runs the tests.
  await chmod(folder, 0o755);
  const begun = performance.now();
  try {
    const results = join(folder, 'results');
    const ended = await runProcess(run, results);
    const seconds = (performance.now() - begun) / 1_000;
    return { path, output: ended.output, seconds, ...(await readResults(run, results, ended)) };
  } finally {
    await removeFolder(folder);
  }
}

/** `problem`: why the process did not end by itself, or ended without results. */
interface Ended {
  output: string;
  code: number | null;
  problem: string | null;
}

async function runProcess(run: FileRun, results: string): Promise<Ended> {
  const { path, limits, isLive } = run;
  const reporters = [...(isLive ? ['spec', 'stdout'] : []), REPORTER, results];
  const args = reporters.map((value, n) => `--test-reporter${n % 2 === 0 ? '' : '-destination'}=${value}`);
  // Tests of timing need the real cost of a password.
  const passwords = tiersOf(path).includes('slow') ? [] : [`--import=${CHEAP_PASSWORDS}`];
  const options = [`--test-timeout=${limits.testMs}`, ...passwords, ...args, ...run.options];
  const child = spawn(process.execPath, [...options, path], {
    env: { ...run.env, TMPDIR: run.folder, TEST_LINGER_MS: String(limits.testMs) },
    stdio: ['ignore', isLive ? 'inherit' : 'pipe', isLive ? 'inherit' : 'pipe'],
    // Its own process group, so that the runner can kill the file and the processes it started.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  const end = () => killGroup(child.pid);
  running.add(end);
  let problem: string | null = null;
  const timer = setTimeout(() => {
    problem = `the file did not end within ${limits.fileMs / 1_000} s`;
    end();
  }, limits.fileMs);
  // Not 'close': a process that the tests left behind may keep the pipes open.
  const code = await new Promise<number | null>((resolve, reject) => child.once('exit', resolve).once('error', reject));
  clearTimeout(timer);
  running.delete(end);
  end();
  if (code === null) problem ??= 'the process was killed';
  return { output, code, problem };
}

async function readResults({ path, options }: FileRun, file: string, { code, problem }: Ended) {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n').flatMap(parseLine);
  const named = (kind: Line['kind']) => lines.flatMap((line) => (line.kind === kind ? [line.text] : []));
  const failures: Failure[] = lines.flatMap((line) =>
    line.kind === 'failed' ? [{ test: line.text, where: line.where, error: line.error }] : [],
  );
  const [passed, skipped] = [named('passed').length, named('skipped').length];
  const fileFailed = (error: string) => void failures.push({ test: 'the file', where: path, error });
  if (problem) fileFailed(`${problem}; still running: ${unfinished(named('started'), named('ended'))}`);
  else if (code !== 0 && failures.length === 0) fileFailed(`the process ended with ${code}`);
  else if (passed + skipped + failures.length === 0 && options.length === 0) fileFailed('it has no tests');
  return { passed, skipped, failures, notes: named('note') };
}

/** The last line is incomplete if the process was killed while it wrote it. */
function parseLine(text: string): Line[] {
  return text.endsWith('}') ? [JSON.parse(text)] : [];
}

function unfinished(started: string[], ended: string[]): string {
  const left = [...started];
  for (const name of ended) left.splice(left.indexOf(name), left.includes(name) ? 1 : 0);
  return left.join(' > ') || 'no test';
}
