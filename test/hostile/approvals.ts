// Requests to approvals that can succeed: one administrator's requests, which another decides on.
import { assertStatus, type TestGateway } from '../support/gateway.ts';
import type { PreparedRequest } from './world.ts';

export interface ApprovalHost {
  call: TestGateway['call'];
  /** Tokens of two administrators. The requests of the campaign are made by `main`. */
  other: string;
  main: string;
}

const ROUTE = '/api/v1/admin/approvals/{id}';
let threshold = 1_000;

/** By the operation's name. They work once, so they are prepared again periodically. */
export async function prepareApprovals(host: ApprovalHost): Promise<[string, PreparedRequest][]> {
  const { other, main } = host;
  const of = async (requester: string) => ({ pathValue: await requestPolicy(host, requester) });
  return [
    [`GET ${ROUTE}`, { ...(await of(other)), fields: () => ({}) }],
    [`POST ${ROUTE}/approve`, { ...(await of(other)), fields: () => ({}) }],
    [`POST ${ROUTE}/reject`, { ...(await of(other)), fields: () => ({ reason: 'A reason' }) }],
    [`POST ${ROUTE}/withdraw`, { ...(await of(main)), fields: () => ({}) }],
    [`POST ${ROUTE}/collect-secrets`, { pathValue: await requestKey(host), fields: () => ({}) }],
  ];
}

/** An API key that `main` requested and `other` approved. Its secrets can be collected once. */
async function requestKey({ call, main, other }: ApprovalHost): Promise<string> {
  await setPolicy({ call, main, other }, true);
  const body = { name: 'Approved', scopes: ['balance:read'] };
  const { json } = await call('POST', '/api/v1/admin/api-keys', { body, token: main });
  await approve(call, json.approval.id, other);
  await setPolicy({ call, main, other }, false);
  return json.approval.id;
}

async function setPolicy({ call, main, other }: ApprovalHost, enabled: boolean): Promise<void> {
  const body = { action: 'api_keys.create', enabled };
  const { json } = await call('PUT', '/api/v1/admin/approval-policies', { body, token: main });
  await approve(call, json.approval.id, other);
}

async function approve(call: ApprovalHost['call'], id: string, token: string): Promise<void> {
  assertStatus(await call('POST', `/api/v1/admin/approvals/${id}/approve`, { token }), 200);
}

/** The threshold of a disabled policy has no effect on the other requests of the campaign. */
async function requestPolicy({ call }: ApprovalHost, token: string): Promise<string> {
  const body = { action: 'partners.settle', enabled: false, threshold: ++threshold };
  return assertStatus(await call('PUT', '/api/v1/admin/approval-policies', { body, token }), 202).json.approval.id;
}
