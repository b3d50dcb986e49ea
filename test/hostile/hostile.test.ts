// Thousands of valid, nearly valid and hostile requests to every documented operation. npm run test:hostile sends more.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { verifyBooks } from '../../src/app/verification.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { reportOf } from '../../src/ledger/verification/verify.ts';
import { type TestGateway, testGateway } from '../support/gateway.ts';
import { type Document, resolvedDocument } from '../support/openapi.ts';
import { SECRETS } from '../support/secrets.ts';
import { runChore } from '../support/staff.ts';
import { describeFaults, hasSucceeded, type Report, runCampaign } from './campaign.ts';
import { CONFIGURED, createFixtures, ENVIRONMENT } from './fixtures.ts';
import { targetsOf } from './operations.ts';
import { foreignChanges, ownMovements } from './owned-keys.ts';
import type { Fixtures } from './world.ts';

const SEED = Number(process.env.HOSTILE_SEED ?? 1);
const REQUESTS = Number(process.env.HOSTILE_REQUESTS ?? 3_000);

/** The statuses that one client can cause here: 429 needs more requests, 503 more concurrency. */
const REFUSAL_STATUSES = [400, 401, 402, 403, 404, 409, 413, 415, 422];

let kissi: TestGateway;
let document: Document;
let fixtures: Fixtures;
let report: Report;

before(async () => {
  kissi = await testGateway({ env: ENVIRONMENT });
  document = resolvedDocument(kissi.gateway.app.openApi());
  fixtures = await createFixtures(
    {
      ...{ ...kissi, query: kissi.db.query, now: () => kissi.clock.now(), configured: CONFIGURED },
      runTask: (name) => runChore(kissi, name),
    },
    SEED,
  );
  // Codes for phone numbers are sent again after a minute.
  kissi.clock.advance(MINUTE_MS);
  report = await runCampaign({
    document,
    fixtures,
    seed: SEED,
    requests: REQUESTS,
    statuses: REFUSAL_STATUSES,
    connections: 12,
  });
});
after(() => kissi.close());

describe('valid, nearly valid and hostile requests', () => {
  test('every reply matches the OpenAPI document, and none is a 500', (context) => {
    context.diagnostic(`the slowest reply took ${Math.round(report.slowestMs)} ms`);
    assert.equal(report.faults.length, 0, describeFaults(report, SEED));
    assert.ok(report.sent >= REQUESTS);
  });

  test('every operation succeeded at least once', () => {
    const missing = targetsOf(document).filter(({ name }) => !hasSucceeded(report, name));
    assert.deepEqual(
      missing.map(({ name }) => `${name}: ${JSON.stringify([...(report.statuses.get(name) ?? [])])}`),
      [],
    );
  });

  test('every status of a refusal occurred', () => {
    const statuses = new Set([...report.statuses.values()].flatMap((counts) => [...counts.keys()]));
    assert.deepEqual(
      REFUSAL_STATUSES.filter((status) => !statuses.has(status)),
      [],
    );
  });

  test('no key of a partner or processor changed what belongs to another', async () => {
    assert.deepEqual(await foreignChanges(kissi.db.query, fixtures.ownedKeys), []);
    assert.ok((await ownMovements(kissi.db.query, fixtures.ownedKeys)) > 0, 'they moved their own money');
  });

  test('no PIN, password, key, secret, token, code or signature is in the log', () => {
    const log = kissi.logs();
    assert.ok(log.length > REQUESTS * 100);
    assert.equal(fixtures.secrets.find(log), null);
  });

  test('the service is healthy afterwards', async () => {
    const health = await kissi.call('GET', '/health');
    assert.deepEqual([health.status, health.json.status], [200, 'ok']);
  });

  test('the ledger verifies afterwards', async () => {
    const verification = await verifyBooks(kissi.db.url, SECRETS.MASTER_KEY);
    assert.ok(verification.clean, reportOf(verification));
  });
});
