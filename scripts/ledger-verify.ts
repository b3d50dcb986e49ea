// npm run ledger:verify: verifies the ledger in DATABASE_URL, or in the embedded server of DATA_DIR.
// Exit codes: 0 no faults, 1 faults found, 2 could not run. `-- --without-seals` runs without MASTER_KEY.
import { existingMasterKey } from '../src/app/secrets.ts';
import { verifyBooks } from '../src/app/verification.ts';
import { loadConfig } from '../src/kernel/config/config.ts';
import { reportOf } from '../src/ledger/verification/verify.ts';
import { openTarget, type TargetDatabase } from './target-database.ts';

async function verify({ url, close }: TargetDatabase, masterKey: string | null): Promise<number> {
  try {
    const startedAt = performance.now();
    const verification = await verifyBooks(url, masterKey);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    process.stdout.write(`${reportOf(verification)}\nVerification took ${seconds} s.\n`);
    return verification.clean ? 0 : 1;
  } finally {
    await close();
  }
}

async function run(options: readonly string[]): Promise<number> {
  const withoutSeals = options.includes('--without-seals');
  const unknown = options.find((option) => option !== '--without-seals');
  if (unknown !== undefined) throw new Error(`there is no option ${unknown}`);
  const config = loadConfig(process.env);
  const masterKey = withoutSeals ? null : await existingMasterKey(config);
  return verify(await openTarget(config.databaseUrl, config.dataDir), masterKey);
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`The ledger could not be verified: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
