// kissi lab: certifies an integration with the service's lab, and verifies the signed report.

import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type CertificationReport, keysOf, type SignedReport, verifyReport } from '@kissi/signatures/documents';
import { CheckFailed, UsageError } from '../errors.ts';
import { jsonValue } from '../flags.ts';
import type { GlobalFlags } from '../global-flags.ts';
import { storing } from '../output/reply.ts';
import { print, printable, remark, styled } from '../output/terminal.ts';
import { Connection, connectionFlags } from '../session/connection.ts';

export interface CertifyFlags extends GlobalFlags {
  partner?: string;
  key?: string;
  output?: string;
}

interface Step {
  id: string;
  title: string;
  instruction: string;
  state: 'waiting' | 'passed' | 'failed' | 'not_run';
  reason: string;
}

interface Certification {
  id: string;
  state: 'running' | 'passed' | 'failed';
  expires_at: string;
  document: string | null;
  signature: string | null;
  signing_key_id: string | null;
  steps: Step[];
}

const RUNS = '/api/v1/admin/lab/certifications';
const READ = { method: 'GET', url: `${RUNS}/{id}` } as const;
const FINISH = { method: 'POST', url: `${RUNS}/{id}/finish` } as const;
const PUBLIC_KEYS = { method: 'GET', url: '/.well-known/kissi-keys.json' } as const;
const POLL_MS = 1_000;

export async function certify(flags: CertifyFlags): Promise<void> {
  const connection = new Connection(connectionFlags(flags));
  const partner_id = flags.partner ?? connection.profile.partnerId;
  const key_id = flags.key ?? connection.profile.keyId;
  if (!partner_id) throw new UsageError("--partner is missing: the partner's id.");
  if (!key_id) throw new UsageError('--key is missing: the id of the key that the integration uses.');
  const started = await read(connection.call({ method: 'POST', url: RUNS }, { body: { partner_id, key_id } }));
  const shown = new Map<string, string>();
  showSteps(started, shown, flags);
  remark(`Run ${started.id}. Ctrl-C ends it: steps still waiting are not run, and the run fails.`);
  const finished = await follow(connection, started, shown, flags);
  await saveReport(connection, finished, shown, flags);
  if (finished.state !== 'passed') throw new CheckFailed('The integration did not pass.');
}

async function read(reply: Promise<unknown>): Promise<Certification> {
  return ((await reply) as { certification: Certification }).certification;
}

/** Shows the steps as their states change, until the run ends by itself or by Ctrl-C. */
async function follow(
  connection: Connection,
  started: Certification,
  shown: Map<string, string>,
  flags: CertifyFlags,
): Promise<Certification> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  const path = { id: started.id };
  let current = started;
  while (current.state === 'running') {
    await delay(POLL_MS, undefined, { signal: interrupted.signal }).catch(() => undefined);
    const next = interrupted.signal.aborted ? FINISH : READ;
    current = showSteps(await read(connection.call(next, { path })), shown, flags);
  }
  return current;
}

/** Shows the steps whose state changed since. */
function showSteps(run: Certification, shown: Map<string, string>, { json }: CertifyFlags): Certification {
  for (const step of run.steps) {
    if (shown.get(step.id) === step.state) continue;
    shown.set(step.id, step.state);
    if (json) print(JSON.stringify({ run: run.id, ...step }));
    else for (const line of stepLines(step)) print(line);
  }
  return run;
}

export function stepLines({ title, state, reason, instruction }: Step): string[] {
  const signs = {
    waiting: styled('yellow', '…'),
    passed: styled('green', '✓'),
    failed: styled('red', '✗'),
    not_run: styled('dim', '-'),
  };
  return [
    `${signs[state]} ${printable(title)}`,
    `    ${styled('dim', printable(state === 'waiting' ? instruction : reason))}`,
  ];
}

/** The report decides: at the end of the run, steps that still waited were not run. */
async function saveReport(
  connection: Connection,
  run: Certification,
  shown: Map<string, string>,
  flags: CertifyFlags,
): Promise<void> {
  const { document, signature, signing_key_id } = run;
  if (document === null || signature === null || signing_key_id === null) {
    throw new CheckFailed('The run ended without a report.');
  }
  const report: SignedReport = { document, signature, signing_key_id };
  const { steps, result } = genuine(report, await connection.call(PUBLIC_KEYS));
  showSteps({ ...run, steps: steps.map((step) => ({ ...step, instruction: '' })) }, shown, flags);
  const file = flags.output ?? `certification-${run.id}.json`;
  await storing(file, () => writeFile(file, `${JSON.stringify(report, null, 2)}\n`));
  if (flags.json) return;
  const outcome = result === 'passed' ? styled('green', 'Passed.') : styled('red', 'Failed.');
  print(`${outcome} The signed report is in ${file}; its signature is valid.`);
}

/** Without the service: only the report and the public keys are needed. */
export async function verifyReportFile(file: string, flags: GlobalFlags & { keys?: string }): Promise<void> {
  const content = jsonValue('FILE', `@${file}`) as SignedReport | { certification: SignedReport };
  // The service's reply contains the report too.
  const report = 'certification' in content ? content.certification : content;
  const keys =
    flags.keys === undefined
      ? await new Connection(connectionFlags(flags)).call(PUBLIC_KEYS)
      : jsonValue('--keys', `@${flags.keys}`);
  const verified = genuine(report, keys);
  print(flags.json ? JSON.stringify(verified, null, 2) : `The report is genuine. Result: ${verified.result}.`);
}

/** Returns the report's content if one of these keys signed it. */
function genuine(report: SignedReport, jwks: unknown): CertificationReport {
  const { report: content, faults } = verifyReport(report, keysOf(JSON.stringify(jwks)));
  if (!content || faults.length > 0) throw new CheckFailed(faults.join(' '));
  return content;
}
