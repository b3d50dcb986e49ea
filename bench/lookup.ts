// The npm run bench:lookup scenario: times searches and filters over HTTP on large tables, and prints their plans.
import { loadavg } from 'node:os';
import type { Kissi } from '@kissi/client';
import { openDatabase } from '../src/db/database.ts';
import { createCheckpoints } from '../src/ledger/queries/checkpoints.ts';
import { withClient } from './client.ts';
import { type DataSize, loadLookupData } from './lookup-data.ts';
import { explainPlans } from './lookup-plans.ts';
import { type LookupScenario, lookupScenarios } from './lookup-scenarios.ts';
import { log, origin, print, type Scenario } from './runner.ts';

const WARM_UP = 5;
const LIMIT_MS = 100;

export const scenario: Scenario = {
  usage: `npm run bench:lookup [-- SUBSCRIBERS MOVEMENTS]
Times searches and filters on large tables, by default with a million subscribers and ten million movements.`,
  operands: true,
  async measure([{ databaseUrl, admin, build }], { operands }) {
    const size = { subscribers: Number(operands[0] ?? 1_000_000), movements: Number(operands[1] ?? 10_000_000) };
    await loadLookupData(databaseUrl, size, log);
    await writeCheckpoints(databaseUrl);
    return withClient(databaseUrl, async (client) => {
      print(heading(build, size));
      for (const each of await lookupScenarios(client)) {
        if (each.paths.length > 0) print(await measured(each, admin));
      }
      const plans = await explainPlans(client);
      const texts = plans.map(({ name, lines }) => `${name}:\n\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n`);
      return `\n## Plans\n\n${texts.join('\n')}`;
    });
  },
};

function heading(build: string, size: DataSize): string {
  return `# Look-ups on large tables

${origin('npm run bench:lookup', { build })}:
${size.subscribers.toLocaleString('en')} subscribers and ${size.movements.toLocaleString('en')} movements. Each request uses different values.
Times are for one request at a time over HTTP, in milliseconds. The goal is ${LIMIT_MS} ms at p95. Load average at
the start of the requests: ${loadavg()[0]?.toFixed(1)}.

| request | requests | records | p50 | p95 | longest | within ${LIMIT_MS} ms |
|---|---|---|---|---|---|---|`;
}

/** A row of the table: each path once, after a few requests to warm up. */
async function measured({ name, paths, records }: LookupScenario, admin: Kissi): Promise<string> {
  const times: number[] = [];
  let found = 0;
  const warmUp = paths.slice(0, WARM_UP);
  for (const [index, path] of [...warmUp, ...paths].entries()) {
    const startedAt = performance.now();
    const reply = await admin.client.get<Record<string, Record<string, unknown[]>>>({ url: `/api/v1${path}` });
    if (index < warmUp.length) continue;
    times.push(performance.now() - startedAt);
    found += reply[records]?.length ?? 0;
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const figures = [at(0.5), at(0.95), at(1)].map((ms) => ms.toFixed(1)).join(' | ');
  const perRequest = (found / times.length).toFixed(1);
  return `| ${name} | ${times.length} | ${perRequest} | ${figures} | ${at(0.95) <= LIMIT_MS ? 'yes' : 'NO'} |`;
}

/** Writes the checkpoints that the service writes in the background. */
async function writeCheckpoints(url: string): Promise<void> {
  const database = openDatabase({ url, poolSize: 1 });
  try {
    const checkpoints = createCheckpoints(database.pool);
    while ((await checkpoints.write()) > 0);
  } finally {
    await database.close();
  }
}
