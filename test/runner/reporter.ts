// Reports each result to the runner, and ends a process that outlives its tests.
import { writeSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import type { Line } from './results.ts';

/** A file's result in a process that runs several (worker.ts). */
export type SharedLine = Line | { kind: 'file ended' };

/** The test runner's own summary, which it also reports as diagnostics. */
const SUMMARY = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

const lingerMs = Number(process.env.TEST_LINGER_MS);

/** Writes lines of JSON. In a process that runs several files, sends messages to the runner instead. */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  if (process.send) return sendResults(source);
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  for await (const event of source) {
    if (event.type === 'test:enqueue' && event.data.nesting === 0) running++;
    if (event.type === 'test:complete' && event.data.nesting === 0) running--;
    clearTimeout(timer);
    if (running === 0) timer = endLater();
    const line = lineOf(event);
    if (line) yield `${JSON.stringify(line)}\n`;
  }
}

/** Each file is a test (nesting 0) that holds a suite (1), which holds the file's tests. */
async function sendResults(source: AsyncIterable<TestEvent>): Promise<void> {
  const send = (line: SharedLine) => process.send?.(line);
  process.once('disconnect', endLater);
  for await (const event of source) {
    const nesting = event.data && 'nesting' in event.data ? event.data.nesting : 2;
    const line = lineOf(event);
    // The file itself counts only if it fails, for example because its module cannot be loaded.
    if (line && (nesting > 1 || line.kind === 'failed')) send(line);
    if (nesting === 0 && (event.type === 'test:pass' || event.type === 'test:fail')) send({ kind: 'file ended' });
  }
}

/** The timer is unreferenced: it fires only if a server, a child process or a timer of a test is still open. */
function endLater(): NodeJS.Timeout | undefined {
  return lingerMs > 0 ? setTimeout(endProcess, lingerMs).unref() : undefined;
}

function endProcess(): never {
  const resources = [...new Set(process.getActiveResourcesInfo())].sort().join(', ');
  writeSync(2, `The tests have ended, but the process keeps running. Open resources: ${resources || 'none'}.\n`);
  process.exit(1);
}

function lineOf(event: TestEvent): Line | undefined {
  if (event.type === 'test:diagnostic') {
    const text = event.data.message;
    return SUMMARY.test(text) ? undefined : { kind: 'note', text };
  }
  if (event.type === 'test:dequeue') return { kind: 'started', text: event.data.name };
  if (event.type === 'test:complete') return { kind: 'ended', text: event.data.name };
  if (event.type === 'test:fail') return failure(event.data);
  if (event.type !== 'test:pass') return undefined;
  const { name: text, skip = false, details } = event.data;
  // A skipped suite has no tests; any other one is reported by its tests.
  if (skip !== false) return { kind: 'skipped', text };
  return details.type === 'suite' ? undefined : { kind: 'passed', text };
}

function failure({ name: text, details, file = '', line = 0 }: Extract<TestEvent, { type: 'test:fail' }>['data']) {
  const error: Error & { failureType?: string } = details.error;
  // A suite or a test that only has failed subtests: these are reported themselves.
  if (error.failureType === 'subtestsFailed') return undefined;
  return { kind: 'failed' as const, text, where: `${file}:${line}`, error: inspect(error.cause ?? error.message) };
}
