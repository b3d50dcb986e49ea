// Shows an operation's reply: for people, as JSON, or as a file.
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Operation } from '../command-table.ts';
import { UsageError } from '../errors.ts';
import { label } from './format.ts';
import { counted } from './progress.ts';
import { renderRecord } from './record.ts';
import { jsonText, print, printable, remark, styled, terminalWidth } from './terminal.ts';

export interface OutputFlags {
  json?: boolean;
  csv?: boolean;
  all?: boolean;
  output?: string;
  columns?: string;
}

type Row = Record<string, unknown>;

export async function showReply(operation: Operation, reply: unknown, flags: OutputFlags): Promise<void> {
  if (reply instanceof Blob) return saveFile(reply.stream(), { ...flags, totalBytes: reply.size });
  if (typeof reply === 'string') return print(printable(reply.trimEnd()));
  if (flags.json) return print(jsonText(reply ?? null, 2));
  if (reply === undefined) return print('Done.');
  const list = operation.items === undefined ? undefined : (reply as Row)[operation.items];
  if (Array.isArray(list)) return showList(operation, list as Row[], flags, reply as Row);
  const { message, ...rest } = reply as Row;
  if (typeof message === 'string' && message !== '') print(styled('green', printable(message)));
  const text = await renderRecord(rest, { ...formatOf(operation, rest), width: terminalWidth() });
  if (text !== '') print(text);
}

const formatOf = ({ money = [] }: Operation, record: Row) => ({
  money: new Set(money),
  ...(typeof record.currency === 'string' ? { currency: record.currency } : {}),
});

/** `page`: the reply of the service with the counts; absent if all pages were read. */
export async function showList(operation: Operation, rows: Row[], flags: OutputFlags, page?: Row): Promise<void> {
  if (rows.length === 0) return print('No records.');
  const columns = flags.columns?.split(',').map((name) => name.trim().replaceAll('-', '_')) ?? operation.columns ?? [];
  const unknown = columns.find((name) => !rows.some((row) => name in row));
  if (flags.columns !== undefined && unknown !== undefined) {
    throw new UsageError(`There is no column ${unknown}. The columns are ${Object.keys(rows[0] ?? {}).join(', ')}.`);
  }
  const { renderTable } = await import('./table.ts');
  const width = flags.columns === undefined ? terminalWidth() : Number.POSITIVE_INFINITY;
  const { text, omitted } = renderTable(rows, { ...formatOf(operation, {}), columns, width });
  print(text);
  if (page) remark(pageRemark(rows.length, page));
  if (omitted.length > 0) remark(`Not shown: ${omitted.map(label).join(', ')}. Choose with --columns, or use --json.`);
}

function pageRemark(shown: number, { total_count: total, offset, next_cursor: cursor }: Row): string {
  const end = Number(offset ?? 0) + shown;
  const of = typeof total === 'number' ? ` of ${total.toLocaleString('en')}` : '';
  if (typeof cursor === 'string') return `${shown}${of} shown. Next page: --cursor ${cursor}. All: --all`;
  return typeof total === 'number' && end < total
    ? `${shown}${of} shown. Next page: --offset ${end}. All: --all`
    : `${shown}${of} shown.`;
}

/** Writes to --output with a progress bar, or to standard output. Files are not shown on a terminal. */
export async function saveFile(
  stream: ReadableStream<Uint8Array>,
  { output, totalBytes, isText = false }: OutputFlags & { totalBytes?: number; isText?: boolean },
): Promise<void> {
  if (output === undefined) {
    if (process.stdout.isTTY && !isText)
      throw new UsageError('The reply is a file: choose where to store it with --output FILE.');
    await pipeline(Readable.fromWeb(stream as never), process.stdout, { end: false });
    return;
  }
  const progress = counted(totalBytes ?? null);
  await storing(output, () => pipeline(Readable.fromWeb(stream as never), progress.through, createWriteStream(output)));
  progress.end();
  remark(`${progress.bytes().toLocaleString('en')} bytes written to ${output}.`);
}

const FAULTS: Record<string, string> = {
  EISDIR: 'it is a folder: name a file',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** A file that cannot be written is a sentence, and no stack trace. */
export async function storing(output: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const fault = FAULTS[(error as NodeJS.ErrnoException).code ?? ''];
    throw fault === undefined ? error : new UsageError(`${output} cannot be written: ${fault}.`);
  }
}
