// The settings of the embedded server, written to a file of our own before each start.
import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { readIfThere, writeWhole } from './files.ts';
import type { Account } from './tool.ts';

const FILE = 'kissi.conf';

/** Part of the socket's name only: nothing listens on a port. */
export const PORT = 5432;

const MEGABYTE = 1024 * 1024;

/** What the busiest of the books fit into, where the machine has the room; taken as it is used. */
function sharedBuffers(): string {
  return `${Math.min(1024, Math.max(128, Math.floor(totalmem() / MEGABYTE / 8)))}MB`;
}

const SETTINGS: Readonly<Record<string, string>> = {
  // Nobody connects but through the socket, and only the same user and root can enter its folder.
  listen_addresses: '',
  port: String(PORT),
  unix_socket_permissions: '0700',
  password_encryption: 'scram-sha-256',

  // What was answered as done is on disk.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',

  max_connections: '100',
  shared_buffers: sharedBuffers(),
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  timezone: 'UTC',

  // One file for each day of the week, emptied when its day comes again: the log cannot grow for ever.
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'postgresql-%a.log',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_truncate_on_rotation: 'on',
  log_file_mode: '0600',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',

  // Nothing from statements or parameters in the log. The text of an ordinary error can quote a value too ("invalid
  // input syntax for …"), and the client that caused it is told anyway: the log begins above errors, with LOG itself.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_min_duration_statement: '-1',
  log_statement: 'none',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
};

export function renderSettings(source: {
  binaries: Binaries;
  socketFolder: string;
  extra: Readonly<Record<string, string>>;
}): string {
  // Another version or another place of the programs also counts as other settings: the server then starts afresh.
  const lines = [
    '# Written by Kissi before each start: put settings of your own at the end of postgresql.conf.',
    `# PostgreSQL ${source.binaries.version} in ${JSON.stringify(source.binaries.folder)}`,
  ];
  // A list of folders in which a comma separates, unless the name stands in double quotes.
  const socketFolders = `"${source.socketFolder.replaceAll('"', '""')}"`;
  const all = { ...SETTINGS, unix_socket_directories: socketFolders, ...source.extra };
  for (const [name, value] of Object.entries(all)) lines.push(`${name} = ${quote(value)}`);
  return `${lines.join('\n')}\n`;
}

function quote(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll('\n', '\\n')}'`;
}

/** The file is written only while the server is down, so it tells what a running server was started with. */
export async function sameSettings(folder: string, wanted: string): Promise<boolean> {
  return (await readIfThere(join(folder, FILE))) === wanted;
}

export async function writeSettings(folder: string, wanted: string, owner: Account): Promise<void> {
  if (!(await sameSettings(folder, wanted))) await writeWhole(join(folder, FILE), wanted, { mode: 0o600, owner });
  // Without this line PostgreSQL would run by its defaults and listen on the network: it is put back if it was lost.
  const main = join(folder, 'postgresql.conf');
  const include = `include = '${FILE}'`;
  const content = await readFile(main, 'utf8');
  if (content.split('\n').includes(include)) return;
  await writeWhole(main, `${content}\n${include}\n`, { mode: 0o600, owner });
}
