// Carries out the operation of a command and shows the reply.
import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import type { Operation } from './command-table.ts';
import { UsageError } from './errors.ts';
import { type FlagValue, flagOf, isSecret } from './flag-names.ts';
import { jsonValue, missingFields, type RequestParts, requestParts } from './flags.ts';
import type { OperationFlags } from './global-flags.ts';
import { type OutputFlags, saveFile, showList, showReply } from './output/reply.ts';
import { jsonText, print, remark } from './output/terminal.ts';
import { canPrompt, prompt, readLine } from './prompt.ts';
import { type CallParts, Connection, connectionFlags } from './session/connection.ts';

export async function runOperation(
  operation: Operation,
  args: string[],
  values: Map<string, FlagValue>,
  flags: OperationFlags,
): Promise<void> {
  const connection = new Connection(connectionFlags(flags));
  const data = flags.data === undefined ? undefined : jsonValue('--data', flags.data);
  await readSecrets(operation, values);
  const parts = requestParts(operation, args, values, data);
  await completeSecrets(operation, parts);
  const [missing] = missingFields(operation, parts);
  if (missing)
    throw new UsageError(`${flagOf(missing)} is missing. See: kissi ${operation.family} ${operation.name} --help`);
  chooseFormat(operation, parts, flags);
  if (flags.csv) return exportCsv(connection, operation, parts, flags);
  if (flags.all) return showAll(connection, operation, parts, flags);
  const call: CallParts = { path: parts.path, query: parts.query, ...(await contentOf(operation, args, parts, flags)) };
  const key = keyOf(operation, parts);
  if (key !== null) remark(`${operation.key}: ${key}`);
  const reply = await connection.call(operation, key === null ? call : { ...call, idempotencyKey: key });
  await showReply(operation, reply, flags);
  if (reply?.lastResponse?.isReplay)
    remark('This is the stored reply to an earlier request with the same key. No money moved.');
}

/** `--output code.pdf` asks for a PDF. */
function chooseFormat({ query }: Operation, parts: RequestParts, { output }: OutputFlags): void {
  const ending = extname(output ?? '')
    .slice(1)
    .toLowerCase();
  const hasFormat = query.some(({ name, values }) => name === 'format' && values?.includes(ending));
  if (hasFormat) parts.query.format ??= ending;
}

/** Made here, so that it can be shown before the request is sent. */
function keyOf({ key }: Operation, { body }: RequestParts): string | null {
  if (!key) return null;
  return typeof body?.[key] === 'string' ? body[key] : randomUUID();
}

/** `--pin -` reads the value from standard input, so that it is not visible in the list of processes. */
async function readSecrets({ body }: Operation, values: Map<string, FlagValue>): Promise<void> {
  for (const field of body.filter(isSecret))
    if (values.get(field.name) === '-') values.set(field.name, await readLine());
}

async function completeSecrets(operation: Operation, parts: RequestParts): Promise<void> {
  if (!canPrompt() || !parts.body) return;
  for (const field of missingFields(operation, parts).filter(isSecret)) {
    parts.body[field.name] = await prompt(`${field.name.replaceAll('_', ' ')}: `, { hidden: true });
  }
}

async function contentOf(
  { upload, path }: Operation,
  args: string[],
  { body }: RequestParts,
  flags: OperationFlags,
): Promise<CallParts> {
  if (!upload) return body === undefined ? {} : { body };
  const { openUpload } = await import('./upload.ts');
  return openUpload(args[path.length] ?? '-', upload, flags.contentType);
}

async function exportCsv(
  connection: Connection,
  operation: Operation,
  parts: RequestParts,
  flags: OutputFlags,
): Promise<void> {
  const stream = await connection.call(operation, { ...withBody(parts), accept: 'text/csv' });
  await saveFile(stream as unknown as ReadableStream<Uint8Array>, { ...flags, isText: true });
}

function withBody({ path, query, body }: RequestParts): CallParts {
  return body === undefined ? { path, query } : { path, query, body };
}

/** JSON is one record per line, so that a long list needs no memory. */
async function showAll(
  connection: Connection,
  operation: Operation,
  parts: RequestParts,
  flags: OutputFlags,
): Promise<void> {
  const rows: Record<string, unknown>[] = [];
  for await (const row of allRecords(connection, operation, parts)) {
    if (flags.json) print(jsonText(row));
    else rows.push(row);
  }
  if (!flags.json) await showList(operation, rows, flags);
}

async function* allRecords(connection: Connection, operation: Operation, parts: RequestParts) {
  const { List } = await import('@kissi/client');
  const inBody = operation.body.some(({ name }) => name === 'limit');
  const page = (changes: Record<string, unknown>) => {
    const { path, query, body } = parts;
    // The largest page, so that there are few requests; a smaller one can be asked for with --limit.
    const paging = { limit: inBody ? 100 : '100', ...(inBody ? body : query), ...changes };
    return connection.call(operation, inBody ? { path, query, body: paging } : withBody({ path, query: paging, body }));
  };
  const csv = () => Promise.reject(new Error('not used'));
  yield* new List<unknown, Record<string, unknown>>({ page, csv, items: operation.items ?? '' });
}
