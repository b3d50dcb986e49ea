// Endpoints of reports, for staff.
import { type Endpoint, endpoint, ok, okOrRefusal } from '../../http/endpoint.ts';
import { pageOf } from '../../http/paging.ts';
import {
  accountsQuery,
  accountsReply,
  countsReply,
  floatsQuery,
  floatsReply,
  overviewReply,
  seriesQuery,
  seriesReply,
  seriesRows,
  trialBalanceQuery,
  trialBalanceReply,
} from './schemas.ts';
import type { Reporting } from './service.ts';

export function reportingRoutes(reporting: Reporting): Endpoint[] {
  return [
    endpoint({
      id: 'getCounts',
      method: 'GET',
      path: '/admin/counts',
      permission: 'own-account',
      summary: 'What waits for the caller, as numbers',
      replies: { 200: countsReply },
      handle: async ({ caller }) => ok(await reporting.counts(caller)),
    }),
    endpoint({
      id: 'getOverview',
      method: 'GET',
      path: '/admin/overview',
      permission: 'reports:read',
      summary: 'Today and the last 24 hours against the week before, balances, alerts and deliveries',
      replies: { 200: overviewReply },
      handle: async (call) => ok(await reporting.overview(call)),
    }),
    endpoint({
      id: 'getSeries',
      readsReplica: true,
      method: 'GET',
      path: '/admin/series',
      permission: 'reports:read',
      summary: 'A metric by hour, day or week, exact and without gaps; as CSV one row per type and step',
      query: seriesQuery,
      replies: { 200: seriesReply },
      csv: { rows: seriesRows },
      handle: async ({ query }) => okOrRefusal(await reporting.series(query)),
    }),
    endpoint({
      id: 'listLedgerAccounts',
      readsReplica: true,
      method: 'GET',
      path: '/admin/ledger/accounts',
      permission: 'ledger:read',
      summary: 'List the accounts of the ledger by id',
      query: accountsQuery,
      replies: { 200: accountsReply },
      handle: async (call) => ok(await reporting.accounts(call, call.query, pageOf(call.query))),
    }),
    endpoint({
      id: 'getTrialBalance',
      readsReplica: true,
      method: 'GET',
      path: '/admin/ledger/trial-balance',
      permission: 'ledger:read',
      summary: 'Balances by kind of account, now or at an earlier instant',
      query: trialBalanceQuery,
      replies: { 200: trialBalanceReply },
      handle: async ({ query }) => okOrRefusal(await reporting.trialBalance(query.at)),
    }),
    endpoint({
      id: 'listAgentFloats',
      readsReplica: true,
      method: 'GET',
      path: '/admin/agents/float',
      permission: 'ledger:read',
      summary: 'Floats of agents with the hours that they are estimated to last, most urgent first',
      query: floatsQuery,
      replies: { 200: floatsReply },
      csv: { key: 'agent_id' },
      handle: async ({ query }) => {
        const { type, parent_agent_id, hours_left_below: hours } = query;
        const hoursLeftBelow = hours === undefined ? undefined : Number(hours);
        return ok(await reporting.floats({ type, parent_agent_id, hoursLeftBelow }, pageOf(query)));
      },
    }),
  ];
}
