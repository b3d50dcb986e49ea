// Some thousands of requests, valid, nearly valid and hostile, at every operation of the document. npm run test:hostile sends more.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { verifyLedger } from '../../src/ledger/verification/verify.ts';
import { type TestGateway, testGateway } from '../support/gateway.ts';
import type { Document } from '../support/openapi.ts';
import { campaign, describeFaults, type Report, reached } from './campaign.ts';
import { targetsOf } from './operations.ts';
import { CONFIGURED, ENVIRONMENT, makeWorld, type World } from './world.ts';

const SEED = Number(process.env.HOSTILE_SEED ?? 1);
const REQUESTS = Number(process.env.HOSTILE_REQUESTS ?? 3_000);

/** All that a caller can bring about: 429 takes more requests than there are, 503 more at once. */
const REFUSED_WITH = [400, 401, 402, 403, 404, 409, 413, 415, 422];

let kissi: TestGateway;
let document: Document;
let world: World;
let report: Report;

before(async () => {
  kissi = await testGateway({ env: ENVIRONMENT });
  document = kissi.gateway.app.swagger() as unknown as Document;
  const { url, call, adminToken } = kissi;
  world = await makeWorld({ url, call, adminToken, now: () => kissi.clock.now(), configured: CONFIGURED }, SEED);
  report = await campaign({ document, world, seed: SEED, requests: REQUESTS, connections: 12 });
});
after(() => kissi.close());

describe('whatever is sent', () => {
  test('every request gets a reply that the OpenAPI document describes, and none a 500', (context) => {
    context.diagnostic(`the slowest reply took ${Math.round(report.slowestMs)} ms`);
    assert.equal(report.faults.length, 0, describeFaults(report, SEED));
    assert.ok(report.sent >= REQUESTS);
  });

  test('every operation was also asked for what it does, and did it', () => {
    const missing = targetsOf(document).filter(({ name }) => !reached(report, name));
    assert.deepEqual(
      missing.map(({ name }) => `${name}: ${JSON.stringify([...(report.statuses.get(name) ?? [])])}`),
      [],
    );
  });

  test('requests were refused in every way there is, early and late', () => {
    const statuses = new Set([...report.statuses.values()].flatMap((counts) => [...counts.keys()]));
    assert.deepEqual(
      REFUSED_WITH.filter((status) => !statuses.has(status)),
      [],
    );
  });

  test('no PIN, password, key, secret, token, code or signature is in the log', () => {
    const log = kissi.logs();
    assert.ok(log.length > REQUESTS * 100);
    assert.equal(world.secrets.find(log), null);
  });

  test('the service goes on', async () => {
    const health = await kissi.call('GET', '/health');
    assert.deepEqual([health.status, health.json.status], [200, 'ok']);
  });

  test('the books are in order', async () => {
    assert.ok((await verifyLedger(kissi.db.url)).clean);
  });
});
