// The endpoint of account statements, as JSON, CSV or PDF.
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import * as schemas from './schemas.ts';
import { type AccountStatements, statementReply } from './service.ts';

export function statementRoutes(statements: AccountStatements): Endpoint[] {
  return [
    endpoint({
      id: 'getAccountStatement',
      clientMethod: 'wallet.statement',
      readsReplica: true,
      method: 'POST',
      path: '/wallet/account-statement',
      lane: 'reads',
      permission: 'statements',
      summary: "Get a wallet's statement for a period of at most 366 days, as JSON, CSV or PDF",
      description: 'The opening balance plus all entries is the closing balance. `format` is json, csv or pdf.',
      body: schemas.statementBody,
      replies: { 200: schemas.statementReply },
      refusals: ['SUBSCRIBER_NOT_FOUND', 'ARCHIVED', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const statement = await statements.statement(call, call.body);
        return statement instanceof Refusal ? statement : statementReply(statement, call.body.format);
      },
    }),
  ];
}
