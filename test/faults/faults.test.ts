// Nearly every kind of fault once, under a light load of every kind of payment; npm run test:faults goes on for minutes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultNames } from './faults.ts';
import { type Survived, survive } from './survive.ts';

const SEED = 20_261_115;

test('everything acknowledged survives faults of every kind, exactly once', async (context) => {
  // One gateway and PostgreSQL, each by itself, stand for all of them here: starts take most of the time.
  const once = faultNames(true).filter((name) => !['all gateways killed', 'everything killed'].includes(name));
  const until = ({
    acknowledged,
    routes,
    refused,
    load: { replays, doubles },
  }: Pick<Survived, 'acknowledged' | 'routes' | 'refused' | 'load'>) =>
    acknowledged > 150 && routes.size >= 13 && refused > 0 && replays > 0 && doubles > 0;
  const options = { seed: SEED, seconds: 600, once, until, clients: 4, pauseMs: 10, smallDiskMb: 256 };
  const survived = await survive({ ...options, say: (line) => context.diagnostic(line) });
  if (survived.isDiskSkipped) context.diagnostic('A small disk could not be mounted here: "disk full" was skipped.');
  assert.deepEqual(survived.findings.slice(0, 20), [], `seed ${SEED}; the logs are in ${survived.logs}`);
  // A disk is not always full in time; everything else can be broken whenever it is to be.
  const missing = once.filter((name) => !name.startsWith('disk full') && !survived.faults.has(name));
  assert.deepEqual(missing, [], 'these never took place');
  assert.ok(survived.acknowledged > 150, `${survived.acknowledged} movements`);
  assert.ok(survived.routes.size >= 13, [...survived.routes.keys()].join(', '));
  // What the proof is about did occur: answers that were lost, refusals, repeats, and webhooks.
  const { load, refused, events } = survived;
  const { unanswered, failed, replays, doubles } = load;
  for (const [what, count] of Object.entries({ unanswered, failed, replays, doubles, refused, events })) {
    assert.ok(count > 0, `no ${what}`);
  }
});
