// npm run drill:primary: kills the primary PostgreSQL under payments, promotes a synchronous standby, and verifies that no
// acknowledged payment is lost.
import type { Drill } from '../drill.ts';
import { inSeconds } from '../payments.ts';
import { serverPrograms, step } from '../sandbox.ts';
import { startService } from '../service.ts';
import { promote, startPair } from '../standby.ts';
import { conclude, startTraffic } from '../traffic.ts';

export const drill: Drill = {
  about: `Kills the primary PostgreSQL under payments, promotes its synchronous standby, and verifies that no acknowledged payment is
lost. drill:patroni does this with Patroni, which promotes by itself.`,
  async run(sandbox, options) {
    const bin = await serverPrograms(sandbox);
    const { primary, standby } = await startPair(sandbox, { bin, name: 'pair', isSynchronous: true });
    step(`started a primary and a synchronous standby from ${bin}`);
    const both = new URL(primary.url);
    const hosts = [primary, standby].map(({ url }) => new URL(url).host).join(',');
    const databaseUrl = `${both.href.replace(both.host, hosts)}?target_session_attrs=read-write`;
    const database = { databaseUrl, dataDir: sandbox.directory };
    const service = await startService(database, sandbox.directory);
    const traffic = await startTraffic(service.address, options);
    const failedAt = performance.now();
    await primary.kill();
    await promote(standby);
    step(`primary killed with kill -9, standby promoted after ${inSeconds(performance.now() - failedAt)}`);
    const recoveryMs = await traffic.waitForFullRate(failedAt);
    return [await conclude(traffic, { failure: 'primary', failedAt, recoveryMs, server: standby, service, database })];
  },
};
