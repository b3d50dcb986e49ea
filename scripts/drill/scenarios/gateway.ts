// npm run drill:gateway: kills one of two gateways behind a load balancer under payments.
import type { Drill } from '../drill.ts';
import { initServer } from '../postgres-server.ts';
import { startRelay } from '../relay.ts';
import { serverPrograms, step } from '../sandbox.ts';
import { startService } from '../service.ts';
import { conclude, startTraffic } from '../traffic.ts';

export const drill: Drill = {
  about: 'Kills one of two gateways with kill -9 while clients pay through a load balancer; the other one takes over.',
  async run(sandbox, options) {
    const bin = await serverPrograms(sandbox);
    const server = await initServer(sandbox, bin, 'server', '');
    const database = { databaseUrl: server.url, dataDir: sandbox.directory };
    const lost = await startService(database, sandbox.directory);
    const left = await startService(database, sandbox.directory);
    const balancer = await startRelay(sandbox, [lost.address, left.address]);
    step(`two gateways behind a balancer, PostgreSQL from ${bin}`);
    const traffic = await startTraffic(balancer.address, options, { setupAt: left.address });
    const failedAt = performance.now();
    await lost.kill();
    step('one gateway killed with kill -9');
    const recoveryMs = await traffic.waitForFullRate(failedAt);
    return [await conclude(traffic, { failure: 'gateway', failedAt, recoveryMs, server, service: left, database })];
  },
};
