// Reads the file of an archive back and compares it with its record.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { createZstdDecompress } from 'node:zlib';
import type { Columns } from '../../db/driver/statement.ts';
import { ARCHIVED, type ArchiveSeal, type ArchiveTable, fileNameOf, isSealLine } from './format.ts';

export interface ArchiveFault {
  rule: 'archive_missing' | 'archive_differs';
  detail: string;
}

type EachRow = (table: ArchiveTable, row: Columns) => Promise<void>;

const TABLES = Object.keys(ARCHIVED) as ArchiveTable[];

/**
 * Returns what is wrong with the file; null: it is the archive that the record seals. `each` gets the rows before that is
 * known.
 */
export async function readArchive(
  directory: string,
  seal: ArchiveSeal,
  each: EachRow = async () => undefined,
): Promise<ArchiveFault | null> {
  const name = fileNameOf(seal);
  const counts: Record<ArchiveTable, number> = { movements: 0, postings: 0 };
  const digest = createHash('sha256');
  let isSealed = false;
  try {
    for await (const line of linesOf(join(directory, name))) {
      if (isSealed) throw new Error('lines follow its seal');
      isSealed = isSealLine(line);
      if (isSealed) continue;
      digest.update(line).update('\n');
      if (!line.startsWith('[')) continue;
      const [mark, ...row] = JSON.parse(line) as string[];
      const table = TABLES.find((name) => ARCHIVED[name].mark === mark);
      if (!table) throw new Error(`a line begins with ${mark}`);
      counts[table] += 1;
      await each(table, row);
    }
    if (!isSealed) throw new Error('its seal is missing');
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT') return { rule: 'archive_missing', detail: `there is no file ${name}` };
    return { rule: 'archive_differs', detail: `${name} cannot be read: ${(error as Error).message}` };
  }
  const { movements, postings } = counts;
  if (digest.digest('hex') !== seal.sha256 || movements !== seal.movements || postings !== seal.postings) {
    return { rule: 'archive_differs', detail: `${name} is not the file that was written` };
  }
  return null;
}

/** Not readline: it also ends lines at characters that JSON does not escape. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  const file = createReadStream(path);
  const content = createZstdDecompress();
  file.on('error', (error) => content.destroy(error));
  let rest = '';
  for await (const chunk of file.pipe(content)) {
    const lines = (rest + decoder.write(chunk as Buffer)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw new Error('it ends within a line');
}
