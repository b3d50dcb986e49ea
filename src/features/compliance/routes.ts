// Compliance endpoints: checks, monitoring rules and the limits of the KYC levels.
import { Type } from 'typebox';
import { type Endpoint, endpoint, ok, okOrRefusal } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { listQuery, listReply, pageOf } from '../../http/paging.ts';
import { requestIdOf } from '../../http/payment-endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type Gate, pendingReply } from '../approvals/service.ts';
import { accountRuleRecord, findAccountRule, listAccountRules } from './account-rules.ts';
import { alertRoutes } from './alert-routes.ts';
import { checkBody, checkReply } from './check-schemas.ts';
import { networkParams, networkQuery, networkReply } from './network/schemas.ts';
import * as schemas from './rule-schemas.ts';
import type { Compliance } from './service.ts';
import { whatIfChangeBody, whatIfReply } from './what-if/schemas.ts';

export function complianceRoutes(compliance: Compliance, gate: Gate): Endpoint[] {
  return [
    ...checkRoutes(compliance),
    ...alertRoutes(compliance),
    ...ruleRoutes(compliance, gate),
    ...whatIfRoutes(compliance),
    ...accountRuleRoutes(),
  ];
}

function checkRoutes(compliance: Compliance): Endpoint[] {
  return [
    endpoint({
      id: 'getPaymentNetwork',
      clientMethod: 'compliance.network',
      readsReplica: true,
      method: 'GET',
      path: '/compliance/network/:id',
      permission: 'compliance:read',
      summary: 'Get the counterparties of a subscriber, agent or processor, and the payments among them',
      description:
        'For the diagram in a case. Sums exclude fees, and archived payments are not read. If the subject is a politically exposed person, the caller needs open PEP access.',
      params: networkParams,
      query: networkQuery,
      replies: { 200: networkReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => okOrRefusal(await compliance.network(call, call.params.id, call.query)),
    }),
    endpoint({
      id: 'checkPayment',
      clientMethod: 'compliance.check',
      method: 'POST',
      path: '/compliance/check',
      permission: 'compliance:check',
      summary: 'Check a hypothetical payment against the rules; raises an alert if it is flagged or blocked',
      description:
        'Runs the same rules as a payment of this subscriber, type and amount, and moves no money. Keys get the outcome and the ids of the rules, not thresholds.',
      action: 'compliance.check',
      body: checkBody,
      replies: { 200: checkReply },
      refusals: ['INVALID_AMOUNT', 'SUBSCRIBER_NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const requestId = requestIdOf(call);
        if (requestId instanceof Refusal) return requestId;
        const checked = await compliance.check(call, call.body, requestId);
        return checked instanceof Refusal ? checked : ok({ success: true, ...checked });
      },
    }),
  ];
}

function ruleRoutes(compliance: Compliance, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'listRules',
      clientMethod: 'rules.list',
      method: 'GET',
      path: '/compliance/rules',
      permission: 'compliance:read',
      summary: 'List monitoring rules, oldest first',
      query: schemas.rulesQuery,
      replies: { 200: schemas.rulesReply },
      handle: async ({ query }) => {
        const page = pageOf(query);
        const { rows, total } = await compliance.rules(query, page);
        return ok({ rules: rows.map(schemas.ruleView), total_count: total, ...page });
      },
    }),
    endpoint({
      id: 'getRule',
      clientMethod: 'rules.get',
      method: 'GET',
      path: '/compliance/rules/:id',
      permission: 'compliance:read',
      summary: 'Get a monitoring rule',
      params: idParams,
      replies: { 200: schemas.ruleReply },
      refusals: ['NOT_FOUND'],
      handle: async ({ params }) => {
        const rule = await compliance.rule(params.id);
        return rule instanceof Refusal ? rule : ok({ rule: schemas.ruleView(rule) });
      },
    }),
    endpoint({
      id: 'createRule',
      clientMethod: 'rules.create',
      method: 'POST',
      path: '/compliance/rules',
      permission: 'compliance:write',
      summary: 'Create a monitoring rule; it applies from the next payment',
      description:
        '`outcome` is flag (raises an alert) or block (refuses the payment as well). An approval policy may apply (202).',
      action: 'compliance_rule.create',
      body: schemas.createRuleBody,
      replies: { 201: schemas.ruleSavedReply, 202: pendingReply },
      refusals: ['APPROVAL_REQUIRED', 'INVALID_AMOUNT', 'RULE_LIMIT'],
      handle: (call) => gate.change(call, compliance.createRule),
    }),
    endpoint({
      id: 'updateRule',
      clientMethod: 'rules.update',
      method: 'PUT',
      path: '/compliance/rules/:id',
      permission: 'compliance:write',
      summary: 'Update or disable a monitoring rule; omitted fields keep their values',
      description: 'It applies from the next payment. An approval policy may apply (202).',
      action: 'compliance_rule.update',
      params: idParams,
      body: schemas.updateRuleBody,
      current: async ({ params }) => {
        const rule = await compliance.rule(params.id);
        return rule instanceof Refusal ? rule : schemas.ruleView(rule);
      },
      replies: { 200: schemas.ruleSavedReply, 202: pendingReply },
      refusals: ['APPROVAL_REQUIRED', 'NOT_FOUND', 'INVALID_AMOUNT', 'RULE_LIMIT'],
      handle: (call) => gate.change(call, compliance.updateRule),
    }),
  ];
}

function whatIfRoutes(compliance: Compliance): Endpoint[] {
  return [
    endpoint({
      id: 'whatIfNewRule',
      clientMethod: 'rules.whatIfNew',
      method: 'POST',
      path: '/compliance/rules/what-if',
      permission: 'compliance:write',
      summary: 'Evaluate a new rule over the last 30 days; nothing is changed',
      description:
        'Replays the last 30 days of payments with the same evaluation as a payment, as if the rule had been enabled, and changes nothing. A payment that the rule blocks does not count towards the windows of later payments. If there are too many payments, `period` is the part that was evaluated. One what-if runs at a time; a second gets 429 `RATE_LIMITED`.',
      body: schemas.createRuleBody,
      replies: { 200: whatIfReply },
      refusals: ['INVALID_AMOUNT'],
      handle: async (call) => okOrRefusal(await compliance.whatIfNewRule(call, call.body)),
    }),
    endpoint({
      id: 'whatIfRule',
      clientMethod: 'rules.whatIf',
      method: 'POST',
      path: '/compliance/rules/:id/what-if',
      permission: 'compliance:write',
      summary: 'Evaluate a rule change over the last 30 days, against the rule as it is',
      description:
        'Like POST /compliance/rules/what-if, for changes to a rule; an empty body evaluates the rule as it is, enabled. `current` has the same figures for the rule without the changes. Refused payments are not in the history; `current.refused` counts those this rule refused.',
      params: idParams,
      body: whatIfChangeBody,
      replies: { 200: whatIfReply },
      refusals: ['NOT_FOUND', 'INVALID_AMOUNT'],
      handle: async (call) => okOrRefusal(await compliance.whatIfRule(call, call.params.id, call.body)),
    }),
  ];
}

function accountRuleRoutes(): Endpoint[] {
  return [
    endpoint({
      id: 'listAccountRules',
      clientMethod: 'compliance.accountRules',
      method: 'GET',
      path: '/compliance/account-rules',
      permission: 'account-rules',
      summary: 'List the limits of all KYC levels',
      query: listQuery({}),
      replies: { 200: listReply('account_rules', accountRuleRecord) },
      csv: { key: 'kyc_level' },
      handle: ({ query }) => {
        const page = pageOf(query);
        const { rules, total } = listAccountRules(page);
        return ok({ account_rules: rules, total_count: total, ...page });
      },
    }),
    endpoint({
      id: 'getAccountRules',
      clientMethod: 'compliance.accountRule',
      method: 'GET',
      path: '/account-rules/:kyc_level',
      permission: 'account-rules',
      summary: 'Get the limits of a KYC level',
      params: Type.Object({ kyc_level: Type.String({ description: '1, 2 or 3.' }) }),
      replies: { 200: accountRuleRecord },
      refusals: ['NOT_FOUND'],
      handle: ({ params }) => okOrRefusal(findAccountRule(params.kyc_level)),
    }),
  ];
}
