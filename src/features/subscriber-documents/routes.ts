// Endpoints of subscribers' documents, and of agents' requests for a higher KYC level.
import { created, type Endpoint, endpoint, fileReply, ok } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type Gate, pendingReply } from '../approvals/service.ts';
import * as schemas from './schemas.ts';
import type { SubscriberDocuments } from './service.ts';

const MAX_BYTES = 5 * 1024 * 1024;

export function subscriberDocumentRoutes(documents: SubscriberDocuments, gate: Gate): Endpoint[] {
  return [...fileRoutes(documents), levelRoute(documents, gate)];
}

function fileRoutes(documents: SubscriberDocuments): Endpoint[] {
  return [
    endpoint({
      id: 'uploadSubscriberDocument',
      clientMethod: 'subscribers.uploadDocument',
      method: 'POST',
      path: '/subscribers/:id/documents',
      permission: 'subscribers:update',
      summary: "Upload a subscriber's identity document or a photo of their face, stored encrypted",
      description:
        'JPEG or PNG of at most 40 megapixels, which is stored without metadata and at most 2,400 pixels long, or PDF (identity only). Agents upload for customers they registered, until the level is raised, and cannot read back. The same file again is the same document.',
      action: 'subscriber.upload_document',
      upload: {
        mediaTypes: schemas.DOCUMENT_TYPES,
        atomic: true,
        limitBytes: MAX_BYTES,
        description: 'The file. Its content must be of its media type.',
      },
      params: idParams,
      query: schemas.uploadQuery,
      replies: { 201: schemas.uploadedReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED', 'PHONE_NOT_VERIFIED', 'FILE_LIMIT', 'RATE_LIMITED'],
      handle: async (call) => {
        const { file, fileType, params, query } = call;
        const stored = await documents.add(call, params.id, { chunks: file, type: fileType, kind: query.kind });
        if (stored instanceof Refusal) return stored;
        return created({ success: true, message: 'The document was stored.', document: schemas.documentView(stored) });
      },
    }),
    endpoint({
      id: 'listSubscriberDocuments',
      clientMethod: 'subscribers.documents',
      method: 'GET',
      path: '/subscribers/:id/documents',
      permission: 'subscribers:documents',
      summary: "List a subscriber's uploaded documents, newest first",
      params: idParams,
      replies: { 200: schemas.documentsReply },
      csv: false,
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const found = await documents.list(call, call.params.id);
        return found instanceof Refusal ? found : ok({ documents: found.map(schemas.documentView) });
      },
    }),
    endpoint({
      id: 'getSubscriberDocument',
      clientMethod: 'subscribers.document',
      method: 'GET',
      path: '/subscribers/:id/documents/:documentId',
      permission: 'subscribers:documents',
      summary: "Download one of a subscriber's documents; each download is audited",
      params: schemas.documentParams,
      replies: { 200: schemas.documentContent },
      csv: false,
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const found = await documents.read(call, call.params.id, call.params.documentId);
        if (found instanceof Refusal) return found;
        return fileReply(found.bytes, found.type, found.name, {
          'content-security-policy': "default-src 'none'; sandbox",
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        });
      },
    }),
  ];
}

function levelRoute(documents: SubscriberDocuments, gate: Gate): Endpoint {
  return endpoint({
    id: 'requestSubscriberLevel',
    clientMethod: 'subscribers.requestLevel',
    method: 'POST',
    path: '/subscribers/:id/request-level',
    permission: 'subscribers:request-level',
    summary: 'Ask for KYC level 2 for a customer that you registered',
    description:
      "For agents. Always needs compliance's approval (action kyc.raise), whatever the policy is: 202. Both documents must have been uploaded. Whether another subscriber has the same document is checked at the approval.",
    action: 'subscriber.request_level',
    params: idParams,
    body: schemas.levelBody,
    replies: { 200: schemas.raisedReply, 202: pendingReply },
    refusals: [
      ...(['NOT_FOUND', 'APPROVAL_REQUIRED', 'REQUEST_CONFLICT', 'PEP_ACCESS_REQUIRED', 'PHONE_NOT_VERIFIED'] as const),
      ...(['NOT_ACTIVE', 'RECORD_CHANGED', 'DUPLICATE_IDENTITY', 'KYC_REQUIREMENT_MISSING'] as const),
      'LEVEL_REQUEST_OPEN',
    ],
    handle: (call) => gate.change(call, documents.levelRequest),
  });
}
