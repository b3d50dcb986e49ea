// Processors: merchants that receive card payments at terminals and in apps.
import type { Caller } from '../../auth/caller.ts';
import type { Page } from '../../http/paging.ts';
import { readMerchantNumber } from '../../kernel/merchant-number.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { tidy } from '../../kernel/text.ts';
import { noSuchProcessor, onlyProcessorOf, otherProcessorRefusal } from '../../parties/processor.ts';
import { createBankAccounts } from './bank-accounts.ts';
import type { ProcessorContext } from './context.ts';
import { createHistory } from './history.ts';
import { type ListFilter, type ListSort, listProcessors } from './list-store.ts';
import { createLoginOperation } from './logins.ts';
import { createMerchantNumbers } from './merchant-numbers.ts';
import { createOwnKeys } from './own-keys.ts';
import { createBankView, createPayoutReturn } from './payout-return.ts';
import { listPayouts } from './payout-store.ts';
import { createPayout } from './payouts.ts';
import { createQr } from './qr.ts';
import type { Processor } from './record.ts';
import { createRegistration } from './registration.ts';
import { type ProcessorRow, readProcessor } from './store.ts';
import { createSuspension } from './suspension.ts';
import { createTakings } from './takings.ts';
import { listTerminalKeys } from './terminal-keys.ts';
import { createTransfer } from './transfers.ts';
import { createUpdate } from './update.ts';

export interface ListQuery extends Page {
  status?: string;
  search?: string;
  sort?: ListSort;
}

export type Processors = ReturnType<typeof createProcessors>;

export function createProcessors(context: ProcessorContext) {
  const { database, books, phone } = context;
  const { suspend, reactivate } = createSuspension(context);
  const bankAccounts = createBankAccounts(context);

  async function complete(row: ProcessorRow): Promise<Processor> {
    return { ...row, balance: (await books.balance(row.id))?.balance ?? 0 };
  }

  function completed<Args extends unknown[]>(operation: (...args: Args) => Promise<ProcessorRow | Refusal>) {
    return async (...args: Args): Promise<Processor | Refusal> => {
      const row = await operation(...args);
      return row instanceof Refusal ? row : complete(row);
    };
  }

  async function get(caller: Caller, id: string): Promise<Processor | Refusal> {
    const row = await readProcessor(database.queries, id);
    if (!row) return noSuchProcessor();
    return otherProcessorRefusal(caller, id) ?? complete(row);
  }

  /** A caller that is limited to one processor gets a list of one. */
  async function list(caller: Caller, { status, search = '', sort, ...page }: ListQuery) {
    const only = onlyProcessorOf(caller);
    const filter: ListFilter = {
      ...(status ? { status } : {}),
      ...(sort ? { sort } : {}),
      ...(only === null ? {} : { id: only }),
    };
    const text = tidy(search);
    // A phone number in local format is also searched in its stored E.164 form.
    if (text !== '') filter.search = { text, orPhone: phone(text), merchantNumber: readMerchantNumber(text) };
    const { rows, total } = await listProcessors(database.queries, filter, page);
    return { processors: await Promise.all(rows.map(complete)), total };
  }

  async function payouts(caller: Caller, id: string, query: Page & { state?: string | undefined }) {
    if (!(await context.findProcessor(id))) return noSuchProcessor();
    return otherProcessorRefusal(caller, id) ?? payoutsOf(id, query);
  }

  async function payoutsOf(id: string | null, query: Page & { state?: string | undefined }) {
    const [listed, archivedBefore] = await Promise.all([
      listPayouts(database.queries, id, query),
      context.books.archivedBefore(),
    ]);
    return { ...listed, archivedBefore };
  }

  async function terminalKeys(caller: Caller, id: string, page: Page) {
    if (!(await context.findProcessor(id))) return noSuchProcessor();
    const refusal = otherProcessorRefusal(caller, id);
    return refusal ?? listTerminalKeys(database.queries, id, new Date(context.clock.now()), page);
  }

  return {
    create: createRegistration(context),
    assignMerchantNumbers: createMerchantNumbers(context),
    qr: createQr(context, get),
    get,
    list,
    terminalKeys,
    ownKeys: createOwnKeys(context),
    createLoginOperation: createLoginOperation(context),
    allPayouts: (query: Page & { state?: string | undefined }) => payoutsOf(null, query),
    update: createUpdate(context, complete),
    suspend: completed(suspend),
    reactivate: completed(reactivate),
    transferOperation: createTransfer(context),
    bankAccounts,
    payoutOperation: createPayout(context, bankAccounts),
    returnPayoutOperation: createPayoutReturn(context),
    payouts,
    payoutAtBank: createBankView(context),
    history: createHistory(context),
    takings: createTakings(context),
  };
}
