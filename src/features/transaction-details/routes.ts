// Endpoints for one transaction: its details, and its evidence as a PDF.
import { type Endpoint, endpoint, fileReply, okJson } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { detailsJson } from './details.ts';
import * as schemas from './schemas.ts';
import type { TransactionLookup } from './service.ts';

export function transactionDetailRoutes(transactions: TransactionLookup): Endpoint[] {
  return [
    endpoint({
      id: 'getTransaction',
      clientMethod: 'transactions.get',
      readsReplica: true,
      method: 'GET',
      path: '/transactions/:id',
      permission: 'payments:read',
      summary: 'Get a transaction with its postings, parties, fees, related movements and seal',
      description: 'Party names and amounts are shown if the caller may see them.',
      params: idParams,
      replies: { 200: schemas.detailsReply },
      refusals: ['NOT_FOUND', 'ARCHIVED', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const found = await transactions.details(call, call.params.id);
        return found instanceof Refusal ? found : okJson(`{"transaction":${detailsJson(found)}}`);
      },
    }),
    endpoint({
      id: 'getTransactionEvidence',
      clientMethod: 'transactions.evidence',
      method: 'GET',
      path: '/transactions/:id/evidence',
      permission: 'payments:read',
      summary: 'Get the evidence of a transaction as a PDF, with its seal; the audit log records that it was produced',
      description:
        'A PDF for a dispute or a court: parties, postings, times, and the seal that proves that the record was not changed.',
      params: idParams,
      replies: { 200: schemas.evidenceReply },
      refusals: ['NOT_FOUND', 'ARCHIVED', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        // The id belongs to a stored transaction, so it is safe in a header.
        const pdf = await transactions.evidence(call, call.params.id);
        return pdf instanceof Refusal ? pdf : fileReply(pdf, 'application/pdf', `kissi-evidence-${call.params.id}.pdf`);
      },
    }),
  ];
}
