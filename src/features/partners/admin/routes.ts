// Endpoints for administrators: create and update partners, rotate webhook secrets, record settlements.
import { type Endpoint, endpoint, ok } from '../../../http/endpoint.ts';
import { idParams } from '../../../http/fields.ts';
import { pageOf } from '../../../http/paging.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { type Gate, pendingReply } from '../../approvals/service.ts';
import * as schemas from './schemas.ts';
import type { Partners } from './service.ts';

export function partnerRoutes(partners: Partners, gate: Gate): Endpoint[] {
  async function current(id: string) {
    const partner = await partners.get(id);
    return partner instanceof Refusal ? partner : schemas.partnerView(partner);
  }

  return [
    endpoint({
      id: 'createPartner',
      clientMethod: 'partners.create',
      method: 'POST',
      path: '/admin/partners',
      permission: 'partners',
      summary: 'Create a partner; its webhook secret is shown once',
      description: 'Webhooks are signed with the secret in the reply, which is shown once.',
      action: 'partner.create',
      body: schemas.createPartnerBody,
      replies: { 201: schemas.createPartnerReply, 202: pendingReply },
      refusals: ['INVALID_AMOUNT'],
      handle: (call) => gate.change(call, partners.createOperation),
    }),
    endpoint({
      id: 'listPartners',
      clientMethod: 'partners.list',
      method: 'GET',
      path: '/admin/partners',
      permission: 'partners:read',
      summary: 'List partners, newest first',
      query: schemas.partnersQuery,
      replies: { 200: schemas.partnersReply },
      handle: async ({ query }) => {
        const page = pageOf(query);
        const { partners: found, total } = await partners.list(query, page);
        return ok({ partners: found.map(schemas.partnerView), total_count: total, ...page });
      },
    }),
    endpoint({
      id: 'getPartner',
      clientMethod: 'partners.get',
      method: 'GET',
      path: '/admin/partners/:id',
      permission: 'partners:read',
      summary: 'Get a partner and what it owes',
      params: idParams,
      replies: { 200: schemas.partnerReply },
      refusals: ['NOT_FOUND'],
      handle: async ({ params }) => {
        const partner = await current(params.id);
        return partner instanceof Refusal ? partner : ok({ partner });
      },
    }),
    endpoint({
      id: 'updatePartner',
      clientMethod: 'partners.update',
      method: 'PUT',
      path: '/admin/partners/:id',
      permission: 'partners',
      summary: 'Update a partner; omitted fields keep their values',
      description: '`status: suspended` refuses its requests and keys at once. An approval policy may apply (202).',
      action: 'partner.update',
      params: idParams,
      body: schemas.updatePartnerBody,
      current: ({ params }) => current(params.id),
      replies: { 200: schemas.updatePartnerReply, 202: pendingReply },
      refusals: ['NOT_FOUND', 'INVALID_AMOUNT'],
      handle: (call) => gate.change(call, partners.updateOperation),
    }),
    endpoint({
      id: 'rotateWebhookSecret',
      clientMethod: 'partners.rotateWebhookSecret',
      method: 'POST',
      path: '/admin/partners/:id/rotate-webhook-secret',
      permission: 'partners',
      summary:
        "Rotate a partner's webhook secret, at once or at a later time; the old signature is sent for another 24 hours",
      description:
        'From `activate_at` on the new secret signs `X-Hook-Signature`; for 24 hours `X-Hook-Signature-Previous` has the signature with the old one.',
      action: 'partner.rotate_secret',
      params: idParams,
      query: schemas.rotateSecretQuery,
      body: schemas.rotateSecretBody,
      bodyOptional: true,
      replies: { 200: schemas.rotateSecretReply, 202: pendingReply },
      refusals: ['NOT_FOUND'],
      handle: (call) => gate.change({ ...call, params: { ...call.params, ...call.query } }, partners.rotateSecret),
    }),
    endpoint({
      id: 'settlePartner',
      clientMethod: 'partners.settle',
      method: 'POST',
      path: '/admin/partners/:id/settle',
      permission: 'partners',
      summary: "Record a settlement: a partner's payment that reduces what it owes",
      description: 'Record what the partner transferred to a trust account. An approval policy may apply (202).',
      action: 'partner.settle',
      params: idParams,
      body: schemas.settleBody,
      replies: { 200: schemas.settleReply, 202: pendingReply },
      refusals: [
        'NOT_FOUND',
        'INVALID_AMOUNT',
        'REQUEST_CONFLICT',
        'COMPLIANCE_BLOCKED',
        'SETTLEMENT_EXCEEDS_OUTSTANDING',
      ],
      handle: (call) => gate.pay(call, partners.settleOperation),
    }),
  ];
}
