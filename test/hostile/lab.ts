// Requests to certification runs that can succeed: a partner without a run, and one with a run, prepared through the API.
import assert from 'node:assert/strict';
import type { Json, TestGateway } from '../support/gateway.ts';
import type { PreparedRequest } from './world.ts';

export interface LabHost {
  call: TestGateway['call'];
  token: string;
}

const ROUTE = '/api/v1/admin/lab/certifications';

/** By the name of the operation. A partner has one run at a time, so they are prepared again periodically. */
export async function prepareLab(host: LabHost): Promise<[string, PreparedRequest][]> {
  const [idle, running] = [await certifiable(host), await certifiable(host)];
  const { certification } = await post(host, ROUTE, running);
  const ofRun = { pathValue: String(certification.id), fields: () => ({}) };
  return [
    [`POST ${ROUTE}`, { fields: () => idle }],
    [`GET ${ROUTE}/{id}`, ofRun],
    [`POST ${ROUTE}/{id}/finish`, ofRun],
  ];
}

/** A new partner with an endpoint, and a key of it. */
async function certifiable(host: LabHost): Promise<{ partner_id: string; key_id: string }> {
  const body = { name: 'Certified', webhook_url: 'http://127.0.0.1:9/hooks' };
  const { partner } = await post(host, '/api/v1/admin/partners', body);
  const key = { name: 'Certified', scopes: ['inbound:read'], partner_id: partner.id };
  const { api_key } = await post(host, '/api/v1/admin/api-keys', key);
  return { partner_id: partner.id, key_id: api_key.id };
}

async function post({ call, token }: LabHost, path: string, body: object): Promise<Json> {
  const reply = await call('POST', path, { body, token });
  assert.equal(reply.status, 201, reply.text);
  return reply.json;
}
