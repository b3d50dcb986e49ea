// Archives a server's WAL and recovers from it, for drills.
import type { PostgresServer } from './postgres-server.ts';
import { waitUntil } from './sandbox.ts';

/** Copies to a temporary name, syncs and renames, so an archived file with its final name is always complete. */
export function archiveSettings(archive: string): string {
  const command = `test ! -f ${archive}/%f && cp %p ${archive}/.%f && sync ${archive}/.%f && mv ${archive}/.%f ${archive}/%f`;
  return `archive_mode = on\narchive_command = '${command}'\n`;
}

/** Turns archiving off: the restored server starts a new timeline, and the original archive must not change. */
export function recoverySettings(archive: string, targetTime?: string): string[] {
  const target = [`recovery_target_time = '${targetTime}'`, 'recovery_target_action = promote'];
  return ['archive_mode = off', `restore_command = 'cp ${archive}/%f %p'`, ...(targetTime ? target : [])];
}

/** Switches to a new WAL file and waits until the previous one is in the archive. */
export async function waitUntilArchived(server: PostgresServer): Promise<void> {
  const file = String(await server.query('select pg_walfile_name(pg_switch_wal())'));
  const last = async () => String(await server.query('select last_archived_wal from pg_stat_archiver'));
  await waitUntil(`${file} is archived`, async () => (await last()) >= file);
}
