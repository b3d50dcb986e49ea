// Endpoints for staff that certify integrators. Without the lab, and so in production, they answer 404.
import { created, type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { pageOf } from '../../http/paging.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import * as schemas from './schemas.ts';
import type { Lab } from './service.ts';

/** `lab` is undefined unless the service runs with LAB=on. */
export function labRoutes(lab: Lab | undefined): Endpoint[] {
  return [
    endpoint({
      id: 'startCertification',
      clientMethod: 'lab.start',
      method: 'POST',
      path: '/admin/lab/certifications',
      permission: 'lab',
      summary: "Start a certification run with a partner's key and webhook endpoint; not available in production",
      action: 'lab.certify',
      body: schemas.startBody,
      replies: { 201: schemas.startReply },
      refusals: ['NOT_FOUND', 'CERTIFICATION_RUNNING'],
      handle: async (call) => {
        if (!lab) return off();
        const started = await lab.certifications.start(call, call.body.partner_id, call.body.key_id);
        if (started instanceof Refusal) return started;
        const message = "The run has started. Follow its steps' instructions, in any order.";
        return created({ success: true, message, certification: schemas.certificationView(started) });
      },
    }),
    endpoint({
      id: 'listCertifications',
      clientMethod: 'lab.list',
      method: 'GET',
      path: '/admin/lab/certifications',
      permission: 'lab',
      summary: 'List certification runs, newest first; not available in production',
      query: schemas.certificationsQuery,
      replies: { 200: schemas.certificationsReply },
      refusals: ['NOT_FOUND'],
      handle: async ({ query }) => {
        if (!lab) return off();
        const page = pageOf(query);
        const { rows, total } = await lab.certifications.list(query.partner_id, page);
        const { limit, offset } = page;
        return ok({ certifications: rows.map(schemas.runView), total_count: total, limit, offset });
      },
    }),
    endpoint({
      id: 'getCertification',
      clientMethod: 'lab.get',
      method: 'GET',
      path: '/admin/lab/certifications/:id',
      permission: 'lab',
      summary: 'Get a certification run: the state of its steps and, at the end, the signed report',
      params: idParams,
      csv: false,
      replies: { 200: schemas.certificationReply },
      refusals: ['NOT_FOUND'],
      handle: async ({ params }) => {
        if (!lab) return off();
        const found = await lab.certifications.get(params.id);
        return found instanceof Refusal ? found : ok({ certification: schemas.certificationView(found) });
      },
    }),
    endpoint({
      id: 'finishCertification',
      clientMethod: 'lab.finish',
      method: 'POST',
      path: '/admin/lab/certifications/:id/finish',
      permission: 'lab',
      summary: 'Finish a certification run now; it fails if a step is still waiting',
      action: 'lab.certification_finish',
      params: idParams,
      replies: { 200: schemas.certificationReply },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        if (!lab) return off();
        const finished = await lab.certifications.finish(call, call.params.id);
        return finished instanceof Refusal ? finished : ok({ certification: schemas.certificationView(finished) });
      },
    }),
  ];
}

function off(): Refusal {
  return refuse('NOT_FOUND', 'The lab is off (LAB).');
}
