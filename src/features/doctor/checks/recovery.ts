// Checks of what is left after a lost machine: WAL archive, base backups, standbys and read replicas.
import { openDatabase } from '../../../db/database.ts';
import { hostOf, urlPerHost } from '../../../db/failover/address.ts';
import { DAY_MS, HOUR_MS } from '../../../kernel/clock.ts';
import { walArchiving } from '../../reporting/service.ts';
import { newestBackup } from '../backups.ts';
import { type Check, type Examined, type Finding, fail, fine, warn } from '../check.ts';
import * as store from '../store.ts';

export const RECOVERY_CHECKS: readonly Check[] = [
  { id: 'wal_archive', area: 'recovery', name: 'WAL archive', run: walArchive },
  { id: 'backups', area: 'recovery', name: 'Base backups', run: backups },
  { id: 'standbys', area: 'recovery', name: 'Standbys', run: standbys },
  { id: 'read_replicas', area: 'recovery', name: 'Read replicas', run: readReplicas },
];

const RECOVER = 'docs/operations/recover.md';
const HIGH_AVAILABILITY = 'docs/operations/high-availability.md';

async function walArchive({ database, clock }: Examined): Promise<Finding> {
  const { enabled, archived, failed } = await walArchiving(database.pool);
  if (!enabled) {
    return fail(
      'The database does not archive its WAL: a lost disk loses every payment since the last backup.',
      `Configure archive_mode and archive_command (${RECOVER}).`,
    );
  }
  if (failed !== null && (archived === null || failed > archived)) {
    return fail(
      `Archiving fails since ${failed.toISOString()}: the disk fills up, and what is not archived can be lost.`,
      "Read the server's log, and mend archive_command.",
    );
  }
  if (archived === null)
    return warn('No WAL file has been archived yet.', 'Run select pg_switch_wal(), and look again.');
  const found = `The last WAL file was archived at ${archived.toISOString()}.`;
  if (clock.now() - archived.getTime() <= HOUR_MS) return fine(found);
  return warn(
    `${found} That is over an hour ago.`,
    'Set archive_timeout to a minute, so that quiet hours are archived too.',
  );
}

const BACKUP_WARNING_MS = 26 * HOUR_MS;
const BACKUP_ERROR_MS = 7 * DAY_MS;

async function backups({ config: { backupDir }, database, clock }: Examined): Promise<Finding> {
  const nightly = `Take one every night, and restore one now and then (${RECOVER}).`;
  if (backupDir === undefined) {
    return warn(
      'The service does not know where base backups are, so it cannot see their age.',
      `Set BACKUP_DIR to the directory of pg_basebackup's backups where npm run doctor runs. ${nightly}`,
    );
  }
  const newest = await newestBackup(backupDir, await store.systemIdentifier(database.queries));
  if (newest === null) return fail(`There is no base backup of this database in ${backupDir}.`, nightly);
  const ageMs = clock.now() - newest.at;
  const found = `The newest base backup is ${Math.max(0, Math.floor(ageMs / HOUR_MS))} hours old (${newest.name}).`;
  if (ageMs > BACKUP_ERROR_MS) return fail(found, nightly);
  return ageMs > BACKUP_WARNING_MS ? warn(found, nightly) : fine(found);
}

async function standbys({ database }: Examined): Promise<Finding> {
  const { connected, synchronous } = await store.standbys(database.queries);
  if (connected === 0) {
    return warn(
      'No standby follows the database: until it is restored from the archive, nobody can pay.',
      `Run a standby on another machine (${HIGH_AVAILABILITY}).`,
    );
  }
  const found = `Connected standbys: ${connected}.`;
  if (synchronous) return fine(`${found} A payment is acknowledged after one of them has it.`);
  return warn(
    `${found} They follow asynchronously: a failover can lose acknowledged payments.`,
    `Set synchronous_standby_names (${HIGH_AVAILABILITY}).`,
  );
}

const MAX_LAG_SECONDS = 60;

async function readReplicas({ config: { replicas } }: Examined): Promise<Finding> {
  if (!replicas) return fine('None are configured: lists and reports read from the primary.');
  const states = await Promise.all(urlPerHost(replicas.url).map(replicaFault));
  const faults = states.filter((fault) => fault !== null);
  if (faults.length === 0) return fine(`All of them follow: ${states.length}.`);
  return fail(
    `${faults.join('; ')}. Its share of reads goes to the primary.`,
    'Mend the replica, or take it out of DATABASE_READ_URL.',
  );
}

async function replicaFault(url: string): Promise<string | null> {
  const { host, port } = hostOf(url);
  const database = openDatabase({ url, poolSize: 1 });
  try {
    const { inRecovery, lagSeconds } = await store.replicaState(database.queries);
    if (!inRecovery) return `${host}:${port} is not a replica`;
    return lagSeconds > MAX_LAG_SECONDS ? `${host}:${port} is ${Math.round(lagSeconds)} s behind` : null;
  } catch (error) {
    return `${host}:${port} cannot be read from (${(error as Error).message})`;
  } finally {
    await database.close();
  }
}
