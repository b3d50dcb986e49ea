// npm run drill:delete: a superuser deletes rows of the ledger by mistake; the database is recovered to the instant before, and
// the payments made after it are listed.

import { setTimeout as wait } from 'node:timers/promises';
import type { Entry } from '@kissi/testkit/journal';
import { archiveSettings, recoverySettings, waitUntilArchived } from '../archive.ts';
import type { Drill } from '../drill.ts';
import { INDEPENDENT } from '../payments.ts';
import {
  configure,
  copyServer,
  inDatabase,
  initServer,
  makeDirectory,
  type PostgresServer,
} from '../postgres-server.ts';
import { startRelay } from '../relay.ts';
import { serverPrograms, step } from '../sandbox.ts';
import { runVerify, startService } from '../service.ts';
import { conclude, startTraffic } from '../traffic.ts';

/** The service's own login may not delete; a superuser may switch the triggers off. */
const WRONG_DELETE = `set session_replication_role = replica;
  delete from postings where movement_id in (select id from movements where type = 'transfer_p2p')`;
const UNNOTICED_MS = 1_000;
const LISTED = 3;

export const drill: Drill = {
  about: `Deletes rows of the ledger as a superuser under payments, recovers a base backup with archived WAL to the instant before, and
lists the payments made after it.`,
  async run(sandbox, options) {
    const bin = await serverPrograms(sandbox);
    const archive = await makeDirectory(sandbox, 'archive');
    const live = await initServer(sandbox, bin, 'live', archiveSettings(archive));
    await live.stop();
    const restored = await copyServer(sandbox, bin, live, 'restored');
    await live.start();
    step(`base backup taken, WAL is archived, PostgreSQL from ${bin}`);
    const first = await startService({ databaseUrl: live.url, dataDir: sandbox.directory }, sandbox.directory);
    const balancer = await startRelay(sandbox, [first.address]);
    const traffic = await startTraffic(balancer.address, options, { kind: INDEPENDENT });

    const deletedAt = performance.now();
    const instant = String(await live.query('select clock_timestamp()::text'));
    const deleted = (
      await inDatabase(live, `select count(*) from (select from movements where type = 'transfer_p2p') m`)
    )[0];
    await inDatabase(live, WRONG_DELETE);
    step(`wrong delete after ${instant}: the postings of ${deleted?.count} payments are gone`);
    await wait(UNNOTICED_MS);
    const { code, output } = await runVerify({ databaseUrl: live.url, dataDir: sandbox.directory });
    if (code === 0) throw new Error('not proved: ledger:verify did not notice the delete');
    step(`ledger:verify notices it: ${output.split('\n').find((line) => line.startsWith('FAULT'))}`);

    const noticedAt = performance.now();
    balancer.cut();
    await first.stop();
    await waitUntilArchived(live);
    step('service stopped, the last WAL archived');
    await configure(sandbox, restored, recoverySettings(archive, instant), 'recovery.signal');
    await restored.start();
    step(`recovered to ${instant}`);
    const later = await listLater(live, restored, instant);
    const database = { databaseUrl: restored.url, dataDir: sandbox.directory };
    const service = await startService(database, sandbox.directory);
    balancer.pointTo([service.address]);
    const recoveryMs = await traffic.waitForFullRate(noticedAt);
    // Made after the instant, and on the list for those who make them good.
    const isExpected = ({ transactionId, acknowledgedAt = 0 }: Entry) =>
      acknowledgedAt > deletedAt && later.has(String(transactionId));
    const recovered = { failedAt: deletedAt, recoveryMs, server: restored, service, database, isExpected };
    return [
      await conclude(traffic, {
        failure: `rows (${later.size} later payments listed; RTO from noticing)`,
        ...recovered,
      }),
    ];
  },
};

/** The payments that the damaged server has and the restored one has not: their clients have receipts. */
async function listLater(damaged: PostgresServer, restored: PostgresServer, instant: string): Promise<Set<string>> {
  const since = `select id, type, amount, from_account, to_account, at::text from movements
    where at > $1::timestamptz - interval '1 minute' order by at, id`;
  const kept = new Set((await inDatabase(restored, since, [instant])).map(({ id }) => id));
  const later = (await inDatabase(damaged, since, [instant])).filter(({ id }) => !kept.has(id));
  step(`${later.length} payments after the instant, to be made good by hand, for example:`);
  for (const { id, type, amount, from_account, to_account, at } of later.slice(0, LISTED)) {
    step(`  ${at} ${id} ${type} ${amount} from ${from_account} to ${to_account}`);
  }
  return new Set(later.map(({ id }) => String(id)));
}
