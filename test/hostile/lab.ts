// Requests to certification runs that can succeed: a partner without a run, and one with a run, prepared through the API.
import type { Kissi } from '@kissi/client';
import { makePartner } from '@kissi/testkit/parties';
import type { PreparedRequest } from './world.ts';

const ROUTE = '/api/v1/admin/lab/certifications';

/** By the operation's name. A partner has one run at a time, so they are prepared again periodically. */
export async function prepareLab(admin: Kissi): Promise<[string, PreparedRequest][]> {
  const [idle, running] = [await certifiable(admin), await certifiable(admin)];
  const { certification } = await admin.lab.start(running);
  const ofRun = { pathValue: certification.id, fields: () => ({}) };
  return [
    [`POST ${ROUTE}`, { fields: () => idle }],
    [`GET ${ROUTE}/{id}`, ofRun],
    [`POST ${ROUTE}/{id}/finish`, ofRun],
  ];
}

/** A new partner with an endpoint, and a key of it. */
async function certifiable(admin: Kissi): Promise<{ partner_id: string; key_id: string }> {
  const { id, key } = await makePartner(admin, { webhook_url: 'http://127.0.0.1:9/hooks' }, ['inbound:read']);
  return { partner_id: id, key_id: key.id };
}
