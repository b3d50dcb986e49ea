// Endpoints of one transaction: its details, and its evidence as a PDF.
import { type Endpoint, endpoint, okJson } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { withMember } from '../../kernel/json-text.ts';
import { Refusal } from '../../kernel/refusal.ts';
import * as schemas from './schemas.ts';
import type { TransactionDetails, TransactionLookup } from './service.ts';

export function transactionDetailRoutes(transactions: TransactionLookup): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/transactions/:id',
      permission: 'payments:read',
      summary: 'Get a transaction with its postings, parties, fees, related movements and seal',
      params: idParams,
      replies: { 200: schemas.detailsReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const found = await transactions.details(call, call.params.id);
        return found instanceof Refusal ? found : okJson(`{"transaction":${detailsJson(found)}}`);
      },
    }),
  ];
}

/** Metadata is inserted as the stored text, without parsing. */
function detailsJson({ metadata, ...rest }: TransactionDetails): string {
  return withMember(JSON.stringify(rest), 'metadata', metadata ?? 'null');
}
