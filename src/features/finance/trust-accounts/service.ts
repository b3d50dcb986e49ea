// Trust accounts: where the money behind the e-money is held, and the bank's statements of it.
import type { Actor } from '../../../audit/log.ts';
import type { Listed } from '../../../db/counted-page.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import { violatedConstraint } from '../../../db/driver/errors.ts';
import { created, ok } from '../../../http/endpoint.ts';
import type { Page } from '../../../http/paging.ts';
import { newId } from '../../../kernel/ids.ts';
import { CURRENCY } from '../../../kernel/money.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { lastFour } from '../../../kernel/text.ts';
import type { ChangeOperation } from '../../approvals/service.ts';
import { accountNumberOf } from './parsing/statement-builder.ts';
import { trustAccountView } from './schemas.ts';
import { createStatementUpload, noSuchTrustAccount, type TrustAccountsContext } from './statements.ts';
import * as store from './store.ts';

export { type TrustBalance, trustBalancesAt } from './balances.ts';
export type { TrustAccountsContext } from './statements.ts';
export { statementGaps } from './store.ts';

export interface TrustAccountFields {
  name: string;
  bank: string;
  account_number: string;
}
export type TrustAccountChange = Partial<TrustAccountFields & Pick<store.TrustAccountRow, 'status'>>;

export type TrustAccounts = ReturnType<typeof createTrustAccounts>;

const RESOURCE = 'trust_account';
/** What a statement of an invented account says would count in the cover, and return pay-outs. */
const ACTION = { kind: 'change', action: 'trust_accounts.change', refusalOf: takenRefusal } as const;

export function createTrustAccounts(deps: TrustAccountsContext) {
  const { database, audit, clock } = deps;

  async function insert(
    trx: DatabaseTransaction,
    actor: Actor,
    fields: TrustAccountFields,
  ): Promise<store.TrustAccount> {
    const { name, bank, account_number } = fields;
    const [now, details] = [new Date(clock.now()), { name, bank, account_number, currency: CURRENCY }];
    const row = await store.insertTrustAccount(trx, {
      ...{ id: newId('trust', clock), ...details, created_at: now, updated_at: now },
    });
    await audit.record(trx, actor, {
      ...{ action: 'trust_account.create', resourceType: RESOURCE, resourceId: row.id, details },
    });
    return { ...row, balance: null, balance_date: null };
  }

  async function change(trx: DatabaseTransaction, actor: Actor, id: string, fields: TrustAccountChange) {
    const before = await store.lockTrustAccount(trx, id);
    if (!before) return noSuchTrustAccount();
    const changes = differences(before, fields);
    if (Object.keys(changes).length === 0) return null;
    const refusal = inUseRefusal(before, fields, await store.lastStatement(trx, id));
    if (refusal) return refusal;
    await store.updateTrustAccount(trx, id, { ...fields, updated_at: new Date(clock.now()) });
    await audit.record(trx, actor, {
      ...{ action: 'trust_account.update', resourceType: RESOURCE, resourceId: id, details: changes },
    });
    return null;
  }

  async function get(id: string): Promise<store.TrustAccount | Refusal> {
    return (await store.findTrustAccount(database.queries, id)) ?? noSuchTrustAccount();
  }

  async function statement(accountId: string, id: string): Promise<store.StatementRow | Refusal> {
    const found = await store.findStatement(database.queries, accountId, id);
    return found ?? noSuchStatement();
  }

  async function file(accountId: string, id: string): Promise<store.StatementFile | Refusal> {
    return (await store.fileOfStatement(database.queries, accountId, id)) ?? noSuchStatement();
  }

  const createOperation: ChangeOperation<unknown, TrustAccountFields, store.TrustAccount> = {
    ...ACTION,
    name: 'trust_accounts.create',
    describe: ({ body }) =>
      `Register the trust account ${lastFour(accountNumberOf(body.account_number))} at ${body.bank}.`,
    before: async () => null,
    after: trustAccountView,
    plan(actor, { body }) {
      const fields = normalized(body);
      return fields instanceof Refusal ? fields : (trx) => insert(trx, actor, fields);
    },
    reply: (account) => {
      const message = 'The trust account was registered.';
      return created({ success: true, message, trust_account: trustAccountView(account) });
    },
  };

  const updateOperation: ChangeOperation<{ id: string }, TrustAccountChange, store.TrustAccount> = {
    ...ACTION,
    name: 'trust_accounts.update',
    describe: ({ params }) => `Change the trust account ${params.id}.`,
    async before(_actor, { params }) {
      const account = await store.findTrustAccount(database.queries, params.id);
      return account ? trustAccountView(account) : null;
    },
    after: trustAccountView,
    plan(actor, { params: { id }, body }) {
      const fields = normalized(body);
      if (fields instanceof Refusal) return fields;
      return async (trx) =>
        (await change(trx, actor, id, fields)) ?? (await store.findTrustAccount(trx, id)) ?? noSuchTrustAccount();
    },
    reply: (account) => {
      const message = 'The trust account was updated.';
      return ok({ success: true, message, trust_account: trustAccountView(account) });
    },
  };

  return {
    createOperation,
    updateOperation,
    get,
    list: (filter: { status?: store.TrustAccountRow['status'] | undefined }, page: Page) =>
      store.listTrustAccounts(database.queries, filter, page),
    upload: createStatementUpload(deps),
    statement,
    file,
    async statements(accountId: string, page: Page): Promise<Listed<store.StatementRow> | Refusal> {
      const account = await get(accountId);
      return account instanceof Refusal ? account : store.listStatements(database.queries, accountId, page);
    },
    async entries(accountId: string, id: string, page: Page): Promise<Listed<store.EntryRow> | Refusal> {
      const found = await statement(accountId, id);
      return found instanceof Refusal ? found : store.listEntries(database.queries, found, page);
    },
  };
}

function noSuchStatement(): Refusal {
  return refuse('NOT_FOUND', 'No statement of this trust account has this id.');
}

const MIN_ACCOUNT_CHARACTERS = 4;

function normalized<Fields extends TrustAccountChange>(fields: Fields): Fields | Refusal {
  if (fields.account_number === undefined) return fields;
  const account_number = accountNumberOf(fields.account_number);
  if (/^[0-9A-Z]+$/.test(account_number) && account_number.length >= MIN_ACCOUNT_CHARACTERS) {
    return { ...fields, account_number };
  }
  return refuse('INVALID_REQUEST', `account_number must have at least ${MIN_ACCOUNT_CHARACTERS} letters and digits.`);
}

function differences(before: store.TrustAccountRow, change: TrustAccountChange) {
  const names = Object.keys(change) as (keyof TrustAccountChange)[];
  const changed = names.filter((name) => change[name] !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: change[name] }]));
}

/** The statements name the account number. The money of a closed account would no longer be looked after. */
function inUseRefusal(
  before: store.TrustAccountRow,
  { account_number = before.account_number, status = before.status }: TrustAccountChange,
  last: store.StatementRow | undefined,
): Refusal | null {
  if (!last) return null;
  if (account_number !== before.account_number) {
    return refuse('TRUST_ACCOUNT_IN_USE', 'The account has statements: its account number cannot change.');
  }
  if (status === 'closed' && before.status !== 'closed' && last.closing_balance !== 0) {
    return refuse('TRUST_ACCOUNT_IN_USE', 'The last statement shows a balance: only an empty account can be closed.');
  }
  return null;
}

function takenRefusal(error: unknown): Refusal | null {
  if (violatedConstraint(error) !== 'trust_accounts_bank_account_number_key') return null;
  return refuse('TRUST_ACCOUNT_EXISTS', 'A trust account with this bank and account number already exists.');
}
