// Refused payments of customers, merchants and agents, kept for 90 days. They are collected in memory and written in the background.
import type { Actor } from '../../audit/log.ts';
import { type Caller, isAgentUser } from '../../auth/caller.ts';
import type { Load } from '../../db/batch-loader.ts';
import type { Database } from '../../db/database.ts';
import type { Page } from '../../http/paging.ts';
import { type Clock, DAY_MS } from '../../kernel/clock.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { type AgentRow, noSuchAgent } from '../../parties/agent.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import {
  noSuchProcessor,
  onlyProcessorOf,
  otherProcessorRefusal,
  type PaidProcessor,
} from '../../parties/processor.ts';
import { type Holders, noSuchSubscriber } from '../../parties/subscriber.ts';
import { agentViewRefusal } from '../agents/service.ts';
import type { RefusalRecorder } from './recorder.ts';
import { insertRefusals, listRefusals, pruneRefusals, type RefusalPage } from './store.ts';

export { createRefusalRecorder, type RefusalRecorder } from './recorder.ts';

const KEPT_MS = 90 * DAY_MS;

export interface RefusalsContext {
  database: Database;
  refusalRecorder: RefusalRecorder;
  holders: Holders;
  findProcessor: Load<string, PaidProcessor | null>;
  findAgent: Load<string, AgentRow | null>;
  pep: PepGuard;
  clock: Clock;
}

export interface Refusals {
  ofSubscriber(actor: Actor, id: string, page: Page): Promise<RefusalPage | Refusal>;
  ofProcessor(actor: Actor, id: string, page: Page): Promise<RefusalPage | Refusal>;
  ofAgent(actor: Actor, id: string, page: Page): Promise<RefusalPage | Refusal>;
  /** Writes what this gateway has collected. `all`: at its stop. */
  flush(all?: boolean): Promise<void>;
  /** Deletes those that are too old. */
  prune(): Promise<void>;
}

export function createRefusals(context: RefusalsContext): Refusals {
  const { database, refusalRecorder, holders, findProcessor, findAgent, pep, clock } = context;
  const oldest = () => firstIdAt('rfs', clock.now() - KEPT_MS);

  async function list(refusal: Refusal | null, caller: Caller, partyId: string, page: Page) {
    if (refusal) return refusal;
    const withoutPeps = !isParty(caller) && !(await pep.hasAccess(caller));
    return listRefusals(database.queries, { partyId, from: oldest(), withoutPeps }, page);
  }

  return {
    async ofSubscriber(actor, id, page) {
      const [holder, notPermitted] = await Promise.all([holders.statusById(id), pep.refusalOf(actor, id, 'history')]);
      return list(holder ? notPermitted : noSuchSubscriber(), actor.caller, id, page);
    },
    async ofProcessor({ caller }, id, page) {
      return list((await findProcessor(id)) ? otherProcessorRefusal(caller, id) : noSuchProcessor(), caller, id, page);
    },
    async ofAgent({ caller }, id, page) {
      const agent = await findAgent(id);
      return list(agent ? agentViewRefusal(caller, agent) : noSuchAgent(), caller, id, page);
    },
    async flush(all) {
      const rows = refusalRecorder.take(all);
      try {
        await insertRefusals(database.pool, rows);
      } catch (error) {
        refusalRecorder.putBack(rows);
        throw error;
      }
    },
    prune: () => pruneRefusals(database.pool, oldest()),
  };
}

/** They took part in the payments, whoever the customer was. The others see none of a politically exposed person. */
function isParty(caller: Caller): boolean {
  return caller.kind === 'subscriber' || isAgentUser(caller) || onlyProcessorOf(caller) !== null;
}
