// The endpoint of the transaction history.
import { type Endpoint, endpoint, ok, okJson } from '../../http/endpoint.ts';
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
    endpoint({
      id: 'getTransactionSums',
      clientMethod: 'transactions.sums',
      readsReplica: true,
      method: 'GET',
      path: '/transactions/sums',
      permission: 'payments:read',
      summary: 'Add up the transactions that the list with the same filters shows',
      description: 'Needs `from` and `to`, at most 31 days apart, or an account.',
      query: schemas.sumsQuery,
      replies: { 200: schemas.sumsReply },
      refusals: ['SUBSCRIBER_NOT_FOUND', 'NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const sums = await transactions.sums(call, call.query);
        if (sums instanceof Refusal) return sums;
        const { complete, ...rest } = sums;
        return ok({ ...rest, ...(complete ? {} : { is_minimum: true as const }) });
      },
    }),
  ];
}
