// npm run backup:drill: takes backups during payments, destroys the database, restores it and verifies the payments.
// Exits 0 if every payment acknowledged before the restore point is present. Skips parts whose tools are not installed.
import { appendFile, chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '@kissi/embedded-postgres';
import { readArguments } from './arguments.ts';
import {
  acknowledgedEntries,
  copyLedger,
  type Ledger,
  makePayments,
  openLedger,
  verifyPayments,
} from './drill/payments.ts';
import { destroyServer, initServer, makeDirectory, type PostgresServer, serverAt } from './drill/postgres-server.ts';
import { findPostgresql, INSTALL_COMMAND, print, runDrill, type Sandbox } from './drill/sandbox.ts';
import { type DatabaseLocation, type Service, startService, verifyLedger } from './drill/service.ts';

const PAYMENTS_PER_PHASE = 40;

readArguments({
  usage: `npm run backup:drill
Takes backups in a temporary directory while payments are made, destroys the database, restores it and verifies the payments.`,
  failure: 'The drill was not started',
  failureCode: 1,
});
const postgresql = await findPostgresql();
await runDrill('backup', async (sandbox) => {
  if (postgresql) await drillStandaloneServer(sandbox, postgresql);
  else print(`Skipped base backups and dumps: PostgreSQL's tools are not installed. On Debian:\n  ${INSTALL_COMMAND}`);
  await drillEmbeddedServer(sandbox);
});

/** Restores a base backup with archived WAL, to a point in time and then to the end; then restores a dump. */
async function drillStandaloneServer(sandbox: Sandbox, bin: string): Promise<void> {
  const tool = (name: string, ...args: string[]) => sandbox.run(join(bin, name), ...args);
  print(`Server from ${bin} with WAL archiving:`);
  const archive = await makeDirectory(sandbox, 'archive');
  const live = await initServer(sandbox, bin, 'live', archiveSettings(archive));
  const base = join(sandbox.directory, 'base');
  const {
    atTarget: ledgerAtTarget,
    atEnd: ledgerAtEnd,
    targetTime,
  } = await payAndBackUp(sandbox, live, async () => {
    await tool('pg_basebackup', '-d', live.superuserUrl, '-D', base, '-X', 'stream', '-c', 'fast');
    await tool('pg_verifybackup', base);
    print('  pg_basebackup taken during payments and checked with pg_verifybackup');
  });
  await destroyServer(live);
  print('  server killed with kill -9 and its data directory deleted');

  const restore = async (name: string, recoveryTarget: string) => {
    const server = await serverAt(sandbox, bin, name);
    await sandbox.run('cp', '-a', base, server.pgdata);
    await configureRecovery(server.pgdata, archive, recoveryTarget);
    await sandbox.run('touch', join(server.pgdata, 'recovery.signal'));
    await server.start();
    return server;
  };
  const atTarget = await restore('target', `recovery_target_time = '${targetTime}'\nrecovery_target_action = promote`);
  await verifyRestored(sandbox, { databaseUrl: atTarget.url }, ledgerAtTarget, `  restored to ${targetTime}`);
  const atEnd = await restore('end', '');
  await verifyRestored(sandbox, { databaseUrl: atEnd.url }, ledgerAtEnd, '  restored to the end of the archive');

  const dump = join(sandbox.directory, 'kissi.dump');
  await tool('pg_dump', '-Fc', '-d', atEnd.url, '-f', dump);
  const roles = join(sandbox.directory, 'roles.sql');
  await tool('pg_dumpall', '-d', atEnd.superuserUrl, '--roles-only', '-f', roles);
  const other = await initServer(sandbox, bin, 'other', '');
  await tool('psql', '-q', '-d', other.superuserUrl, '-f', roles);
  await tool('pg_restore', '--exit-on-error', '-d', other.url, dump);
  const name = '  pg_dump restored with pg_restore on another server';
  await verifyRestored(sandbox, { databaseUrl: other.url }, ledgerAtEnd, name);
}

interface BackupHistory {
  /** The payments acknowledged before `targetTime`. */
  atTarget: Ledger;
  /** All acknowledged payments. */
  atEnd: Ledger;
  targetTime: string;
}

/** Makes payments before, during and after the backup, records the target time, and makes some more. */
async function payAndBackUp(
  sandbox: Sandbox,
  live: PostgresServer,
  backUp: () => Promise<void>,
): Promise<BackupHistory> {
  const service = await startService({ databaseUrl: live.url, dataDir: sandbox.directory }, sandbox.directory);
  try {
    const ledger = await openLedger(service);
    const pay = (phase: string) => makePayments(service, ledger, phase, PAYMENTS_PER_PHASE);
    await pay('before');
    await Promise.all([backUp(), pay('during')]);
    await pay('after');
    const atTarget = copyLedger(ledger);
    const targetTime = String(await live.query('select clock_timestamp()::text'));
    await pay('late');
    await waitUntilArchived(live);
    return { atTarget, atEnd: ledger, targetTime };
  } finally {
    await service.stop();
  }
}

/** Copies to a temporary name, syncs and renames, so an archived file with its final name is always complete. */
function archiveSettings(archive: string): string {
  const command = `test ! -f ${archive}/%f && cp %p ${archive}/.%f && sync ${archive}/.%f && mv ${archive}/.%f ${archive}/%f`;
  return `archive_mode = on\narchive_command = '${command}'\n`;
}

/** Switches to a new WAL file and waits until the previous one is in the archive. */
async function waitUntilArchived(server: PostgresServer): Promise<void> {
  const file = await server.query('select pg_walfile_name(pg_switch_wal())');
  for (let tries = 0; tries < 300; tries++) {
    if (String(await server.query('select last_archived_wal from pg_stat_archiver')) >= String(file)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${file} was not archived within 30 s`);
}

/** Turns archiving off: the restored server starts a new timeline, and the original archive must not change. */
async function configureRecovery(pgdata: string, archive: string, recoveryTarget: string): Promise<void> {
  const settings = ['archive_mode = off', `restore_command = 'cp ${archive}/%f %p'`, recoveryTarget];
  await appendFile(join(pgdata, 'postgresql.conf'), `${settings.join('\n')}\n`);
}

/** Restores a cold copy of DATA_DIR, with archived WAL to a point in time, then on its own. Needs no other tools. */
async function drillEmbeddedServer(sandbox: Sandbox): Promise<void> {
  print('Embedded server with WAL archiving:');
  const archive = await makeDirectory(sandbox, 'embedded-archive');
  const dataDir = await makeDirectory(sandbox, 'data');
  const first = await startService({ dataDir }, sandbox.directory);
  const ledger = await openLedger(first).finally(first.stop);
  await appendFile(join(dataDir, 'postgres', 'postgresql.conf'), archiveSettings(archive));
  const pay = (service: Service, phase: string) => makePayments(service, ledger, phase, PAYMENTS_PER_PHASE);
  await withService(sandbox, { dataDir }, (service) => pay(service, 'before'));
  const copy = join(sandbox.directory, 'copy');
  await copyDirectory(dataDir, copy);
  const atCopy = copyLedger(ledger);
  const { atTarget, targetTime } = await withService(sandbox, { dataDir }, async (service) => {
    await pay(service, 'after');
    const atTarget = copyLedger(ledger);
    // recovery_target_time accepts neither T nor Z.
    const targetTime = new Date().toISOString().replace('T', ' ').replace('Z', '+00');
    await pay(service, 'late');
    return { atTarget, targetTime };
  });
  print('  stopped, copied and restarted, with payments before and after');

  const restored = join(sandbox.directory, 'data-restored');
  await copyDirectory(copy, restored);
  // hot_standby = off rejects connections until recovery is complete, so the service waits for it.
  const target = `recovery_target_time = '${targetTime}'\nrecovery_target_action = promote\nhot_standby = off`;
  await configureRecovery(join(restored, 'postgres'), archive, target);
  const signal = join(restored, 'postgres', 'recovery.signal');
  await writeFile(signal, '');
  await chown(signal, sandbox.osUser.uid, sandbox.osUser.gid);
  const name = `  copy restored to ${targetTime} with the archive`;
  await verifyRestored(sandbox, { dataDir: restored }, atTarget, name);
  await appendFile(join(copy, 'postgres', 'postgresql.conf'), 'archive_mode = off\n');
  await verifyRestored(sandbox, { dataDir: copy }, atCopy, '  copy alone');
}

/** Runs as the user who started the drill: DATA_DIR contains files owned by root and by PostgreSQL's user. */
async function copyDirectory(from: string, to: string): Promise<void> {
  const { exitCode, output } = await runCommand(undefined, 'cp', ['-a', from, to], { cwd: '/', timeoutMs: 60_000 });
  if (exitCode !== 0) throw new Error(output);
}

async function withService<T>(
  sandbox: Sandbox,
  database: Partial<DatabaseLocation>,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const service = await startService({ dataDir: sandbox.directory, ...database }, sandbox.directory);
  return work(service).finally(service.stop);
}

/** Every payment must replay byte for byte, every balance must match, and ledger:verify must pass. */
async function verifyRestored(
  sandbox: Sandbox,
  database: Partial<DatabaseLocation>,
  ledger: Ledger,
  name: string,
): Promise<void> {
  const report = await withService(sandbox, database, async (service) => {
    await verifyPayments(service, ledger);
    return verifyLedger({ dataDir: sandbox.directory, ...database });
  });
  if (!report.includes('The books are in order.')) throw new Error(report);
  const { length: count } = acknowledgedEntries(ledger);
  print(`${name}: ${count} payments replayed byte for byte, all balances match, ledger:verify passed`);
}
