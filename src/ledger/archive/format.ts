// The format of archives: a compressed file of JSON lines, and the record that seals it.
//
// The first line names the archive. Then follow the movements (["m", columns…]) and the postings (["p", columns…]). The last
// line is the seal: the record that the table ledger_archives has as well.
import { createHmac, type KeyObject } from 'node:crypto';
import { MOVEMENT_COLUMNS, POSTING_COLUMNS, selectList } from '../seals/format.ts';

export interface ArchiveSeal {
  number: number;
  /** Milliseconds since 1970. */
  before: number;
  movements: number;
  postings: number;
  /** Digest of the lines before the last. */
  sha256: string;
  /** Digest of the opening balances (openings.ts). */
  openings: string;
}

const VERSION = 1;
/** The first byte of each MAC: neither a seal of a batch nor the start of a chain can pass as an archive. */
const ARCHIVE_MAC = 0x41;

export const NO_ARCHIVE = Buffer.alloc(32);

/** `previous`: the previous archive's MAC, or NO_ARCHIVE. */
export function archiveMac(key: KeyObject, previous: Buffer, seal: ArchiveSeal): Buffer {
  const { number, before, movements, postings, sha256, openings } = seal;
  return createHmac('sha256', key)
    .update(Buffer.from([ARCHIVE_MAC, VERSION]))
    .update(previous)
    .update(JSON.stringify([number, before, movements, postings, sha256, openings]))
    .digest();
}

/** With the start of the digest: archives of two databases in one directory have different names. */
export function fileNameOf({ number, sha256 }: Pick<ArchiveSeal, 'number' | 'sha256'>): string {
  return `ledger-${String(number).padStart(4, '0')}-${sha256.slice(0, 12)}.jsonl.zst`;
}

export function headerLine({ number, before }: Pick<ArchiveSeal, 'number' | 'before'>): string {
  return `${JSON.stringify({ kissi: 'ledger archive', version: VERSION, number, before: new Date(before).toISOString() })}\n`;
}

const SEAL_START = '{"seal":';

export function sealLine(seal: ArchiveSeal, mac: Buffer): string {
  return `${JSON.stringify({ seal: { ...seal, mac: mac.toString('hex') } })}\n`;
}

export function isSealLine(line: string): boolean {
  return line.startsWith(SEAL_START);
}

const MICROS = '(extract(epoch from at) * 1000000)::bigint';

/** Movements have their time in microseconds and their batch after the sealed columns. */
export const MOVEMENT_SELECT = `${selectList(MOVEMENT_COLUMNS)}, ${MICROS}, batch`;
export const POSTING_SELECT = selectList(POSTING_COLUMNS);

export type ArchiveTable = 'movements' | 'postings';

/** The mark of a row's line, and how its columns are stored again. */
export const ARCHIVED: Readonly<
  Record<ArchiveTable, { mark: string; columns: readonly [name: string, sql: string][] }>
> = {
  movements: {
    mark: 'm',
    columns: [
      ...MOVEMENT_COLUMNS.map(([name, encoding]): [string, string] => [name, `::${typeOf(encoding)}`]),
      ['at', `::bigint * interval '1 microsecond' + timestamptz 'epoch'`],
      ['batch', '::bigint'],
    ],
  },
  postings: {
    mark: 'p',
    columns: POSTING_COLUMNS.map(([name, encoding]): [string, string] => [name, `::${typeOf(encoding)}`]),
  },
};

function typeOf(encoding: string): string {
  return encoding === 'integer' ? 'bigint' : encoding;
}
