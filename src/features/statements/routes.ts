// The endpoint of account statements, as JSON, CSV or PDF.
import { type Endpoint, endpoint, type Reply, streamed } from '../../http/endpoint.ts';
import { iso } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/refusal.ts';
import * as schemas from './schemas.ts';
import type { AccountStatements, Statement } from './service.ts';
import { statementPdf } from './statement-pdf.ts';
import { statementCsv, statementJson } from './statement-text.ts';

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
        return statement instanceof Refusal ? statement : REPLIES[call.body.format ?? 'json'](statement);
      },
    }),
  ];
}

const REPLIES: Record<schemas.Format, (statement: Statement) => Reply> = {
  json: (statement) => streamed(statementJson(statement), { 'content-type': 'application/json; charset=utf-8' }),
  csv: (statement) => streamed(statementCsv(statement), fileHeaders(statement, 'csv', 'text/csv; charset=utf-8')),
  pdf: (statement) => streamed(statementPdf(statement), fileHeaders(statement, 'pdf', 'application/pdf')),
};

function fileHeaders({ holder, from, to }: Statement, extension: string, type: string): Record<string, string> {
  const [first, last] = [iso(from), iso(to)].map((instant) => instant.slice(0, 10));
  const name = `kissi-statement-${holder.account_number.slice(-4)}-${first}-${last}.${extension}`;
  return { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` };
}
