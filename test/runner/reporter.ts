// Reporter of one test file: writes a line of JSON for each result, and ends a process that outlives its tests.
import { writeSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** One line of the results that the runner reads. */
export type Line =
  | { kind: 'started' | 'ended' | 'passed' | 'skipped' | 'note'; text: string }
  | { kind: 'failed'; text: string; where: string; error: string };

/** The test runner's own summary, which it also reports as diagnostics. */
const SUMMARY = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

const lingerMs = Number(process.env.TEST_LINGER_MS);

export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  for await (const event of source) {
    if (event.type === 'test:enqueue' && event.data.nesting === 0) running++;
    if (event.type === 'test:complete' && event.data.nesting === 0) running--;
    clearTimeout(timer);
    // The timer is unreferenced: it fires only if a server, a child process or a timer of a test is still open.
    if (running === 0 && lingerMs > 0) timer = setTimeout(endProcess, lingerMs).unref();
    const line = lineOf(event);
    if (line) yield `${JSON.stringify(line)}\n`;
  }
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
