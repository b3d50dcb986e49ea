// Reads an uploaded bank statement while it arrives: its format by the media type, its text, its entries and its hash.
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { FileChunks } from '../../../../http/upload.ts';
import { type Refusal, refuse } from '../../../../kernel/refusal.ts';
import { Utf8Text } from '../../../../kernel/utf8-text.ts';
import { type ArchivedFile, FileArchive } from './archive.ts';
import { Camt053Parser } from './camt053.ts';
import { CsvStatementParser } from './csv.ts';
import { StatementFault } from './fault.ts';
import { Mt940Parser } from './mt940.ts';
import type { ExpectedAccount, ParsedStatement, StatementParser } from './statement-builder.ts';

interface Format {
  name: 'camt.053' | 'mt940' | 'csv';
  parser: new (expected: ExpectedAccount) => StatementParser;
}

const FORMATS: Record<string, Format> = {
  'application/xml': { name: 'camt.053', parser: Camt053Parser },
  'text/plain': { name: 'mt940', parser: Mt940Parser },
  'text/csv': { name: 'csv', parser: CsvStatementParser },
};
export const MEDIA_TYPES = ['application/xml', 'text/plain', 'text/csv'] as const;

/** Parsing this many bytes takes a few milliseconds. Payments are served between two pieces. */
const PIECE_BYTES = 16 * 1024;

export interface ReadStatement extends ParsedStatement {
  format: Format['name'];
  file: ArchivedFile;
}

export async function readStatement(
  file: FileChunks,
  mediaType: string,
  expected: ExpectedAccount,
): Promise<ReadStatement | Refusal> {
  const format = FORMATS[mediaType];
  if (!format) throw new Error(`no format has the media type ${mediaType}`);
  const [parser, text, archive] = [new format.parser(expected), new Utf8Text(notUtf8), new FileArchive()];
  try {
    for await (const chunk of file) {
      await archive.push(chunk);
      for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
        await parser.push(text.push(chunk.subarray(from, from + PIECE_BYTES)));
        await yieldToOthers();
      }
    }
    await parser.push(text.end());
    return { ...(await parser.end()), format: format.name, file: await archive.end() };
  } catch (error) {
    archive.discard();
    if (error instanceof StatementFault) return invalid(error.message);
    throw error;
  }
}

function notUtf8(sentence: string): StatementFault {
  return new StatementFault(sentence);
}

export function invalid(sentence: string): Refusal {
  return refuse('STATEMENT_INVALID', `${sentence} Nothing was stored.`);
}
