// The hot routes with and without the fast lane, on two equal databases: the same requests get the same replies, log lines,
// counts and records, and leave the same balances.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { seededRandom } from '@kissi/testkit/random';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { twins } from '../support/database.ts';
import { type Json, type TestGateway, testGateway } from '../support/gateway.ts';
import { scrape } from '../support/metrics.ts';
import { type Document, resolvedDocument } from '../support/openapi.ts';
import { type Outcome, Wire, type WireRequest } from '../support/wire.ts';
import { CONFIGURED, createFixtures, ENVIRONMENT } from './fixtures.ts';
import { type Target, targetsOf } from './operations.ts';
import { draftOf, pickKind, signedRequest } from './requests.ts';
import type { Fixtures } from './world.ts';

const SEED = Number(process.env.HOSTILE_SEED ?? 1);
/** To each hot route. */
const REQUESTS = Number(process.env.HOSTILE_REQUESTS ?? 600) / 10;

let gateways: { lane: TestGateway; ordinary: TestGateway };
let fixtures: Fixtures;
let targets: Target[];
let served = 0;

before(async () => {
  const first = await testGateway({ env: ENVIRONMENT });
  const { clock } = first;
  fixtures = await createFixtures(
    { ...first, query: first.db.query, now: () => clock.now(), configured: CONFIGURED },
    SEED,
  );
  clock.advance(MINUTE_MS);
  const hot = first.gateway.routeGroups.flatMap(({ prefix, endpoints }) =>
    endpoints.filter(({ hot }) => hot).map(({ path }) => prefix + path.replaceAll(/:(\w+)/g, '{$1}')),
  );
  const all = targetsOf(resolvedDocument(first.gateway.app.openApi()) as Document);
  targets = all.filter(({ method, template }) => method === 'POST' && hot.includes(template));
  assert.equal(targets.length, hot.length);
  await first.gateway.close();
  const [one, two] = await twins(first.db);
  gateways = {
    lane: await testGateway({ env: { ...ENVIRONMENT, FAST_LANE: 'on' }, clock, db: one }),
    ordinary: await testGateway({ env: { ...ENVIRONMENT, FAST_LANE: 'off' }, clock, db: two }),
  };
});
after(async () => {
  for (const { close, db } of Object.values(gateways)) {
    await close();
    await db.close();
  }
});

/** What differs between two runs: ids and codes, the time of the machine, and how fast it is. */
function comparable(text: string): string {
  return (
    text
      .replaceAll(/\b((?:[a-z]+_)+)[0-9A-HJKMNP-TV-Z]{26}\b/g, '$1…')
      .replaceAll(/("authorization_code":"|(?:APPROVED|AUTHORIZED) +)[0-9A-Z]{6}/g, '$1…')
      // What names a payment request is drawn for each.
      .replaceAll(/"(code|ussd|qr|url)":"[^"]*"/g, '"$1":"…"')
      .replaceAll(/"id":"[\w-]{80,}"/g, '"id":"…"')
      .replaceAll(/^Date: .+$/gm, 'Date: …')
      .replaceAll(/^x-ratelimit-(remaining|reset): \d+/gm, 'x-ratelimit-$1: …')
      .replaceAll(/"time":"[^"]+"|"ms":[\d.]+/g, '…')
  );
}

function describeOutcome(outcome: Outcome): string {
  return typeof outcome === 'string' ? outcome : comparable(`${outcome.head}\n\n${outcome.body.toString()}`);
}

async function outcomes(request: WireRequest): Promise<string[]> {
  return Promise.all(
    Object.values(gateways).map(async ({ url }) => {
      // Each on a new connection, so that the lane sees it.
      const wire = new Wire(url);
      const outcome = await wire.send(request).catch((): Outcome => 'closed');
      wire.close();
      return describeOutcome(outcome);
    }),
  );
}

const laneRequests = async () => (await scrape(gateways.lane)).series.get('kissi_http_fast_lane_requests_total') ?? 0;

test('valid, nearly valid and hostile requests get the same bytes', async () => {
  for (let turn = 0; turn < REQUESTS; turn++) {
    for (const target of targets) {
      const source = seededRandom(`${SEED} ${target.name} ${turn}`);
      const draft = draftOf(target, pickKind(source), fixtures, source);
      const request = signedRequest(draft, fixtures, source);
      const [lane, ordinary] = await outcomes(request);
      assert.equal(lane, ordinary, `${target.name} (${draft.changes.join(', ')})`);
      // A repetition is a replay.
      if (turn % 5 === 0) assert.equal(...((await outcomes(request)) as [string, string]), `${target.name}, repeated`);
    }
  }
  served = await laneRequests();
  assert.ok(served > (REQUESTS * targets.length) / 2, `${served} were served on the lane`);
});

test('the recorded examples get the same bytes', async () => {
  const examples: Json = JSON.parse(await readFile(new URL('../../src/app/examples.json', import.meta.url), 'utf8'));
  for (const target of targets) {
    const source = seededRandom(`${SEED} ${target.name} example`);
    const body = Buffer.from(JSON.stringify(examples[(target.operation as Json).operationId].request));
    const draft = { ...draftOf(target, 'valid', fixtures, source), body };
    const [lane, ordinary] = await outcomes(signedRequest(draft, fixtures, source));
    assert.equal(lane, ordinary, target.name);
  }
  assert.equal(await laneRequests(), served + targets.length);
});

test('log lines, counts of requests and refusals, recorded requests and balances are the same', async () => {
  const seen = await Promise.all(
    Object.values(gateways).map(async (kissi) => {
      const lines = kissi.logs().split('\n');
      const logged = lines.filter((line) => line.includes('"msg":"request"') && line.includes('"method":"POST"'));
      const { series } = await scrape(kissi);
      const counted = [...series].filter(
        ([name]) => name.startsWith('kissi_http_requests_total') && name.includes('POST'),
      );
      await kissi.gateway.services.requestLog.flush();
      const { rows: recorded } = await kissi.db.query(
        `select key_id, verified, method, path, status, code, reason, ip, request_bytes, reply_bytes, request_body
        from request_log where path = any ($1) order by key_id, path, status, request_bytes, reply_bytes, request_body::text`,
        [targets.map(({ template }) => template)],
      );
      // Each gateway has its own account for fees.
      const { rows: accounts } = await kissi.db.query(
        `select regexp_replace(id, '^(sys_fees)_.*', '\\1') as name, sum(balance) from accounts group by 1 order by 1`,
      );
      return { logged: logged.map(comparable).toSorted(), counted, recorded, accounts };
    }),
  );
  const [lane, ordinary] = seen as [(typeof seen)[0], (typeof seen)[0]];
  assert.ok(lane.logged.length > REQUESTS && lane.recorded.length > 0);
  assert.deepEqual(lane, ordinary);
});
