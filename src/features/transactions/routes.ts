// The endpoint of the transaction history.
import { type Endpoint, endpoint, okJson } from '../../http/endpoint.ts';
import { pageOf } from '../../http/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { historyJson } from './history-json.ts';
import * as schemas from './schemas.ts';
import type { Transactions } from './service.ts';

export function transactionRoutes(transactions: Transactions): Endpoint[] {
  return [
    endpoint({
      id: 'listTransactions',
      clientMethod: 'transactions.list',
      readsReplica: true,
      method: 'GET',
      path: '/transactions',
      permission: 'payments:read',
      summary: 'List transactions, newest first, of one account or of all accounts',
      description:
        'Without an account it lists all movements that the caller may see. `cursor` continues a list that grows while it is read; `offset` is for jumping to a page.',
      query: schemas.transactionsQuery,
      replies: { 200: schemas.transactionsReply },
      refusals: ['SUBSCRIBER_NOT_FOUND', 'NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const page = pageOf(call.query);
        const found = await transactions.history(call, { ...call.query, ...page });
        return found instanceof Refusal ? found : okJson(historyJson(found, page));
      },
    }),
  ];
}
