// Endpoints for receipts: the public link, the parties' own, and withdrawing a link.
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { acceptsPage, jsonOfPage, pageReply } from '../../http/pages/page.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { ReceiptPages } from './page.ts';
import * as schemas from './schemas.ts';
import type { Receipts } from './service.ts';

export function publicReceiptRoutes(receipts: Pick<Receipts, 'open'>, pages: ReceiptPages): Endpoint[] {
  return [
    endpoint({
      id: 'openReceipt',
      clientMethod: 'receipts.open',
      method: 'GET',
      path: '/r/:token',
      permission: 'anyone',
      summary: 'Open a receipt by its link',
      description:
        'For everybody who has the link: amount, masked parties, time and the status now, signed. Browsers get a page in English or Krio. A link that is wrong, withdrawn, older than 13 months or about a politically exposed person is answered alike: 404.',
      params: schemas.receiptParams,
      query: schemas.languageQuery,
      // Chats and social networks add parameters to links.
      ignoresQuery: true,
      perIpLimit: 'page',
      replies: { 200: schemas.publicReceiptReply },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const found = await receipts.open(call.params.token);
        if (found instanceof Refusal) return found;
        if (!acceptsPage(call.accept)) return jsonOfPage(schemas.receiptJson(found));
        return pageReply(200, pages.receipt(found, call));
      },
    }),
  ];
}

export function receiptRoutes(receipts: Pick<Receipts, 'ofTransaction'>): Endpoint[] {
  return [
    endpoint({
      id: 'getReceipt',
      clientMethod: 'transactions.receipt',
      method: 'GET',
      path: '/transactions/:id/receipt',
      permission: 'payments:read',
      summary: "Get a transaction's receipt, signed",
      description:
        'For callers who can read the transaction. A party opens the receipt here whatever became of its public link.',
      params: idParams,
      replies: { 200: schemas.receiptReply },
      refusals: ['NOT_FOUND', 'ARCHIVED', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const found = await receipts.ofTransaction(call, call.params.id);
        return found instanceof Refusal ? found : ok(schemas.receiptJson(found));
      },
    }),
  ];
}

export function receiptRevocationRoutes(receipts: Pick<Receipts, 'revoke'>): Endpoint[] {
  return [
    endpoint({
      id: 'revokeReceipt',
      clientMethod: 'transactions.revokeReceipt',
      method: 'POST',
      path: '/transactions/:id/receipt/revoke',
      permission: 'receipts:revoke',
      summary: 'Withdraw the public link of a receipt for good',
      description: 'For a link that reached the wrong people. Its parties still read the receipt through the API.',
      action: 'receipt.revoke',
      params: idParams,
      body: schemas.revokeBody,
      replies: { 200: schemas.revokeReply },
      refusals: ['NOT_FOUND', 'ARCHIVED', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const refusal = await receipts.revoke(call, call.params.id, call.body.reason);
        return refusal ?? ok({ success: true, message: 'The receipt link no longer opens.' });
      },
    }),
  ];
}
