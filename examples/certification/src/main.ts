// Performs the steps of a certification run: kissi lab certify --json … | scripts/node examples/certification/src/main.ts
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Kissi } from '@kissi/client';
import { createReceiver, isReversed, runPasses, runStarts, sendCredits } from './integration.ts';

const POLL_MS = 5_000;

function setting(name: string): string {
  const value = process.env[name];
  if (value) return value;
  process.stderr.write(`${name} is not set: see examples/certification/README.md\n`);
  process.exit(2);
}

const report = (line: string) => void process.stdout.write(`${line}\n`);
const kissi = new Kissi({
  baseUrl: setting('KISSI_URL'),
  keyId: setting('KISSI_KEY_ID'),
  secret: setting('KISSI_SECRET'),
});
const credits = { kissi, msisdn: process.env.MSISDN ?? '+23210000001', prefix: `certification-${Date.now()}`, report };

const receiver = createReceiver({ secret: setting('KISSI_WEBHOOK_SECRET'), report });
receiver.listen(Number(setting('HOOK_PORT')), '127.0.0.1');
await once(receiver, 'listening');
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
if (await runStarts(lines)) {
  const ending = runPasses(lines, report);
  await sendCredits(credits);
  while (!(await isReversed(credits))) await delay(POLL_MS);
  const passed = await ending;
  report(passed ? 'Passed.' : 'Failed.');
  process.exitCode = passed ? 0 : 1;
} else {
  process.stderr.write('No run has started: see examples/certification/README.md\n');
  process.exitCode = 2;
}
receiver.close();
