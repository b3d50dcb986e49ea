// A statement as a reply: JSON, or a CSV or PDF file.
import { type Reply, streamed } from '../../http/endpoint.ts';
import { iso } from '../../kernel/clock.ts';
import type { Format } from './schemas.ts';
import type { Statement } from './statement.ts';
import { statementPdf } from './statement-pdf.ts';
import { statementCsv, statementJson } from './statement-text.ts';

export function statementReply(statement: Statement, format: Format = 'json'): Reply {
  return REPLIES[format](statement);
}

const REPLIES: Record<Format, (statement: Statement) => Reply> = {
  json: (statement) => streamed(statementJson(statement), { 'content-type': 'application/json; charset=utf-8' }),
  csv: (statement) => streamed(statementCsv(statement), fileHeaders(statement, 'csv', 'text/csv; charset=utf-8')),
  pdf: (statement) => streamed(statementPdf(statement), fileHeaders(statement, 'pdf', 'application/pdf')),
};

function fileHeaders({ holder, from, to }: Statement, extension: string, type: string): Record<string, string> {
  const [first, last] = [iso(from), iso(to)].map((instant) => instant.slice(0, 10));
  const name = `kissi-statement-${holder.account_number.slice(-4)}-${first}-${last}.${extension}`;
  return { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` };
}
