// Endpoints for commission: the tiers for finance staff, and an agent's commissions.
import { type Endpoint, endpoint, ok } from '../../../http/endpoint.ts';
import { idParams } from '../../../http/fields.ts';
import { pageOf } from '../../../http/paging.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { Agents } from '../../agents/service.ts';
import { type Gate, pendingReply } from '../../approvals/service.ts';
import { commissionsQuery, commissionsReply, savedTiersReply, tiersBody, tiersReply } from './schemas.ts';
import type { Commission } from './service.ts';

export function commissionRoutes(commission: Commission, agents: Pick<Agents, 'get'>, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'getCommissionTiers',
      clientMethod: 'commissionTiers.get',
      method: 'GET',
      path: '/admin/commission-tiers',
      permission: 'fees:read',
      summary: 'Get the percentages of the commission tiers',
      replies: { 200: tiersReply },
      handle: async () => ok(await commission.tiers()),
    }),
    endpoint({
      id: 'updateCommissionTiers',
      clientMethod: 'commissionTiers.update',
      method: 'PUT',
      path: '/admin/commission-tiers',
      permission: 'commission:write',
      summary: 'Change the percentages of the commission tiers; they apply from the next payment on',
      description: 'A percentage of what the fee setting gives to agents. An approval policy may apply (202).',
      action: 'commission_tier.update',
      body: tiersBody,
      current: () => commission.tiers(),
      replies: { 200: savedTiersReply, 202: pendingReply },
      refusals: ['COMMISSION_EXCEEDS_FEES'],
      handle: (call) => gate.change(call, commission.change),
    }),
    endpoint({
      id: 'listAgentCommissions',
      clientMethod: 'agents.commissions',
      readsReplica: true,
      method: 'GET',
      path: '/agents/:id/commissions',
      permission: 'commission:read',
      summary: "List an agent's commission settlements, newest first, with what has accrued since",
      description: 'Daily and weekly commission is paid into the float after the end of the UTC day or ISO week.',
      params: idParams,
      query: commissionsQuery,
      replies: { 200: commissionsReply },
      refusals: ['NOT_FOUND'],
      csv: { list: 'settlements', key: 'transaction_id' },
      handle: async ({ caller, params, query }) => {
        const agent = await agents.get(caller, params.id);
        return agent instanceof Refusal ? agent : ok(await commission.ofAgent(agent, pageOf(query)));
      },
    }),
  ];
}
