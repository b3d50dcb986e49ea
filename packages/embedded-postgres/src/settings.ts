// PostgreSQL settings of the embedded server, written to kissi.conf before each start and included by postgresql.conf.
import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import type { OsUser } from './command.ts';
import { readOptional, writeFileAtomically } from './files.ts';

const FILE = 'kissi.conf';

/** Only part of the socket's file name: the server does not listen on a TCP port. */
export const PORT = 5432;

const MEGABYTE = 1024 * 1024;

/** An eighth of the memory, 128 MB to 1 GB: enough for the hot part of the ledger. Memory is allocated as it is used. */
function sharedBuffers(): string {
  return `${Math.min(1024, Math.max(128, Math.floor(totalmem() / MEGABYTE / 8)))}MB`;
}

const SETTINGS: Readonly<Record<string, string>> = {
  // Connections through the Unix socket only; its directory is accessible to PostgreSQL's user and root.
  listen_addresses: '',
  port: String(PORT),
  unix_socket_permissions: '0700',
  password_encryption: 'scram-sha-256',

  // Durability: a transaction is on disk before the client gets the reply to its commit.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',

  max_connections: '100',
  shared_buffers: sharedBuffers(),
  // After a checkpoint the first change of each page writes the whole page to the log, so checkpoints are rare. max_wal_size
  // limits the log, and with it the time of a recovery.
  max_wal_size: '2GB',
  checkpoint_timeout: '1h',
  timezone: 'UTC',

  // One log file per weekday, truncated when it is reused, so that the logs cover a week and cannot grow without bound.
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'postgresql-%a.log',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_truncate_on_rotation: 'on',
  log_file_mode: '0600',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',

  // No personal data in the log: no statements, no parameters. Messages of level ERROR are excluded as well, because they
  // can quote a value ("invalid input syntax for …"), and the client that caused the error receives it anyway.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_min_duration_statement: '-1',
  log_statement: 'none',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
};

interface SettingsSource {
  binaries: Binaries;
  socketDirectory: string;
  overrides: Readonly<Record<string, string>>;
}

export function renderSettings({ binaries, socketDirectory, overrides }: SettingsSource): string {
  // The version and location of the binaries are part of the text, so that changing them also restarts a running server.
  const lines = [
    '# Written by Kissi before each start. Put your own settings at the end of postgresql.conf.',
    `# PostgreSQL ${binaries.version} in ${JSON.stringify(binaries.directory)}`,
  ];
  // The setting is a comma-separated list; double quotes protect a path that contains a comma.
  const socketDirectories = `"${socketDirectory.replaceAll('"', '""')}"`;
  const all = { ...SETTINGS, unix_socket_directories: socketDirectories, ...overrides };
  for (const [name, value] of Object.entries(all)) lines.push(`${name} = ${quote(value)}`);
  return `${lines.join('\n')}\n`;
}

function quote(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll('\n', '\\n')}'`;
}

/** The file is written only while the server is stopped, so it contains the settings of a running server. */
export async function settingsMatch(pgdata: string, wanted: string): Promise<boolean> {
  return (await readOptional(join(pgdata, FILE))) === wanted;
}

export async function writeSettings(pgdata: string, wanted: string, owner: OsUser): Promise<void> {
  if (!(await settingsMatch(pgdata, wanted)))
    await writeFileAtomically(join(pgdata, FILE), wanted, { mode: 0o600, owner });
  // Without this line PostgreSQL would use its defaults and listen on TCP, so it is added again if it is missing.
  const mainFile = join(pgdata, 'postgresql.conf');
  const include = `include = '${FILE}'`;
  const content = await readFile(mainFile, 'utf8');
  if (content.split('\n').includes(include)) return;
  await writeFileAtomically(mainFile, `${content}\n${include}\n`, { mode: 0o600, owner });
}
