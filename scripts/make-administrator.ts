// Makes an administrator in the database of a service, with access to the server: for npm run admin:create and the demo.
import { checkMasterKey } from '../src/app/keys/secret-checks.ts';
import { existingMasterKey } from '../src/app/secrets.ts';
import { createAuditLog } from '../src/audit/log.ts';
import { openDatabase } from '../src/db/database.ts';
import { APP_ROLE } from '../src/db/schema/migrate.ts';
import { createServerAdmin, type ServerAdminOptions } from '../src/features/admin/users/server-admin.ts';
import type { Clock } from '../src/kernel/clock.ts';
import type { Config } from '../src/kernel/config/config.ts';
import { openTarget } from './target-database.ts';

const WITHOUT_KEY = "and the audit entry cannot be written without it. Set it to the service's key.";

/** Returns the one-time password. */
export async function makeAdministrator(config: Config, clock: Clock, options: ServerAdminOptions): Promise<string> {
  const masterKey = await existingMasterKey(config, WITHOUT_KEY);
  const target = await openTarget(config.databaseUrl, config.dataDir);
  const database = openDatabase({ url: target.url, poolSize: 2, role: APP_ROLE });
  try {
    await checkMasterKey(database.queries, masterKey);
    const audit = createAuditLog({ database, clock, masterKey });
    return await createServerAdmin({ database, audit, clock }, options);
  } finally {
    await database.close();
    await target.close();
  }
}
