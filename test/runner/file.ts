// Runs one test file in its own process, within a time limit, and removes everything it leaves behind.
import { spawn } from 'node:child_process';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { disownGroup, ownProcess } from '@kissi/testkit/guard';
import { killGroup, removeFolder } from '@kissi/testkit/leftovers';
import { type FileResult, hasTests, type Line, resultOf } from './results.ts';

export const REPORTER = fileURLToPath(new URL('reporter.ts', import.meta.url));
export const TEST_CONTEXT = new URL('test-context.ts', import.meta.url).href;
export const CHEAP_PASSWORDS = new URL('cheap-passwords.ts', import.meta.url).href;

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

const running = new Set<() => void>();

/** Kills the processes of all files that run now. */
export function killFiles(): void {
  for (const end of running) end();
}

/** Registers a process for killFiles; the returned function removes it. */
export function track(end: () => void): () => void {
  running.add(end);
  return () => void running.delete(end);
}

export async function runFile(run: FileRun): Promise<FileResult> {
  const { path, folder, options } = run;
  const begun = performance.now();
  return withFolder(folder, async () => {
    const results = join(folder, 'results');
    const { output, code, problem } = await runProcess(run, results);
    const text = await readFile(results, 'utf8').catch(() => '');
    const lines = text.split('\n').flatMap(parseLine);
    const hasFailed = lines.some(({ kind }) => kind === 'failed');
    const exit = code !== 0 && !hasFailed ? `the process ended with ${code}` : null;
    const empty = hasTests(lines) || options.length > 0 ? null : 'it has no tests';
    return { ...resultOf(path, lines, problem ?? exit ?? empty), output, seconds: (performance.now() - begun) / 1_000 };
  });
}

/** Runs the task with an empty folder for temporary files, and removes what it leaves there. */
export async function withFolder<T>(folder: string, task: () => Promise<T>): Promise<T> {
  await mkdir(folder);
  // PostgreSQL runs as another user if root runs the tests.
  await chmod(folder, 0o755);
  try {
    return await task();
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
  const passwords = path.startsWith('test/timing/') ? [] : [`--import=${CHEAP_PASSWORDS}`];
  const options = [
    `--test-timeout=${limits.testMs}`,
    `--import=${TEST_CONTEXT}`,
    ...passwords,
    ...args,
    ...run.options,
  ];
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
  ownProcess(child, { isGroup: true });
  const end = () => killGroup(child.pid);
  const untrack = track(end);
  let problem: string | null = null;
  const timer = setTimeout(() => {
    problem = `the file did not end within ${limits.fileMs / 1_000} s`;
    end();
  }, limits.fileMs);
  // Not 'close': a process that the tests left behind may keep the pipes open.
  const code = await new Promise<number | null>((resolve, reject) => child.once('exit', resolve).once('error', reject));
  clearTimeout(timer);
  untrack();
  end();
  disownGroup(child.pid);
  if (code === null) problem ??= 'the process was killed';
  return { output, code, problem };
}

/** The last line is incomplete if the process was killed while it wrote it. */
function parseLine(text: string): Line[] {
  return text.endsWith('}') ? [JSON.parse(text)] : [];
}
