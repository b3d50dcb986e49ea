// npm run ledger:verify: verifies the ledger, the audit log and the records in DATABASE_URL, or in the server of DATA_DIR.
// Exit codes: 0 no faults, 1 faults found, 2 could not run. `-- --without-seals` runs without MASTER_KEY and checks the ledger
// only. `-- --anchor FILE` also compares the chains with anchors (npm run ledger:anchor). `-- --archive DIR` verifies the
// archives (npm run ledger:archive) together with the books.
import { createPublicKey } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { checkMasterKey } from '../src/app/keys/secret-checks.ts';
import { existingMasterKey } from '../src/app/secrets.ts';
import { verifyBooks } from '../src/app/verification.ts';
import { anchorKey, anchorSigners, verifyAnchors } from '../src/audit/anchors.ts';
import { auditReportOf, verifyAuditAt } from '../src/audit/verification.ts';
import { openDatabase, type Queries } from '../src/db/database.ts';
import { loadConfig } from '../src/kernel/config/config.ts';
import type { KeyRing } from '../src/kernel/key-ring.ts';
import { plural } from '../src/kernel/plural.ts';
import { reportOf } from '../src/ledger/verification/verify.ts';
import { print, readArguments, runCommand } from './arguments.ts';
import { openTarget } from './target-database.ts';

interface Options {
  /** Null: without seals, audit log and anchors. */
  masterKey: KeyRing | null;
  anchors: string | undefined;
  /** The directory of the archives. */
  archives: string | undefined;
  signingKey: string | undefined;
  anchorPublicKey: string | undefined;
}

const COMMAND = {
  usage: `npm run ledger:verify [-- --archive DIR] [--anchor FILE [--anchor-key FILE]] [--without-seals]
Verifies the ledger and its seals, the audit log and the records in DATABASE_URL, or in the server of DATA_DIR.
--archive also verifies the archives in DIR, --anchor compares the chains with anchors, --without-seals runs without MASTER_KEY.`,
  failure: 'The ledger could not be verified',
  failureCode: 2,
  values: { anchor: "a file's name", 'anchor-key': "a file's name", archive: 'the name of a directory' },
  flags: ['without-seals'],
} as const;
const WITHOUT_KEY = 'and seals cannot be verified without it. Set it, or add -- --without-seals to verify the rest.';

async function verify(url: string, options: Options): Promise<number> {
  const startedAt = performance.now();
  const clean = [await verifyLedger(url, options), await verifyAudit(url, options), await compareAnchors(url, options)];
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  print(`Verification took ${seconds} s.`);
  return clean.every(Boolean) ? 0 : 1;
}

async function verifyLedger(url: string, { masterKey, archives }: Options): Promise<boolean> {
  const verification = await verifyBooks(url, masterKey, archives ?? null);
  print(reportOf(verification));
  return verification.clean;
}

async function verifyAudit(url: string, { masterKey }: Options): Promise<boolean> {
  if (masterKey === null) return true;
  const verification = await verifyAuditAt(url, { masterKey });
  print(auditReportOf(verification));
  return verification.clean;
}

async function compareAnchors(url: string, options: Options): Promise<boolean> {
  const { anchors, anchorPublicKey } = options;
  if (anchors === undefined) return true;
  const lines = (await readFile(anchors, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  const database = openDatabase({ url, poolSize: 1 });
  try {
    const key = anchorPublicKey && createPublicKey(await readFile(anchorPublicKey, 'utf8'));
    const faults = await verifyAnchors(database.queries, lines, key || (await signersOf(database.queries, options)));
    print(
      faults.length === 0
        ? `The chains match ${plural(lines.length, 'anchor')}.`
        : faults.map((each) => `FAULT ${each}`).join('\n'),
    );
    return faults.length === 0 && lines.length > 0;
  } finally {
    await database.close();
  }
}

/** Anchors may be older than the master key. */
async function signersOf(queries: Queries, { masterKey, signingKey }: Options) {
  if (signingKey) return anchorKey({ signingKey }).publicKey;
  if (masterKey === null) throw new Error('--anchor-key FILE is required without MASTER_KEY');
  return anchorSigners(queries, masterKey);
}

async function run(): Promise<number> {
  const { values, flags } = readArguments(COMMAND);
  const { anchor: anchors, 'anchor-key': anchorPublicKey, archive: archives } = values;
  if (archives !== undefined && !(await isDirectory(archives))) throw new Error(`there is no directory ${archives}`);
  const config = loadConfig(process.env);
  // First, because the key is stored in DATA_DIR too: if DATA_DIR is wrong, the missing database is what to report.
  const target = await openTarget(config.databaseUrl, config.dataDir);
  try {
    const masterKey = flags.has('without-seals') ? null : await existingMasterKey(config, WITHOUT_KEY);
    if (masterKey !== null) await checkMasterKeyAt(target.url, masterKey);
    return await verify(target.url, {
      ...{ masterKey, anchors, archives, anchorPublicKey },
      signingKey: config.anchorSigningKey,
    });
  } finally {
    await target.close();
  }
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() ?? false;
}

/** With another key every seal would be a fault. */
async function checkMasterKeyAt(url: string, masterKey: KeyRing): Promise<void> {
  const database = openDatabase({ url, poolSize: 1 });
  try {
    await checkMasterKey(database.queries, masterKey);
  } finally {
    await database.close();
  }
}

await runCommand(COMMAND, run);
