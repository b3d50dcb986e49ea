// Finds the base backups that pg_basebackup made: when each began, and of which server.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface BaseBackup {
  /** Its directory. */
  name: string;
  /** When it began. */
  at: number;
}

const MANIFEST = 'backup_manifest';

/** Null: there is none. pg_basebackup writes the manifest last, so a backup that has one is complete. */
export async function newestBackup(directory: string, systemIdentifier: string): Promise<BaseBackup | null> {
  const names = await readdir(directory);
  const found = await Promise.all(['.', ...names].map((name) => readBackup(join(directory, name), systemIdentifier)));
  return found.filter((each) => each !== null).sort((one, other) => other.at - one.at)[0] ?? null;
}

interface Manifest {
  /** From PostgreSQL 17 on. */
  'System-Identifier'?: number;
  Files?: { Path?: string; 'Last-Modified'?: string }[];
}

/** The control file is written by the checkpoint that begins a backup. Its time in the manifest survives copying. */
async function readBackup(path: string, systemIdentifier: string): Promise<BaseBackup | null> {
  const text = await readFile(join(path, MANIFEST), 'utf8').catch(() => null);
  if (text === null) return null;
  // Too large for a number of JavaScript.
  const identifier = /"System-Identifier":\s*(\d+)/.exec(text)?.[1];
  if (identifier !== undefined && identifier !== systemIdentifier) return null;
  const control = (JSON.parse(text) as Manifest).Files?.find((file) => file.Path === 'global/pg_control');
  const at = Date.parse(control?.['Last-Modified'] ?? '');
  return Number.isNaN(at) ? null : { name: path, at };
}
