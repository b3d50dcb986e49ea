// npm run backup:drill: takes backups under payments, loses the database, restores it, and holds it against the receipts.
// Exits 0 when everything acknowledged before the backup is there; what needs programs that are not installed is skipped.
import { appendFile, chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '@kissi/embedded-postgres';
import { type Database, type Gateway, populate, startGateway, verifyLedger, type World } from './drill/gateway.ts';
import { type Book, holdAgainst, newBook, payMany } from './drill/payments.ts';
import { destroy, makeFolder, newServer, type Server, serverIn } from './drill/server.ts';
import { drill, findPostgresql, say, TO_INSTALL, type Workshop } from './drill/workshop.ts';

const SOME = 40;

const postgresql = await findPostgresql();
await drill('backup', async (workshop) => {
  if (postgresql) await ofAServer(workshop, postgresql);
  else say(`Skipped: base backups and dumps, PostgreSQL's tools are not installed here. On Debian:\n  ${TO_INSTALL}`);
  await ofTheEmbeddedServer(workshop);
});

/** pg_basebackup and archived WAL, to an instant and to the end; then pg_dump. */
async function ofAServer(workshop: Workshop, programs: string): Promise<void> {
  const tool = (name: string, ...args: string[]) => workshop.run(join(programs, name), ...args);
  say(`A server of ${programs}, its WAL archived:`);
  const archive = await makeFolder(workshop, 'archive');
  const live = await newServer(workshop, programs, 'live', archiving(archive));
  const base = join(workshop.folder, 'base');
  const { world, receipts, late, instant } = await history(workshop, live, async () => {
    await tool('pg_basebackup', '-d', live.ownerUrl, '-D', base, '-X', 'stream', '-c', 'fast');
    await tool('pg_verifybackup', base);
    say('  pg_basebackup taken while payments went on, pg_verifybackup is content');
  });
  await destroy(live);
  say('  kill -9, and the data folder removed');

  const restore = async (name: string, further: string) => {
    const server = await serverIn(workshop, programs, name);
    await workshop.run('cp', '-a', base, server.folder);
    await recoverFrom(server.folder, archive, further);
    await workshop.run('touch', join(server.folder, 'recovery.signal'));
    await server.start();
    return server;
  };
  const then = await restore('then', `recovery_target_time = '${instant}'\nrecovery_target_action = promote`);
  await holds(workshop, { databaseUrl: then.url }, world, receipts, `  restored to ${instant}`);
  const whole = await restore('whole', '');
  await holds(workshop, { databaseUrl: whole.url }, world, late, '  restored to the end of the archive');

  const dump = join(workshop.folder, 'kissi.dump');
  await tool('pg_dump', '-Fc', '-d', whole.url, '-f', dump);
  const roles = join(workshop.folder, 'roles.sql');
  await tool('pg_dumpall', '-d', whole.ownerUrl, '--roles-only', '-f', roles);
  const other = await newServer(workshop, programs, 'other', '');
  await tool('psql', '-q', '-d', other.ownerUrl, '-f', roles);
  await tool('pg_restore', '--exit-on-error', '-d', other.url, dump);
  await holds(workshop, { databaseUrl: other.url }, world, late, '  pg_dump, and pg_restore on another server');
}

interface History {
  world: World;
  /** At the instant, and when all was lost. */
  receipts: Book;
  late: Book;
  instant: string;
}

/** Payments, a backup amid them, more of them, an instant, and some after it. */
async function history(workshop: Workshop, live: Server, backup: () => Promise<void>): Promise<History> {
  const gateway = await startGateway({ databaseUrl: live.url, dataDir: workshop.folder }, workshop.folder);
  try {
    const world = await populate(gateway, 6);
    const book = newBook(world);
    await payMany(gateway, world, book, 'before', SOME);
    await Promise.all([backup(), payMany(gateway, world, book, 'meanwhile', SOME)]);
    await payMany(gateway, world, book, 'after', SOME);
    const receipts = structuredClone(book);
    const instant = String(await live.ask('select clock_timestamp()::text'));
    await payMany(gateway, world, book, 'late', SOME);
    await archived(live);
    return { world, receipts, late: book, instant };
  } finally {
    await gateway.stop();
  }
}

/** Copied under another name first: what has its name in the archive is whole. */
function archiving(archive: string): string {
  const command = `test ! -f ${archive}/%f && cp %p ${archive}/.%f && sync ${archive}/.%f && mv ${archive}/.%f ${archive}/%f`;
  return `archive_mode = on\narchive_command = '${command}'\n`;
}

/** Ends the WAL file under way and waits until it is in the archive. */
async function archived(server: Server): Promise<void> {
  const file = await server.ask('select pg_walfile_name(pg_switch_wal())');
  for (let tries = 0; tries < 300; tries++) {
    if (String(await server.ask('select last_archived_wal from pg_stat_archiver')) >= String(file)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${file} does not reach the archive`);
}

/** The restored one archives nothing: its timeline is a new one, and the old archive stays as it was. */
async function recoverFrom(folder: string, archive: string, further: string): Promise<void> {
  const settings = ['archive_mode = off', `restore_command = 'cp ${archive}/%f %p'`, further];
  await appendFile(join(folder, 'postgresql.conf'), `${settings.join('\n')}\n`);
}

/** A cold copy of DATA_DIR, and the same with archived WAL to an instant: what the embedded server can do by itself. */
async function ofTheEmbeddedServer(workshop: Workshop): Promise<void> {
  say('The embedded server, its WAL archived:');
  const archive = await makeFolder(workshop, 'embedded-archive');
  const dataDir = await makeFolder(workshop, 'data');
  const gateway = await startGateway({ dataDir }, workshop.folder);
  const world = await populate(gateway, 6).finally(gateway.stop);
  await appendFile(join(dataDir, 'postgres', 'postgresql.conf'), archiving(archive));
  const book = newBook(world);
  await withGateway(workshop, { dataDir }, (open) => payMany(open, world, book, 'before', SOME));
  const copy = join(workshop.folder, 'copy');
  await cp(dataDir, copy);
  const atCopy = structuredClone(book);
  const { receipts, instant } = await withGateway(workshop, { dataDir }, async (open) => {
    await payMany(open, world, book, 'after', SOME);
    const receipts = structuredClone(book);
    // This setting knows no T and no Z.
    const instant = new Date().toISOString().replace('T', ' ').replace('Z', '+00');
    await payMany(open, world, book, 'late', SOME);
    return { receipts, instant };
  });
  say('  stopped, copied, started; payments before and after');

  const then = join(workshop.folder, 'data-then');
  await cp(copy, then);
  // Nobody is let in before it is done: the service waits.
  const further = `recovery_target_time = '${instant}'\nrecovery_target_action = promote\nhot_standby = off`;
  await recoverFrom(join(then, 'postgres'), archive, further);
  const signal = join(then, 'postgres', 'recovery.signal');
  await writeFile(signal, '');
  await chown(signal, workshop.account.uid, workshop.account.gid);
  await holds(workshop, { dataDir: then }, world, receipts, `  the copy brought to ${instant} with the archive`);
  await appendFile(join(copy, 'postgres', 'postgresql.conf'), 'archive_mode = off\n');
  await holds(workshop, { dataDir: copy }, world, atCopy, '  the copy alone');
}

/** By whom the drill was started: DATA_DIR has files of root's and of PostgreSQL's user. */
async function cp(from: string, to: string): Promise<void> {
  const { exitCode, output } = await runCommand(undefined, 'cp', ['-a', from, to], { cwd: '/', timeoutMs: 60_000 });
  if (exitCode !== 0) throw new Error(output);
}

async function withGateway<T>(
  workshop: Workshop,
  at: Partial<Database>,
  work: (open: Gateway) => Promise<T>,
): Promise<T> {
  const gateway = await startGateway({ dataDir: workshop.folder, ...at }, workshop.folder);
  return work(gateway).finally(gateway.stop);
}

/** Every receipt is answered again to the byte, every balance is what they make it, and the books are in order. */
async function holds(workshop: Workshop, at: Partial<Database>, world: World, book: Book, what: string): Promise<void> {
  const proof = await withGateway(workshop, at, async (gateway) => {
    await holdAgainst(gateway, world, book);
    return verifyLedger({ dataDir: workshop.folder, ...at });
  });
  if (!proof.includes('The books are in order.')) throw new Error(proof);
  say(`${what}: ${book.answered.length} requests answered again to the byte, balances right, ledger:verify clean`);
}
