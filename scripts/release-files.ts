// npm run release:files: writes the files of a release that are made from the commit alone, and the checksums of all.
// Exit codes: 0 written, 1 could not run.
import { cp, mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { print, readArguments, runCommand } from './arguments.ts';
import { type Checkout, openCheckout } from './release/checkout.ts';
import { writeAlertRules, writeChecksums, writeSbom, writeTarball } from './release/files.ts';

const COMMAND = {
  usage: `npm run release:files -- --docs-url URL DIRECTORY [FILE...]
Writes into the new DIRECTORY: the source tarball of the commit, its SBOM (CycloneDX), the Prometheus rules with runbooks at URL, copies of
the FILEs, and SHA256SUMS of all of them. The same commit gives the same bytes.`,
  failure: 'The release was not written',
  failureCode: 1,
  values: { 'docs-url': 'the address of docs/ of this version' },
  operands: true,
} as const;

async function run(): Promise<void> {
  const { values, operands } = readArguments<'docs-url'>(COMMAND);
  const [directory, ...others] = operands;
  const docsUrl = values['docs-url'];
  if (directory === undefined || docsUrl === undefined) throw new Error('give --docs-url and the directory.');
  if (!URL.canParse(docsUrl)) throw new Error(`${docsUrl} is not an address.`);
  const checkout = await openCheckout(process.cwd());
  await mkdir(directory, { recursive: true });
  if ((await readdir(directory)).length > 0) throw new Error(`${directory} is not empty.`);
  await write(checkout, directory, docsUrl);
  for (const file of others) await cp(file, join(directory, basename(file)), { errorOnExist: true, force: false });
  for (const line of await writeChecksums(directory)) print(line);
}

async function write(checkout: Checkout, directory: string, docsUrl: string): Promise<void> {
  await writeTarball(checkout, directory);
  await writeSbom(checkout, directory);
  await writeAlertRules(checkout, directory, docsUrl);
}

await runCommand(COMMAND, run);
