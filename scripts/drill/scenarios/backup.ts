// npm run drill:backup: takes backups during payments, destroys the database, restores it and verifies the payments.
import { appendFile, chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '@kissi/embedded-postgres';
import { archiveSettings, recoverySettings, waitUntilArchived } from '../archive.ts';
import type { Drill, DrillResult } from '../drill.ts';
import { acknowledgedEntries, copyLedger, type Ledger, makePayments, openLedger, verifyPayments } from '../payments.ts';
import {
  configure,
  destroyServer,
  initServer,
  makeDirectory,
  type PostgresServer,
  serverAt,
} from '../postgres-server.ts';
import { findPostgresql, INSTALL_COMMAND, print, type Sandbox, step } from '../sandbox.ts';
import { type DatabaseLocation, type Service, startService, verifyLedger } from '../service.ts';

const PAYMENTS_PER_PHASE = 40;

export const drill: Drill = {
  about: `Takes backups in a temporary directory while payments are made, destroys the database, restores it and verifies the payments.
Always makes 40 payments in each phase. Without Debian's PostgreSQL, only the embedded server's copy is restored.`,
  async run(sandbox) {
    const postgresql = await findPostgresql();
    const results = postgresql ? await drillStandaloneServer(sandbox, postgresql) : [];
    if (!postgresql)
      print(`Skipped base backups and dumps: PostgreSQL's tools are not installed. On Debian:\n  ${INSTALL_COMMAND}`);
    return [...results, ...(await drillEmbeddedServer(sandbox))];
  },
};

/** Restores a base backup with archived WAL, to a point in time and then to the end; then restores a dump. */
async function drillStandaloneServer(sandbox: Sandbox, bin: string): Promise<DrillResult[]> {
  const tool = (name: string, ...args: string[]) => sandbox.run(join(bin, name), ...args);
  step(`server from ${bin} with WAL archiving`);
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
    step('pg_basebackup taken during payments and checked with pg_verifybackup');
  });
  const failedAt = performance.now();
  await destroyServer(live);
  step('server killed with kill -9 and its data directory deleted');

  const restore = async (name: string, targetTime?: string) => {
    const server = await serverAt(sandbox, bin, name);
    await sandbox.run('cp', '-a', base, server.pgdata);
    await configure(sandbox, server, recoverySettings(archive, targetTime), 'recovery.signal');
    await server.start();
    return server;
  };
  const atEnd = await restore('end');
  const end = 'restored to the end of the archive';
  const atEndMs = await verifyRestored(sandbox, { databaseUrl: atEnd.url }, ledgerAtEnd, end, failedAt);
  const atTarget = await restore('target', targetTime);
  await verifyRestored(sandbox, { databaseUrl: atTarget.url }, ledgerAtTarget, `restored to ${targetTime}`, failedAt);

  const dump = join(sandbox.directory, 'kissi.dump');
  await tool('pg_dump', '-Fc', '-d', atEnd.url, '-f', dump);
  const roles = join(sandbox.directory, 'roles.sql');
  await tool('pg_dumpall', '-d', atEnd.superuserUrl, '--roles-only', '-f', roles);
  const other = await initServer(sandbox, bin, 'other', '');
  await tool('psql', '-q', '-d', other.superuserUrl, '-f', roles);
  await tool('pg_restore', '--exit-on-error', '-d', other.url, dump);
  const name = 'pg_dump restored with pg_restore on another server';
  await verifyRestored(sandbox, { databaseUrl: other.url }, ledgerAtEnd, name, failedAt);
  return [result('the database server', ledgerAtEnd, atEndMs)];
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

function result(failure: string, ledger: Ledger, recoveryMs: number): DrillResult {
  // Restoring throws if one is missing.
  return { failure, acknowledgedBefore: acknowledgedEntries(ledger).length, lost: 0, oldestLostMs: 0, recoveryMs };
}

/** Restores a cold copy of DATA_DIR, with archived WAL to a point in time, then on its own. Needs no other tools. */
async function drillEmbeddedServer(sandbox: Sandbox): Promise<DrillResult[]> {
  step('embedded server with WAL archiving');
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
  step('stopped, copied and restarted, with payments before and after');

  const failedAt = performance.now();
  const restored = join(sandbox.directory, 'data-restored');
  await copyDirectory(copy, restored);
  // hot_standby = off rejects connections until recovery is complete, so the service waits for it.
  const settings = [...recoverySettings(archive, targetTime), 'hot_standby = off'];
  await appendFile(join(restored, 'postgres', 'postgresql.conf'), `${settings.join('\n')}\n`);
  const signal = join(restored, 'postgres', 'recovery.signal');
  await writeFile(signal, '');
  await chown(signal, sandbox.osUser.uid, sandbox.osUser.gid);
  const name = `copy restored to ${targetTime} with the archive`;
  const restoredMs = await verifyRestored(sandbox, { dataDir: restored }, atTarget, name, failedAt);
  await appendFile(join(copy, 'postgres', 'postgresql.conf'), 'archive_mode = off\n');
  await verifyRestored(sandbox, { dataDir: copy }, atCopy, 'copy alone', failedAt);
  return [result("the embedded server's data", atTarget, restoredMs)];
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

/**
 * Every payment must replay byte for byte, every balance must match, and ledger:verify must pass. Returns the milliseconds
 * from the failure until the service is ready.
 */
async function verifyRestored(
  sandbox: Sandbox,
  database: Partial<DatabaseLocation>,
  ledger: Ledger,
  name: string,
  failedAt: number,
): Promise<number> {
  const { report, recoveryMs } = await withService(sandbox, database, async (service) => {
    const recoveryMs = performance.now() - failedAt;
    await verifyPayments(service, ledger);
    return { report: await verifyLedger({ dataDir: sandbox.directory, ...database }), recoveryMs };
  });
  if (!report.includes('The books are in order.')) throw new Error(report);
  const { length: count } = acknowledgedEntries(ledger);
  step(`${name}: ${count} payments replayed byte for byte, all balances match, ledger:verify passed`);
  return recoveryMs;
}
