// Endpoints for a customer's personal data: the export, and the request to erase it.
import { type Endpoint, endpoint, fileReply } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type Gate, pendingReply } from '../approvals/service.ts';
import * as schemas from './schemas.ts';
import type { Privacy } from './service.ts';

export function privacyRoutes(privacy: Privacy, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'exportPersonalData',
      clientMethod: 'privacy.export',
      method: 'GET',
      path: '/subscribers/:id/personal-data',
      permission: 'privacy:export',
      summary: "Export a customer's personal data as a file; the audit log records the export",
      description:
        "For a customer who asks what is stored about them: record, cards, devices, cases, requests and all payments. Notes of staff, alerts and other customers' names are left out. A politically exposed person's data needs access to the record.",
      params: idParams,
      replies: { 200: schemas.exportReply },
      csv: false,
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        // The id belongs to a stored customer, so it is safe in a header.
        const data = await privacy.export(call, call.params.id);
        return data instanceof Refusal ? data : fileReply(data.bytes, 'application/json', data.name);
      },
    }),
    endpoint({
      id: 'erasePersonalData',
      clientMethod: 'privacy.erase',
      method: 'POST',
      path: '/subscribers/:id/erase',
      permission: 'privacy:erase',
      summary: "Request that a customer's personal data is erased for good; always needs a second user",
      description:
        'Identity, PIN, cards, devices and what staff wrote are erased, the phone number is free again, and the wallet is never used again. Payments, balances and seals stay. Refused while the wallet has a balance or a hold, a case, an alert or another request is open, a bulk payment that names the customer has not ended, or RETENTION_YEARS have not passed since the last payment, case or alert. The checks are repeated at the approval.',
      action: 'subscriber.erase',
      params: idParams,
      body: schemas.eraseBody,
      replies: { 202: pendingReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED', 'NOT_ERASABLE', 'APPROVAL_REQUIRED'],
      handle: (call) => gate.change(call, privacy.erasure),
    }),
  ];
}
