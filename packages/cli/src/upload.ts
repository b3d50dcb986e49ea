// The body of an upload, with a progress bar on a terminal.
import { createReadStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { UsageError } from './errors.ts';
import { counted } from './output/progress.ts';
import type { CallParts } from './session/connection.ts';

const TYPES: Record<string, string> = {
  '.csv': 'text/csv',
  '.xml': 'application/xml',
  '.txt': 'text/plain',
  '.sta': 'text/plain',
  '.940': 'text/plain',
};

export async function openUpload(
  file: string,
  accepted: readonly string[],
  contentType: string | undefined,
): Promise<CallParts> {
  const type = contentType ?? typeOf(file, accepted);
  if (!accepted.includes(type)) throw new UsageError(`--content-type must be one of ${accepted.join(', ')}.`);
  if (file === '-') return { body: new Uint8Array(await buffer(process.stdin)), contentType: type };
  const { size } = await stat(file).catch((error: Error) => {
    throw new UsageError(`${file} cannot be read: ${error.message}`);
  });
  // A stream cannot be sent again after a failure, so that only people who watch get one.
  if (!process.stderr.isTTY) return { body: await openAsBlob(file), contentType: type };
  const { through } = counted(size);
  return { body: Readable.toWeb(createReadStream(file).pipe(through)), contentType: type };
}

function typeOf(file: string, accepted: readonly string[]): string {
  const known = TYPES[extname(file).toLowerCase()];
  if (known !== undefined && accepted.includes(known)) return known;
  if (accepted.length === 1 && accepted[0] !== undefined) return accepted[0];
  throw new UsageError(`The format of ${file} is not known: choose it with --content-type (${accepted.join(', ')}).`);
}
