// Endpoints for the reconciliation: runs, items, matches, suggestions and write-offs.
import type { Static } from 'typebox';
import { created, type Endpoint, endpoint, ok, okOrRefusal, type Reply } from '../../../http/endpoint.ts';
import { idParams } from '../../../http/fields.ts';
import { pageOf } from '../../../http/paging.ts';
import { iso } from '../../../kernel/clock.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { type Gate, pendingReply } from '../../approvals/service.ts';
import * as schemas from './schemas.ts';
import { matchView, type Reconciliation } from './service.ts';
import type { ItemIds, MatchRow } from './store.ts';

const NOT_MATCHED = ['NOT_FOUND', 'ARCHIVED', 'NOT_RECONCILABLE', 'ALREADY_MATCHED', 'MATCH_DOES_NOT_BALANCE'] as const;

export function reconciliationRoutes(reconciliation: Reconciliation, gate: Gate): Endpoint[] {
  return [...readRoutes(reconciliation), ...ownerRoutes(reconciliation), ...changeRoutes(reconciliation, gate)];
}

function readRoutes(reconciliation: Reconciliation): Endpoint[] {
  return [
    endpoint({
      id: 'listReconciliationItems',
      clientMethod: 'reconciliation.list',
      readsReplica: true,
      method: 'GET',
      path: '/admin/reconciliation',
      permission: 'reconciliation:read',
      summary: 'List bank entries and transactions with their matches, oldest first; total_count stops at 100,000',
      query: schemas.itemsQuery,
      replies: { 200: schemas.itemsReply },
      handle: async (call) => {
        const { status, side, older_than_days, owner, statement_id: statementId } = call.query;
        const page = pageOf(call.query);
        const olderThanDays = older_than_days === undefined ? undefined : Number(older_than_days);
        const filter = { status, side, olderThanDays, owner, statementId };
        const { items, total } = await reconciliation.items(call, { ...filter, ...page });
        return ok({ items, total_count: total, ...page });
      },
    }),
    endpoint({
      id: 'listMatches',
      clientMethod: 'reconciliation.matches',
      readsReplica: true,
      method: 'GET',
      path: '/admin/reconciliation/matches',
      permission: 'reconciliation:read',
      summary: 'List matches and write-offs, including undone ones, newest first; total_count stops at 100,000',
      query: schemas.matchesQuery,
      replies: { 200: schemas.matchesReply },
      handle: async ({ query }) => {
        const page = pageOf(query);
        const { rows, total } = await reconciliation.matches(query.status, page);
        return ok({ matches: rows.map(matchView), total_count: total, ...page });
      },
    }),
    endpoint({
      id: 'getMatch',
      clientMethod: 'reconciliation.getMatch',
      readsReplica: true,
      method: 'GET',
      path: '/admin/reconciliation/matches/:id',
      permission: 'reconciliation:read',
      summary: 'Get a match or a write-off with its items',
      params: idParams,
      replies: { 200: schemas.matchReply },
      csv: false,
      refusals: ['NOT_FOUND'],
      handle: async ({ params }) => okOrRefusal(await reconciliation.get(params.id)),
    }),
    endpoint({
      id: 'listSuggestions',
      clientMethod: 'reconciliation.suggestions',
      readsReplica: true,
      method: 'GET',
      path: '/admin/reconciliation/suggestions',
      permission: 'reconciliation:read',
      summary: 'List the suggestions of the last run',
      query: schemas.suggestionsQuery,
      replies: { 200: schemas.suggestionsReply },
      handle: async ({ query }) => {
        const page = pageOf(query);
        const { rows, total } = await reconciliation.suggestions(page);
        const suggestions = rows.map((row) => ({ ...row, created_at: iso(row.created_at) }));
        return ok({ suggestions, total_count: total, ...page });
      },
    }),
  ];
}

function ownerRoutes(reconciliation: Reconciliation): Endpoint[] {
  const refusals = ['NOT_FOUND', 'ARCHIVED', 'NOT_RECONCILABLE', 'ALREADY_MATCHED'] as const;
  return [
    endpoint({
      id: 'assignReconciliationItems',
      clientMethod: 'reconciliation.assign',
      method: 'POST',
      path: '/admin/reconciliation/assign',
      permission: 'reconciliation:write',
      summary: 'Take open items to work on, even ones assigned to someone else',
      action: 'reconciliation.assign',
      body: schemas.ownerBody,
      replies: { 200: schemas.ownerReply },
      refusals,
      handle: async (call) => owned('The items are yours.', await reconciliation.assign(call, itemsOf(call.body))),
    }),
    endpoint({
      id: 'releaseReconciliationItems',
      clientMethod: 'reconciliation.release',
      method: 'POST',
      path: '/admin/reconciliation/release',
      permission: 'reconciliation:write',
      summary: 'Release open items: they have no owner afterwards',
      action: 'reconciliation.release',
      body: schemas.ownerBody,
      replies: { 200: schemas.ownerReply },
      refusals,
      handle: async (call) => owned('The items have no owner.', await reconciliation.release(call, itemsOf(call.body))),
    }),
  ];
}

function changeRoutes(reconciliation: Reconciliation, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'runReconciliation',
      clientMethod: 'reconciliation.run',
      method: 'POST',
      path: '/admin/reconciliation/run',
      permission: 'reconciliation:write',
      summary: 'Match all open items: certain matches are made, others are suggested',
      description:
        'Matches by reference; by amount, counterparty and a window of 3 days; and the movements of a day with one entry. It can be repeated: what is matched stays.',
      action: 'reconciliation.run',
      replies: { 200: schemas.runReply },
      refusals: ['RECONCILIATION_RUNNING'],
      handle: async (call) => {
        const run = await reconciliation.run(call);
        if (run instanceof Refusal) return run;
        const { id, matched, suggested, started_at, finished_at } = run;
        const times = { started_at: iso(started_at), finished_at: iso(finished_at ?? started_at) };
        return ok({ success: true, message: 'The items were matched.', run: { id, matched, suggested, ...times } });
      },
    }),
    endpoint({
      id: 'createMatch',
      clientMethod: 'reconciliation.match',
      method: 'POST',
      path: '/admin/reconciliation/matches',
      permission: 'reconciliation:write',
      summary: 'Match bank entries with transactions that add up to the same sum',
      description: 'The sums must be equal: 422 `MATCH_DOES_NOT_BALANCE`. An item can be in one match only.',
      action: 'reconciliation.match',
      body: schemas.matchBody,
      replies: { 201: schemas.changedReply },
      refusals: NOT_MATCHED,
      handle: async (call) => {
        const { bank_entry_ids, transaction_ids, note = null } = call.body;
        const request = { bankIds: bank_entry_ids, bookIds: transaction_ids, note };
        return changed('The items were matched.', await reconciliation.match(call, request), created);
      },
    }),
    endpoint({
      id: 'acceptSuggestion',
      clientMethod: 'reconciliation.acceptSuggestion',
      method: 'POST',
      path: '/admin/reconciliation/suggestions/:id/accept',
      permission: 'reconciliation:write',
      summary: 'Accept a suggestion: makes the match',
      description: 'The same as matching its items by hand.',
      action: 'reconciliation.match',
      params: idParams,
      body: schemas.acceptBody,
      bodyOptional: true,
      replies: { 201: schemas.changedReply },
      refusals: NOT_MATCHED,
      handle: async (call) => {
        const match = await reconciliation.accept(call, call.params.id, call.body.note ?? null);
        return changed('The suggestion was accepted.', match, created);
      },
    }),
    endpoint({
      id: 'undoMatch',
      clientMethod: 'reconciliation.undoMatch',
      method: 'DELETE',
      path: '/admin/reconciliation/matches/:id',
      permission: 'reconciliation:write',
      summary: 'Undo a match or a write-off; it stays in the history',
      description: 'A pay-out that the match cleared is in transit again.',
      action: 'reconciliation.undo',
      params: idParams,
      replies: { 200: schemas.changedReply },
      refusals: ['NOT_FOUND', 'ALREADY_UNDONE', 'PAYOUT_CLEARED', 'ARCHIVED'],
      handle: async (call) => changed('The match was undone.', await reconciliation.undo(call, call.params.id), ok),
    }),
    endpoint({
      id: 'writeOff',
      clientMethod: 'reconciliation.writeOff',
      method: 'POST',
      path: '/admin/reconciliation/write-offs',
      permission: 'reconciliation:write',
      summary: 'Write off items that will never be matched; moves no money',
      description: 'For a bank charge, for example. An approval policy may apply (202).',
      action: 'reconciliation.write_off',
      body: schemas.writeOffBody,
      replies: { 201: schemas.changedReply, 202: pendingReply },
      refusals: [
        'APPROVAL_REQUIRED',
        'NOT_FOUND',
        'ARCHIVED',
        'NOT_RECONCILABLE',
        'ALREADY_MATCHED',
        'PAYOUT_NOT_WRITTEN_OFF',
      ],
      handle: (call) => gate.change(call, reconciliation.writeOff),
    }),
  ];
}

function itemsOf({ bank_entry_ids = [], transaction_ids = [] }: Static<typeof schemas.ownerBody>): ItemIds {
  return { bankIds: bank_entry_ids, bookIds: transaction_ids };
}

function owned(message: string, changed: number | Refusal): Reply | Refusal {
  return changed instanceof Refusal ? changed : ok({ success: true, message, changed });
}

function changed(message: string, match: MatchRow | Refusal, reply: (body: object) => Reply): Reply | Refusal {
  return match instanceof Refusal ? match : reply({ success: true, message, match: matchView(match) });
}
