// The agent service: registration, look-up, status changes, PINs and float movements.
import type { Caller } from '../../auth/caller.ts';
import type { Listed } from '../../db/counted-page.ts';
import type { Queries } from '../../db/database.ts';
import type { Page } from '../../http/paging.ts';
import { CURRENCY, formatMoney } from '../../kernel/money.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { tidy } from '../../kernel/text.ts';
import { type AgentRow, noSuchAgent } from '../../parties/agent.ts';
import { reducedUntil, resetCodeUntil, sentResetCode } from '../../parties/pin-reset.ts';
import { createCashIns } from './cash-in.ts';
import type { AgentContext } from './context.ts';
import { createFloatTransfers } from './float-transfers.ts';
import { createFunding } from './funding.ts';
import { createHistory } from './history.ts';
import { type ListFilter, type ListSort, listAgents } from './list-store.ts';
import { networkOf, viewRefusal } from './network-access.ts';
import { createOperations } from './operations.ts';
import { createPinChecks } from './pin-checks.ts';
import type { Agent } from './record.ts';
import { createRecordOperations } from './record-operations.ts';
import { countRefused } from './refused-cash-ins.ts';
import { createStatusChanges, loginRefusal } from './status-changes.ts';
import { holdAgent, readAgent, subAgentCount } from './store.ts';

export { viewRefusal as agentViewRefusal } from './network-access.ts';
export { agentPinRefusal } from './pin-checks.ts';
export { transferReply } from './schemas.ts';

export interface ListQuery extends Page {
  type?: string;
  status?: string;
  parentId?: string;
  search?: string;
  sort?: ListSort;
}

export type Agents = ReturnType<typeof createAgents>;

export function createAgents(context: AgentContext) {
  const { database, books, pins, findAgent, phone, clock } = context;
  const { suspend, reactivate, terminate } = createStatusChanges(context);
  const countSubAgents = subAgentCount(database.reader);
  const findResetCode = sentResetCode(database.reader);

  async function balanceOf(id: string): Promise<number> {
    const account = await books.balance(id);
    if (!account) throw new Error(`agent ${id} has no float account`);
    return account.balance;
  }

  /** Finds an agent that the caller may see. */
  async function findVisible(caller: Caller, id: string): Promise<AgentRow | Refusal> {
    const row = await findAgent(id);
    return row ? (viewRefusal(caller, row) ?? row) : noSuchAgent();
  }

  async function complete(row: AgentRow): Promise<Agent> {
    const count = row.type === 'super_agent' ? countSubAgents(row.id) : 0;
    const [float_balance, sub_agent_count, lock, sent] = await Promise.all([
      balanceOf(row.id),
      count,
      pins.lock(row.id),
      findResetCode(row.id),
    ]);
    const now = clock.now();
    const pin_reset_code_until = resetCodeUntil(sent, row, now);
    const reduced_until = reducedUntil(row, now);
    const locked = { pin_locked_until: lock?.until ?? null, pin_lock_reason: lock?.reason ?? null };
    return { ...row, float_balance, sub_agent_count, ...locked, pin_reset_code_until, reduced_until };
  }

  function completed<Args extends unknown[]>(operation: (...args: Args) => Promise<AgentRow | Refusal>) {
    return async (...args: Args): Promise<Agent | Refusal> => {
      const row = await operation(...args);
      return row instanceof Refusal ? row : complete(row);
    };
  }

  async function select(
    caller: Caller,
    { search, limit, offset, after, ...plain }: ListQuery,
  ): Promise<Listed<AgentRow>> {
    const within = networkOf(caller);
    if (within === null) return { rows: [], total: 0 };
    const filter: ListFilter = { ...plain, ...(within === 'all' ? {} : { within }) };
    const text = tidy(search ?? '');
    // A phone number in local format is also searched in E.164, the stored format.
    if (text !== '') filter.search = { text, orPhone: phone(text) };
    return listAgents(database.queries, filter, { limit, offset, after });
  }

  return {
    get: completed(findVisible),
    async list(caller: Caller, query: ListQuery): Promise<{ rows: Agent[]; total: number }> {
      const { rows, total } = await select(caller, query);
      return { rows: await Promise.all(rows.map(complete)), total };
    },
    async balance(caller: Caller, id: string) {
      const row = await findVisible(caller, id);
      if (row instanceof Refusal) return row;
      const balance = await balanceOf(id);
      return { agent_id: id, balance, balance_formatted: formatMoney(balance), currency: CURRENCY };
    },
    history: createHistory(context),
    records: createRecordOperations(context, complete),
    suspend: completed(suspend),
    reactivate: completed(reactivate),
    terminate: completed(terminate),
    ...createPinChecks(context),
    ...createOperations(createFunding(context)),
    cashIn: countRefused(context, createCashIns(context).cashIn),
    ...createFloatTransfers(context),
  };
}

/** Locks the agent's status until the transaction ends. Injected into the users feature. */
export function agentOfNewLogin(trx: Queries, id: string): Promise<{ type: string; status: string } | null> {
  return holdAgent(trx, id);
}

/** Refuses to reactivate a user whose agent is suspended or terminated. Injected into the users feature. */
export async function agentLoginRefusal(trx: Queries, user: { agent_id: string | null }): Promise<Refusal | null> {
  return user.agent_id === null ? null : loginRefusal(await readAgent(trx, user.agent_id));
}
