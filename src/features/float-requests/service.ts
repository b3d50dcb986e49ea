// A sub-agent asks its super-agent for float. Accepting makes one transfer of float, with the request's id as its request id.
import type { Static } from 'typebox';
import type { Actor, ChangeContext } from '../../audit/log.ts';
import type { Load } from '../../db/batch-loader.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import type { Page } from '../../http/paging.ts';
import { HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { parseAmount } from '../../kernel/money.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { tidyOptional } from '../../kernel/text.ts';
import type { AnsweredRequest, RequestKey } from '../../ledger/posting/idempotency.ts';
import { type AgentRow, agentStatusRefusal, noSuchAgent, ownRefusal } from '../../parties/agent.ts';
import { type Executed, invalidAmount } from '../../payments/plan.ts';
import { type Agents, agentViewRefusal } from '../agents/service.ts';
import { type askBody, floatRequestView } from './schemas.ts';
import * as store from './store.ts';

export interface FloatRequestsContext extends ChangeContext {
  findAgent: Load<string, AgentRow | null>;
  agents: Pick<Agents, 'transfer'>;
  /** Stored replies by idempotency key. */
  answered: Load<RequestKey, AnsweredRequest | null>;
}

export type FloatRequests = ReturnType<typeof createFloatRequests>;
type Ask = Static<typeof askBody>;
type Asked = Omit<Ask, 'amount'> & { amount: number };
type Ending = 'declined' | 'cancelled';

const LIVES_MS = 48 * HOUR_MS;
/** Longer than a transfer can take: afterwards its gateway has stopped, and the ledger says whether the money moved. */
const CLAIM_MS = MINUTE_MS;

export function createFloatRequests({ database, audit, findAgent, agents, answered, clock }: FloatRequestsContext) {
  const { queries } = database;

  async function asking(actor: Actor, agentId: string): Promise<(AgentRow & { parent_agent_id: string }) | Refusal> {
    const notOwn = ownRefusal(actor.caller, { id: agentId });
    if (notOwn) return notOwn;
    const agent = await findAgent(agentId);
    if (!agent) return noSuchAgent();
    const refusal = agentStatusRefusal(agent);
    if (refusal) return refusal;
    const { parent_agent_id } = agent;
    return parent_agent_id === null ? hasNoSuperAgent() : { ...agent, parent_agent_id };
  }

  async function insert(trx: DatabaseTransaction, actor: Actor, agent: AgentRow, row: Asked, to: string) {
    await store.lockAgent(trx, agent.id);
    const now = clock.now();
    if (await store.findUndecided(trx, agent.id, new Date(now))) return hasAsked();
    const id = newId('flt', clock);
    await store.insertRequest(trx, {
      id,
      agent_id: agent.id,
      super_agent_id: to,
      amount: row.amount,
      note: tidyOptional(row.note) ?? null,
      state: 'open',
      request_id: row.request_id ?? null,
      requested_by: String(actor.caller.id),
      created_at: new Date(now),
      expires_at: new Date(now + LIVES_MS),
    });
    await record(trx, actor, 'ask', { id, agent_id: agent.id, super_agent_id: to, amount: row.amount });
    return store.findRequest(trx, id) as Promise<store.SeenRequest>;
  }

  function record(trx: DatabaseTransaction, actor: Actor, event: string, row: About, reason?: string | null) {
    const { id, agent_id, super_agent_id, amount } = row;
    return audit.record(trx, actor, {
      action: `float_request.${event}`,
      resourceType: 'float_request',
      resourceId: id,
      details: { agent_id, super_agent_id, amount, ...(reason ? { reason } : {}) },
    });
  }

  /** The locked request, for the party that may change it: its super-agent, or who asked. */
  async function lockOwn(trx: DatabaseTransaction, actor: Actor, id: string, side: 'agent_id' | 'super_agent_id') {
    const row = await store.lockRequest(trx, id);
    // Those of others do not exist for an agent.
    return !row || ownRefusal(actor.caller, { id: row[side] }) ? noSuchRequest() : row;
  }

  /** From here on it can be neither declined nor cancelled, until the transfer is refused. */
  function claim(actor: Actor, id: string, at: Date): Promise<store.RequestRow | Refusal> {
    return database.transact(async (trx) => {
      const row = await lockOwn(trx, actor, id, 'super_agent_id');
      if (row instanceof Refusal) return row;
      const state = store.stateAt(row, at.getTime());
      // A repeated request gets the transfer's reply again.
      if (state === 'accepted') return row;
      if (state !== 'open' && state !== 'accepting') return endedRefusal(state);
      await store.changeRequest(trx, id, { state: 'accepting', claimed_at: at, decided_by: String(actor.caller.id) });
      return row;
    });
  }

  /** The money has moved, whatever the row says. */
  async function settle(trx: DatabaseTransaction, actor: Actor, id: string, transactionId: string): Promise<void> {
    const row = await store.lockRequest(trx, id);
    if (!row || row.state === 'accepted') return;
    const decided = { decided_by: String(actor.caller.id), decided_at: new Date(clock.now()) };
    await store.changeRequest(trx, id, { state: 'accepted', transaction_id: transactionId, reason: null, ...decided });
    await record(trx, actor, 'accept', row);
  }

  /** Null: it can be ended. A transfer whose gateway stopped before the row was written counts. */
  async function acceptingRefusal(trx: DatabaseTransaction, actor: Actor, row: store.RequestRow) {
    if ((row.claimed_at?.getTime() ?? 0) + CLAIM_MS > clock.now()) return beingAccepted();
    const found = await answered({ scope: row.super_agent_id, id: row.id });
    if (!found) return null;
    await settle(trx, actor, row.id, found.movementId);
    return endedRefusal('accepted');
  }

  async function end(
    actor: Actor,
    id: string,
    ending: Ending,
    reason: string | null,
  ): Promise<store.SeenRequest | Refusal> {
    const outcome = await database.transact(async (trx) => {
      const row = await lockOwn(trx, actor, id, ending === 'declined' ? 'super_agent_id' : 'agent_id');
      if (row instanceof Refusal) return { refusal: row };
      const state = store.stateAt(row, clock.now());
      if (state === ending) return { refusal: null };
      if (state !== 'open' && state !== 'accepting') return { refusal: endedRefusal(state) };
      const refusal = state === 'accepting' ? await acceptingRefusal(trx, actor, row) : null;
      // Not returned as such: what was settled stays.
      if (refusal) return { refusal };
      const decided = { decided_by: String(actor.caller.id), decided_at: new Date(clock.now()) };
      await store.changeRequest(trx, id, { state: ending, reason, ...decided });
      await record(trx, actor, ending === 'declined' ? 'decline' : 'cancel', row, reason);
      return { refusal: null };
    });
    return outcome.refusal ?? ((await store.findRequest(queries, id)) as store.SeenRequest);
  }

  return {
    view: (row: store.SeenRequest) => floatRequestView(row, clock.now()),

    async ask(actor: Actor, agentId: string, body: Ask): Promise<store.SeenRequest | Refusal> {
      const agent = await asking(actor, agentId);
      if (agent instanceof Refusal) return agent;
      const amount = parseAmount(body.amount);
      if (amount === null) return invalidAmount();
      const first = body.request_id ? await store.findByRequestId(queries, agentId, body.request_id) : undefined;
      if (first) return first.amount === amount ? first : usedBefore();
      return database.transact((trx) => insert(trx, actor, agent, { ...body, amount }, agent.parent_agent_id));
    },

    async accept(actor: Actor, id: string, pin: string): Promise<Executed | Refusal> {
      const at = new Date(clock.now());
      const row = await claim(actor, id, at);
      if (row instanceof Refusal) return row;
      const sides = { from_agent_id: row.super_agent_id, to_agent_id: row.agent_id };
      const amount = String(row.amount);
      const outcome = await agents.transfer(actor, { ...sides, amount, pin }, { amount, requestId: id });
      if (outcome instanceof Refusal) {
        await store.reopen(queries, id, at);
        return outcome;
      }
      const { transaction_id } = JSON.parse(outcome.json) as { transaction_id: string };
      await database.transact((trx) => settle(trx, actor, id, transaction_id));
      return outcome;
    },

    decline: (actor: Actor, id: string, reason: string) => end(actor, id, 'declined', reason.trim()),
    cancel: (actor: Actor, id: string) => end(actor, id, 'cancelled', null),

    async list(actor: Actor, agentId: string, state: store.State | undefined, page: Page) {
      const agent = await findAgent(agentId);
      if (!agent) return noSuchAgent();
      const refusal = agentViewRefusal(actor.caller, agent);
      if (refusal) return refusal;
      return store.listRequests(queries, { agentId, now: new Date(clock.now()), ...(state ? { state } : {}) }, page);
    },
  };
}

type About = Pick<store.RequestRow, 'id' | 'agent_id' | 'super_agent_id' | 'amount'>;

const noSuchRequest = () => refuse('NOT_FOUND', 'There is no such float request.');
const hasNoSuperAgent = () => refuse('FORBIDDEN', 'A super-agent has nobody above it: ask the operator.');
const hasAsked = () => refuse('FLOAT_REQUEST_OPEN', 'Your super-agent has not answered your last request yet.');
const usedBefore = () => refuse('REQUEST_CONFLICT', 'This request_id was used before with different details.');
const beingAccepted = () => refuse('ALREADY_DECIDED', 'The super-agent is sending the float at this moment.');

function endedRefusal(state: store.State): Refusal {
  if (state === 'accepted') return refuse('ALREADY_PAID', 'The float was sent already.');
  if (state === 'declined') return refuse('DECLINED', 'The request was declined.');
  return state === 'cancelled'
    ? refuse('CANCELLED', 'The request was withdrawn.')
    : refuse('EXPIRED', 'The request was not answered in time.');
}
