// npm run ledger:seal-history: seals, once, what versions before 0.3 wrote. Run it when no gateway of such a version runs.
// Exit codes: 0 done, 1 everything was sealed before, 2 could not run.
import { existingMasterKey } from '../src/app/secrets.ts';
import { SEALED } from '../src/app/verification.ts';
import { openConnection } from '../src/db/database.ts';
import { loadConfig } from '../src/kernel/config/config.ts';
import { sealKey } from '../src/ledger/seals/format.ts';
import { sealHistory } from '../src/ledger/seals/history.ts';
import { openTarget } from './target-database.ts';

async function run(): Promise<number> {
  const config = loadConfig(process.env);
  const key = sealKey(await existingMasterKey(config));
  // The owner's login: the service's own may not change movements.
  const target = await openTarget(config.databaseAdminUrl ?? config.databaseUrl, config.dataDir);
  const name = 'kissi ledger:seal-history';
  const [reader, writer] = [await openConnection(target.url, name), await openConnection(target.url, name)];
  try {
    const tables = SEALED.tables.filter((table) => !SEALED.partly.includes(table));
    const sealed = await sealHistory(reader, writer, { key, now: Date.now(), tables });
    if (sealed === null) {
      process.stderr.write(
        'Everything is sealed already. Rows without a seal are faults: run npm run ledger:verify.\n',
      );
      return 1;
    }
    process.stdout.write(
      `Sealed ${sealed.toLocaleString('en')} movements. From now on, a row without a seal is a fault.\n`,
    );
    return 0;
  } finally {
    reader.discard();
    writer.discard();
    await target.close();
  }
}

try {
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`The history could not be sealed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
