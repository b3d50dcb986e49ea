// Endpoints of cases for customers: their own, and the recalls that ask them.

import { ofCustomer } from '../../http/customer-call.ts';
import type { Reply } from '../../http/endpoint.ts';
import { created, type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { pageOf } from '../../http/paging.ts';
import { executedReply } from '../../http/payment-endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import * as schemas from './schemas.ts';
import type { OwnCaseDetails, OwnCases } from './service.ts';

const PIN_REFUSALS = [
  ...(['INVALID_PIN', 'ACCOUNT_LOCKED', 'TOO_MANY_ATTEMPTS', 'SUBSCRIBER_BLOCKED'] as const),
  { code: 'INVALID_PIN', status: 400 },
] as const;

export function ownCaseRoutes(cases: OwnCases): Endpoint[] {
  return [...caseRoutes(cases), ...answerRoutes(cases)];
}

function caseRoutes(cases: OwnCases): Endpoint[] {
  return [
    endpoint({
      id: 'openOwnCase',
      clientMethod: 'me.openCase',
      method: 'POST',
      path: '/me/cases',
      permission: 'me:manage',
      summary: 'Report a problem; with your PIN, ask for a transfer to the wrong person back',
      description:
        'A wrong transfer with `pin` is recalled: what is left of it is held in the wallet of the recipient, who is asked to return it. That is for a first transfer to somebody, addressed by phone or account number, within 24 hours, one at a time and two in 30 days. Outside these rules staff decide first: `recall.state` is `staff_decides`.',
      action: 'case.open',
      body: schemas.openOwnBody,
      replies: { 201: schemas.changedOwnReply },
      refusals: ['NOT_FOUND', ...PIN_REFUSALS, 'CASE_EXISTS', 'RATE_LIMITED'],
      handle: async (call) => {
        const details = await cases.open(ofCustomer(call), call.body);
        if (details instanceof Refusal) return details;
        return created({ success: true, message: `Your case is ${details.number}.`, case: details });
      },
    }),
    endpoint({
      id: 'listOwnCases',
      clientMethod: 'me.cases',
      method: 'GET',
      path: '/me/cases',
      permission: 'me:read',
      summary: 'List your cases, and those that ask you to return a transfer, newest first',
      query: schemas.ownCasesQuery,
      replies: { 200: schemas.ownCasesReply },
      handle: async (call) => {
        const page = pageOf(call.query);
        const { rows, total } = await cases.list(ofCustomer(call), page);
        return ok({ cases: rows, total_count: total, ...page });
      },
    }),
    endpoint({
      id: 'getOwnCase',
      clientMethod: 'me.case',
      method: 'GET',
      path: '/me/cases/:id',
      permission: 'me:read',
      summary: 'Get one of your cases with its timeline',
      params: idParams,
      replies: { 200: schemas.ownCaseReply },
      csv: false,
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const details = await cases.get(ofCustomer(call), call.params.id);
        return details instanceof Refusal ? details : ok({ case: details });
      },
    }),
    endpoint({
      id: 'sendOwnCaseMessage',
      clientMethod: 'me.sendCaseMessage',
      method: 'POST',
      path: '/me/cases/:id/messages',
      permission: 'me:manage',
      summary: 'Add something to your case',
      action: 'case.message',
      params: idParams,
      body: schemas.messageBody,
      replies: { 200: schemas.changedOwnReply },
      refusals: ['NOT_FOUND', 'CASE_CLOSED', 'RATE_LIMITED'],
      handle: async (call) =>
        changed('The message was added.', await cases.addMessage(ofCustomer(call), call.params.id, call.body.text)),
    }),
  ];
}

function answerRoutes(cases: OwnCases): Endpoint[] {
  return [
    endpoint({
      id: 'confirmOwnRecall',
      clientMethod: 'me.confirmRecall',
      method: 'POST',
      path: '/me/cases/:id/confirm',
      permission: 'me:manage',
      summary: 'Confirm with your PIN that you want a transfer back, in a case that was opened without it',
      action: 'case.confirm',
      params: idParams,
      body: schemas.confirmBody,
      replies: { 200: schemas.changedOwnReply },
      refusals: ['NOT_FOUND', ...PIN_REFUSALS, 'NO_RECALL', 'CASE_CLOSED', 'CASE_EXISTS'],
      handle: async (call) =>
        changed('Confirmed.', await cases.confirm(ofCustomer(call), call.params.id, call.body.pin)),
    }),
    endpoint({
      id: 'acceptRecall',
      clientMethod: 'me.acceptRecall',
      method: 'POST',
      path: '/me/cases/:id/accept',
      permission: 'me:pay',
      summary: 'Return a transfer that reached you by mistake, with your PIN',
      description:
        'Returns what is held, once, without a fee. Neither the daily limit nor the maximum balance applies.',
      action: 'case.accept',
      params: idParams,
      body: schemas.acceptBody,
      replies: { 200: schemas.acceptReply },
      refusals: [
        ...(['NOT_FOUND', 'REQUEST_CONFLICT', 'NO_RECALL', 'RECALL_ENDED', 'EXPIRED'] as const),
        ...PIN_REFUSALS,
        ...(['SUBSCRIBER_NOT_FOUND', 'INSUFFICIENT_BALANCE', 'DAILY_LIMIT_EXCEEDED'] as const),
      ],
      handle: async (call) => {
        const { pin, request_id } = call.body;
        const outcome = await cases.accept(ofCustomer(call), call.params.id, { pin, requestId: request_id });
        return outcome instanceof Refusal ? outcome : executedReply(outcome);
      },
    }),
    endpoint({
      id: 'contestRecall',
      clientMethod: 'me.contestRecall',
      method: 'POST',
      path: '/me/cases/:id/contest',
      permission: 'me:manage',
      summary: 'Say that a transfer is yours: what is held of it is available again',
      description: 'Staff may have extended the hold for suspected fraud: then it stays until they decide.',
      action: 'case.contest',
      params: idParams,
      body: schemas.contestBody,
      bodyOptional: true,
      replies: { 200: schemas.changedOwnReply },
      refusals: ['NOT_FOUND', 'NO_RECALL', 'RECALL_ENDED', 'EXPIRED'],
      handle: async (call) =>
        changed('The recall was contested.', await cases.contest(ofCustomer(call), call.params.id, call.body.reason)),
    }),
  ];
}

function changed(message: string, details: OwnCaseDetails | Refusal): Reply | Refusal {
  return details instanceof Refusal ? details : ok({ success: true, message, case: details });
}
