// Before the service connects to an external PostgreSQL: migrates it if it may, and checks the service's login.
import { grantLogin, LoginError, type LoginRights, loginRights } from '../db/schema/login.ts';
import { migrate, requireCurrentSchema } from '../db/schema/migrate.ts';
import type { Config } from '../kernel/config/config.ts';

export interface ExternalDatabase extends Pick<Config, 'appEnv' | 'databaseAdminUrl'> {
  databaseUrl: string;
}

export interface PreparationReport {
  applied(migrations: string[]): void;
  warn(message: string): void;
}

export async function prepareDatabase(
  { databaseUrl, databaseAdminUrl, appEnv }: ExternalDatabase,
  report: PreparationReport,
): Promise<void> {
  if (databaseAdminUrl) {
    report.applied(await migrate(databaseAdminUrl));
    await grantLogin(databaseAdminUrl, databaseUrl);
  }
  const rights = await loginRights(databaseUrl);
  if (rights.excess.length === 0) {
    if (!databaseAdminUrl) await requireCurrentSchema(databaseUrl);
    if (!rights.isMember) throw new LoginError(notGranted(rights));
    return;
  }
  if (appEnv !== 'development') throw new LoginError(tooPowerful(rights));
  report.warn(tooPowerful(rights));
  // In development one login may do both.
  if (!databaseAdminUrl) report.applied(await migrate(databaseUrl));
}

function tooPowerful({ user, excess }: LoginRights): string {
  return (
    `The user "${user}" of DATABASE_URL ${excess.join(', and ')}, so it could change or delete payments and audit entries. ` +
    `Give the service its own login: set DATABASE_ADMIN_URL to the current URL, set DATABASE_URL to another user and ` +
    `password, and run npm run db:migrate, which creates that user (docs/operations/first-day.md, "Database logins").`
  );
}

function notGranted({ user }: LoginRights): string {
  return (
    `The user "${user}" of DATABASE_URL has no rights on the tables. Run npm run db:migrate with DATABASE_ADMIN_URL set to ` +
    `the login of the owner, and with this DATABASE_URL.`
  );
}
