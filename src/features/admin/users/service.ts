// Users, managed by administrators. At least one active administrator always remains.
import type { Listed } from '../../../db/counted-page.ts';
import type { Page } from '../../../http/paging.ts';
import type { Refusal } from '../../../kernel/refusal.ts';
import { noSuchUser, type UsersDependencies } from './changes.ts';
import { createFirstAdmin, type FirstAdmin, type FirstAdminOptions } from './first-admin.ts';
import { createLogins, type Logins } from './logins.ts';
import { createUserOperations, type UserOperations } from './operations.ts';
import { findUser, findUserByEmail, listUsers, type UserFilter, type UserRow } from './store.ts';

export type { UsersDependencies } from './changes.ts';
export { type EndAccess, type Logins, type NewLogin, phoneRefusalOf } from './logins.ts';
export { createUserReply, newPassword, userRecord, userView } from './schemas.ts';
export { SERVER_AUTHOR } from './server-admin.ts';
// Used by other features that decide about a user's access in their own transaction.
export {
  findOwnedUserByPhone,
  findUser,
  findUserByEmail,
  lockUser,
  type UserRow,
  updateUser,
  userWithPassword,
} from './store.ts';

export interface Users extends Logins {
  /** Advisory: the insert decides. */
  emailTaken(email: string): Promise<boolean>;
  get(id: string): Promise<UserRow | Refusal>;
  list(filter: UserFilter, page: Page): Promise<Listed<UserRow>>;
  operations: UserOperations;
  /** Creates the first administrator if the database has no users, otherwise returns null. */
  ensureFirstAdmin(options: FirstAdminOptions): Promise<FirstAdmin | null>;
}

export function createUsers(deps: UsersDependencies): Users {
  const { database } = deps;
  return {
    ...createLogins(deps),
    emailTaken: async (email) => (await findUserByEmail(database.queries, email)) !== undefined,
    async get(id) {
      return (await findUser(database.queries, id)) ?? noSuchUser();
    },
    list: (filter, page) => listUsers(database.queries, filter, page),
    operations: createUserOperations(deps),
    ensureFirstAdmin: (options) => createFirstAdmin(deps, options),
  };
}
