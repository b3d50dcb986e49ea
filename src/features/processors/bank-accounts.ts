// The bank accounts that a processor is paid out to. Adding and removing one can need a second user.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import type { Caller } from '../../auth/caller.ts';
import type { Queries } from '../../db/database.ts';
import { violatedConstraint } from '../../db/driver/errors.ts';
import { created, ok } from '../../http/endpoint.ts';
import { iso } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy } from '../../kernel/text.ts';
import { noSuchProcessor, otherProcessorRefusal } from '../../parties/processor.ts';
import type { ChangeOperation } from '../approvals/service.ts';
import type { bankAccountBody, bankAccountParams } from './bank-account-schemas.ts';
import * as store from './bank-account-store.ts';
import type { ProcessorContext } from './context.ts';
import { lockProcessor } from './store.ts';

type NewAccount = Static<typeof bankAccountBody>;
type Params = Static<typeof bankAccountParams>;

const MAX_ACCOUNTS = 20;
const ACTION = { kind: 'change', action: 'beneficiaries.change' } as const;

export function createBankAccounts({ database, audit, findProcessor, clock }: ProcessorContext) {
  const { queries } = database;

  async function accessRefusal(caller: Caller, id: string): Promise<Refusal | null> {
    return (await findProcessor(id)) ? otherProcessorRefusal(caller, id) : noSuchProcessor();
  }

  async function add(trx: Queries, actor: Actor, processorId: string, input: NewAccount) {
    // Serializes additions, so that the limit holds.
    if (!(await lockProcessor(trx, processorId))) return noSuchProcessor();
    if ((await store.countBankAccounts(trx, processorId)) >= MAX_ACCOUNTS) {
      return refuse('INVALID_REQUEST', `A processor has at most ${MAX_ACCOUNTS} bank accounts: remove one first.`);
    }
    const account = await store.insertBankAccount(trx, {
      id: newId('bacc', clock),
      processor_id: processorId,
      account_number: accountNumberOf(input.account_number),
      bank: tidy(input.bank),
      holder: tidy(input.holder),
      created_by: String(actor.caller.id),
      created_at: new Date(clock.now()),
    });
    await record(trx, actor, 'bank_account.create', account);
    return account;
  }

  async function remove(
    trx: Queries,
    actor: Actor,
    { id, account_id }: Params,
  ): Promise<store.BankAccountRow | Refusal> {
    const by = { removed_by: String(actor.caller.id), removed_at: new Date(clock.now()) };
    const account = await store.removeBankAccount(trx, id, account_id, by);
    if (!account) return noSuchAccount();
    await record(trx, actor, 'bank_account.remove', account);
    return account;
  }

  async function record(
    trx: Queries,
    actor: Actor,
    action: string,
    { id, processor_id, account_number }: store.BankAccountRow,
  ) {
    const details = { processor_id, account_number };
    await audit.record(trx, actor, { action, resourceType: 'bank_account', resourceId: id, details });
  }

  const addOperation: ChangeOperation<{ id: string }, NewAccount, store.BankAccountRow> = {
    ...ACTION,
    name: 'beneficiaries.add',
    describe: ({ params, body }) =>
      `Add the bank account ${accountNumberOf(body.account_number)} to the processor ${params.id}.`,
    before: async () => null,
    after: bankAccountView,
    async plan(actor, { params, body }) {
      return (await accessRefusal(actor.caller, params.id)) ?? ((trx) => add(trx, actor, params.id, body));
    },
    refusalOf: (error) => (violatedConstraint(error) === 'bank_accounts_number_key' ? alreadyStored() : null),
    reply: (account) =>
      created({ success: true, message: 'The bank account was added.', bank_account: bankAccountView(account) }),
  };

  const removeOperation: ChangeOperation<Params, unknown, store.BankAccountRow> = {
    ...ACTION,
    name: 'beneficiaries.remove',
    describe: ({ params }) => `Remove bank account ${params.account_id} from processor ${params.id}.`,
    async before(_actor, { params }) {
      const account = await store.findBankAccount(queries, params.id, params.account_id);
      return account ? bankAccountView(account) : null;
    },
    after: () => null,
    async plan(actor, { params }) {
      return (await accessRefusal(actor.caller, params.id)) ?? ((trx) => remove(trx, actor, params));
    },
    reply: () => ok({ success: true, message: 'The bank account was removed.' }),
  };

  return {
    addOperation,
    removeOperation,
    async list(caller: Caller, id: string): Promise<store.BankAccountRow[] | Refusal> {
      return (await accessRefusal(caller, id)) ?? store.listBankAccounts(queries, id);
    },
    /** The number of the account that is named by its id or number. Removed accounts keep theirs, for replays. */
    async numberOf(processorId: string, named: string): Promise<string> {
      if (!isId(named)) return accountNumberOf(named);
      return (await store.findBankAccount(queries, processorId, named))?.account_number ?? named;
    },
    isStored: async (processorId: string, accountNumber: string): Promise<boolean> =>
      (await store.findByNumber(queries, processorId, accountNumber)) !== undefined,
  };
}

export function bankAccountView({
  id,
  processor_id,
  account_number,
  bank,
  holder,
  created_by,
  created_at,
}: store.BankAccountRow) {
  return { id, processor_id, account_number, bank, holder, created_by, created_at: iso(created_at) };
}

/** Spaces and hyphens are not part of the number. */
export function accountNumberOf(text: string): string {
  return text.replaceAll(/[ -]/g, '').toUpperCase();
}

const isId = (named: string) => named.startsWith('bacc_');

/** As the approver reads it. */
export function namedAccount(named: string): string {
  return isId(named) ? named : accountNumberOf(named);
}

export function noSuchAccount(): Refusal {
  return refuse(
    'NOT_FOUND',
    'The processor has no such bank account. Pay-outs go to accounts that were added with POST /processors/{id}/bank-accounts.',
  );
}

function alreadyStored(): Refusal {
  return refuse('DUPLICATE_BANK_ACCOUNT', 'The processor already has this bank account.');
}
