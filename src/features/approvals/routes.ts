// Endpoints for approvals and of the policies that require them.
import { type Endpoint, endpoint, ok, type Reply } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { pageOf } from '../../http/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import * as schemas from './schemas.ts';
import type { Approvals } from './service.ts';

export function approvalRoutes(approvals: Approvals): Endpoint[] {
  return [...policyRoutes(approvals), ...readRoutes(approvals), ...decisionRoutes(approvals)];
}

function policyRoutes({ policies, gate }: Approvals): Endpoint[] {
  return [
    endpoint({
      id: 'listApprovalPolicies',
      clientMethod: 'approvals.policies',
      method: 'GET',
      path: '/admin/approval-policies',
      permission: 'approval-policies:read',
      summary: 'List the approval policies of all actions',
      replies: { 200: schemas.policiesReply },
      handle: async () => {
        const list = await policies.list();
        return ok({ policies: list.map(schemas.policyView), count: list.length });
      },
    }),
    endpoint({
      id: 'updateApprovalPolicy',
      clientMethod: 'approvals.updatePolicy',
      method: 'PUT',
      path: '/admin/approval-policies',
      permission: 'approval-policies',
      summary:
        "Change an action's approval policy; needs a second system_admin once there are two, or with APPROVALS=recommended",
      description:
        'A threshold is a sum per requester and UTC day: requests below it are executed at once. Once there are two system_admins, changing a policy needs the approval of the second.',
      action: 'approval_policy.update',
      body: schemas.policyBody,
      current: async ({ body }) => schemas.policyView(await policies.of(body.action)),
      replies: { 200: schemas.policyReply, 202: schemas.pendingReply },
      refusals: ['POLICY_LOCKED'],
      handle: (call) => gate.change(call, policies.change),
    }),
  ];
}

function readRoutes(approvals: Approvals): Endpoint[] {
  return [
    endpoint({
      id: 'listApprovals',
      clientMethod: 'approvals.list',
      method: 'GET',
      path: '/admin/approvals',
      permission: 'approvals:read',
      summary: 'List approvals that the user may decide on or has requested, newest first',
      description: 'Approvals expire after 7 days.',
      query: schemas.approvalsQuery,
      replies: { 200: schemas.approvalsReply },
      handle: async (call) => {
        const { limit: _, offset: __, ...filter } = call.query;
        const page = pageOf(call.query);
        const { seen, total } = await approvals.list(call, filter, page);
        return ok({ approvals: seen.map(schemas.approvalView), total_count: total, ...page });
      },
    }),
    endpoint({
      id: 'getApproval',
      clientMethod: 'approvals.get',
      method: 'GET',
      path: '/admin/approvals/:id',
      permission: 'approvals:read',
      summary: 'Get an approval',
      params: idParams,
      replies: { 200: schemas.approvalReply },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const seen = await approvals.get(call, call.params.id);
        return seen instanceof Refusal ? seen : ok({ approval: schemas.approvalView(seen) });
      },
    }),
  ];
}

function decisionRoutes(approvals: Approvals): Endpoint[] {
  return [
    endpoint({
      id: 'approveRequest',
      clientMethod: 'approvals.approve',
      method: 'POST',
      path: '/admin/approvals/:id/approve',
      permission: 'approvals:write',
      summary: "Approve another user's request: it is checked again and executed now",
      description:
        'Needs a user other than the requester, with the permission for the action. If the request is refused when it is checked again, the approval is marked as failed and nothing happens.',
      action: 'approval.approve',
      params: idParams,
      replies: { 200: schemas.decidedReply },
      refusals: ['NOT_FOUND', 'ALREADY_DECIDED', 'NOT_INDEPENDENT', 'PEP_ACCESS_REQUIRED', 'EXECUTION_REFUSED'],
      handle: async (call) =>
        decided('The request was approved and executed.', await approvals.approve(call, call.params.id)),
    }),
    endpoint({
      id: 'rejectRequest',
      clientMethod: 'approvals.reject',
      method: 'POST',
      path: '/admin/approvals/:id/reject',
      permission: 'approvals:write',
      summary: "Reject another user's request",
      description: 'The requester sees the reason.',
      action: 'approval.reject',
      params: idParams,
      body: schemas.rejectBody,
      replies: { 200: schemas.decidedReply },
      refusals: ['NOT_FOUND', 'ALREADY_DECIDED'],
      handle: async (call) =>
        decided('The request was rejected.', await approvals.reject(call, call.params.id, call.body.reason)),
    }),
    endpoint({
      id: 'withdrawRequest',
      clientMethod: 'approvals.withdraw',
      method: 'POST',
      path: '/admin/approvals/:id/withdraw',
      permission: 'approvals:write',
      summary: 'Withdraw your own request',
      description: 'Only the requester can, and only while it is pending.',
      action: 'approval.withdraw',
      params: idParams,
      replies: { 200: schemas.decidedReply },
      refusals: ['NOT_FOUND', 'ALREADY_DECIDED'],
      handle: async (call) => decided('The request was withdrawn.', await approvals.withdraw(call, call.params.id)),
    }),
    endpoint({
      id: 'collectSecrets',
      clientMethod: 'approvals.collectSecrets',
      method: 'POST',
      path: '/admin/approvals/:id/collect-secrets',
      permission: 'approvals:write',
      summary: "Collect, once and as the requester, an executed request's secrets, such as a new API key's",
      description: 'The approver never sees them.',
      action: 'approval.collect_secrets',
      params: idParams,
      replies: { 200: schemas.collectedReply },
      refusals: ['NOT_FOUND', 'NO_SECRETS'],
      handle: async (call) => {
        const secrets = await approvals.collect(call, call.params.id);
        if (secrets instanceof Refusal) return secrets;
        return ok({ success: true, message: 'The secrets are shown only once.', secrets });
      },
    }),
  ];
}

function decided(message: string, seen: schemas.SeenApproval | Refusal): Reply | Refusal {
  return seen instanceof Refusal ? seen : ok({ success: true, message, approval: schemas.approvalView(seen) });
}
