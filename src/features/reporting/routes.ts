// Endpoints for reports, for staff.
import { type Endpoint, endpoint, ok, okOrRefusal } from '../../http/endpoint.ts';
import { pageOf } from '../../http/paging.ts';
import { countsReply, freshQuery, overviewReply } from './overview-schema.ts';
import * as schemas from './schemas.ts';
import type { Reporting } from './service.ts';

export function reportingRoutes(reporting: Reporting): Endpoint[] {
  return [
    endpoint({
      id: 'getCounts',
      clientMethod: 'reports.counts',
      method: 'GET',
      path: '/admin/counts',
      permission: 'own-account',
      summary: 'Count what is waiting for the caller',
      description:
        "For the navigation of a console: cheap enough to be read every few seconds. Each gateway reads the counts at most every 5 seconds, and finance's (`unmatched`, `suspense`) at most every 30.",
      query: freshQuery,
      replies: { 200: countsReply },
      handle: async ({ caller, query }) => ok(await reporting.counts(caller, { isFresh: query.fresh === 'true' })),
    }),
    endpoint({
      id: 'getOverview',
      clientMethod: 'reports.overview',
      method: 'GET',
      path: '/admin/overview',
      permission: 'reports:read',
      summary: 'Get today and the last 24 hours compared with a week before, balances, alerts and deliveries',
      description:
        'One request for the first page of a console. Parts that the role may not see are absent. Each gateway reads figures and courses at most every 5 seconds.',
      query: freshQuery,
      replies: { 200: overviewReply },
      handle: async ({ caller, query }) => ok(await reporting.overview(caller, { isFresh: query.fresh === 'true' })),
    }),
    endpoint({
      id: 'getSeries',
      clientMethod: 'reports.series',
      readsReplica: true,
      method: 'GET',
      path: '/admin/series',
      permission: 'reports:read',
      summary: 'A metric by hour, day or week, exact and without gaps; as CSV one row per type and step',
      description:
        'Sums come from roll-ups that `ledger:verify` proves against the movements, so long periods are fast.',
      query: schemas.seriesQuery,
      replies: { 200: schemas.seriesReply },
      csv: { rows: schemas.seriesRows },
      handle: async ({ query }) => okOrRefusal(await reporting.series(query)),
    }),
    endpoint({
      id: 'listLedgerAccounts',
      clientMethod: 'reports.ledgerAccounts',
      readsReplica: true,
      method: 'GET',
      path: '/admin/ledger/accounts',
      permission: 'ledger:read',
      summary: "List the ledger's accounts by id",
      query: schemas.accountsQuery,
      replies: { 200: schemas.accountsReply },
      handle: async (call) => ok(await reporting.accounts(call, call.query, pageOf(call.query))),
    }),
    endpoint({
      id: 'getTrialBalance',
      clientMethod: 'reports.trialBalance',
      readsReplica: true,
      method: 'GET',
      path: '/admin/ledger/trial-balance',
      permission: 'ledger:read',
      summary: 'Balances by kind of account, now or at an earlier instant',
      description:
        'The balances of all accounts add up to zero. `at` shows an earlier instant; without PEP access, the start of a day (UTC).',
      query: schemas.trialBalanceQuery,
      replies: { 200: schemas.trialBalanceReply },
      handle: async ({ caller, query }) => okOrRefusal(await reporting.trialBalance(caller, query.at)),
    }),
    endpoint({
      id: 'listAgentFloats',
      clientMethod: 'reports.agentFloats',
      readsReplica: true,
      method: 'GET',
      path: '/admin/agents/float',
      permission: 'ledger:read',
      summary: "List agents' floats with the hours they are estimated to last, most urgent first",
      description:
        'The hours are estimated from the last day and the last week, whichever used more. For a tree, list `type=super_agent` and then `parent_agent_id` of each; `network_balance` is the sum over an agent and its sub-agents.',
      query: schemas.floatsQuery,
      replies: { 200: schemas.floatsReply },
      csv: { key: 'agent_id' },
      handle: async ({ query }) => {
        const { type, parent_agent_id, hours_left_below: hours } = query;
        const hoursLeftBelow = hours === undefined ? undefined : Number(hours);
        return ok(await reporting.floats({ type, parent_agent_id, hoursLeftBelow }, pageOf(query)));
      },
    }),
  ];
}
