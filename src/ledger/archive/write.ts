// Writes an archive's file: streams the rows through the compressor, and makes the file durable.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { Connection } from '../../db/driver/connection.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import { pages } from '../verification/findings.ts';
import {
  ARCHIVED,
  type ArchiveSeal,
  type ArchiveTable,
  fileNameOf,
  headerLine,
  MOVEMENT_SELECT,
  POSTING_SELECT,
  sealLine,
} from './format.ts';
import { seqAt } from './openings.ts';

/** An id is as old as its movement, or a little older. Clocks that were set back make it a little younger. */
const ID_LAG_MS = 3_600_000;

/** The files have the history of customers. */
const PRIVATE = { flags: 'wx', mode: 0o600 };

const PARTIAL = /^ledger-\d+-[\da-f-]{36}\.partial$/;

export const idBound = (before: number) => firstIdAt('txn', before + ID_LAG_MS);

// The shards of a cluster answer in any order. One PostgreSQL answers in the table's order.
const ROWS = (before: number, isDistributed: boolean): Record<ArchiveTable, string> => ({
  movements: `select ${MOVEMENT_SELECT} from movements
    where id < '${idBound(before)}' and at < to_timestamp(${before}::double precision / 1000) order by id`,
  postings: `select ${POSTING_SELECT} from postings where seq < ${seqAt(before)}
    ${isDistributed ? 'order by account_id, seq' : ''}`,
});

export interface ArchiveFile {
  directory: string;
  number: number;
  before: number;
  isDistributed: boolean;
  /** Called at the end of the rows; returns the MAC of the seal. */
  sealed(seal: Omit<ArchiveSeal, 'openings'>): { seal: ArchiveSeal; mac: Buffer };
}

/** The file appears under its name when it is complete and on the disk. Returns its path. */
export async function writeArchive(
  connection: Connection,
  { directory, number, before, isDistributed, sealed }: ArchiveFile,
): Promise<string> {
  let name = '';
  const digest = createHash('sha256');
  const counts = { movements: 0, postings: 0 };

  async function* lines(): AsyncGenerator<string> {
    const header = headerLine({ number, before });
    digest.update(header);
    yield header;
    for (const table of ['movements', 'postings'] as const) {
      for await (const page of pages(connection, `archived_${table}_${number}`, ROWS(before, isDistributed)[table])) {
        const text = page.map((row) => `${JSON.stringify([ARCHIVED[table].mark, ...row])}\n`).join('');
        counts[table] += page.length;
        digest.update(text);
        yield text;
      }
    }
    const { seal, mac } = sealed({ number, before, ...counts, sha256: digest.digest('hex') });
    name = fileNameOf(seal);
    yield sealLine(seal, mac);
  }

  await removeAbandoned(directory);
  const partial = join(directory, `ledger-${number}-${randomUUID()}.partial`);
  try {
    await pipeline(Readable.from(lines()), createZstdCompress(), createWriteStream(partial, PRIVATE));
    await sync(partial);
    const path = join(directory, name);
    await assertSameIfExists(path, partial);
    await rename(partial, path);
    await sync(directory);
    return path;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Files of runs that were killed while they wrote. One that is being written has changed a moment ago. */
async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!PARTIAL.test(name)) continue;
    const path = join(directory, name);
    // Somebody else may remove it at the same time.
    const found = await stat(path).catch(() => null);
    if (found && found.mtimeMs < Date.now() - DAY_MS) await rm(path, { force: true });
  }
}

/** As left by a run that was interrupted before its record was written. Another file of this name is not replaced. */
async function assertSameIfExists(path: string, written: string): Promise<void> {
  if (!existsSync(path)) return;
  const existing = await contentsOf(path).catch(() => 'cannot be read');
  if (existing !== (await contentsOf(written))) {
    throw new Error(`${path} exists and has other contents: move it away, and run the command again`);
  }
}

/** The lines, not the file's bytes: the compressor divides them into blocks as they arrive, so its output varies. */
async function contentsOf(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), createZstdDecompress(), digest);
  return digest.digest('hex');
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
