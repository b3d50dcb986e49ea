// Agent endpoints: records, status changes and PINs.
import { type Call, type Endpoint, endpoint, ok, okOrRefusal, type Reply } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { pageOf } from '../../http/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type Gate, pendingReply } from '../approvals/service.ts';
import { summedHistoryRoute } from '../transactions/service.ts';
import { BAD_PIN, moneyRoutes, TERMINATED } from './float-routes.ts';
import { totalsOf } from './history.ts';
import { type Agent, recordFor } from './record.ts';
import * as schemas from './schemas.ts';
import type { Agents, ListQuery } from './service.ts';

export function agentRoutes(agents: Agents, gate: Gate): Endpoint[] {
  return [...recordRoutes(agents, gate), ...stateRoutes(agents), ...moneyRoutes(agents, gate)];
}

function recordRoutes(agents: Agents, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'registerAgent',
      clientMethod: 'agents.register',
      method: 'POST',
      path: '/agents',
      permission: 'agents:write',
      summary: 'Register an agent; its login, password and PIN are sent to its phone',
      description:
        'A super_agent registers sub-agents in its own network. The temporary password and the PIN are sent to the phone number; no reply contains them.',
      action: 'agent.register',
      body: schemas.registerBody,
      replies: { 201: schemas.registeredReply, 202: pendingReply },
      refusals: [
        'APPROVAL_REQUIRED',
        'MISSING_PARENT',
        'DUPLICATE_PHONE',
        'DUPLICATE_EMAIL',
        'TOO_MANY_LOOKUPS',
        'COMMISSION_EXCEEDS_FEES',
      ],
      handle: (call) => gate.change(call, agents.records.register),
    }),
    endpoint({
      id: 'listAgents',
      clientMethod: 'agents.list',
      method: 'GET',
      path: '/agents',
      permission: 'agents:read',
      summary: 'List agents, by default newest first',
      query: schemas.agentsQuery,
      replies: { 200: schemas.agentsReply },
      handle: async ({ caller, query }) => {
        const page = pageOf(query);
        const { rows, total } = await agents.list(caller, { ...filterOf(query), ...page });
        return ok({ agents: rows.map((row) => recordFor(caller, row)), total_count: total, ...page });
      },
    }),
    endpoint({
      id: 'getAgent',
      clientMethod: 'agents.get',
      method: 'GET',
      path: '/agents/:id',
      permission: 'agents:read',
      summary: 'Get an agent',
      params: idParams,
      replies: { 200: schemas.agentReply },
      refusals: ['NOT_FOUND'],
      handle: async ({ caller, params }) => {
        const agent = await agents.get(caller, params.id);
        return agent instanceof Refusal ? agent : ok({ agent: recordFor(caller, agent) });
      },
    }),
    endpoint({
      id: 'updateAgent',
      clientMethod: 'agents.update',
      method: 'PUT',
      path: '/agents/:id',
      permission: 'agents:write',
      summary: 'Update an agent; omitted fields keep their values',
      description:
        '`commission_tier`, `commission_percent` and `settlement_mode` decide what the agent earns and when it is paid.',
      action: 'agent.update',
      params: idParams,
      body: schemas.updateBody,
      current: async ({ caller, params }) => {
        const agent = await agents.get(caller, params.id);
        return agent instanceof Refusal ? agent : recordFor(caller, agent);
      },
      replies: { 200: schemas.changedReply, 202: pendingReply },
      refusals: [
        'APPROVAL_REQUIRED',
        'NOT_FOUND',
        'DUPLICATE_PHONE',
        'RECORD_CHANGED',
        'AGENT_TERMINATED',
        'COMMISSION_EXCEEDS_FEES',
      ],
      handle: async (call) => gate.change(call, await agents.records.updateFor(call)),
    }),
    endpoint({
      id: 'getAgentBalance',
      clientMethod: 'agents.balance',
      method: 'GET',
      path: '/agents/:id/balance',
      permission: 'agents:read',
      summary: "Get an agent's float balance",
      params: idParams,
      replies: { 200: schemas.balanceReply },
      refusals: ['NOT_FOUND'],
      handle: async ({ caller, params }) => okOrRefusal(await agents.balance(caller, params.id)),
    }),
    summedHistoryRoute({
      id: 'listAgentTransactions',
      clientMethod: 'agents.transactions',
      path: '/agents/:id/transactions',
      permission: 'agents:history',
      summary: "List an agent's transactions, newest first, with totals",
      description: 'The totals cover every matching record, not just the page.',
      totals: schemas.totals,
      totalsOf,
      history: agents.history,
    }),
  ];
}

function stateRoutes(agents: Agents): Endpoint[] {
  return [
    endpoint({
      id: 'suspendAgent',
      clientMethod: 'agents.suspend',
      method: 'POST',
      path: '/agents/:id/suspend',
      permission: 'agents:write',
      summary: 'Suspend an agent: its float is frozen and its user cannot log in',
      description: 'The agent keeps its float, which can be returned to the treasury during the suspension.',
      action: 'agent.suspend',
      params: idParams,
      body: schemas.suspendBody,
      replies: { 200: schemas.changedReply },
      refusals: ['NOT_FOUND', 'ALREADY_SUSPENDED', 'AGENT_TERMINATED'],
      handle: async (call) =>
        changed(call, 'The agent was suspended.', await agents.suspend(call, call.params.id, call.body)),
    }),
    endpoint({
      id: 'reactivateAgent',
      clientMethod: 'agents.reactivate',
      method: 'POST',
      path: '/agents/:id/reactivate',
      permission: 'agents:write',
      summary: 'Reactivate a suspended agent',
      action: 'agent.reactivate',
      params: idParams,
      replies: { 200: schemas.changedReply },
      refusals: ['NOT_FOUND', 'NOT_SUSPENDED', 'AGENT_TERMINATED'],
      handle: async (call) =>
        changed(call, 'The agent was reactivated.', await agents.reactivate(call, call.params.id)),
    }),
    endpoint({
      id: 'terminateAgent',
      clientMethod: 'agents.terminate',
      method: 'POST',
      path: '/agents/:id/terminate',
      permission: 'agents:write',
      summary: 'Terminate an agent permanently; its float must be 0',
      description: 'Accrued commission is settled first. 409 `FLOAT_NOT_EMPTY` until the float is returned.',
      action: 'agent.terminate',
      params: idParams,
      body: schemas.terminateBody,
      bodyOptional: true,
      replies: { 200: schemas.changedReply },
      refusals: ['NOT_FOUND', 'FLOAT_NOT_EMPTY', 'AGENT_TERMINATED'],
      handle: async (call) =>
        changed(call, 'The agent was terminated.', await agents.terminate(call, call.params.id, call.body)),
    }),
    endpoint({
      id: 'changeAgentPin',
      clientMethod: 'agents.changePin',
      method: 'POST',
      path: '/agents/:id/change-pin',
      permission: 'agents:pin',
      summary: "Change an agent's PIN",
      action: 'agent.change_pin',
      params: idParams,
      body: schemas.changePinBody,
      replies: { 200: schemas.messageReply },
      refusals: ['NOT_FOUND', 'AGENT_SUSPENDED', TERMINATED, BAD_PIN, 'ACCOUNT_LOCKED', 'TOO_MANY_ATTEMPTS'],
      handle: async (call) => {
        const done = await agents.changePin(call, call.params.id, call.body);
        return done instanceof Refusal ? done : ok({ success: true, message: 'The PIN was changed.' });
      },
    }),
  ];
}

function changed({ caller }: Call, message: string, agent: Agent | Refusal): Reply | Refusal {
  return agent instanceof Refusal ? agent : ok({ success: true, message, agent: recordFor(caller, agent) });
}

interface RawQuery {
  type?: string;
  status?: string;
  parent_agent_id?: string;
  search?: string;
  sort?: NonNullable<ListQuery['sort']>;
}

function filterOf({ type, status, parent_agent_id, search, sort }: RawQuery): Omit<ListQuery, 'limit' | 'offset'> {
  return {
    ...(type ? { type } : {}),
    ...(status ? { status } : {}),
    ...(parent_agent_id !== undefined ? { parentId: parent_agent_id } : {}),
    ...(search ? { search } : {}),
    ...(sort ? { sort } : {}),
  };
}
