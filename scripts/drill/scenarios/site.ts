// npm run drill:site: loses the gateway, the primary and the line of one site at once, and continues at another with a replica,
// first with asynchronous replication and then with synchronous.
import type { Drill, DrillOptions, DrillResult } from '../drill.ts';
import { INDEPENDENT } from '../payments.ts';
import { type Relay, startRelay } from '../relay.ts';
import { type Sandbox, serverPrograms, step } from '../sandbox.ts';
import { startService } from '../service.ts';
import { promote, startPair } from '../standby.ts';
import { conclude, startTraffic } from '../traffic.ts';

/** One way; as far as from Freetown to London. */
const LINE_DELAY_MS = 35;

export const drill: Drill = {
  about: `Loses a site with its gateway and its primary, and continues at another with a replica behind a line of ${LINE_DELAY_MS} ms: with
asynchronous replication, which loses the last payments, and with synchronous, which loses none.`,
  async run(sandbox, options) {
    return [await loseSite(sandbox, options, false), await loseSite(sandbox, options, true)];
  },
};

async function loseSite(sandbox: Sandbox, options: DrillOptions, isSynchronous: boolean): Promise<DrillResult> {
  const how = isSynchronous ? 'synchronous' : 'asynchronous';
  const bin = await serverPrograms(sandbox);
  let replication: Relay | undefined;
  const line = async (port: number) => {
    replication = await startRelay(sandbox, [`http://127.0.0.1:${port}`], LINE_DELAY_MS);
    return replication.port;
  };
  const { primary, standby } = await startPair(sandbox, { bin, name: how, isSynchronous, line });
  const there = await startService({ databaseUrl: primary.url, dataDir: sandbox.directory }, sandbox.directory);
  const names = await startRelay(sandbox, [there.address]);
  step(`${how} replication to another site, PostgreSQL from ${bin}`);
  const traffic = await startTraffic(names.address, options, { kind: INDEPENDENT });
  const failedAt = performance.now();
  replication?.cut();
  names.cut();
  await Promise.all([there.kill(), primary.kill()]);
  await promote(standby);
  step('site lost: line cut, gateway and primary killed with kill -9; replica promoted');
  const database = { databaseUrl: standby.url, dataDir: sandbox.directory };
  const service = await startService(database, sandbox.directory);
  names.pointTo([service.address]);
  step('gateway started at the other site, clients pointed to it');
  const recoveryMs = await traffic.waitForFullRate(failedAt);
  const failure = `site, ${how} replica`;
  const recovered = { failure, failedAt, recoveryMs, server: standby, service, database };
  return conclude(traffic, { ...recovered, mayLose: !isSynchronous });
}
